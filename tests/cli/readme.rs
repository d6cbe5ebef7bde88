//! What the README shows is what the program does.

use taffeta::scene::Scene;
use taffeta::settings::SolverKind;

const README: &str = include_str!("../../README.md");

mod hang {
    include!("../../examples/hang.rs");

    #[test]
    fn the_example_runs() {
        main().unwrap();
    }
}

#[test]
fn the_example_is_the_one_in_examples() {
    let example = include_str!("../../examples/hang.rs");
    let code = example.split_once("\n\n").unwrap().1;
    assert!(
        README.contains(&format!("```rust\n{code}```")),
        "the README's example differs from examples/hang.rs"
    );
}

#[test]
fn the_scene_is_valid() {
    let scene = README.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let scene = Scene::parse(scene, "README.md").unwrap();
    assert_eq!(scene.model.node_count(), 4096);
}

#[test]
fn every_solver_is_in_the_table() {
    for kind in SolverKind::ALL {
        assert!(README.contains(&format!("| `{kind}` |")), "{kind}");
    }
}
