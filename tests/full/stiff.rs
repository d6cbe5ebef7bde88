//! Springs so stiff for the step that newton-multigrid finds their tension as multipliers: bodies fall, swing and tumble as
//! the minimum of each step says, whatever the stiffness.

use crate::common;
use crate::common::hinged::{
    H, doubles, hinged_rope, hinged_sheet, inextensible, limited, mean_fall, one_substep, worst_stretch,
};
use crate::common::{Random, disc, gpu, model, plain, raw_cloth, raw_sheet, rope, strain, tangle};
use glam::{DVec3, Vec3};
use taffeta::Simulation;
use taffeta::bench::truth::bodies;
use taffeta::check::{one_step, one_step_of};
use taffeta::hierarchy::Hierarchy;
use taffeta::measure::energy;
use taffeta::model::{Body, Model, ModelBuilder, Multipliers, Path, Spring};
use taffeta::reference::newton_multigrid::{self, Options};
use taffeta::reference::objective::Objective;
use taffeta::reference::{Forces, Instant, State64, verlet};
use taffeta::settings::{
    CG_STEPS, FORM, Form, GRAVITY, ITERATIONS, Iterations, LARGEST_STRETCH, START, Start,
};

/// Where the body is after `frames`, each step at its minimum: with so many iterations that what is left of inertia and
/// tension at any node, and of l - r - lambda / k in any spring, is as good as nothing. That makes it the minimum whatever
/// found it.
fn at_minima(model: &Model, frames: u32) -> State64 {
    let settings = one_substep();
    let hierarchy = Hierarchy::of(model);
    let options = Options { iterations: 80, ..Options::on_gpu(model, &hierarchy, &settings) };
    let multipliers = Multipliers::of(model, H);
    assert!(multipliers.count() > 0, "not stiff at all");
    let (mut state, mut lambda) = (State64::from(model.initial_state()), Vec::new());
    for _ in 0..frames {
        let before = state.clone();
        let forces = Forces::of(model, &settings);
        newton_multigrid::step(&forces, &hierarchy, &options, &multipliers, &mut lambda, H, &mut state);
        let mut force = vec![DVec3::ZERO; model.node_count()];
        for (s, spring) in model.springs().iter().enumerate() {
            let [a, b] = spring.nodes.map(|i| i as usize);
            let e = state.position[a] - state.position[b];
            let (k, stretch) = (f64::from(spring.stiffness), e.length() - f64::from(spring.rest_length));
            let tension = if multipliers.penalty(s) > 0.0 { lambda[s] } else { k * stretch };
            assert!((stretch - tension / k).abs() < 1e-5, "{} m too long", stretch - tension / k);
            force[a] -= tension * e.normalize();
            force[b] += tension * e.normalize();
        }
        for i in (0..force.len()).filter(|&i| !model.pinned()[i]) {
            let m = f64::from(model.mass()[i]);
            let fall = H * DVec3::new(0.0, -9.81, 0.0);
            let rest = m * ((state.velocity[i] - before.velocity[i] - fall) / H) - force[i];
            assert!(rest.length() < 0.02 * m * 9.81, "{} of its weight is left", rest.length() / m / 9.81);
        }
    }
    state
}

#[test]
fn bodies_of_any_stiffness_fall_alike() {
    let gpu = gpu();
    for k in [1e4, 1e7, f64::INFINITY] {
        let bodies = [
            (format!("rope of {k:e} N"), hinged_rope(100, k), vec![Form::Auto]),
            (format!("sheet of {k:e} N/m"), hinged_sheet(33, k as f32), vec![Form::Grid, Form::Mesh]),
        ];
        for (name, model, forms) in bodies {
            let expected = mean_fall(&model, &at_minima(&model, 24).position);
            for form in forms {
                // Four iterations are enough for how bodies move.
                let settings = one_substep().with(FORM, form).with(ITERATIONS, Iterations::Fixed(4));
                let found = mean_fall(&model, &doubles(&common::run(&gpu, &model, &settings, 24)));
                println!("{name}, {form:?}: {found:.4} m, {:+.3} %", 100.0 * (found / expected - 1.0));
                assert!(
                    (found / expected - 1.0).abs() < 2e-3,
                    "{name}, {form:?}: {found} m instead of {expected}"
                );
            }
        }
    }
}

