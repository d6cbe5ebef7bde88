//! The guard against crossings: nothing crosses that did not before, what meets nothing moves as without it, and one substep
//! holds back what the f64 reference does.

use crate::common::thrown::{NO_FORCE, never_crosses, report, scenes, settings};
use crate::common::{gpu, raw_cloth, raw_sheet, run, thrown, two_at_a_time};
use glam::{DVec3, Quat, Vec3};
use taffeta::measure::crossings::crossings;
use taffeta::model::{Body, Collider, ColliderShape, Layer, Model, ModelBuilder, Path};
use taffeta::reference::guard::{Motion, ends};
use taffeta::settings::{FRAME_TIME, GRAVITY, SUBSTEPS, SolverKind, Substeps};
use taffeta::simulation::Pick;
use taffeta::{Simulation, State};

/// Stiffness of springs [N/m] with which explicit solvers are stable in four substeps.
const SPRINGS: [f32; 3] = [20.0, 10.0, 2.0];
/// Copies of the scene.
const COPIES: usize = 24;

fn moved(body: Body, by: Vec3) -> Body {
    Body { rest_position: body.rest_position.iter().map(|x| *x + by).collect(), ..body }
}

#[test]
fn what_is_thrown_at_each_other_never_crosses() {
    let solvers = [SolverKind::SymplecticEuler, SolverKind::Verlet, SolverKind::NewtonMultigrid];
    two_at_a_time(solvers.into_iter(), |solver| never_crosses(solver, 8, 17));
}

#[test]
fn one_substep_holds_back_what_the_reference_does() {
    let (_, _, states) = scenes(COPIES, 17);
    // Forces between surfaces would move nodes elsewhere than without contact.
    let alone = thrown::model(NO_FORCE);
    let model = Model::stack(vec![alone.clone(); COPIES]).unwrap();
    let solver = SolverKind::SoftConstraint;
    let mut simulation = Simulation::new(&gpu(), &model, &settings(solver, true)).unwrap();
    simulation.set_state(&thrown::together(&states)).unwrap();
    let free = vec![true; alone.node_count()];
    let (mut held, mut same) = (0, 0);
    for _ in 0..4 {
        (0..3).for_each(|_| simulation.step().unwrap());
        let start = State { time: 0.0, ..simulation.state().unwrap() };
        let [goal, end] = [false, true].map(|contact| {
            let settings =
                settings(solver, contact).with(SUBSTEPS, Substeps::Fixed(1)).with(FRAME_TIME, 1.0 / 240.0);
            let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
            simulation.set_state(&start).unwrap();
            simulation.step().unwrap();
            simulation.state().unwrap()
        });
        let n = alone.node_count();
        for copy in 0..COPIES {
            let of = |state: &State| -> Vec<DVec3> {
                state.position[copy * n..][..n].iter().map(|x| x.as_dvec3()).collect()
            };
            let [start, goal, end] = [&start, &goal, &end].map(of);
            // The median edge is 6 cm long.
            let motion = Motion {
                triangles: alone.triangles(),
                start: &start,
                goal: &goal,
                is_free: &free,
                least_gap: 0.003,
            };
            let expected = ends(&motion);
            for (i, expected) in
                expected.into_iter().enumerate().filter(|&(i, e)| e != goal[i] || end[i] != goal[i])
            {
                held += 1;
                same += usize::from(expected.distance(end[i]) < 1e-3 * start[i].distance(goal[i]) + 3e-7);
            }
        }
    }
    println!("{same} of {held} nodes");
    assert!(held > 200 && same as f64 >= 0.98 * held as f64, "{same} of {held} nodes that are held back");
}

