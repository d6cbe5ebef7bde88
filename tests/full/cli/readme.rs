//! What the README shows is what the program does.

use taffeta::scene::{Scene, Sweep};
use taffeta::settings::SolverKind;

const README: &str = include_str!("../../../README.md");

mod hang {
    include!("../../../examples/hang.rs");

    #[test]
    fn the_example_runs() {
        main().unwrap();
    }
}

mod batch {
    include!("../../../examples/batch.rs");

    #[test]
    fn the_example_runs() {
        main().unwrap();
    }
}

#[test]
fn the_example_is_the_one_in_examples() {
    let example = include_str!("../../../examples/hang.rs");
    let code = example.split_once("\n\n").unwrap().1;
    assert!(
        README.contains(&format!("```rust\n{code}```")),
        "the README's example differs from examples/hang.rs"
    );
}

#[test]
fn the_page_on_batches_is_right() {
    let page = include_str!("../../../docs/batches.md");
    let example = include_str!("../../../examples/batch.rs");
    let code = example.split_once("\n\n").unwrap().1;
    assert!(page.contains(&format!("```rust\n{code}```")), "docs/batches.md differs from examples/batch.rs");
    let block = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let scene = include_str!("../../../scenes/batch/napkin.toml");
    let sweep = Sweep::parse(scene, "napkin.toml", block, "batches.md").unwrap();
    let batch = sweep.batch().unwrap();
    assert_eq!((sweep.copies(), sweep.keys().count(), batch.model.copies()), (256, 5, 256));
    let without = block.lines().filter(|line| !line.starts_with("copies")).collect::<Vec<_>>().join("\n");
    assert_eq!(Sweep::parse(scene, "napkin.toml", &without, "batches.md").unwrap().copies(), 3);
    for key in ["copies", "seed", "combine", "[vary]", "[jitter]", "position", "velocity"] {
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn the_scene_is_valid() {
    let scene = README.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let scene = Scene::parse(scene, "README.md").unwrap();
    assert_eq!((scene.model.node_count(), scene.warnings), (4096, Vec::new()));
}

#[test]
fn every_solver_is_in_the_table() {
    for kind in SolverKind::ALL {
        assert!(README.contains(&format!("| `{kind}` |")), "{kind}");
    }
}
