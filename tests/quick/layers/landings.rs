//! Sheets that land obliquely on a sheet that lies on a floor.

use glam::{DVec3, Vec3};
use taffeta::model::{Collider, ColliderShape, Layer, Model, ModelBuilder};
use taffeta::settings::{CONTACT, FRAME_TIME, GRAVITY, SUBSTEPS, SolverKind, Substeps};
use taffeta::shape::{Cloth, Fabric};
use taffeta::{Settings, Simulation};

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

/// Both go on as one block, which has lost what friction takes of the momentum along for that across, and for the weight since. A floor that knows only
/// the forces of the substep before knows of nothing when the upper sheet lands, and of far too much in the next substep: both sheets would stop at once.
#[test]
fn sheets_that_land_on_each_other_go_on_as_a_block() {
    let down = (DOWN * DOWN + 2.0 * 9.81 * ABOVE).sqrt();
    let time = 0.1 - (down - DOWN) / 9.81;
    let expected = 0.5 * (ALONG - FRICTION * down) - FRICTION * 9.81 * time;
    for solver in [SolverKind::NewtonMultigrid, SolverKind::ImplicitEuler] {
        let settings = Settings::of(solver).with(CONTACT, true);
        let mut simulation = Simulation::new(&gpu(), &landing(), &settings).unwrap();
        (0..6).for_each(|_| simulation.step().unwrap());
        let velocity = simulation.state().unwrap().velocity;
        let sum: DVec3 = velocity.iter().map(|v| v.as_dvec3()).sum();
        let found = sum.x / velocity.len() as f64;
        println!("{solver}: {found} m/s along, a block {expected}");
        assert!((found / expected - 1.0).abs() < 0.06, "{solver}: {found} m/s instead of {expected}");
    }
}

/// The lower one sticks, and the upper one loses what friction between them takes. If friction followed the force of each iterate from the first one on, it would
/// stick while that is many times too large, and the sheet would lose 1.8 times as much.
#[test]
fn soft_cloth_slides_on_where_it_lands_in_four_iterations() {
    let (friction, along, down, above) = (0.3, 1.5f64, 1.0f64, 0.015);
    let mut builder = ModelBuilder::new();
    let floor = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { friction: 0.8, ..Collider::new(floor) });
    let mut upper = 0..0;
    for (corner, cells, velocity) in [
        (Vec3::new(-0.1, 0.002, -0.225), 18, Vec3::ZERO),
        (Vec3::new(-0.08, 0.0145 + above as f32, -0.1), 8, Vec3::new(along as f32, -down as f32, 0.0)),
    ] {
        let side = 0.025 * cells as f32;
        let fabric = Fabric { density: 0.2, tensile: 100.0, ..Fabric::default() };
        let cloth = Cloth::new([cells + 1; 2], side * Vec3::X, side * Vec3::Z).at(corner).of(fabric);
        let mut body = cloth.build().unwrap();
        let nodes = body.rest_position.len();
        body.velocity = Some(vec![velocity; nodes]);
        body.layer.friction = friction as f32;
        upper = upper.end..upper.end + nodes;
        builder.add(body);
    }
    let settings = of_solver(SolverKind::NewtonMultigrid, 4)
        .with(FRAME_TIME, 1.0 / 240.0)
        .with(SUBSTEPS, Substeps::Fixed(1));
    let mut simulation = Simulation::new(&gpu(), &builder.build().unwrap(), &settings).unwrap();
    (0..5).for_each(|_| simulation.step().unwrap());
    let velocity = &simulation.state().unwrap().velocity[upper];
    let found = velocity.iter().map(|v| f64::from(v.x)).sum::<f64>() / velocity.len() as f64;
    let expected = along - friction * (down * down + 2.0 * 9.81 * above).sqrt();
    println!("{found} m/s along, a block {expected}");
    assert!((found / expected - 1.0).abs() < 0.1, "{found} m/s instead of {expected}");
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

/// What arrives on a sheet that lies on another one is not what the floor below both has to stop: the floor would draw the sheet to it, down through the other
/// one, and all would shake for good.
#[test]
fn heavy_cloth_that_lands_on_two_light_sheets_comes_to_rest() {
    let layer = Layer { thickness: Some(0.01), ..Layer::default() };
    let mut builder = ModelBuilder::new();
    let floor = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { thickness: 1e-5, ..Collider::new(floor) });
    for (mass, height) in [(8e-5, 0.0), (8e-5, 0.01), (1.6e-3, 0.023)] {
        let mut body = sheet([8; 2], 0.02, mass, layer);
        body.rest_position.iter_mut().for_each(|x| *x += height * Vec3::Y);
        builder.add(body);
    }
    let settings = Settings::of(SolverKind::NewtonMultigrid).with(CONTACT, true);
    let mut simulation = Simulation::new(&gpu(), &builder.build().unwrap(), &settings).unwrap();
    (0..20).for_each(|_| simulation.step().unwrap());
    let velocity = simulation.state().unwrap().velocity;
    let fastest = velocity.iter().map(|v| v.length()).fold(0.0, f32::max);
    println!("fastest {fastest} m/s");
    assert!(fastest < 5e-3, "{fastest} m/s");
}