/// Another method altogether, with 20,000 steps.
#[test]
fn a_stiff_rope_falls_as_verlet_says() {
    let model = hinged_rope(100, 1e4);
    let (settings, h, steps) = (plain(), 2e-5, 20_000);
    let forces = Forces { at: Instant::default(), ..Forces::of(&model, &settings) };
    let mut state = State64::from(model.initial_state());
    verlet::stagger(&forces, h, &mut state);
    (0..steps).for_each(|_| verlet::step(&forces, h, &mut state));
    let expected = mean_fall(&model, &state.position);
    let found = mean_fall(&model, &doubles(&common::run(&gpu(), &model, &one_substep(), 24)));
    println!("{found:.4} m, {expected:.4} m with verlet");
    assert!((found / expected - 1.0).abs() < 0.02, "{found} m instead of {expected}");
}

#[test]
fn a_step_with_multipliers_equals_the_reference() {
    let gpu = gpu();
    let mut random = Random(5);
    let beads = || {
        let mut body = rope(120, 1e7, 1e-3);
        // Some are soft, and one is heavy.
        body.springs.iter_mut().step_by(3).for_each(|spring| spring.stiffness = 300.0);
        body.mass[70] = 0.1;
        body
    };
    let sheet = |flexion| raw_sheet(14, 11, [2e6, 1e6, flexion], 1e-3, 0.02);
    // Just above and below sigma.
    let [firm, soft] = [400.0, 50.0].map(|k| raw_sheet(14, 11, [k, 20.0, 0.0], 1e-3, 0.02));
    let bodies = [
        ("rope", strain(beads(), 0.005, &mut random), Form::Auto),
        ("sheet", strain(sheet(0.0), 0.05, &mut random), Form::Grid),
        ("sheet with flexion", strain(sheet(3e5), 0.05, &mut random), Form::Grid),
        ("sheet in mesh form", strain(sheet(3e5), 0.05, &mut random), Form::Mesh),
        ("net", strain(Body { grid: None, ..sheet(0.0) }, 0.05, &mut random), Form::Auto),
        ("bent sheet", Body { bending: 0.05, ..strain(sheet(0.0), 0.05, &mut random) }, Form::Grid),
        ("limited rope", limited(strain(beads(), 0.005, &mut random)), Form::Auto),
        ("firm limited sheet", limited(strain(firm, 0.05, &mut random)), Form::Grid),
        ("soft limited sheet", limited(strain(soft.clone(), 0.05, &mut random)), Form::Grid),
        ("soft limited sheet, mesh form", limited(strain(soft.clone(), 0.05, &mut random)), Form::Mesh),
        ("inextensible sheet", strain(inextensible(sheet(0.0)), 0.05, &mut random), Form::Grid),
        ("inextensible, mesh form", strain(inextensible(sheet(0.0)), 0.05, &mut random), Form::Mesh),
    ];
    for (name, body, form) in bodies {
        for (iterations, cg_steps) in [(4, 0), (2, 2)] {
            let settings = common::with_forces(one_substep())
                .with(FORM, form)
                .with(ITERATIONS, Iterations::Fixed(iterations))
                .with(CG_STEPS, cg_steps)
                .with(LARGEST_STRETCH, 1e9);
            let own = model(body.clone());
            let some = Multipliers::of(&own, H).count();
            assert!(
                some > 0 && (!name.ends_with("rope") || some < own.springs().len()),
                "{name}: {some} multipliers"
            );
            let found = one_step(&gpu, &own, &settings, own.initial_state()).unwrap();
            assert!(found.worst <= 1.0 && found.worst >= 1e-5, "{name}, {cg_steps} steps: {found:?}");
            // What is off is noticed: lengths by 1 %, masses by 10 % (beside stiff springs they hardly count).
            let longer = |s: &Spring| Spring { rest_length: 1.01 * s.rest_length, ..*s };
            let heavier = |m: &f32| 1.1 * m;
            let mut wrong = body.clone();
            wrong.springs = body.springs.iter().map(longer).collect();
            wrong.grid.iter_mut().flat_map(|grid| &mut grid.links).for_each(|l| l.rest_length *= 1.01);
            let mut heavy = body.clone();
            heavy.mass = body.mass.iter().map(heavier).collect();
            let mut others = vec![("longer", wrong), ("heavier", heavy)];
            if body.strain_limit.is_some() {
                others.push(("less limited", Body { strain_limit: Some(0.012), ..body.clone() }));
            }
            for (what, wrong) in others {
                let mesh = settings.clone().with(FORM, Form::Mesh);
                let found = one_step_of(&gpu, &model(wrong), &own, &mesh, own.initial_state()).unwrap();
                assert!(found.worst > 1.0, "{name}, {what}: not noticed, {found:?}");
            }
        }
    }
}

