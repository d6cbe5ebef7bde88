//! Nodes numbered at random stand along a curve in memory, and nobody notices but by the clock: results, picks, pins,
//! pictures, checkpoints and failures have the user's own numbers.

use std::collections::{BTreeSet, HashMap};

use crate::common::{
    self, Random, disc_of, for_stable_solvers, gpu, model, one_step_settings, raw_cloth, renumber, rope,
    strain,
};
use glam::Vec3;
use taffeta::check::{one_step, one_step_of};
use taffeta::model::{Body, Family, Load, Model, ModelBuilder, Order, Path, Push, ScriptedHandle, Spring};
use taffeta::render::{Camera, Look, Mode, Renderer, Scene};
use taffeta::settings::{
    FRAME_TIME, ITERATIONS, Iterations, LARGEST_STRETCH, LINEAR_SOLVER, LinearSolver, SOLVER, SUBSTEPS,
    SolverKind, Substeps, UserForce,
};
use taffeta::simulation::Pick;
use taffeta::{Settings, Simulation, State};

const SPACING: f32 = 0.5 / 74.0;

/// A disc of 16,651 nodes, ring by ring, of no symmetry: where a node is at rest tells which one it is.
fn rings(stiffness: f32) -> Body {
    let mut random = Random(11);
    let mut body = disc_of(SPACING, stiffness, 0.002);
    body.rest_position.iter_mut().for_each(|x| *x += 0.01 * SPACING * random.vector());
    Body { bending: 0.015, ..strain(body, SPACING, &mut random) }
}

fn shuffled(stiffness: f32) -> Body {
    renumber(rings(stiffness), &mut Random(5))
}

/// For each node of `a` the one of `b` in the same place.
fn matching(a: &Model, b: &Model) -> Vec<u32> {
    let bits = |x: &Vec3| x.to_array().map(f32::to_bits);
    let of_b: HashMap<_, u32> = b.rest_position().iter().map(bits).zip(0..).collect();
    a.rest_position().iter().map(|x| of_b[&bits(x)]).collect()
}

fn explicit() -> Settings {
    one_step_settings(SolverKind::SymplecticEuler).with(FRAME_TIME, 0.004).with(SUBSTEPS, Substeps::Fixed(10))
}

#[test]
fn only_nodes_in_bad_order_are_moved() {
    let disc = model(shuffled(300.0));
    assert!(!disc.order().is_given());
    assert!(model(rings(300.0)).order().is_given(), "ring by ring is a good order");
    let small = renumber(disc_of(0.05, 300.0, 0.002), &mut Random(5));
    assert!(model(small).order().is_given(), "a small body gains too little");
    assert!(std::ptr::eq(disc.in_memory(), disc.in_memory().in_memory()), "a model is moved once");
    let points = Body { springs: Vec::new(), bending: 0.0, ..shuffled(300.0) };
    assert!(model(points).order().is_given(), "who has no neighbors is near all of them");
    // The curve would be far better for a ribbon; but in the grid form, alone, it has the order of its rows.
    let cloth = |columns: u32, rows: u32| {
        let sides = [Vec3::X * (columns - 1) as f32, Vec3::NEG_Y * (rows - 1) as f32];
        raw_cloth([columns, rows], sides, [400.0, 200.0, 40.0], 0.002, 0.0)
    };
    let ribbon = |columns, rows| model(cloth(columns, rows));
    let unlike = Model::stack(vec![ribbon(4096, 4), ribbon(2048, 8)]).unwrap();
    assert!(
        unlike.grid().is_none() && unlike.order().is_given(),
        "rectangular cloths keep theirs in any batch"
    );
    assert!(
        !model(Body { grid: None, ..cloth(4096, 4) }).order().is_given(),
        "but for being rectangular it would be moved"
    );
}

#[test]
fn the_order_does_not_depend_on_the_number_of_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let model = pool.install(|| {
            let model = two_bodies(300.0);
            model.order();
            model
        });
        let mut stencils = Vec::new();
        let moved = model.in_memory();
        moved.for_each_bending_stencil(|nodes, c| stencils.push((nodes.to_vec(), c.to_vec())));
        (model.order().clone(), moved.springs().to_vec(), moved.triangles().to_vec(), stencils)
    };
    assert!(on(1) == on(5));
}

/// Lines of memory, of 8 nodes each, that the neighbors of 64 nodes in a row lie in, on average.
fn lines(model: &Model) -> f64 {
    let mut lines = vec![BTreeSet::new(); model.node_count().div_ceil(64)];
    for [a, b] in model.springs().iter().map(|s| s.nodes) {
        lines[a as usize / 64].insert(b / 8);
        lines[b as usize / 64].insert(a / 8);
    }
    lines.iter().map(|l| l.len() as f64).sum::<f64>() / lines.len() as f64
}

