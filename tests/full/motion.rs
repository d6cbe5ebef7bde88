//! With small steps every solver moves a damped sheet as an f64 run of Verlet does, and the distance to it falls with the
//! step as the order of the method says: the first where there is damping, but for rk4, which is of fourth order.

use crate::common::hung::sheet;
use crate::common::{for_stable_solvers, gpu, plain, rms_distance};
use glam::DVec3;
use taffeta::Simulation;
use taffeta::model::Model;
use taffeta::reference::{Forces, Instant, State64, verlet};
use taffeta::settings::{DAMPING, ITERATIONS, Iterations, SOLVER, SUBSTEPS, Settings, SolverKind, Substeps};

/// One second, of which every sixth frame counts.
const FRAMES: usize = 60;
const EVERY: usize = 6;
/// Substeps a frame of the reference: so many that its own distance to the motion, that of Verlet with velocities half a
/// step behind in the damping, is a sixteenth of the coarser run's or less.
const FINE: usize = 1536;

/// Substeps a frame and iterations of the coarser of two runs; the finer has twice the substeps.
fn settings(solver: SolverKind) -> (u32, Option<u32>) {
    match solver {
        SolverKind::ImplicitEuler => (8, Some(30)),
        SolverKind::LocalGlobal => (8, Some(40)),
        SolverKind::NewtonMultigrid => (8, None),
        SolverKind::Vbd => (8, Some(30)),
        SolverKind::SoftConstraint => (8, Some(20)),
        SolverKind::Xpbd => (40, Some(8)),
        _ => (96, None),
    }
}

/// The positions at the frames that count, end to end \[m\].
fn reference(model: &Model, settings: &Settings) -> Vec<DVec3> {
    let h = f64::from(settings.step.frame_time) / FINE as f64;
    let mut state = State64::from(model.initial_state());
    let mut kept = Vec::new();
    let forces = Forces { at: Instant { time: 0.0, step: h }, ..Forces::of(model, settings) };
    verlet::stagger(&forces, h, &mut state);
    for step in 1..=FRAMES * FINE {
        verlet::step(&forces, h, &mut state);
        if step % (EVERY * FINE) == 0 {
            kept.extend(&state.position);
        }
    }
    kept
}

/// The same of a run on the GPU.
fn run(model: &Model, settings: &Settings) -> Vec<DVec3> {
    let mut simulation = Simulation::new(&gpu(), model, settings).unwrap();
    let mut kept = Vec::new();
    for frame in 1..=FRAMES {
        simulation.step().unwrap();
        if frame % EVERY == 0 {
            kept.extend(State64::from(&simulation.state().unwrap()).position);
        }
    }
    simulation.largest_stretch().unwrap();
    kept
}

#[test]
fn every_solver_follows_the_same_motion() {
    const SIDE: u32 = 24;
    let model = sheet(SIDE);
    let plain = plain().with(DAMPING, 2.0);
    let expected = reference(&model, &plain);
    let start = State64::from(model.initial_state()).position.repeat(FRAMES / EVERY);
    let way = rms_distance(&expected, &start);
    println!("{SIDE} x {SIDE}: {way:.4} m from its start");
    for_stable_solvers(|solver| {
        let (substeps, iterations) = settings(solver);
        let iterations = Iterations::from(iterations);
        let [coarse, fine] = [1, 2].map(|finer| {
            let substeps = Substeps::Fixed(finer * substeps);
            rms_distance(
                &run(
                    &model,
                    &plain.clone().with(SOLVER, solver).with(SUBSTEPS, substeps).with(ITERATIONS, iterations),
                ),
                &expected,
            ) / way
        });
        let order = coarse / fine;
        println!(
            "{solver}: {:.3} % off in {substeps} substeps, {order:.2} times less in twice as many",
            100.0 * coarse
        );
        if solver.name() == "rk4" {
            // Of fourth order: what is left is rounding.
            return assert!(fine < 2e-4, "{solver}: {coarse}, {fine}");
        }
        // The distance of the finer run as a part of the way itself.
        assert!(fine < 0.06 && (1.6..2.4).contains(&order), "{solver}: {coarse}, {fine}");
    });
}
