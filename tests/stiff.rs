//! Springs so stiff for the step that newton-multigrid finds their tension as multipliers: bodies fall, swing and tumble as
//! the minimum of each step says, whatever the stiffness.

mod common;

use common::{Random, disc, gpu, model, raw_cloth, raw_sheet, rope, strain, tangle};
use glam::{DVec3, Vec3};
use taffeta::check::{one_step, one_step_of};
use taffeta::hierarchy::Hierarchy;
use taffeta::model::{Body, Collider, ColliderShape, Family, Model, ModelBuilder, Multipliers, Path, Spring};
use taffeta::reference::newton_multigrid::{self, Options};
use taffeta::reference::stretch::Stretch;
use taffeta::reference::{Forces, Instant, State64, energy, verlet};
use taffeta::settings::{Form, Iterations, LinearSolver, SolverKind, Substeps};
use taffeta::{Settings, Simulation, State};

/// A frame, which is one step [s].
const H: f64 = 1.0 / 60.0;

fn one_substep() -> Settings {
    Settings { substeps: Substeps::Fixed(1), ..Settings::default() }
}

/// A rope of 1 m and 50 g in so many springs, held at one end and let go from the horizontal, of axial stiffness `ea` [N].
fn hinged_rope(springs: u32, ea: f64) -> Model {
    let length = 1.0 / springs as f32;
    let spring = |i| Spring {
        nodes: [i, i + 1],
        rest_length: length,
        stiffness: (ea * f64::from(springs)) as f32,
        dashpot: 0.0,
        family: Family::Structural,
    };
    model(Body {
        rest_position: (0..=springs).map(|i| Vec3::X * (i as f32 * length)).collect(),
        mass: vec![0.05 / springs as f32; springs as usize + 1],
        pinned: vec![0],
        springs: (0..springs).map(spring).collect(),
        ..Body::default()
    })
}

/// A horizontal sheet of 1 m and 0.2 kg on an edge, of structural stiffness `k` and little shear [N/m].
fn hinged_sheet(n: u32, k: f32) -> Model {
    let mut body = raw_cloth([n, n], [Vec3::X, Vec3::Z], [k, 10.0, 0.0], 0.2 / (n * n) as f32, 0.0);
    body.pinned = (0..n).collect();
    model(body)
}

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
        let forces = Forces { model, settings: &settings, pulls: &[], reach: 1.0, at: Default::default() };
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

fn mean_fall(model: &Model, position: &[DVec3]) -> f64 {
    let fall = |i: usize| f64::from(model.initial_state().position[i].y) - position[i].y;
    let free: Vec<f64> = (0..position.len()).filter(|&i| !model.pinned()[i]).map(fall).collect();
    free.iter().sum::<f64>() / free.len() as f64
}

fn doubles(state: &State) -> Vec<DVec3> {
    state.position.iter().map(|x| x.as_dvec3()).collect()
}

#[test]
fn bodies_of_any_stiffness_fall_alike() {
    let gpu = gpu();
    let stiffnesses = [1e4, 1e7, f64::INFINITY];
    let cases: Vec<(String, Model, Form)> = (stiffnesses.iter())
        .flat_map(|&k| {
            [
                (format!("rope of {k:e} N"), hinged_rope(100, k), Form::Auto),
                (format!("sheet of {k:e} N/m"), hinged_sheet(33, k as f32), Form::Grid),
                (format!("sheet of {k:e} N/m, mesh form"), hinged_sheet(33, k as f32), Form::Mesh),
            ]
        })
        .collect();
    for (name, model, form) in cases {
        let expected = mean_fall(&model, &at_minima(&model, 24).position);
        // Four iterations are enough for how bodies move.
        let settings = Settings { form, iterations: Iterations::Fixed(4), ..one_substep() };
        let found = mean_fall(&model, &doubles(&common::run(&gpu, &model, &settings, 24)));
        println!("{name}: {found:.4} m, {:+.3} %", 100.0 * (found / expected - 1.0));
        assert!((found / expected - 1.0).abs() < 2e-3, "{name}: {found} m instead of {expected}");
    }
}

