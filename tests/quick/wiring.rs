//! How many dispatches a frame takes. Runs on wgpu's noop backend: no driver needed.

use crate::common::{self, plain_of};
use taffeta::gpu::Gpu;
use taffeta::settings::{
    CG_STEPS, CONTACT, FORCE, FORM, Form, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps,
};
use taffeta::simulation::Simulation;

/// What watches the result counts, wherever an odd or even number of substeps leaves it.
#[test]
fn every_dispatch_of_a_frame_is_counted() {
    let gpu = Gpu::noop().unwrap();
    let model = common::model(common::raw_sheet(10, 10, [10.0, 5.0, 1.0], 1e-6, 0.0));
    for substeps in [1, 2, 3] {
        let solver = SolverKind::SymplecticEuler;
        let settings = plain_of(solver).with(SUBSTEPS, Substeps::Fixed(substeps)).with(FORCE, true);
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.dispatches(), substeps + 2);
    }
}

/// Limits of friction are summed in the first two iterations.
#[test]
fn slip_is_foreseen_in_two_iterations() {
    let gpu = Gpu::noop().unwrap();
    let model = common::model(common::raw_sheet(10, 10, [10.0, 5.0, 1.0], 1e-3, 0.0));
    for solver in [SolverKind::NewtonMultigrid, SolverKind::LocalGlobal, SolverKind::Vbd] {
        let dispatches = |iterations| {
            let settings =
                plain_of(solver).with(CONTACT, true).with(ITERATIONS, Iterations::Fixed(iterations));
            let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
            simulation.step().unwrap();
            simulation.dispatches()
        };
        let [one, two, three, four] = [1, 2, 3, 4].map(dispatches);
        assert_eq!([two - one - 2, three - two], [four - three; 2], "{solver}");
    }
}

/// The counts of docs/performance.md: levels of 159, 80 and 41 nodes a side above a tail of 21.
#[test]
fn newton_multigrid_takes_the_dispatches_that_it_was_designed_for() {
    let gpu = Gpu::noop().unwrap();
    let dispatches_with = |solver, iterations, cg_steps| {
        let model = common::model(common::raw_sheet(316, 316, [10.0, 5.0, 1.0], 1e-6, 0.0));
        let settings = plain_of(solver)
            .with(ITERATIONS, Iterations::Fixed(iterations))
            .with(CG_STEPS, cg_steps)
            .with(SUBSTEPS, Substeps::Fixed(1));
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        simulation.step().unwrap();
        simulation.dispatches()
    };
    let dispatches = |solver, iterations| dispatches_with(solver, iterations, 0);
    let (on_cloth, on_levels, tail) = (4, 2 * 3, 2);
    let iteration = on_cloth + on_levels + tail;
    let of_frame = dispatches(SolverKind::NewtonMultigrid, 4) - dispatches(SolverKind::NewtonMultigrid, 1);
    assert_eq!(of_frame, 3 * iteration);
    // Beginning and end cost as much as those of local-global, whose iteration is one dispatch.
    let around = dispatches(SolverKind::LocalGlobal, 1) - 1;
    assert_eq!(around, 2 + 2, "predict and finish, and the watch of stretch");
    // And four of its own: two that choose the start, two that estimate the error.
    let around = around + 4;
    assert_eq!(dispatches(SolverKind::NewtonMultigrid, 4), around + 4 * iteration);
    // The mesh form: three on the cloth, its ground block, seven levels made, the tail, three of them climbed, and the way
    // back to the cloth.
    let sheet = common::model(common::raw_sheet(316, 316, [10.0, 5.0, 1.0], 1e-6, 0.0));
    let mesh = common::newton_multigrid(4).with(FORM, Form::Mesh).with(CG_STEPS, 0);
    let mut simulation = Simulation::new(&gpu, &sheet, &mesh).unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.dispatches(), around + 4 * (3 + 1 + (2 + 6) + 1 + 2 * 3 + 1));
    // At a million nodes: 501, 251, 126, 64 and 33 a side above a tail of 17.
    let million = common::model(common::raw_sheet(1000, 1000, [10.0, 5.0, 1.0], 1e-6, 0.0));
    let mut simulation = Simulation::new(&gpu, &million, &common::newton_multigrid(4)).unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.dispatches(), around + 4 * (on_cloth + 2 * 5 + tail));
    // Each step of conjugate gradients: a product and the sums for its length; between two also an update, a cycle
    // but for its gradient and step, its last sweep and the sums for the next direction.
    let (first, next) = (1 + 1 + 2, 1 + (iteration - 2) + 1 + 2 + 1 + 1 + 2);
    let with_steps = |steps| dispatches_with(SolverKind::NewtonMultigrid, 4, steps);
    assert_eq!(with_steps(1), around + 4 * (iteration + first));
    assert_eq!(with_steps(2), around + 4 * (iteration + first + next));
}