/// Two corners pulled to and fro by half a meter at 2 Hz, from one frame to the next: 6 m/s at once.
#[test]
fn stiff_cloth_follows_its_pins() {
    let n = 65;
    for k in [1e5, 1e6] {
        let mut body =
            raw_cloth([n, n], [Vec3::X, Vec3::Z], [k, k / 2.0, k / 10.0], 0.2 / (n * n) as f32, 0.0);
        body.pinned = vec![0, n - 1];
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let key = |i: u32| {
            let t = f64::from(i) * H;
            (t, Vec3::X * (0.5 * (4.0 * std::f64::consts::PI * t).sin()) as f32)
        };
        builder.pin_along(vec![0, n - 1], Path::new((0..=60).map(key).collect()).unwrap());
        let model = builder.build().unwrap();
        let mut simulation = Simulation::new(&gpu(), &model, &one_substep()).unwrap();
        let [largest, p999] = worst_stretch(&mut simulation, 60);
        println!("{k:e} N/m: {:.2} % at most, p99.9 {:.2} %", 100.0 * largest, 100.0 * p999);
        assert!(largest < 0.2 && p999 < 0.051, "{k}: {largest}, {p999}");
    }
}

/// With nothing across springs the fourth step threw them far beyond the minimum.
#[test]
fn ropes_take_any_number_of_steps_of_conjugate_gradients() {
    let (gpu, model) = (gpu(), hinged_rope(100, f64::INFINITY));
    let fall = |cg_steps| {
        let settings = one_substep().with(CG_STEPS, cg_steps);
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        let [largest, _] = worst_stretch(&mut simulation, 24);
        assert!(largest < 1e-3, "{cg_steps} steps: {largest}");
        mean_fall(&model, &doubles(&simulation.state().unwrap()))
    };
    let expected = fall(0);
    for cg_steps in [4, 8] {
        let found = fall(cg_steps);
        assert!((found / expected - 1.0).abs() < 2e-3, "{cg_steps} steps: {found} m instead of {expected}");
    }
}

/// A free net in random motion of `speed` [m/s] with waves `wave` times as short as smooth ones, its springs as `stiffness`
/// says of a random number.
fn thrown(stiffness: impl Fn(f32) -> f32, speed: f32, wave: f32) -> Model {
    let (body, random) = bodies::loose_net(stiffness).unwrap();
    model(bodies::throw(body, random, speed, wave))
}

/// Where nodes fly past each other the iterations start nearer to where they are, on the GPU as in the reference.
#[test]
fn the_start_is_shortened_as_in_the_reference() {
    let gpu = gpu();
    let on_grid = {
        let (net, random) = bodies::loose_net(|_| 1e3).unwrap();
        let velocity = bodies::throw(net, random, 8.0, 2.0).velocity;
        let mut body = raw_cloth([33, 33], [Vec3::X, Vec3::Z], [1e3, 500.0, 100.0], 0.2 / 1089.0, 0.0);
        (body.velocity, body.pinned) = (velocity, vec![0, 32]);
        model(body)
    };
    let cases = [
        ("net", thrown(|_| 1e3, 8.0, 2.0), 0.25),
        ("smoother net", thrown(|_| 1e3, 8.0, 0.7), 0.5),
        ("stiff net", thrown(|_| 1e6, 8.0, 2.0), 0.125),
        ("grid with pins", on_grid, 0.25),
    ];
    for (name, model, expected) in cases {
        let settings = one_substep().with(ITERATIONS, Iterations::Fixed(1)).with(LARGEST_STRETCH, 1e9);
        let state = State64::from(model.initial_state());
        let forces = Forces::of(&model, &settings);
        let objective = Objective::of_step(&forces, H, &state)
            .with_multipliers(&taffeta::hierarchy::multipliers(&model, H), &[]);
        let share = newton_multigrid::share(&forces, &objective, H, &state);
        assert_eq!(share, expected, "{name}");
        let end = |start| {
            let settings = settings.clone().with(START, start);
            let found = one_step(&gpu, &model, &settings, model.initial_state()).unwrap();
            assert!(found.worst <= 1.0, "{name}, {start:?}: {found:?}");
            doubles(&common::run(&gpu, &model, &settings, 1))
        };
        let apart = common::rms_distance(&end(Start::Auto), &end(Start::Velocity));
        assert!(apart > 1e-3, "{name}: {apart} m");
    }
}

