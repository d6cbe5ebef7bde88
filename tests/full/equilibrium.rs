//! Every solver but explicit Euler brings a damped sheet of 48 x 48 nodes, hung by two corners, to the minimum of its
//! energy, found in f64.

use crate::common::hung::sheet;
use crate::common::{for_stable_solvers, gpu, plain, plain_of, rms_distance};
use taffeta::reference::{Forces, State64, minimizer};
use taffeta::settings::{DAMPING, ITERATIONS, Iterations, SUBSTEPS, Settings, SolverKind, Substeps};
use taffeta::{Simulation, State};

/// 1.7 s: what moves has come down to less than a hundredth.
const FRAMES: u32 = 100;

/// What each solver is asked for, beside its own choices.
fn settings(solver: SolverKind) -> Settings {
    let plain = plain_of(solver).with(DAMPING, 6.0);
    let (substeps, iterations) = match solver {
        SolverKind::ImplicitEuler => (1, 60),
        SolverKind::LocalGlobal => (1, 160),
        SolverKind::Vbd => (12, 10),
        SolverKind::SoftConstraint => (6, 12),
        SolverKind::Xpbd => (240, 1),
        _ => return plain,
    };
    plain.with(SUBSTEPS, Substeps::Fixed(substeps)).with(ITERATIONS, Iterations::Fixed(iterations))
}

#[test]
fn every_solver_comes_to_the_same_equilibrium() {
    let model = sheet(48);
    let none = plain();
    let forces = Forces::of(&model, &none);
    let start = State64::from(model.initial_state()).position;
    let minimum = minimizer::equilibrium(&forces, start.clone(), 1e-9).position;
    let own = rms_distance(&minimum, &start);
    println!("the minimum is {own:.4} m from the unloaded sheet");
    assert!(own > 0.01);
    for_stable_solvers(|solver| {
        let settings = settings(solver);
        let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
        for _ in 0..FRAMES {
            simulation.step().unwrap();
        }
        simulation.largest_stretch().unwrap();
        let state: State = simulation.state().unwrap();
        let part = rms_distance(&State64::from(&state).position, &minimum) / own;
        println!("{solver}: {} substeps, {:.2} % off", simulation.substeps(), 100.0 * part);
        assert!(part < 0.05, "{solver}: {part}");
    });
}
