//! A triangulated sheet from an OBJ file runs with every solver and hangs as its fabric says.

use crate::common;
use std::fmt::Write;

use taffeta::measure::stretch::Stretch;
use taffeta::scene::Scene;
use taffeta::settings::{FRAME_TIME, ITERATIONS, Iterations, SOLVER, SUBSTEPS, SolverKind, Substeps};

/// A sheet of n x n vertices, 1 m square and vertical, its top edge first.
fn obj(n: usize) -> String {
    let mut text = String::new();
    let side = (n - 1) as f32;
    for i in 0..n * n {
        let _ = writeln!(text, "v {} {} 0", (i % n) as f32 / side, -((i / n) as f32) / side);
    }
    for r in 0..n - 1 {
        for c in 0..n - 1 {
            let a = r * n + c + 1;
            let _ = writeln!(text, "f {} {} {}\nf {} {} {}", a, a + n, a + 1, a + 1, a + n, a + n + 1);
        }
    }
    text
}

#[test]
fn a_sheet_from_an_obj_file_runs_with_every_solver() {
    let n = 17;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sheet.obj"), obj(n)).unwrap();
    let path = folder.path().join("sheet.toml");
    let text = r#"
        [world]
        damping = 4.0
        [[body]]
        shape = "mesh"
        file = "sheet.obj"
        fabric = { density = 0.2, tensile = 100.0 }
        [[body.pin]]
        box = { min = [-0.1, -0.01, -0.1], max = [1.1, 0.01, 0.1] }
    "#;
    let scene = Scene::parse(text, &path).unwrap();
    assert_eq!(scene.model.node_count(), n * n);
    let gpu = common::gpu();
    for solver in SolverKind::ALL {
        let settings = scene.settings.clone().with(SOLVER, solver).with(
            ITERATIONS,
            match solver {
                SolverKind::NewtonMultigrid => Iterations::Own,
                _ => Iterations::Fixed(200),
            },
        );
        // Damped explicit Euler has a stable step, a tiny one; a short run shows that it works.
        let (settings, frames) = match solver {
            SolverKind::ExplicitEuler => (settings.with(FRAME_TIME, 1e-3).with(SUBSTEPS, Substeps::Auto), 5),
            _ => (settings, 90),
        };
        let state = common::run(&gpu, &scene.model, &settings, frames);
        assert!(state.position.iter().all(|p| p.is_finite()), "{solver}");
        let position: Vec<_> = state.position.iter().map(|p| p.as_dvec3()).collect();
        let strain = Stretch::of(&scene.model, &position).all;
        assert!(strain.max < 0.1, "{solver}: {strain:?}");
        if frames == 90 {
            // rho g L^2 / (2 T) = 9.8 mm; Van Gelder's springs are stiffer across the weave of triangles.
            let lowest = state.position.iter().map(|p| p.y).fold(0.0, f32::min);
            assert!((1.005..1.02).contains(&-lowest), "{solver}: lowest node at {lowest} m");
        }
    }
}