#[test]
fn where_nodes_yield_to_is_looked_at() {
    // Of a strip one half flies up. A node in the middle flies down, onto a triangle, and so it goes up with its neighbors instead. Above it
    // is another strip, turned, with all of that upside down. Edges from these two nodes to the halves at rest pass each other, and
    // neither comes as far as where the other one was or was going.
    let rows = 9;
    let is_flying = |i: u32| i < 8;
    let yielding = 8;
    let strip = |place: &dyn Fn(f32, f32) -> Vec3, up: f32| Body {
        rest_position: (0..2 * rows).map(|i| place((i % 2) as f32, (i / 2) as f32)).collect(),
        mass: vec![1.0; 2 * rows as usize],
        triangles: (0..rows - 1)
            .flat_map(|y| [[2 * y, 2 * y + 1, 2 * y + 2], [2 * y + 1, 2 * y + 3, 2 * y + 2]])
            .collect(),
        velocity: Some(
            (0..2 * rows)
                .map(|i| match (is_flying(i), i == yielding) {
                    (true, _) => 3.0 * up * Vec3::Z,
                    (_, true) => -up * Vec3::Z,
                    _ => Vec3::ZERO,
                })
                .collect(),
        ),
        ..Body::default()
    };
    let stop = |middle: Vec3| Body {
        rest_position: [Vec3::NEG_X - Vec3::Y, Vec3::X - Vec3::Y, Vec3::Y].map(|x| middle + 0.2 * x).to_vec(),
        mass: vec![1.0; 3],
        triangles: vec![[0, 1, 2]],
        ..Body::default()
    };
    let height = 1.4;
    let mut builder = ModelBuilder::new();
    builder.add(strip(&|x, y| Vec3::new(2.0 + x, y, 0.0), 1.0));
    builder.add(stop(Vec3::new(2.0, 4.0, -0.3)));
    builder.add(strip(&|x, y| Vec3::new(y - 2.25, 4.25 + x, height), -1.0));
    builder.add(stop(Vec3::new(1.75, 4.25, height + 0.3)));
    let model = builder.build().unwrap();
    assert_eq!(crossings(&model, &model.initial_state().position).count, 0);
    // A frame of one second: moves are as long as velocities.
    let settings =
        settings(SolverKind::SymplecticEuler, true).with(SUBSTEPS, Substeps::Fixed(1)).with(FRAME_TIME, 1.0);
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    simulation.step().unwrap();
    let state = simulation.state().unwrap();
    let ends = [state.position[8].z, state.position[2 * rows as usize + 3 + 8].z];
    assert!(report(&simulation).cut > 0 && ends[0] > 0.1 && ends[1] < height - 0.1, "{ends:?}");
    assert_eq!(crossings(&model, &state.position).count, 0, "{ends:?}");
}

#[test]
fn what_meets_nothing_moves_as_without_the_guard() {
    let mut sheet = raw_sheet(9, 9, SPRINGS, 2e-3, 1e-3);
    sheet.pinned = vec![0, 8];
    let mut builder = ModelBuilder::new();
    builder.add(sheet);
    let sway =
        Path::new(vec![(0.0, Vec3::ZERO), (0.05, Vec3::new(0.0, 0.01, 0.02)), (0.2, Vec3::ZERO)]).unwrap();
    builder.pin_along(vec![8], sway);
    let falling = raw_sheet(7, 8, SPRINGS, 2e-3, 0.0);
    builder.add(Body { velocity: Some(vec![Vec3::new(9.0, 0.0, 1.0); 56]), ..moved(falling, Vec3::Z) });
    let model = builder.build().unwrap();
    let solvers = SolverKind::ALL.into_iter().filter(|s| *s != SolverKind::ExplicitEuler);
    two_at_a_time(solvers, |solver| {
        let of = |contact| settings(solver, contact).with(GRAVITY, Vec3::NEG_Y * 9.81);
        let gpu = gpu();
        let [without, with] = [false, true].map(|contact| run(&gpu, &model, &of(contact), 12));
        assert!(without == with, "{solver}");
    });
}

