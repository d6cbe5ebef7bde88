//! Every solver records frames at a million nodes under WebGPU's default limits without a validation
//! error. Runs on wgpu's noop backend: no driver needed. These tests take long on one core; tests start in the order of
//! their names.

use crate::common::{self, plain, plain_of};
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::model::Body;
use taffeta::settings::{
    AIR, Air, CONTACT, FORCE, FORM, Form, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps,
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
