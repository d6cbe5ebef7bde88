//! Coulomb's friction on colliders against closed forms, with every solver, at many and at few substeps.

use crate::common::{gpu, plain_of, raw_cloth, two_at_a_time};
use glam::{Quat, Vec3};
use taffeta::gpu::Gpu;
use taffeta::model::{Body, Collider, ColliderShape, Family, Model, ModelBuilder, Path, Spring};
use taffeta::settings::{
    DRAG, FORCE, GRAVITY, ITERATIONS, Iterations, SUBSTEPS, Settings, SolverKind, Substeps,
};
use taffeta::{Simulation, State};

const G: f32 = 9.81;
const MU: f32 = 0.3;

/// A sheet of 16 nodes that lies flat, a corner at `corner`, and moves with `velocity`; its springs are soft where
/// undamped explicit Euler would else break them.
fn sheet(solver: SolverKind, corner: Vec3, velocity: Vec3) -> Body {
    let k = if solver == SolverKind::ExplicitEuler { 1e-3 } else { 300.0 };
    let sides = [Vec3::X * 0.2, Vec3::Z * 0.2];
    let mut body = raw_cloth([4, 4], sides, [k, 0.5 * k, 0.1 * k], 0.0005, 0.0);
    body.rest_position.iter_mut().for_each(|x| *x += corner);
    body.velocity = Some(vec![velocity; body.rest_position.len()]);
    body
}

/// On the plane y = 0.
fn on_a_plane(mut builder: ModelBuilder) -> Model {
    let plane = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { thickness: 0.0, friction: MU, ..Collider::new(plane) });
    builder.build().unwrap()
}

/// The solver in frames of 1/60 s, on a slope of `degrees` that x goes down.
fn settings(solver: SolverKind, substeps: Substeps, degrees: f32) -> Settings {
    let angle = degrees.to_radians();
    plain_of(solver)
        .with(SUBSTEPS, substeps)
        .with(GRAVITY, G * Vec3::new(angle.sin(), -angle.cos(), 0.0))
        .with(ITERATIONS, Iterations::from((!solver.is_explicit()).then_some(2)))
        .with(FORCE, solver == SolverKind::ExplicitEuler)
}

fn run(gpu: &Gpu, model: &Model, settings: &Settings, frames: impl Iterator<Item = u32>) -> Vec<State> {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    let mut states = Vec::new();
    for frames in frames {
        (0..frames).for_each(|_| simulation.step().unwrap());
        simulation.largest_stretch().unwrap();
        states.push(simulation.state().unwrap());
    }
    states
}

fn mean(values: &[Vec3]) -> Vec3 {
    values.iter().sum::<Vec3>() / values.len() as f32
}

/// Found over expected: the way of a sheet that begins to slide on the plane at `speed` [m/s], and mu of one that falls
/// onto it, by its tangential and normal impulse while it slides.
fn slide_and_landing(gpu: &Gpu, solver: SolverKind, substeps: Substeps, speed: f32) -> [f32; 2] {
    let mut builder = ModelBuilder::new();
    let height = 0.01 * speed * speed;
    builder.add(sheet(solver, Vec3::ZERO, speed * Vec3::X));
    builder.add(sheet(solver, Vec3::new(0.0, height, 0.5), speed * Vec3::X));
    let model = on_a_plane(builder);
    let stop = speed / (MU * G);
    let frames = [0.4, 0.8].map(|part| (part * stop * 60.0).ceil() as u32);
    let settings = settings(solver, substeps, 0.0);
    let states = run(gpu, &model, &settings, frames.into_iter());
    let v = mean(&states[0].velocity[16..]);
    let landing = (speed - v.x) / (MU * (v.y + G * states[0].time as f32));
    let moved = mean(&states[1].position[..16]) - mean(&model.rest_position()[..16]);
    [moved.x / (0.5 * speed * stop), landing]
}

/// The way down a slope of `degrees` from rest in so many frames [m], and the speed then [m/s].
fn down(gpu: &Gpu, solver: SolverKind, substeps: Substeps, degrees: f32, frames: u32) -> [f32; 2] {
    let mut builder = ModelBuilder::new();
    builder.add(sheet(solver, Vec3::ZERO, Vec3::ZERO));
    let model = on_a_plane(builder);
    let end = run(gpu, &model, &settings(solver, substeps, degrees), [frames].into_iter()).remove(0);
    [(mean(&end.position) - mean(model.rest_position())).x, mean(&end.velocity).x]
}