#[test]
fn copies_move_as_they_do_alone_and_from_a_checkpoint_as_without() {
    let (alone, model, states) = scenes(3, 18);
    let solvers = [
        SolverKind::Verlet,
        SolverKind::ImplicitEuler,
        SolverKind::SoftConstraint,
        SolverKind::NewtonMultigrid,
    ];
    for solver in solvers {
        let settings = settings(solver, true);
        let gpu = gpu();
        let begin = |model: &Model, states: &[State]| {
            let mut simulation = Simulation::new(&gpu, model, &settings).unwrap();
            simulation.set_state(&thrown::together(states)).unwrap();
            (0..6).for_each(|_| simulation.step().unwrap());
            simulation
        };
        let mut all = begin(&model, &states);
        let checkpoint = all.checkpoint().unwrap();
        (0..6).for_each(|_| all.step().unwrap());
        let state = all.state().unwrap();
        // On an adapter with threads to spare it goes on with the same bits.
        let wide = self::gpu().with_width(true);
        let mut resumed = Simulation::new(&wide, &model, &settings).unwrap();
        assert!(resumed.resume(&checkpoint).unwrap().is_empty());
        (0..6).for_each(|_| resumed.step().unwrap());
        assert!(resumed.state().unwrap() == state, "{solver}");
        assert_eq!(report(&resumed), report(&all));
        assert!(report(&all).cut > 0);
        for copy in 0..3 {
            let mut one = begin(&alone, &states[copy..=copy]);
            (0..6).for_each(|_| one.step().unwrap());
            let n = alone.node_count();
            assert!(
                one.state().unwrap().position == state.position[copy * n..][..n],
                "{solver}: copy {copy}"
            );
        }
    }
}

/// Sheets that are turned by a ball beneath them pass others at a distance that is within reach, or not, by how fast they pass.
#[test]
fn what_one_copy_reaches_is_no_matter_of_the_others() {
    let scene = |thickness: f32| {
        let layer = |thickness| Layer { thickness: Some(thickness), ..Layer::default() };
        let mut builder = ModelBuilder::new();
        let low = raw_cloth([15, 15], [Vec3::X * 0.3, Vec3::Z * 0.3], [150.0, 50.0, 1.0], 9e-5, 0.0);
        let high = raw_cloth([9, 9], [Vec3::X * 0.2, Vec3::Z * 0.2], [150.0, 50.0, 1.0], 2e-4, 0.0);
        builder.add(Body { layer: layer(thickness), ..moved(low, Vec3::new(-0.15, 0.23, -0.15)) });
        builder.add(Body { layer: layer(0.01), ..moved(high, Vec3::new(-0.07, 0.26, -0.1)) });
        let ball = Collider::new(ColliderShape::Sphere { center: Vec3::Y * 0.1, radius: 0.1 });
        builder.collide(Collider { thickness: 0.006, friction: 0.6, spin: Vec3::Y * 8.0, ..ball });
        builder.build().unwrap()
    };
    let alone = scene(0.012);
    let both = Model::stack(vec![alone.clone(), scene(0.02)]).unwrap();
    let settings = settings(SolverKind::NewtonMultigrid, true);
    let settings = settings.with(GRAVITY, Vec3::NEG_Y * 9.81).with(SUBSTEPS, Substeps::Fixed(6));
    let gpu = gpu();
    let [alone, both] = [&alone, &both].map(|model| run(&gpu, model, &settings, 9).position);
    assert!(alone[..] == both[..alone.len()]);
}

#[test]
fn sheets_that_cross_to_begin_with_come_free() {
    let mut builder = ModelBuilder::new();
    let sheet = || raw_sheet(7, 7, SPRINGS, 2e-3, 1e-3);
    builder.add(Body { velocity: Some(vec![Vec3::X; 49]), ..moved(sheet(), Vec3::new(-0.93, 0.0, 0.05)) });
    let mut across = sheet();
    across.rest_position.iter_mut().for_each(|x| *x = Vec3::new(x.z, x.y + 0.07, x.x - 0.43));
    across.velocity = Some(vec![Vec3::X * 3.0; 49]);
    builder.add(across);
    let model = builder.build().unwrap();
    let of = |position: &[Vec3]| crossings(&model, position).count;
    assert!(of(&model.initial_state().position) > 3);
    for solver in [SolverKind::SymplecticEuler, SolverKind::NewtonMultigrid] {
        let mut simulation = Simulation::new(&gpu(), &model, &settings(solver, true)).unwrap();
        (0..30).for_each(|_| simulation.step().unwrap());
        let report = report(&simulation);
        let left = of(&simulation.state().unwrap().position);
        assert_eq!(left, 0, "{solver}: {report:?}");
        assert!((10..60).contains(&report.tangled) && report.stopped == 0, "{solver}: {report:?}");
    }
}