/// What hangs or swings on soft springs with a limit of 1 % ends each step where forces balance: k (l - r) and what the limit
/// adds, which is none below it. Then with the default number of iterations the limit is kept nearly as well.
#[test]
fn soft_springs_stretch_up_to_their_limit() {
    let gpu = gpu();
    let limit = 0.01;
    let soft_sheet = |pins: Vec<u32>| {
        let mut body = raw_cloth([12, 12], [Vec3::X, Vec3::Z], [20.0, 5.0, 0.0], 0.2 / 144.0, 0.0);
        body.pinned = pins;
        model(limited(body))
    };
    let rope = |springs: u32| {
        let own = hinged_rope(springs, 20.0);
        let body = Body {
            rest_position: own.rest_position().to_vec(),
            mass: own.mass().to_vec(),
            pinned: vec![0],
            springs: own.springs().to_vec(),
            ..Body::default()
        };
        model(limited(body))
    };
    let cases = [
        ("rope of 16", rope(16), 1.1),
        ("rope of 100", rope(100), 1.1),
        ("sheet on an edge", soft_sheet((0..12).collect()), 1.1),
        ("sheet on two corners", soft_sheet(vec![0, 11]), 1.4),
    ];
    for (name, model, most) in cases {
        let settings = one_substep();
        let hierarchy = Hierarchy::of(&model);
        let options = Options { iterations: 150, ..Options::on_gpu(&model, &hierarchy, &settings) };
        let multipliers = Multipliers::of(&model, H);
        let (mut state, mut lambda) = (State64::from(model.initial_state()), Vec::new());
        let frames = 16;
        let mut at_limit = 0;
        for _ in 0..frames {
            let before = state.clone();
            let forces =
                Forces { model: &model, settings: &settings, pulls: &[], reach: 1.0, at: Default::default() };
            newton_multigrid::step(&forces, &hierarchy, &options, &multipliers, &mut lambda, H, &mut state);
            let mut force = vec![DVec3::ZERO; model.node_count()];
            at_limit = 0;
            for (s, spring) in model.springs().iter().enumerate() {
                let [a, b] = spring.nodes.map(|i| i as usize);
                let e = state.position[a] - state.position[b];
                let (k, r) = (f64::from(spring.stiffness), f64::from(spring.rest_length));
                let stretch = e.length() / r - 1.0;
                let added = if spring.family == Family::Structural { lambda[s] } else { 0.0 };
                if spring.family == Family::Structural {
                    assert!(stretch < limit + 1e-4, "{name}: stretched by {stretch}");
                    assert!(
                        added >= 0.0 && (added < 1e-4 || stretch > limit - 1e-4),
                        "{name}: {added} N at {stretch}"
                    );
                    at_limit += u32::from(added > 0.0);
                }
                let pull = (k * r * stretch + added) * e.normalize();
                force[a] -= pull;
                force[b] += pull;
            }
            for i in (0..force.len()).filter(|&i| !model.pinned()[i]) {
                let m = f64::from(model.mass()[i]);
                let fall = H * DVec3::new(0.0, -9.81, 0.0);
                let rest = m * ((state.velocity[i] - before.velocity[i] - fall) / H) - force[i];
                assert!(
                    rest.length() < 0.05 * m * 9.81,
                    "{name}: {} of its weight is left",
                    rest.length() / m / 9.81
                );
            }
        }
        assert!(at_limit > 0, "{name}: nothing is at its limit");
        for form in [Form::Auto, Form::Mesh] {
            let mut simulation =
                Simulation::new(&gpu, &model, &Settings { form, ..settings.clone() }).unwrap();
            assert_eq!(simulation.settings().iterations, Iterations::Auto);
            let [largest, _] = worst_stretch(&mut simulation, frames);
            let moved = common::rms_distance(&doubles(&simulation.state().unwrap()), &state.position);
            println!(
                "{name}, {form:?}: {:.3} % at most, {:.2} mm from the minima, {at_limit} springs at the limit",
                100.0 * largest,
                1e3 * moved
            );
            assert!(largest < 0.01 * most && moved < 2e-3, "{name}: {largest}, {moved} m");
        }
    }
}

/// Another method altogether, with 20,000 steps.
#[test]
fn a_stiff_rope_falls_as_verlet_says() {
    let model = hinged_rope(100, 1e4);
    let (settings, h, steps) = (Settings::default(), 2e-5, 20_000);
    let forces =
        Forces { model: &model, settings: &settings, pulls: &[], reach: 1.0, at: Instant::default() };
    let mut state = State64::from(model.initial_state());
    verlet::stagger(&forces, h, &mut state);
    (0..steps).for_each(|_| verlet::step(&forces, h, &mut state));
    let expected = mean_fall(&model, &state.position);
    let found = mean_fall(&model, &doubles(&common::run(&gpu(), &model, &one_substep(), 24)));
    println!("{found:.4} m, {expected:.4} m with verlet");
    assert!((found / expected - 1.0).abs() < 0.02, "{found} m instead of {expected}");
}

/// The same body with springs of more than 1 MN/m, between neighbours, that keep their length.
fn inextensible(mut body: Body) -> Body {
    let is_stiff = |stiffness: f32| stiffness > 1e6;
    for spring in body.springs.iter_mut().filter(|s| is_stiff(s.stiffness) && s.family == Family::Structural)
    {
        (spring.stiffness, spring.dashpot) = (f32::INFINITY, 0.0);
    }
    for link in body.grid.iter_mut().flat_map(|grid| &mut grid.links).filter(|l| is_stiff(l.stiffness)) {
        (link.stiffness, link.dashpot) = (f32::INFINITY, 0.0);
    }
    body
}

