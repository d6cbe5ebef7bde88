//! Newton-multigrid on general networks: the GPU against the f64 twin on the same levels.

mod common;

use common::{Random, disc, gpu, model, raw_sheet, rope, strain, tangle};
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::hierarchy::Hierarchy;
use taffeta::model::{Body, Model};
use taffeta::reference::multigrid::CycleOptions;
use taffeta::reference::newton_multigrid::{self, Options};
use taffeta::reference::{Forces, State64};
use taffeta::settings::{Air, Form, Settings, SolverKind, Substeps};
use taffeta::{Simulation, State};

/// Step [s].
const H: f32 = 1.0 / 60.0;
/// Nodes of the levels that the GPU visits twice.
const TAIL_NODES: usize = 700;

fn settings(iterations: u32) -> Settings {
    Settings {
        solver: SolverKind::NewtonMultigrid,
        frame_time: H,
        substeps: Substeps::Fixed(1),
        iterations: Some(iterations),
        form: Form::Mesh,
        largest_stretch: 1e9,
        ..Settings::default()
    }
}

fn with_forces(settings: Settings) -> Settings {
    Settings {
        wind: Vec3::new(2.0, 0.5, -1.0),
        air: Air { density: 1.2, normal: 1.3, tangential: 0.05 },
        damping: 3.0,
        node_damping: 1e-4,
        drag: 2.0,
        ..settings
    }
}

fn on_the_gpu(gpu: &Gpu, model: &Model, settings: &Settings) -> State {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    simulation.step().unwrap();
    simulation.state().unwrap()
}

/// The same step in f64 on the same levels, visited alike.
fn in_f64(model: &Model, settings: &Settings) -> State64 {
    let hierarchy = Hierarchy::galerkin(model);
    let after = |l: usize| hierarchy.levels[l..].iter().map(|l| l.nodes).sum::<usize>();
    let last = hierarchy.levels.len() - 1;
    let tail = (0..last).find(|&l| after(l) <= TAIL_NODES);
    let cycle = CycleOptions { up_only: true, repeated: tail, ..CycleOptions::default() };
    let options = Options { iterations: settings.iterations(), nesterov: true, cycle };
    let forces = Forces { model, settings, pulls: &[], reach: 1.0 };
    let mut state = State64::from(model.initial_state());
    newton_multigrid::step(&forces, &hierarchy, &options, f64::from(H), &mut state);
    state
}

/// Root mean square and largest distance of the free nodes [m].
fn distances(a: &State, b: &State64) -> (f64, f64) {
    let apart: Vec<f64> =
        a.position.iter().zip(&b.position).map(|(a, b)| (a.as_dvec3() - *b).length()).collect();
    assert!(apart.iter().all(|d| d.is_finite()));
    let sum: f64 = apart.iter().map(|d| d * d).sum();
    ((sum / apart.len() as f64).sqrt(), apart.iter().copied().fold(0.0, f64::max))
}

fn bodies() -> Vec<(&'static str, Body, f32)> {
    let mut random = Random(7);
    let sheet = |dashpot| raw_sheet(40, 51, [400.0, 200.0, 40.0], 0.0002, dashpot);
    let held: Vec<u32> = (0..40 * 51).filter(|i| i * 7 % 10 < 3).collect();
    vec![
        ("rope", strain(rope(1500, 500.0, 0.0002), 0.0007, &mut random), 1.0),
        ("short rope", strain(rope(20, 50.0, 0.002), 0.05, &mut random), 1.0),
        ("sheet", strain(sheet(0.0), 0.02, &mut random), 1.0),
        ("damped sheet", strain(sheet(0.02), 0.02, &mut random), 1.0),
        ("sheet, 30 % pinned", Body { pinned: held, ..strain(sheet(0.0), 0.02, &mut random) }, 1.0),
        ("disc", {
            let body = disc(300.0, 0.002, &mut random);
            strain(body, 0.05, &mut random)
        }, 1.0),
        ("tangle", {
            let body = tangle(200.0, 0.002, &mut random);
            strain(body, 0.2, &mut random)
        }, 1.0),
    ]
}

#[test]
fn a_step_equals_the_reference_on_the_same_levels() {
    let gpu = gpu();
    for (name, body, _) in bodies() {
        let model = model(body);
        for iterations in [1, 4] {
            for settings in [settings(iterations), with_forces(settings(iterations))] {
                let found = on_the_gpu(&gpu, &model, &settings);
                let expected = in_f64(&model, &settings);
                let (rms, largest) = distances(&found, &expected);
                let start = State64::from(model.initial_state());
                let moved = distances(&found, &start).0;
                println!("{name}, {iterations}: rms {rms:e} largest {largest:e} moved {moved:e}");
            }
        }
    }
}