#[test]
fn in_memory_neighbors_share_lines() {
    let (found, given) = (model(shuffled(300.0)), model(rings(300.0)));
    let [before, after, rings] = [lines(&found), lines(found.in_memory()), lines(&given)];
    assert!(
        after < 0.2 * before && after < 1.1 * rings,
        "{before} lines, {after} in memory, {rings} ring by ring"
    );
}

/// A rope, a disc whose nodes are in random order, and a spring between them.
fn two_bodies(stiffness: f32) -> Model {
    let mut builder = ModelBuilder::new();
    let rope = builder.add(strain(rope(200, 500.0, 0.002), 0.005, &mut Random(3)));
    let disc = builder.add(shuffled(stiffness));
    let nodes = [rope.start + 17, disc.start + 2000];
    builder.attach(Spring { nodes, rest_length: 0.1, stiffness: 100.0, dashpot: 0.0, family: Family::Raw });
    let (held, pinned, loaded) = (disc.start + 1234, disc.start + 777, disc.start + 4000);
    let path = Path::new(vec![(0.0, Vec3::X), (0.1, Vec3::Z)]).unwrap();
    builder.pin_along(vec![pinned, rope.start + 5], path.clone());
    let active = 0.0..f64::INFINITY;
    builder.handle(ScriptedHandle { nodes: vec![(held, 1.0)], stiffness: 200.0, path: path.clone(), active });
    builder.load(Load { nodes: vec![loaded], push: Push::Force(path) });
    builder.build().unwrap()
}

#[test]
fn what_stands_in_memory_is_the_same_model() {
    let model = two_bodies(300.0);
    let (moved, order) = (model.in_memory(), model.order());
    let place = |node: u32| order.place(node);
    assert!((0..200).all(|node| place(node) == node), "the rope is in good order");
    let nodes = 0..model.node_count() as u32;
    let places: BTreeSet<u32> = nodes.clone().map(place).collect();
    assert_eq!(places, nodes.clone().collect(), "a place for each");
    for node in nodes {
        let (i, at) = (node as usize, place(node) as usize);
        assert_eq!(order.node(place(node)), node);
        assert_eq!(model.rest_position()[i], moved.rest_position()[at]);
        assert_eq!(model.initial_state().position[i], moved.initial_state().position[at]);
        assert_eq!(model.initial_state().velocity[i], moved.initial_state().velocity[at]);
        assert_eq!((model.mass()[i], model.pinned()[i]), (moved.mass()[at], moved.pinned()[at]));
        assert_eq!(model.body_of(node), moved.body_of(place(node)));
    }
    let sorted = |springs: &[Spring], place: &dyn Fn(u32) -> u32| {
        let key = |s: &Spring| {
            let numbers = [s.rest_length, s.stiffness, s.dashpot].map(f32::to_bits);
            (s.nodes.map(place), numbers, s.family as u32)
        };
        let mut all: Vec<_> = springs.iter().map(key).collect();
        all.sort_unstable();
        all
    };
    // What belongs together stands together.
    let disc = &moved.bodies()[1];
    assert!(moved.springs()[disc.springs.clone()].is_sorted_by_key(|s| s.nodes[0].min(s.nodes[1])));
    assert!(moved.triangles()[disc.triangles.clone()].is_sorted_by_key(|t| t.iter().copied().min()));
    let mut firsts = Vec::new();
    moved.for_each_bending_stencil(|nodes, _| firsts.push(nodes.iter().copied().min()));
    assert!(firsts.is_sorted());
    for body in model.bodies() {
        let range = body.springs.clone();
        let (own, other) = (&model.springs()[range.clone()], &moved.springs()[range]);
        assert_eq!(sorted(own, &place), sorted(other, &|n| n));
        let mut triangles: Vec<_> =
            model.triangles()[body.triangles.clone()].iter().map(|t| t.map(place)).collect();
        let mut others = moved.triangles()[body.triangles.clone()].to_vec();
        triangles.sort_unstable();
        others.sort_unstable();
        assert_eq!(triangles, others);
    }
    let ends = |m: &Model| m.attachments().map(|s| s.nodes).collect::<Vec<_>>();
    assert_eq!(ends(&model).iter().map(|s| s.map(place)).collect::<Vec<_>>(), ends(moved));
    let to_places = |nodes: &[u32]| nodes.iter().map(|n| place(*n)).collect::<Vec<_>>();
    assert_eq!(to_places(&model.moving_pins()[0].nodes), moved.moving_pins()[0].nodes);
    let pulled = |m: &Model| m.handles()[0].nodes.iter().map(|n| n.0).collect::<Vec<_>>();
    assert_eq!(to_places(&pulled(&model)), pulled(moved));
    assert_eq!(to_places(&model.loads()[0].nodes), moved.loads()[0].nodes);
    let mut bending = [Vec::new(), Vec::new()];
    for (list, model, order) in [(0, &model, order), (1, moved, &Order::default())] {
        model.for_each_bending_stencil(|nodes, c| {
            bending[list].push((nodes.iter().map(|n| order.place(*n)).collect::<Vec<_>>(), c.to_vec()));
        });
        bending[list].sort_by(|a, b| a.0.cmp(&b.0));
    }
    assert!(!bending[0].is_empty() && bending[0] == bending[1]);
}