/// The same body with structural springs that get no more than 1 % longer.
fn limited(body: Body) -> Body {
    Body { strain_limit: Some(0.01), ..body }
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
            let settings = Settings {
                form,
                iterations: Iterations::Fixed(iterations),
                cg_steps: Some(cg_steps),
                largest_stretch: 1e9,
                ..common::with_forces(one_substep())
            };
            let own = model(body.clone());
            let some = Multipliers::of(&own, H).count();
            assert!(
                some > 0 && (!name.ends_with("rope") || some < own.springs().len()),
                "{name}: {some} multipliers"
            );
            let found = one_step(&gpu, &own, &settings, own.initial_state()).unwrap();
            assert!(found.worst <= 1.0 && found.worst >= 1e-5, "{name}, {cg_steps} steps: {found:?}");
            // What is off is noticed: lengths by 1 %, masses by 5 % (beside stiff springs they hardly count).
            let longer = |s: &Spring| Spring { rest_length: 1.01 * s.rest_length, ..*s };
            let heavier = |m: &f32| 1.05 * m;
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
                let mesh = Settings { form: Form::Mesh, ..settings.clone() };
                let found = one_step_of(&gpu, &model(wrong), &own, &mesh, own.initial_state()).unwrap();
                assert!(found.worst > 1.0, "{name}, {what}: not noticed, {found:?}");
            }
        }
    }
}

/// xpbd and soft constraints hold lengths, too, one by compliance 0 and one by regularisation 0; on a plane as well, where
/// they have to know what springs do.
#[test]
fn a_step_of_other_solvers_that_hold_lengths_equals_the_reference() {
    let gpu = gpu();
    let mut random = Random(6);
    let body = strain(inextensible(raw_sheet(14, 11, [2e6, 1e3, 0.0], 1e-3, 0.02)), 0.01, &mut random);
    let on_a_plane = |body: Body| {
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let plane = ColliderShape::Plane { point: Vec3::NEG_Y * 0.5, normal: Vec3::Y };
        builder.collide(Collider { friction: 0.3, ..Collider::new(plane) });
        builder.build().unwrap()
    };
    let solvers = [
        (SolverKind::Xpbd, Some(LinearSolver::Jacobi)),
        (SolverKind::Xpbd, Some(LinearSolver::GaussSeidel)),
        (SolverKind::SoftConstraint, None),
        (SolverKind::NewtonMultigrid, None),
    ];
    for (solver, linear_solver) in solvers {
        for form in [Form::Grid, Form::Mesh] {
            let settings =
                Settings { form, linear_solver, ..common::with_forces(common::one_step_settings(solver)) };
            let own = on_a_plane(body.clone());
            let found = one_step(&gpu, &own, &settings, own.initial_state()).unwrap();
            println!("{solver}, {linear_solver:?}, {form:?}: {}", found.worst);
            assert!(found.worst <= 1.0 && found.worst >= 1e-5, "{solver}, {form:?}: {found:?}");
            let mut wrong = Body { grid: None, ..body.clone() };
            wrong.springs.iter_mut().for_each(|s| s.rest_length *= 1.001);
            let mesh = Settings { form: Form::Mesh, ..settings };
            let found = one_step_of(&gpu, &on_a_plane(wrong), &own, &mesh, own.initial_state()).unwrap();
            assert!(found.worst > 1.0, "{solver}: not noticed, {found:?}");
        }
    }
}

/// Two equal masses on two rods of length l: the slow mode has omega^2 = g / l (2 - sqrt(2)) and turns the lower rod sqrt(2)
/// times as far as the upper.
#[test]
fn a_double_pendulum_swings_as_its_closed_form_says() {
    let gpu = gpu();
    let (l, angle) = (0.5f32, 0.05f32);
    let rod = |angle: f32| l * Vec3::new(angle.sin(), -angle.cos(), 0.0);
    let at = [Vec3::ZERO, rod(angle), rod(angle) + rod(2f32.sqrt() * angle)];
    let stiffness = f32::INFINITY;
    let spring =
        |i| Spring { nodes: [i, i + 1], rest_length: l, stiffness, dashpot: 0.0, family: Family::Raw };
    let pendulum = model(Body {
        rest_position: at.to_vec(),
        mass: vec![0.1; 3],
        pinned: vec![0],
        springs: vec![spring(0), spring(1)],
        ..Body::default()
    });
    let half_period = std::f64::consts::PI / (9.81 / f64::from(l) * (2.0 - 2f64.sqrt())).sqrt();
    for (solver, substeps) in
        [(SolverKind::NewtonMultigrid, 4), (SolverKind::Xpbd, 20), (SolverKind::SoftConstraint, 4)]
    {
        let settings = Settings { solver, substeps: Substeps::Fixed(substeps), ..Settings::default() };
        let mut simulation = Simulation::new(&gpu, &pendulum, &settings).unwrap();
        let (mut before, mut crossings, mut largest) = (at[2].x, Vec::new(), 0f32);
        for frame in 0..150 {
            simulation.step().unwrap();
            let x = simulation.state().unwrap().position;
            if before * x[2].x < 0.0 {
                crossings.push((f64::from(frame) + f64::from(before / (before - x[2].x))) * H);
            }
            before = x[2].x;
            largest = largest.max((x[1].length() / l - 1.0).abs()).max((x[2].distance(x[1]) / l - 1.0).abs());
        }
        let found = crossings[1] - crossings[0];
        println!("{solver}: {found:.5} s of {half_period:.5} s, rods stretched by {largest:.1e}");
        assert!((found / half_period - 1.0).abs() < 2e-3, "{solver}: {found} s instead of {half_period} s");
        assert!(largest < 2e-4, "{solver}: stretched by {largest}");
    }
}