#[test]
fn a_sheet_slides_lands_and_sticks_as_a_block_does() {
    let gpu = gpu();
    let cases = SolverKind::ALL.into_iter().flat_map(|solver| {
        // At few substeps only a long slide is known to 5 %: a method of first order is h v / 2 off.
        let counts = match solver {
            SolverKind::ExplicitEuler => vec![(Substeps::Fixed(64), 0.5)],
            _ if solver.is_explicit() => vec![(Substeps::Auto, 0.5)],
            _ => [(1, 2.0), (2, 2.0), (4, 1.0), (16, 0.5), (64, 0.25)]
                .into_iter()
                .map(|(n, speed)| (Substeps::Fixed(n), speed))
                .collect(),
        };
        counts.into_iter().map(move |(substeps, speed)| (solver, substeps, speed))
    });
    two_at_a_time(cases, |(solver, substeps, speed)| {
        let frames = (30.0 * speed) as u32;
        let [slide, landing] = slide_and_landing(&gpu, solver, substeps, speed);
        let angle = 25f32.to_radians();
        let time = frames as f32 / 60.0;
        let slope = down(&gpu, solver, substeps, 25.0, frames)[0]
            / (0.5 * G * (angle.sin() - MU * angle.cos()) * time * time);
        let [crept, creep] = down(&gpu, solver, substeps, 15.0, 8);
        for (what, found) in [("slide", slide), ("landing", landing), ("slope", slope)] {
            assert!((found - 1.0).abs() < 0.05, "{solver}, {substeps:?}: {what} {found}");
        }
        // Of explicit methods friction is viscous below .1 mm/s.
        let most = if solver.is_explicit() { [1e-4, 2e-5] } else { [2e-7, 5e-6] };
        println!("{solver}, {substeps:?}: crept {crept} m, {creep} m/s");
        assert!(
            creep.abs() < most[0] && crept.abs() < most[1],
            "{solver}, {substeps:?}: {crept} m, {creep} m/s"
        );
    });
}

/// A rope of six nodes along x on the plane, its last one drawn along at `speed` [m/s].
fn drawn(speed: f32) -> Model {
    let (n, mass) = (6, 0.01);
    let spring = |i| Spring {
        nodes: [i, i + 1],
        rest_length: 0.1,
        stiffness: 10.0,
        dashpot: 0.5,
        family: Family::Raw,
    };
    let mut builder = ModelBuilder::new();
    builder.add(Body {
        rest_position: (0..n).map(|i| Vec3::X * 0.1 * i as f32).collect(),
        mass: vec![mass; n],
        springs: (0..n as u32 - 1).map(spring).collect(),
        pinned: vec![n as u32 - 1],
        ..Body::default()
    });
    let path = Path::new(vec![(0.0, Vec3::ZERO), (10.0, 10.0 * speed * Vec3::X)]).unwrap();
    builder.pin_along(vec![n as u32 - 1], path);
    on_a_plane(builder)
}

#[test]
fn what_is_drawn_along_slips_at_the_force_of_friction() {
    // Each link bears mu m g for every node behind it, at any speed.
    let gpu = gpu();
    let expected = MU * 0.01 * G / 10.0 * 15.0;
    let cases = SolverKind::ALL.into_iter().flat_map(|solver| {
        let counts = match solver {
            SolverKind::ExplicitEuler => vec![],
            _ if solver.is_explicit() => vec![(Substeps::Auto, 0.4)],
            _ => vec![(Substeps::Fixed(1), 0.04), (Substeps::Fixed(4), 0.04)],
        };
        counts.into_iter().map(move |(n, speed)| (solver, n, speed))
    });
    two_at_a_time(cases, |(solver, substeps, speed)| {
        let iterations = match solver {
            // Few of them give springs a part of their force only.
            SolverKind::Xpbd => Iterations::Fixed(40),
            SolverKind::ImplicitEuler | SolverKind::SoftConstraint => Iterations::Fixed(8),
            _ => Iterations::Own,
        };
        let settings = settings(solver, substeps, 0.0).with(ITERATIONS, iterations);
        let model = drawn(speed);
        let frames = (0.08 / speed * 60.0) as u32 + 120;
        let states = run(&gpu, &model, &settings, [frames, 8, 8, 8, 8, 8].into_iter());
        let stretch = |s: &State| s.position[5].x - s.position[0].x - 0.5;
        let found = states.iter().map(stretch).sum::<f32>() / states.len() as f32;
        assert!((found / expected - 1.0).abs() < 0.02, "{solver}, {substeps:?}: {found} {expected}");
    });
}

#[test]
fn what_sticks_goes_with_a_surface_that_moves_and_turns() {
    // Viscous drag, which acts on velocities against the air, must not make it creep.
    let gpu = gpu();
    let (spin, speed) = (1.5f32, 0.1f32);
    for solver in SolverKind::ALL.into_iter().filter(|solver| !solver.is_explicit()) {
        let mut builder = ModelBuilder::new();
        builder.add(sheet(solver, Vec3::new(0.2, -1e-5, 0.1), Vec3::ZERO));
        let plane = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
        builder.collide(Collider {
            thickness: 0.0,
            friction: MU,
            spin: spin * Vec3::Y,
            path: Path::new(vec![(0.0, Vec3::ZERO), (10.0, 10.0 * speed * Vec3::X)]).unwrap(),
            ..Collider::new(plane)
        });
        let settings = settings(solver, Substeps::Fixed(4), 0.0).with(DRAG, 1.0);
        let states = run(&gpu, &builder.build().unwrap(), &settings, [30, 15].into_iter());
        // As the surface sees them.
        let [then, now] = [&states[0], &states[1]].map(|state| -> Vec<Vec3> {
            let time = state.time as f32;
            let back = Quat::from_rotation_y(-spin * time);
            state.position.iter().map(|x| back * (*x - speed * time * Vec3::X)).collect()
        });
        let most = then.iter().zip(&now).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        println!("{solver}: {most} m");
        assert!(most < 2e-6, "{solver}: {most} m");
    }
}
