//! Colliders, loads and the user's own force: one step on the GPU against the f64 reference, cloth that comes to rest on
//! what it falls on, and a user's force that does what a force of ours does.

use crate::common::{
    Random, disc, gpu, one_step_settings as settings, plain_of, raw_cloth, raw_sheet, rope, strain,
    with_forces,
};
use glam::{Quat, Vec3};
use taffeta::check::{one_step, one_step_of};
use taffeta::model::{Body, Collider, ColliderShape, Load, Model, ModelBuilder, Path, Push};
use taffeta::settings::{FRAME_TIME, GRAVITY, PLANAR, SUBSTEPS, Settings, SolverKind, Substeps, UserForce};
use taffeta::{Simulation, State};

/// One of each shape, moving and turning, among nodes within a meter.
fn colliders() -> Vec<Collider> {
    let path = |d: Vec3| Path::new(vec![(-1.0, -d), (1.0, d)]).unwrap();
    let shapes = [
        ColliderShape::Plane { point: Vec3::new(0.0, -0.7, 0.0), normal: Vec3::new(0.2, 1.0, 0.1) },
        ColliderShape::Sphere { center: Vec3::new(0.3, -0.4, 0.05), radius: 0.2 },
        ColliderShape::Box {
            center: Vec3::new(0.8, -0.2, -0.05),
            size: Vec3::new(0.2, 0.3, 0.4),
            rotation: Quat::from_scaled_axis(Vec3::new(0.3, 0.5, -0.4)),
        },
        ColliderShape::Capsule {
            start: Vec3::new(0.1, -0.1, 0.1),
            end: Vec3::new(0.4, 0.0, 0.0),
            radius: 0.1,
        },
    ];
    let moves = [Vec3::Y * 0.3, Vec3::X, Vec3::ZERO, Vec3::new(0.2, -0.4, 0.1)];
    let spins = [Vec3::ZERO, Vec3::Z * 3.0, Vec3::new(1.0, 2.0, 0.0), Vec3::Y];
    shapes
        .into_iter()
        .zip(moves.into_iter().zip(spins))
        .map(|(shape, (d, spin))| Collider {
            path: path(d),
            spin,
            thickness: 0.03,
            friction: 0.5,
            // Soft enough for friction not to be what stops a node.
            stiffness: if matches!(shape, ColliderShape::Sphere { .. }) { 1e5 } else { 2e3 },
            ..Collider::new(shape)
        })
        .collect()
}

/// The body among the colliders, loads on some of its nodes, everything in motion.
fn scene(body: Body, colliders: &[Collider]) -> Model {
    let nodes = body.rest_position.len() as u32;
    let has_surface = !body.triangles.is_empty();
    let mut random = Random(23);
    let velocity = (0..nodes).map(|_| random.vector()).collect();
    let mut builder = ModelBuilder::new();
    builder.add(Body { velocity: Some(velocity), ..body });
    colliders.iter().for_each(|c| {
        builder.collide(c.clone());
    });
    let gust = Path::new(vec![(0.0, Vec3::X * 0.1), (0.01, Vec3::new(0.0, 0.3, 0.1))]).unwrap();
    builder.load(Load { nodes: (0..nodes).step_by(3).collect(), push: Push::Force(gust) });
    let steady = Path::new(vec![(0.0, Vec3::Z * 0.05)]).unwrap();
    builder.load(Load { nodes: (0..nodes).step_by(5).collect(), push: Push::Force(steady) });
    if has_surface {
        builder.load(blown(0..nodes, 1.0));
    }
    builder.build().unwrap()
}

/// A growing pressure behind nodes, times a factor.
fn blown(nodes: std::ops::Range<u32>, factor: f32) -> Load {
    let pressure = Path::new(vec![(0.0, 20.0 * factor), (0.01, 90.0 * factor)]).unwrap();
    Load { nodes: nodes.step_by(2).collect(), push: Push::Pressure(pressure) }
}

fn bodies() -> Vec<(&'static str, Body)> {
    let mut random = Random(7);
    vec![
        ("rope", strain(rope(200, 500.0, 0.002), 0.005, &mut random)),
        ("sheet", strain(raw_sheet(20, 31, [400.0, 200.0, 40.0], 0.002, 0.02), 1.0 / 30.0, &mut random)),
        ("bent disc", {
            let body = disc(300.0, 0.002, &mut random);
            Body { bending: 0.05, ..strain(body, 0.05, &mut random) }
        }),
    ]
}