/// Largest |l / r - 1| of the structural springs at the ends of `frames`, and the largest of their 99.9th percentiles.
fn worst_stretch(simulation: &mut Simulation, frames: u32) -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for _ in 0..frames {
        simulation.step().unwrap();
        let model = simulation.model().clone();
        let strain = Stretch::of(&model, &doubles(&simulation.state().unwrap())).family(Family::Structural);
        worst = [worst[0].max(strain.max), worst[1].max(strain.p999)];
    }
    worst
}

#[test]
fn hard_springs_stay_as_long_as_they_are() {
    let gpu = gpu();
    let inf = f32::INFINITY;
    for (name, model, most) in [
        ("rope", hinged_rope(100, inf.into()), 1e-3),
        ("long rope", hinged_rope(1000, inf.into()), 1e-2),
        ("sheet", hinged_sheet(33, inf), 1e-3),
    ] {
        let mut simulation = Simulation::new(&gpu, &model, &one_substep()).unwrap();
        let [largest, _] = worst_stretch(&mut simulation, 120);
        println!("{name}: stretched by {:.4} % at most in two seconds of swinging", 100.0 * largest);
        println!("{:?}", simulation.effort().unwrap());
        assert!(largest < most, "{name}: {largest}");
    }
}

/// Two corners pulled to and fro by half a metre at 2 Hz, from one frame to the next: 6 m/s at once.
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

/// Beyond two, which serve ropes, they are not taken: they would fly apart.
#[test]
fn ropes_take_any_number_of_steps_of_conjugate_gradients() {
    let (gpu, model) = (gpu(), hinged_rope(100, f64::INFINITY));
    let fall = |cg_steps| {
        let settings = Settings { cg_steps: Some(cg_steps), ..one_substep() };
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

/// A free sheet in smooth random motion, its springs as `stiffness` says of each.
fn thrown(stiffness: impl Fn(&Spring, f32) -> f32) -> Model {
    let n = 33;
    let mut random = Random(21);
    let mut body = raw_cloth([n, n], [Vec3::X, Vec3::Z], [1.0, 0.5, 0.1], 0.2 / (n * n) as f32, 0.0);
    body.grid = None;
    body.pinned.clear();
    body.springs.iter_mut().for_each(|spring| spring.stiffness *= stiffness(spring, random.unit()));
    let waves: Vec<(Vec3, Vec3)> = (0..9).map(|_| (random.vector(), 3.0 * random.vector())).collect();
    let velocity = |x: &Vec3| -> Vec3 {
        waves.iter().map(|(v, q)| *v * (q.x * x.x * 3.0 + q.z * x.z * 3.0 + q.y).cos()).sum()
    };
    let v: Vec<Vec3> = body.rest_position.iter().map(velocity).collect();
    let rms = (v.iter().map(|v| v.length_squared()).sum::<f32>() / v.len() as f32).sqrt();
    body.velocity = Some(v.iter().map(|v| *v * (2.0 / rms)).collect());
    model(body)
}

#[test]
fn hard_networks_gain_no_energy() {
    let gpu = gpu();
    let settings = Settings { gravity: Vec3::ZERO, ..one_substep() };
    for (name, model) in
        [("1e4 N/m", thrown(|_, _| 1e4)), ("four decades", thrown(|_, u| 10f32.powf(1.0 + 4.0 * u)))]
    {
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        assert!(simulation.multipliers() > 0);
        let start = energy::kinetic(&model, &State64::from(model.initial_state()).velocity);
        let mut most = [0.0f64; 2];
        for _ in 0..120 {
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
    let expected = 0.3 * 38f64.powi(2) * f64::from(5e-4f32) / (H * H);
    assert!((f64::from(least) / expected - 1.0).abs() < 1e-3, "{least} {expected}");
}