/// Two thirds of a second; `taffeta bench --accuracy energy` looks at two.
#[test]
fn hard_networks_gain_no_energy() {
    let gpu = gpu();
    let settings = one_substep().with(GRAVITY, Vec3::ZERO);
    for (name, model) in [
        ("1e4 N/m", thrown(|_| 1e4, 2.0, 1.0)),
        ("four decades", thrown(|u| 10f32.powf(1.0 + 4.0 * u), 2.0, 1.0)),
        // Without multipliers; it had 1.8 and 3.3 times the energy from x + h v on.
        ("crumpled", thrown(|_| 1e3, 8.0, 2.0)),
    ] {
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        assert_eq!(simulation.multipliers() > 0, name != "crumpled");
        let start = energy::kinetic(&model, &State64::from(model.initial_state()).velocity);
        let mut most = [0.0f64; 2];
        for _ in 0..40 {
            simulation.step().unwrap();
            let state = State64::from(&simulation.state().unwrap());
            let kinetic = energy::kinetic(&model, &state.velocity);
            let all = kinetic + energy::elastic(&model, &state.position);
            most = [most[0].max(kinetic / start), most[1].max(all / start)];
        }
        println!("{name}: kinetic {:.3}, with springs {:.3} of the start's", most[0], most[1]);
        assert!(most[0] <= 1.01 && most[1] <= 1.01, "{name}: {most:?}");
    }
}

/// From half of its size, all springs compressed: what pushes is bounded, or it would never come to rest.
#[test]
fn a_crushed_stiff_sheet_recovers() {
    let n = 33;
    let mut body = raw_cloth([n, n], [Vec3::X, Vec3::Z], [1e5, 5e4, 1e4], 0.2 / (n * n) as f32, 0.0);
    body.pinned = vec![0, n - 1];
    body.position = Some(body.rest_position.iter().map(|x| 0.5 * *x).collect());
    let model = model(body);
    let mut simulation = Simulation::new(&gpu(), &model, &one_substep()).unwrap();
    worst_stretch(&mut simulation, 59);
    let [largest, _] = worst_stretch(&mut simulation, 1);
    assert!(largest < 0.05, "{largest}");
}

#[test]
fn a_new_state_begins_without_multipliers() {
    let (gpu, model) = (gpu(), hinged_sheet(20, 1e7));
    let mut simulation = Simulation::new(&gpu, &model, &one_substep()).unwrap();
    (0..5).for_each(|_| simulation.step().unwrap());
    let once = simulation.state().unwrap();
    simulation.set_state(model.initial_state()).unwrap();
    (0..5).for_each(|_| simulation.step().unwrap());
    assert!(simulation.state().unwrap().position == once.position);
}

#[test]
fn soft_bodies_have_none() {
    for model in [hinged_rope(100, 500.0), hinged_sheet(33, 1000.0)] {
        assert!(Multipliers::of(&model, H).is_empty());
        assert!(!Multipliers::of(&model, 100.0 * H).is_empty());
    }
    // Nor have meshes of triangles and solids.
    for body in [disc(1e6, 1e-3, &mut Random(5)), tangle(1e7, 1e-3, &mut Random(6))] {
        assert!(Multipliers::of(&model(body), H).is_empty());
    }
    // Each body by itself; and the load at a single node makes the springs beside it stiffer than those of an edge.
    let mut builder = ModelBuilder::new();
    for k in [1e3, 1e7] {
        let mut body = raw_sheet(20, 20, [k, 0.0, 0.0], 5e-4, 0.0);
        body.pinned = vec![0];
        builder.add(body);
    }
    let model = builder.build().unwrap();
    let multipliers = Multipliers::of(&model, H);
    assert_eq!(multipliers.count(), model.springs().len() / 2);
    let penalties: Vec<f32> =
        (model.springs().len() / 2..model.springs().len()).map(|s| multipliers.penalty(s)).collect();
    let (least, most) = penalties.iter().fold((f32::MAX, 0f32), |(a, b), p| (a.min(*p), b.max(*p)));
    assert!((most / least - 3.0).abs() < 1e-3, "{least} {most}");
    let expected = 0.9 * 38f64.powi(2) * f64::from(5e-4f32) / (H * H);
    assert!((f64::from(least) / expected - 1.0).abs() < 1e-3, "{least} {expected}");
}
