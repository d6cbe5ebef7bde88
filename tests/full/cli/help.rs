//! Help teaches: every command has examples, every option its unit, range and default.

use crate::common::program::Place;
use taffeta::settings::SolverKind;

#[test]
fn every_command_explains_itself() {
    let place = Place::with_sheet();
    let top = place.succeed("--help").out;
    for part in ["Usage: taffeta <COMMAND>", "Examples:", "Exit codes:", "WGPU_ADAPTER_NAME", "RUST_LOG"] {
        assert!(top.contains(part), "{part} is not in\n{top}");
    }
    for command in ["run", "view", "bench", "check", "compare", "info"] {
        assert!(top.contains(&format!("  {command} ")), "{top}");
        let help = place.succeed(&format!("{command} --help")).out;
        assert!(help.contains("Examples:\n  taffeta ") && help.contains("--adapter"), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 120), "{help}");
    }
    assert!(place.succeed("--version").out.starts_with("taffeta "));
    assert_eq!(place.run("").code, Some(2));
}

#[test]
fn help_of_run_lists_every_solver_and_output() {
    let help = Place::with_sheet().succeed("run --help").out;
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for kind in SolverKind::ALL {
        assert!(words.contains(&format!("- {kind}: {}", kind.summary())), "{kind} is not in\n{help}");
    }
    for part in [
        ".obj",
        ".ply",
        ".npy",
        "float32 of shape (nodes, 3)",
        "1 to 100000",
        "[default: obj]",
        "[default: 1280x720]",
        "[s]",
    ] {
        assert!(words.contains(part), "{part} is not in\n{help}");
    }
}

#[test]
fn info_names_the_adapter_that_a_run_would_use() {
    let place = Place::with_sheet();
    assert!(place.succeed("info").out.starts_with("* 0: "));
    let json: serde_json::Value = serde_json::from_str(&place.succeed("info --json").out).unwrap();
    let adapters = json.as_array().unwrap();
    assert_eq!(adapters.iter().filter(|a| a["chosen"] == true).count(), 1);
    assert!(adapters[0]["name"].is_string() && adapters[0]["driver"].is_string());
    assert!(adapters[0]["limits"]["max_buffer_size"].as_u64().unwrap() >= 256 << 20);
    assert!(adapters[0]["features"]["timestamps"].is_boolean());
}

#[test]
fn info_prints_a_shader_as_it_is_composed() {
    let place = Place::with_sheet();
    let text = place.succeed("info --shader newton_multigrid/gradient").out;
    for part in [
        "// methods/newton_multigrid/gradient.wgsl --choose alone,grid,one,none; it goes with alone,grid,one,none or ",
        "\n// ---- network/grid.wgsl\n",
        "\n// ---- methods/newton_multigrid/gradient.wgsl\n",
        "fn gradient(",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let mesh =
        place.succeed("info --shader methods/newton_multigrid/gradient.wgsl --choose mesh,multipliers").out;
    assert!(mesh.contains("// ---- network/mesh.wgsl\n") && mesh.contains("fn keep_multiplier("), "{mesh}");
    for (arguments, parts) in [
        (
            "newton_multigrid/gradint",
            "no shader file 'newton_multigrid/gradint.wgsl'; did you mean 'methods/newton_multigrid/gradient.wgsl'?",
        ),
        ("verlet/substep --choose gird", "no import has the word 'gird'; did you mean 'grid'?"),
        ("verlet/substep --choose cloth", "it goes with grid,one or grid,copies or mesh; not with cloth"),
    ] {
        let refused = place.run(&format!("info --shader {arguments}"));
        assert_eq!(refused.code, Some(2), "{arguments}: {}", refused.err);
        assert!(refused.err.contains(parts), "{arguments}: {}", refused.err);
    }
}