#[test]
fn one_step_among_colliders_equals_the_reference() {
    let gpu = gpu();
    for (name, body) in bodies() {
        let model = scene(body, &colliders());
        // Later in the first frame colliders and loads have moved.
        let state = State { time: 0.004, ..model.initial_state().clone() };
        for solver in SolverKind::ALL {
            for settings in [settings(solver), with_forces(settings(solver))] {
                let found = one_step(&gpu, &model, &settings, &state).unwrap();
                assert!(found.worst <= 1.0, "{name}, {solver}: {found:?}");
                assert!(found.worst >= 1e-5, "{name}, {solver}: the bound is too loose: {found:?}");
            }
        }
    }
}

#[test]
fn a_collider_that_is_one_percent_off_is_noticed() {
    let gpu = gpu();
    let (_, body) = bodies().remove(1);
    let model = scene(body.clone(), &colliders());
    type Change = fn(&mut Collider);
    let changes: [(&str, Change); 6] = [
        ("stiffness", |c| c.stiffness *= 1.01),
        ("damping", |c| c.damping *= 1.01),
        ("friction", |c| c.friction *= 1.01),
        ("thickness", |c| c.thickness *= 1.01),
        ("spin", |c| c.spin *= 1.01),
        ("speed", |c| {
            c.path = Path::new(vec![(-1.0, 1.01 * c.path.at(-1.0)), (1.0, 1.01 * c.path.at(1.0))]).unwrap()
        }),
    ];
    for solver in [SolverKind::SymplecticEuler, SolverKind::NewtonMultigrid, SolverKind::Xpbd] {
        for (what, change) in changes {
            let mut wrong = colliders();
            wrong.iter_mut().for_each(change);
            let wrong = scene(body.clone(), &wrong);
            let found = one_step_of(&gpu, &wrong, &model, &settings(solver), model.initial_state()).unwrap();
            assert!(found.worst > 1.0, "{solver}, {what}: {found:?}");
        }
    }
}

/// A cloth of 21 x 21 nodes, 0.2 kg/m^2, that lies flat at `height` with its middle over the origin.
fn flat(height: f32) -> Body {
    let corner = Vec3::new(-0.5, height, -0.5);
    let mut body = raw_cloth([21, 21], [Vec3::X, Vec3::Z], [300.0, 150.0, 20.0], 0.2 / 441.0, 0.02);
    body.rest_position.iter_mut().for_each(|x| *x += corner);
    body
}

/// The state after `frames` frames of 1/60 s.
fn after(model: &Model, settings: &Settings, frames: u32) -> State {
    let mut simulation = Simulation::new(&gpu(), model, settings).unwrap();
    for _ in 0..frames {
        simulation.step().unwrap();
    }
    simulation.largest_stretch().unwrap();
    simulation.state().unwrap()
}

#[test]
fn cloth_comes_to_rest_on_a_plane_with_every_solver() {
    let mut builder = ModelBuilder::new();
    builder.add(flat(0.1));
    let plane = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { thickness: 0.0, ..Collider::new(plane) });
    let model = builder.build().unwrap();
    for solver in SolverKind::ALL.into_iter().filter(|s| *s != SolverKind::ExplicitEuler) {
        let settings = plain_of(solver);
        let state = after(&model, &settings, 60);
        for (x, v) in state.position.iter().zip(&state.velocity) {
            // Sunk in by g / stiffness.
            assert!((x.y + 9.81e-6).abs() < 2e-6, "{solver}: {x}");
            assert!(v.length() < 2e-3, "{solver}: {v}");
        }
    }
}

#[test]
fn cloth_over_a_sphere_stays_outside_of_it() {
    let mut builder = ModelBuilder::new();
    builder.add(flat(0.32));
    let sphere = ColliderShape::Sphere { center: Vec3::ZERO, radius: 0.3 };
    builder.collide(Collider { friction: 1.0, ..Collider::new(sphere) });
    let model = builder.build().unwrap();
    for solver in [SolverKind::NewtonMultigrid, SolverKind::Verlet, SolverKind::Xpbd] {
        let state = after(&model, &plain_of(solver), 90);
        let nearest = state.position.iter().map(|x| x.length()).fold(f32::MAX, f32::min);
        let lowest = state.position.iter().map(|x| x.y).fold(f32::MAX, f32::min);
        let highest = state.position.iter().map(|x| x.y).fold(f32::MIN, f32::max);
        println!("{solver}: nearest {nearest}, lowest {lowest}, highest {highest}");
        assert!(nearest > 0.3 && highest < 0.31 && lowest < 0.1, "{solver}: {nearest}, {lowest}, {highest}");
    }
}

