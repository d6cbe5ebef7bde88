//! Every solver records frames at a million nodes under WebGPU's default limits without a validation
//! error. Runs on wgpu's noop backend: no driver needed.

mod common;

use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::model::Body;
use taffeta::settings::{Air, Form, Settings, SolverKind, Substeps};
use taffeta::simulation::{Pick, Simulation};

#[test]
fn a_million_nodes_that_bend_fit_them_too() {
    let body = common::raw_sheet(1000, 1000, [10.0, 5.0, 1.0], 1e-6, 0.0);
    let model = common::model(Body { bending: 1e-6, ..body });
    let gpu = Gpu::noop().unwrap();
    let settings = Settings { form: Form::Mesh, ..Settings::default() };
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
            let settings = Settings {
                solver,
                form,
                substeps: Substeps::Fixed(3),
                iterations: Some(30),
                force: true,
                air: Air { density: 1.2, ..Air::NONE },
                ..Settings::default()
            };
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
