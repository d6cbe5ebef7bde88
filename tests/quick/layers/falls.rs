//! Sheets that touch from the start, and are let go, fall freely with methods that sweep over nodes: in slow motion they would, if they started as what is
//! held does.

use glam::Vec3;
use taffeta::model::{Layer, ModelBuilder};
use taffeta::settings::{CONTACT, GRAVITY, SUBSTEPS, SolverKind, Substeps};
use taffeta::{Settings, Simulation};

use super::models::sheet;
use crate::common::gpu;

#[test]
fn sheets_that_touch_from_the_start_fall_freely() {
    let layer = Layer { thickness: Some(0.00625), friction: 0.3, ..Layer::default() };
    let mut builder = ModelBuilder::new();
    for (shift, gap) in [(0.0, 0.0), (0.0041, 0.98)] {
        let mut body = sheet([17; 2], 0.0125, 0.2 * 0.0125 * 0.0125, layer);
        let shift = Vec3::new(shift, gap * 0.00625, shift);
        body.rest_position.iter_mut().for_each(|x| *x += shift);
        builder.add(body);
    }
    let model = builder.build().unwrap();
    for solver in [SolverKind::Vbd, SolverKind::LocalGlobal] {
        // Edge-on, where springs are stiff, and flat, where pairs are.
        for down in [Vec3::NEG_X, Vec3::NEG_Y] {
            let settings = Settings::of(solver)
                .with(CONTACT, true)
                .with(GRAVITY, 9.81 * down)
                .with(SUBSTEPS, Substeps::Fixed(4));
            let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
            (0..2).for_each(|_| simulation.step().unwrap());
            let velocity = simulation.state().unwrap().velocity;
            let mean = velocity.iter().map(|v| f64::from(v.dot(down))).sum::<f64>() / velocity.len() as f64;
            let part = mean / (9.81 * simulation.time());
            println!("{solver}, {down}: {part} of free fall");
            assert!((part - 1.0).abs() < 0.01, "{solver}, {down}: {part} of free fall");
        }
    }
}
