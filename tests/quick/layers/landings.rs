//! Sheets that land obliquely on a sheet that lies on a floor.

use glam::Vec3;
use taffeta::Simulation;
use taffeta::model::{Collider, ColliderShape, Layer, Model, ModelBuilder};
use taffeta::settings::{FRAME_TIME, GRAVITY, SUBSTEPS, SolverKind, Substeps};

use super::models::{gravity, sheet};
use super::of_solver;
use crate::common::gpu;

const FRICTION: f64 = 0.3;
const DOWN: f64 = 2.0;
const ALONG: f64 = 3.0;
const ABOVE: f64 = 0.018;

/// Two equal sheets, the upper one so far above touching the lower one, where it gets over it.
fn landing() -> Model {
    let layer = Layer { thickness: Some(0.01), friction: 1.0, ..Layer::default() };
    let mut builder = ModelBuilder::new();
    let floor = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { friction: FRICTION as f32, thickness: 1e-5, ..Collider::new(floor) });
    for is_upper in [false, true] {
        let mut body = sheet([16; 2], 0.02, 4e-4, layer);
        if is_upper {
            let shift = Vec3::new((-ABOVE * ALONG / DOWN) as f32, (0.01 + ABOVE) as f32, 0.0);
            body.rest_position.iter_mut().for_each(|x| *x += shift);
            body.velocity = Some(vec![Vec3::new(ALONG as f32, -DOWN as f32, 0.0); 256]);
        }
        builder.add(body);
    }
    builder.build().unwrap()
}

/// Some pairs open in the first iteration. If they had no stiffness then, the next one would let the upper sheet fall on, and so on in turn: after twelve
/// iterations it would be in by .6 of the thickness.
#[test]
fn sheets_that_land_on_each_other_stop_within_a_substep() {
    let settings = of_solver(SolverKind::NewtonMultigrid, 12)
        .with(FRAME_TIME, 1.0 / 480.0)
        .with(SUBSTEPS, Substeps::Fixed(1))
        .with(GRAVITY, gravity(0.0));
    let mut simulation = Simulation::new(&gpu(), &landing(), &settings).unwrap();
    let mut least: f64 = 1.0;
    for _ in 0..8 {
        simulation.step().unwrap();
        let touching = simulation.ask_touching().wait().unwrap().unwrap();
        least = least.min(touching.least);
    }
    println!("nearest at {least} of the thickness");
    assert!(least > 0.9, "nearest at {least} of the thickness");
}
