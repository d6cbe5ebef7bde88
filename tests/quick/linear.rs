//! Solvers of linear systems where little or nothing is left to solve, and what they say of their effort.

use crate::common::{gpu, model, plain_of, raw_sheet, run};
use glam::Vec3;
use taffeta::Simulation;
use taffeta::settings::{
    DAMPING, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, LINEAR_SOLVER, LinearSolver, START, SUBSTEPS,
    SolverKind, Start, Substeps, TOLERANCE,
};

#[test]
fn what_fades_to_nothing_stays_finite() {
    // Damped by e^-1 a step, velocities leave the range of f32 within a hundred; products of theirs do so much earlier.
    let gpu = gpu();
    let mut body = raw_sheet(5, 5, [10.0, 0.0, 0.0], 0.01, 0.0);
    body.velocity = Some(vec![Vec3::Y; 25]);
    let model = model(body);
    for solver in [SolverKind::ImplicitEuler, SolverKind::SoftConstraint, SolverKind::LocalGlobal] {
        let settings = plain_of(solver)
            .with(
                LINEAR_SOLVER,
                (solver == SolverKind::LocalGlobal).then_some(LinearSolver::ConjugateGradients),
            )
            .with(GRAVITY, Vec3::ZERO)
            .with(DAMPING, 1000.0)
            .with(FRAME_TIME, 1e-3)
            .with(SUBSTEPS, Substeps::Fixed(1))
            .with(START, Start::Velocity);
        let state = run(&gpu, &model, &settings, 150);
        let finite = |v: &Vec3| v.is_finite();
        assert!(state.position.iter().all(finite) && state.velocity.iter().all(finite), "{solver}");
    }
}

#[test]
fn sweeps_between_two_looks_count() {
    let gpu = gpu();
    let model = model(raw_sheet(8, 8, [100.0, 50.0, 0.0], 0.01, 0.0));
    for linear_solver in [LinearSolver::Jacobi, LinearSolver::GaussSeidel] {
        for iterations in [7, 10, 15] {
            let settings = plain_of(SolverKind::ImplicitEuler)
                .with(LINEAR_SOLVER, linear_solver)
                .with(ITERATIONS, Iterations::Fixed(iterations))
                .with(TOLERANCE, 1e-9)
                .with(SUBSTEPS, Substeps::Fixed(1));
            let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
            simulation.step().unwrap();
            let effort = simulation.effort().unwrap().unwrap();
            let found = (effort.substeps, effort.iterations, effort.most);
            assert_eq!(found, (1, iterations, iterations), "{linear_solver}");
        }
    }
}

#[test]
fn a_new_start_forgets_what_springs_pulled() {
    // Without gravity and tension the right-hand side of the new start is zero.
    let gpu = gpu();
    let mut body = raw_sheet(6, 6, [100.0, 0.0, 0.0], 0.01, 0.0);
    body.velocity = Some((0..36).map(|i| Vec3::new(0.3 * (i % 6) as f32, 0.0, 0.0)).collect());
    body.grid = None;
    // A spacing that f32 holds exactly, so that springs have their rest lengths to the bit.
    body.rest_position.iter_mut().for_each(|x| *x = (*x * 5.0).round());
    body.springs.iter_mut().for_each(|s| s.rest_length = 1.0);
    let model = model(body);
    let settings = plain_of(SolverKind::SoftConstraint)
        .with(GRAVITY, Vec3::ZERO)
        .with(TOLERANCE, 1e-3)
        .with(SUBSTEPS, Substeps::Fixed(1));
    let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    let mut still = model.initial_state().clone();
    still.velocity.fill(Vec3::ZERO);
    simulation.set_state(&still).unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.state().unwrap().position, still.position);
}