#[test]
fn a_handle_does_not_pull_cloth_through_cloth() {
    let sheet = |by: Vec3, pinned: Vec<u32>| {
        let body = raw_sheet(13, 13, [200.0, 100.0, 20.0], 1e-3, 0.0);
        moved(Body { pinned, ..body }, by)
    };
    let mut builder = ModelBuilder::new();
    // The lower one is held along its edges. The other is smaller than its hole would be, and lies above it.
    let edges = (0..169).filter(|k| [k % 13, k / 13].iter().any(|i| [0, 12].contains(i))).collect();
    builder.add(sheet(Vec3::ZERO, edges));
    builder.add(sheet(Vec3::new(0.02, -0.01, 0.1), vec![]));
    let model = builder.build().unwrap();
    for (solver, stiffness) in [(SolverKind::NewtonMultigrid, 1e4), (SolverKind::Vbd, 1e3)] {
        let most = [false, true].map(|contact| {
            let settings = settings(solver, contact).with(GRAVITY, Vec3::ZERO);
            let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
            let middle = simulation.state().unwrap().position[169 + 84];
            let handle = simulation.grab(&Pick::Node(169 + 84), stiffness, 0.2).unwrap().unwrap();
            (1..=20).fold(0, |most, frame| {
                simulation.move_handle(handle, middle - Vec3::Z * 0.05 * frame as f32).unwrap();
                simulation.step().unwrap();
                most.max(crossings(&model, &simulation.state().unwrap().position).count)
            })
        });
        assert!(most[0] > 0 && most[1] == 0, "{solver}: {most:?} crossings without and with contact");
    }
}

#[test]
fn pins_do_not_run_over_cloth_that_follows_them() {
    // A crumpled tray of pins goes in each substep farther than its distance from the sheet above it, which goes with it. All of it is turned,
    // so that boxes do not tell that they are apart.
    let turn = Quat::from_axis_angle(Vec3::new(3.0, 2.0, 1.0).normalize(), 0.7);
    let sheet = |above: f32| {
        // With springs that hardly pull.
        let mut body = raw_sheet(5, 5, SPRINGS.map(|k| 1e-6 * k), 2e-3, 0.0);
        (0..).zip(&mut body.rest_position).for_each(|(i, x)| {
            let height = above + 0.15 * (7 * i % 5) as f32;
            *x = turn * (*x + Vec3::Z * height);
        });
        body
    };
    let speed = 12.0;
    let mut builder = ModelBuilder::new();
    builder.add(Body { pinned: (0..25).collect(), ..sheet(0.0) });
    builder.add(Body { velocity: Some(vec![turn * Vec3::Z * speed; 25]), ..sheet(0.04) });
    let up = Path::new(vec![(0.0, Vec3::ZERO), (1.0, turn * Vec3::Z * speed)]).unwrap();
    builder.pin_along((0..25).collect(), up);
    let model = builder.build().unwrap();
    let settings = settings(SolverKind::SymplecticEuler, true).with(GRAVITY, turn * Vec3::NEG_Z);
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    simulation.step().unwrap();
    let report = report(&simulation);
    // Nodes are held back all the same: in the crumples the gap is less than what is kept, and gravity makes it smaller.
    assert!(report.cut > 0 && report.forced == 0 && report.tangled == 0 && report.stopped == 0, "{report:?}");
    assert_eq!(crossings(&model, &simulation.state().unwrap().position).count, 0);
}