#[test]
fn one_step_equals_the_reference() {
    let gpu = gpu();
    let model = two_bodies(300.0);
    let off = two_bodies(303.0);
    for_stable_solvers(|solver| {
        let mut all = vec![one_step_settings(solver)];
        if solver.linear_solvers().contains(&LinearSolver::GaussSeidel) {
            // In the order of colors, which follow from that of the nodes or springs.
            all.push(all[0].clone().with(LINEAR_SOLVER, LinearSolver::GaussSeidel));
        }
        for settings in all {
            let settings = common::with_forces(settings);
            let found = one_step(&gpu, &model, &settings, model.initial_state()).unwrap();
            assert!((1e-5..=1.0).contains(&found.worst), "{:?}: {found:?}", settings.get(LINEAR_SOLVER));
        }
        let settings = one_step_settings(solver);
        let found = one_step_of(&gpu, &off, &model, &settings, model.initial_state()).unwrap();
        assert!(found.worst > 1.0, "stiffnesses 1 % off are noticed: {found:?}");
    });
}

/// Pins, grabs and lets a scene's own handle pull, all by nodes of the disc ring by ring; the state after some frames.
fn handled(model: &Model, node: impl Fn(u32) -> u32) -> State {
    let [held, grabbed, pinned, released] = [900, 2500, 3300, 0].map(node);
    let mut simulation = Simulation::new(&gpu(), model, &explicit()).unwrap();
    simulation.step().unwrap();
    let grip = simulation.grab(&Pick::Node(grabbed), 100.0, 2.0 * SPACING).unwrap().unwrap();
    simulation.set_pinned(pinned, true).unwrap();
    simulation.set_pinned(released, false).unwrap();
    let before = simulation.state().unwrap();
    let target = simulation.handle_target(grip).unwrap();
    assert_eq!(target, before.position[grabbed as usize]);
    simulation.move_handle(grip, target + Vec3::Y * 0.3).unwrap();
    (0..10).for_each(|_| simulation.step().unwrap());
    let after = simulation.state().unwrap();
    assert_eq!(after.position[pinned as usize], before.position[pinned as usize], "pinned where it was");
    let (pulls, _) = simulation.pulls();
    assert!(pulls.iter().any(|p| p.0 == held) && pulls.iter().any(|p| p.0 == grabbed), "{pulls:?}");
    after
}

#[test]
fn users_see_their_own_numbers() {
    let build = |body: Body, node: &dyn Fn(u32) -> u32| {
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let path = Path::new(vec![(0.0, Vec3::ZERO), (0.02, Vec3::Z * 0.05)]).unwrap();
        builder.pin_along(vec![node(100)], path.clone());
        let active = 0.0..f64::INFINITY;
        let nodes = vec![(node(900), 1.0)];
        builder.handle(ScriptedHandle { nodes, stiffness: 200.0, path: path.clone(), active });
        builder.build().unwrap()
    };
    let plain = model(rings(300.0));
    let new = matching(&plain, &model(shuffled(300.0)));
    let rows = build(rings(300.0), &|n| n);
    let moved = build(shuffled(300.0), &|n| new[n as usize]);
    assert!(rows.order().is_given() && !moved.order().is_given());
    let expected = handled(&rows, |n| n);
    let found = handled(&moved, |n| new[n as usize]);
    let error = |position: &dyn Fn(usize) -> Vec3| {
        expected.position.iter().enumerate().map(|(i, x)| x.distance(position(i))).fold(0f32, f32::max)
    };
    let worst = error(&|i| found.position[new[i] as usize]);
    assert!(worst < 1e-5, "{worst} m from the same disc ring by ring");
    assert!(error(&|i| found.position[i]) > 0.1, "the numbers are others");
}