#[test]
fn cloth_that_is_lifted_leaves_the_plane_without_sticking() {
    let mut builder = ModelBuilder::new();
    let mut body = flat(0.0);
    body.pinned = (0..21).collect();
    let nodes = body.pinned.clone();
    builder.add(body);
    builder.pin_along(nodes, Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::Y * 1.5)]).unwrap());
    let plane = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { thickness: 0.0, ..Collider::new(plane) });
    let model = builder.build().unwrap();
    for solver in [SolverKind::NewtonMultigrid, SolverKind::ImplicitEuler, SolverKind::LocalGlobal] {
        let state = after(&model, &plain_of(solver), 90);
        let longest = model.springs().iter().map(|s| {
            let [a, b] = s.nodes.map(|n| state.position[n as usize]);
            a.distance(b) / s.rest_length
        });
        let longest = longest.fold(0.0, f32::max);
        // It hangs: its last row, at first 1 m from the pins, is 1 m below them and off the ground.
        let last = state.position[21 * 20 + 10];
        println!("{solver}: last row at {last}, longest spring {longest}");
        assert!(last.y > 0.2 && longest < 1.2, "{solver}: {last}, {longest}");
    }
}

fn with_user_force(solver: SolverKind, code: &str) -> Settings {
    let head = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {\n";
    let text = format!("{head}    {code}\n}}\n");
    Settings { user_force: Some(UserForce::new("test", 1, &text)), ..settings(solver) }
}

#[test]
fn a_users_gravity_is_gravity() {
    let mut builder = ModelBuilder::new();
    builder.add(Body { pinned: vec![0, 19], ..bodies().remove(1).1 });
    let model = builder.build().unwrap();
    for solver in SolverKind::ALL {
        let none = with_user_force(solver, "return mass * vec3f(0.0, -9.81, 0.0);").with(GRAVITY, Vec3::ZERO);
        let (own, ours) = (after(&model, &none, 3), after(&model, &settings(solver), 3));
        let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let (x, v) = (apart(&own.position, &ours.position), apart(&own.velocity, &ours.velocity));
        assert!(x < 2e-5 && v < 2e-2, "{solver}: {x} m, {v} m/s");
        assert_ne!(own.position[40], model.initial_state().position[40], "{solver}");
    }
}

#[test]
fn a_users_force_sees_the_time_of_its_substep() {
    let mut builder = ModelBuilder::new();
    builder.add(Body { rest_position: vec![Vec3::ZERO; 2], mass: vec![2.0; 2], ..Body::default() });
    let model = builder.build().unwrap();
    // a = t: with symplectic Euler v after n steps is h^2 (0 + 1 + .. + n - 1).
    let substeps = Substeps::Fixed(5);
    let own = with_user_force(SolverKind::SymplecticEuler, "return vec3f(mass * time, 0.0, 0.0);");
    let settings = own.with(GRAVITY, Vec3::ZERO).with(SUBSTEPS, substeps);
    let state = after(&model, &settings, 4);
    let h = 0.002 / 5.0;
    let expected = h * h * (20.0 * 19.0 / 2.0);
    assert!((state.velocity[1].x / expected - 1.0).abs() < 1e-5, "{} and {expected}", state.velocity[1].x);
}

#[test]
fn a_users_force_that_is_no_number_stops_the_run_with_node_and_time() {
    let (_, body) = bodies().remove(1);
    let mut builder = ModelBuilder::new();
    builder.add(Body { name: "flag".into(), ..body });
    let model = builder.build().unwrap();
    let own = with_user_force(
        SolverKind::NewtonMultigrid,
        "if (time > 0.005 && position.x > 0.99) { return vec3f(sqrt(-1.0 - time)); } return vec3f(0.0);",
    );
    let mut simulation = Simulation::new(&gpu(), &model, &own).unwrap();
    for _ in 0..2 {
        simulation.step().unwrap();
    }
    simulation.largest_stretch().unwrap();
    for _ in 0..3 {
        simulation.step().unwrap();
    }
    let message = simulation.largest_stretch().unwrap_err().to_string();
    // Frames of 2 ms: the fourth step is the first that begins later than 5 ms.
    assert!(message.contains("in step 4 (0.0060 s): user-force returned"), "{message}");
    assert!(message.contains("node ") && message.contains("of 'flag'"), "{message}");
    simulation.reset().unwrap();
    simulation.step().unwrap();
    simulation.largest_stretch().unwrap();
}

#[test]
fn a_users_force_that_is_no_number_at_the_start_is_named_with_every_solver() {
    let gpu = gpu();
    let mut builder = ModelBuilder::new();
    builder.add(bodies().remove(1).1);
    let model = builder.build().unwrap();
    for solver in SolverKind::ALL {
        let own = with_user_force(solver, "return vec3f(sqrt(-1.0 - dot(velocity, velocity)));");
        let mut simulation = Simulation::new(&gpu, &model, &own).unwrap();
        simulation.step().unwrap();
        let message = simulation.largest_stretch().unwrap_err().to_string();
        assert!(message.contains("in step 1 (0.0000 s): user-force returned"), "{solver}: {message}");
        assert!(message.contains(" of 'cloth'"), "{solver}: {message}");
    }
}

/// In one frame of several substeps the GPU moves colliders and loads by itself; in as many frames the host does.
#[test]
fn colliders_and_loads_move_within_a_frame_as_from_frame_to_frame() {
    let gpu = gpu();
    let model = scene(bodies().remove(1).1, &colliders());
    for solver in [SolverKind::SymplecticEuler, SolverKind::ImplicitEuler] {
        let one = settings(solver).with(FRAME_TIME, 5e-4);
        let many = one.clone().with(FRAME_TIME, 8.0 * one.step.frame_time).with(SUBSTEPS, Substeps::Fixed(8));
        let end = |settings: &Settings, frames: u32| {
            let mut simulation = Simulation::new(&gpu, &model, settings).unwrap();
            (0..frames).for_each(|_| simulation.step().unwrap());
            simulation.state().unwrap()
        };
        let (a, b) = (end(&many, 1), end(&one, 8));
        let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let (x, v) = (apart(&a.position, &b.position), apart(&a.velocity, &b.velocity));
        println!("{solver}: {x} m, {v} m/s");
        assert!(x < 1e-5 && v < 1e-2, "{solver}: {x} m, {v} m/s");
        // Where nothing moved it would be another motion.
        let mut still = colliders();
        still.iter_mut().for_each(|c| (c.path, c.spin) = (Path::still(), Vec3::ZERO));
        let still = scene(bodies().remove(1).1, &still);
        let mut simulation = Simulation::new(&gpu, &still, &many).unwrap();
        simulation.step().unwrap();
        let state = simulation.state().unwrap();
        assert!(apart(&state.position, &b.position) > 1e-3, "{solver}");
    }
}

#[test]
fn contact_keeps_to_the_plane_of_a_planar_scene() {
    let gpu = gpu();
    let mut random = Random(5);
    let mut body = rope(60, 500.0, 0.002);
    body.rest_position.iter_mut().for_each(|x| x.z = 0.0);
    let start: Vec<Vec3> =
        body.rest_position.iter().map(|x| *x + 0.002 * random.vector().truncate().extend(0.0)).collect();
    body.position = Some(start);
    let mut builder = ModelBuilder::new();
    builder.add(body);
    let sphere = ColliderShape::Sphere { center: Vec3::new(0.5, -0.1, 0.07), radius: 0.3 };
    builder.collide(Collider { friction: 0.5, stiffness: 1e4, spin: Vec3::Z, ..Collider::new(sphere) });
    let model = builder.build().unwrap();
    for solver in SolverKind::ALL {
        let settings = settings(solver).with(PLANAR, true);
        let found = one_step(&gpu, &model, &settings, model.initial_state()).unwrap();
        assert!(found.worst <= 1.0, "{solver}: {found:?}");
        let spatial = settings.with(PLANAR, false);
        let mut simulation = Simulation::new(&gpu, &model, &spatial).unwrap();
        simulation.step().unwrap();
        let leaves = simulation.state().unwrap().velocity.iter().any(|v| v.z != 0.0);
        assert!(leaves, "{solver}: nothing to keep in the plane");
    }
}
