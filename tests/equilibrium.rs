//! Every solver but explicit Euler brings a damped sheet of 64 x 64 nodes, hung by two corners, to the minimum of its
//! energy, found in f64.

mod common;

use common::gpu;
use glam::{DVec3, Vec3};
use taffeta::model::{Model, ModelBuilder};
use taffeta::reference::{Forces, State64, minimiser};
use taffeta::settings::{Settings, SolverKind, Substeps};
use taffeta::shape::{Cloth, ClothMaterial, Fabric};
use taffeta::{Simulation, State};

/// 1.7 s: what moves has come down to less than a hundredth.
const FRAMES: u32 = 100;

/// A soft sheet in a vertical plane, two patches of its top edge held.
fn sheet() -> Model {
    let fabric =
        Fabric { density: 0.2, tensile: 60.0, shear: 15.0, flexion: 0.0, bending: 1e-5, damping_time: 0.0 };
    let material = ClothMaterial::Fabric(fabric);
    let cloth = Cloth { corner: Vec3::Y, u: Vec3::X, v: Vec3::NEG_Y, columns: 64, rows: 64, material };
    let mut body = cloth.build().unwrap();
    body.pinned =
        (0..4).flat_map(|row| (0..4).flat_map(move |c| [64 * row + c, 64 * row + 63 - c])).collect();
    body.pinned.sort_unstable();
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.build().unwrap()
}

/// What each solver is asked for, beside its own choices.
fn settings(solver: SolverKind) -> Settings {
    let plain = Settings { solver, damping: 6.0, ..Settings::default() };
    let (substeps, iterations) = match solver {
        SolverKind::ImplicitEuler => (1, 60),
        SolverKind::LocalGlobal => (1, 160),
        SolverKind::Vbd => (12, 10),
        SolverKind::SoftConstraint => (6, 12),
        SolverKind::Xpbd => (240, 1),
        _ => return plain,
    };
    Settings { substeps: Substeps::Fixed(substeps), iterations: Some(iterations), ..plain }
}

fn rms(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (*a - *b).length_squared()).sum();
    (sum / a.len() as f64).sqrt()
}

#[test]
fn every_solver_comes_to_the_same_equilibrium() {
    let gpu = gpu();
    let model = sheet();
    let none = Settings::default();
    let forces = Forces { model: &model, settings: &none, pulls: &[], reach: 1.0, at: Default::default() };
    let start = State64::from(model.initial_state()).position;
    let minimum = minimiser::equilibrium(&forces, start.clone(), 1e-9).position;
    let own = rms(&minimum, &start);
    println!("the minimum is {own:.4} m from the unloaded sheet");
    assert!(own > 0.01);
    for solver in SolverKind::ALL.into_iter().filter(|s| *s != SolverKind::ExplicitEuler) {
        let settings = settings(solver);
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        for _ in 0..FRAMES {
            simulation.step().unwrap();
        }
        simulation.check().unwrap();
        let state: State = simulation.state().unwrap();
        let part = rms(&State64::from(&state).position, &minimum) / own;
        println!("{solver}: {} substeps, {:.2} % off", simulation.substeps(), 100.0 * part);
        assert!(part < 0.05, "{solver}: {part}");
    }
}