#[test]
fn a_state_comes_back_as_it_was_set() {
    let model = model(shuffled(300.0));
    let mut simulation = Simulation::new(&gpu(), &model, &explicit()).unwrap();
    let mut random = Random(9);
    let mut state = model.initial_state().clone();
    for (i, (x, v)) in state.position.iter_mut().zip(&mut state.velocity).enumerate() {
        *x += random.vector();
        *v = if model.pinned()[i] { Vec3::ZERO } else { random.vector() };
    }
    simulation.set_state(&state).unwrap();
    assert_eq!(simulation.state().unwrap(), state);
    // And stands in memory as the model says.
    let buffer = simulation.positions().read(simulation.gpu()).unwrap();
    for (node, x) in (0..).zip(&state.position) {
        assert_eq!(buffer[model.order().place(node) as usize].truncate(), *x, "node {node}");
    }
}

#[test]
fn a_failure_names_the_users_node() {
    let model = model(shuffled(300.0));
    let node = 3210u32;
    let [x, y, z] = model.initial_state().position[node as usize].to_array();
    let text = format!(
        "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {{
            return vec3f(sqrt(distance(position, vec3f({x:?}, {y:?}, {z:?})) - 1e-6));
        }}"
    );
    let settings = Settings { user_force: Some(UserForce::new("test", 1, &text)), ..explicit() };
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    simulation.step().unwrap();
    let failure = simulation.outcomes().unwrap()[0].failure.unwrap();
    assert!(failure.is_of_force && failure.node == node, "{failure:?}");
    // A spring that is too long, and its ends: in a moment in which nothing else moves far.
    let settings = explicit().with(LARGEST_STRETCH, 3.0).with(FRAME_TIME, 1e-7);
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    let mut state = model.initial_state().clone();
    state.position[node as usize] += Vec3::Y;
    simulation.set_state(&state).unwrap();
    simulation.step().unwrap();
    let failure = simulation.outcomes().unwrap()[0].failure.unwrap();
    let ends = [failure.node, failure.other];
    let is_spring = model.springs().iter().any(|s| s.nodes == ends || s.nodes == [ends[1], ends[0]]);
    assert!(ends.contains(&node) && is_spring, "{failure:?}");
}

#[test]
fn a_checkpoint_has_the_users_numbers_and_goes_on_to_the_same_bits() {
    let gpu = gpu();
    let model = two_bodies(300.0);
    // Velocities that are half a step behind are stored with the pulls that bring them up.
    for (solver, substeps) in [(SolverKind::Verlet, 10), (SolverKind::NewtonMultigrid, 2)] {
        let settings = explicit().with(SOLVER, solver).with(ITERATIONS, Iterations::Fixed(2));
        let settings = settings.with(SUBSTEPS, Substeps::Fixed(substeps));
        let mut whole = Simulation::new(&gpu, &model, &settings).unwrap();
        (0..3).for_each(|_| whole.step().unwrap());
        let checkpoint = whole.checkpoint().unwrap();
        let bits = |v: &[Vec3]| v.iter().map(|v| v.to_array().map(f32::to_bits)).collect::<Vec<_>>();
        let part = |name| {
            let rows: &[[u32; 4]] = checkpoint.part(name).unwrap().as_chunks().0;
            rows.iter().map(|row| [row[0], row[1], row[2]]).collect::<Vec<_>>()
        };
        let state = whole.state().unwrap();
        assert_eq!(part("position"), bits(&state.position), "{solver}");
        if solver == SolverKind::Verlet {
            let is_pulled = |row: &[u32; 3]| *row != [0; 3];
            let rows = (0..).zip(part("applied")).filter(|(_, row)| is_pulled(row));
            let pulled: Vec<u32> = rows.map(|(node, _)| node).collect();
            assert_eq!(pulled, [model.handles()[0].nodes[0].0]);
        } else {
            assert_eq!(part("velocity"), bits(&state.velocity), "{solver}");
        }
        let mut second = Simulation::new(&gpu, &model, &settings).unwrap();
        assert!(second.resume(&checkpoint).unwrap().is_empty());
        assert_eq!(second.state().unwrap(), state, "{solver}");
        for simulation in [&mut whole, &mut second] {
            (0..3).for_each(|_| simulation.step().unwrap());
        }
        assert_eq!(whole.state().unwrap(), second.state().unwrap(), "{solver}");
        whole.keep().unwrap();
        let kept = whole.kept().unwrap().unwrap();
        assert_eq!(kept.part("position"), whole.checkpoint().unwrap().part("position"), "{solver}");
    }
}

