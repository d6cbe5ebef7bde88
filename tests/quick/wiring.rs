//! Every solver records frames at a million nodes under WebGPU's default limits without a validation
//! error. Runs on wgpu's noop backend: no driver needed.

use crate::common::{self, plain, plain_of};
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::model::Body;
use taffeta::settings::{
    AIR, Air, CG_STEPS, CONTACT, FORCE, FORM, Form, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps,
};
use taffeta::simulation::{Pick, Simulation};

#[test]
fn a_million_nodes_that_bend_fit_them_too() {
    let body = common::raw_sheet(1000, 1000, [10.0, 5.0, 1.0], 1e-6, 0.0);
    let model = common::model(Body { bending: 1e-6, ..body });
    let gpu = Gpu::noop().unwrap();
    let settings = plain().with(FORM, Form::Mesh);
    let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
    simulation.step().unwrap();
    gpu.wait().unwrap();
}

#[test]
fn a_million_nodes_fit_the_default_limits() {
    let model = common::model(common::raw_sheet(1000, 1000, [10.0, 5.0, 1.0], 1e-6, 0.0));
    for form in [Form::Grid, Form::Mesh] {
        for solver in SolverKind::ALL {
            let gpu = Gpu::noop().unwrap();
            let settings = plain_of(solver)
                .with(FORM, form)
                .with(SUBSTEPS, Substeps::Fixed(3))
                .with(ITERATIONS, Iterations::Fixed(30))
                .with(FORCE, true)
                .with(AIR, Air { density: 1.2, ..Air::NONE });
            let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
            let handle = simulation.grab(&Pick::Node(500), 1.0, 0.01).unwrap().unwrap();
            simulation.move_handle(handle, Vec3::ONE).unwrap();
            for _ in 0..2 {
                simulation.step().unwrap();
            }
            simulation.release(handle);
            simulation.set_wind(Vec3::X).unwrap();
            simulation.set_pinned(7, true).unwrap();
            simulation.step().unwrap();
            assert!(simulation.dispatches() >= 3);
            gpu.wait().unwrap();
        }
    }
}

#[test]
fn a_million_nodes_in_contact_fit_them_too() {
    let model = common::model(common::raw_sheet(1000, 1000, [10.0, 5.0, 1.0], 1e-6, 0.0));
    for solver in SolverKind::ALL.into_iter().filter(|solver| !solver.is_explicit()) {
        let gpu = Gpu::noop().unwrap();
        let settings =
            plain_of(solver).with(CONTACT, true).with(ITERATIONS, Iterations::Fixed(4)).with(FORCE, true);
        let needs = Simulation::requirements(&model, &settings).unwrap();
        assert!(needs.largest_binding <= 1 << 27, "{solver}: {needs:?}");
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        simulation.step().unwrap();
        gpu.wait().unwrap();
    }
}

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