#[test]
fn pins_that_go_on_where_all_else_stops_are_told() {
    // Of a stack that falls on a held sheet the lowest one would reach it. One more sheet is held back in each round, by the one below it, and
    // there are more of them than rounds: all nodes then take the same part of their motion. Elsewhere pins move with the sheets above them,
    // which are held back, too: they run over the nearer one.
    let turn = Quat::from_axis_angle(Vec3::new(3.0, 2.0, 1.0).normalize(), 0.7);
    let sheet = |by: Vec3, speed: f32| {
        let mut body = raw_sheet(3, 3, SPRINGS.map(|k| 1e-6 * k), 2e-3, 0.0);
        body.rest_position.iter_mut().for_each(|x| *x = turn * (0.3 * *x + by));
        Body { velocity: Some(vec![turn * Vec3::Z * speed; 9]), layer: NO_FORCE, ..body }
    };
    let held = |by: Vec3| Body { pinned: (0..9).collect(), velocity: None, ..sheet(by, 0.0) };
    let mut builder = ModelBuilder::new();
    builder.add(held(Vec3::ZERO));
    (0..20).for_each(|k| _ = builder.add(sheet(Vec3::Z * (0.1 + 0.005 * k as f32), -6.24)));
    let speed = 6.0;
    builder.add(held(Vec3::X * 2.0));
    builder.add(sheet(Vec3::new(2.01, 0.0, 0.01), speed));
    let up = Path::new(vec![(0.0, Vec3::ZERO), (1.0, turn * Vec3::Z * speed)]).unwrap();
    builder.pin_along((189..198).collect(), up.clone());
    builder.add(held(Vec3::X * 4.0));
    builder.add(sheet(Vec3::new(4.01, 0.0, 0.0235), speed));
    builder.pin_along((207..216).collect(), up);
    builder.add(sheet(Vec3::X * 8.0, speed));
    let model = builder.build().unwrap();
    let settings = settings(SolverKind::SoftConstraint, true).with(SUBSTEPS, Substeps::Fixed(1));
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    simulation.step().unwrap();
    let report = report(&simulation);
    let State { position, velocity, .. } = simulation.state().unwrap();
    let height = |i: usize| (turn.inverse() * position[i]).z;
    let gaps = [198, 216].map(|above| height(above) - height(above - 9));
    assert!(report.stopped == 1 && gaps[0] < 0.0 && (0.0..0.006).contains(&gaps[1]), "{report:?}: {gaps:?}");
    assert!(report.forced > 0 && report.tangled == 18, "{report:?}");
    // What meets nothing waits, and is as fast as before, but for two roundings of positions at 8 m in a frame.
    let waits = turn.inverse() * velocity[225];
    let whole = height(225) / (speed * settings.step.frame_time);
    assert!(
        (0.1..0.95).contains(&whole) && waits.distance(Vec3::Z * speed) < 2.0 * 60.0 * 9.6e-7,
        "{whole} {waits}"
    );
}

#[test]
fn pins_that_are_driven_through_cloth_are_told_and_stop_nothing() {
    let mut builder = ModelBuilder::new();
    let mut held = raw_sheet(7, 7, SPRINGS, 2e-3, 1e-3);
    held.pinned = (0..49).collect();
    builder.add(held);
    let mut moving = raw_sheet(4, 4, SPRINGS, 2e-3, 1e-3);
    moving.pinned = (0..16).collect();
    moving.rest_position.iter_mut().for_each(|x| *x = 0.3 * *x + Vec3::new(0.3, -0.3, 0.05));
    builder.add(moving);
    let through = Path::new(vec![(0.0, Vec3::ZERO), (0.2, Vec3::Z * -0.1)]).unwrap();
    builder.pin_along((49..65).collect(), through);
    let falling = raw_sheet(5, 5, SPRINGS, 2e-3, 1e-3);
    builder.add(moved(falling, Vec3::Z * 2.0));
    let model = builder.build().unwrap();
    let settings = settings(SolverKind::SymplecticEuler, true).with(GRAVITY, Vec3::NEG_Y * 9.81);
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    (0..30).for_each(|_| simulation.step().unwrap());
    let report = report(&simulation);
    assert!(report.forced > 0 && report.stopped == 0 && report.tangled > 8, "{report:?}");
    let state = simulation.state().unwrap();
    assert!((state.position[55].z + 0.05).abs() < 1e-5, "{}", state.position[55]);
    assert!(state.position[70].y < -0.5, "{}", state.position[70]);
}