#[test]
fn a_failure_of_a_copy_is_in_a_checkpoint_by_the_users_node() {
    let gpu = gpu();
    let batch = Model::stack(vec![model(shuffled(300.0)); 2]).unwrap();
    let settings = explicit().with(LARGEST_STRETCH, 3.0).with(FRAME_TIME, 1e-7);
    let mut whole = Simulation::new(&gpu, &batch, &settings).unwrap();
    let mut state = batch.initial_state().clone();
    state.position[batch.nodes_per_copy() + 3210] += Vec3::Y;
    whole.set_state(&state).unwrap();
    whole.step().unwrap();
    let outcomes = whole.outcomes().unwrap();
    let failure = outcomes[1].failure.unwrap();
    let checkpoint = whole.checkpoint().unwrap();
    let watch = checkpoint.part("watch").unwrap();
    let of_copy = &watch[watch.len() / 2..];
    assert!(
        of_copy.contains(&failure.node) && of_copy.contains(&failure.other),
        "{failure:?} in {of_copy:?}"
    );
    let mut second = Simulation::new(&gpu, &batch, &settings).unwrap();
    second.resume(&checkpoint).unwrap();
    assert_eq!(second.outcomes().unwrap(), outcomes);
}

#[test]
fn copies_of_a_batch_have_the_order_that_they_have_alone() {
    let gpu = gpu();
    let pulled = |body: Body| {
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let path = Path::new(vec![(0.0, Vec3::Y * 0.1)]).unwrap();
        let (nodes, active) = (vec![(1000, 1.0)], 0.0..f64::INFINITY);
        builder.handle(ScriptedHandle { nodes, stiffness: 50.0, path, active });
        let model = builder.build().unwrap();
        model.order(); // found before it is stacked or disturbed
        model
    };
    let mut disturbed = pulled(renumber(rings(200.0), &mut Random(77)));
    disturbed.disturb(|i| [Vec3::Y * 1e-2 * (i % 7) as f32, Vec3::ZERO]);
    // One is in good order by itself.
    let alone = [pulled(shuffled(300.0)), pulled(rings(400.0)), disturbed];
    assert_eq!(alone.each_ref().map(|m| m.order().is_given()), [false, true, false]);
    let batch = Model::stack(alone.to_vec()).unwrap();
    for (solver, substeps) in [(SolverKind::SymplecticEuler, 10), (SolverKind::NewtonMultigrid, 2)] {
        let settings = explicit().with(SOLVER, solver).with(SUBSTEPS, Substeps::Fixed(substeps));
        let together = common::run(&gpu, &batch, &settings, 2);
        for (copy, model) in alone.iter().enumerate() {
            let own = common::run(&gpu, model, &settings, 2);
            let range = copy * model.node_count()..(copy + 1) * model.node_count();
            assert_eq!(together.position[range], own.position, "copy {copy} with {solver}");
        }
    }
}

#[test]
fn pictures_are_the_same() {
    let gpu = gpu();
    let camera = Camera::framing(Vec3::new(-0.5, -0.2, -0.5), Vec3::new(0.5, 0.2, 0.5));
    let [rings, shuffled] = [model(rings(300.0)), model(shuffled(300.0))];
    let run = |model: &Model| {
        let mut simulation = Simulation::new(&gpu, model, &explicit()).unwrap();
        simulation.step().unwrap();
        simulation
    };
    let (plain, moved) = (run(&rings), run(&shuffled));
    let draw = |scene: Scene<'_>, mode: Mode| {
        let mut renderer = Renderer::new(&gpu, scene.model, Renderer::IMAGE_FORMAT).unwrap();
        let look = Look { mode, ground: false, stretch_scale: 0.5, ..Look::default() };
        renderer.render_to_image(&gpu, &scene, &camera, &look, 160, 120).unwrap()
    };
    for mode in Mode::ALL {
        let expected = draw(Scene::from(&plain), mode);
        let off = |scene| {
            let found = draw(scene, mode);
            expected.pixels.iter().zip(&found.pixels).filter(|(a, b)| a.abs_diff(**b) > 8).count()
        };
        // Where lines or wrinkles are finer than a pixel the last bit decides which is in front.
        let (few, same) = (expected.pixels.len() / 50, off(Scene::from(&moved)));
        assert!(same < few, "{mode:?}: {same} of {} differ", expected.pixels.len());
        // Buffers of the one with the springs and triangles of the other are noticed.
        let mixed = off(Scene { model: &rings, surface: plain.surface(), ..Scene::from(&moved) });
        assert!(mixed > few, "{mode:?}: only {mixed} differ");
    }
}
