//! newton-multigrid knows how far it is from the minimum of a step, and with a tolerance goes on until it is close.

use crate::common::{self, Random, gpu, plain};
use glam::{DVec3, Vec3};
use taffeta::gpu::Gpu;
use taffeta::method::Effort;
use taffeta::model::Model;
use taffeta::reference::newton_multigrid::{self, Options, levels};
use taffeta::reference::objective::Objective;
use taffeta::reference::{Forces, State64};
use taffeta::settings::{
    CG_STEPS, DRAG, FORM, FRAME_TIME, Form, GRAVITY, ITERATIONS, Iterations, MOST_AUTO,
    MULTIPLIERS_TOLERANCE, SUBSTEPS, Substeps, TOLERANCE,
};
use taffeta::{Settings, Simulation, State};

/// A hanging sheet of 1 m held at two corners.
fn sheet(n: u32) -> Model {
    let mut body = common::raw_sheet(n, n, [1000.0, 500.0, 100.0], 0.2 / (n * n) as f32, 0.0);
    body.pinned = vec![0, n - 1];
    common::model(body)
}

/// Bent about its held edge and swinging.
fn swinging(model: &Model) -> State {
    let swing = |x: &Vec3| {
        let angle = 0.3 - 0.8 * x.y;
        Vec3::new(x.x, (angle.cos() - 0.3f32.cos()) / 0.8, (angle.sin() - 0.3f32.sin()) / 0.8)
    };
    let position: Vec<Vec3> = model.rest_position().iter().map(swing).collect();
    let velocity = position.iter().map(|x| 3.0 * Vec3::new(0.0, -x.z, x.y)).collect();
    State { position, velocity, time: 0.0 }
}

/// The same with every free node a tenth of the spacing away from its place.
fn crumpled(model: &Model, n: u32) -> State {
    let mut state = swinging(model);
    let mut random = Random(3);
    for (x, pinned) in state.position.iter_mut().zip(model.pinned()) {
        let away = 0.1 / n as f32 * random.vector();
        *x += if *pinned { Vec3::ZERO } else { away };
    }
    state
}

fn settings(tolerance: Option<f32>, iterations: Option<u32>) -> Settings {
    plain()
        .with(TOLERANCE, tolerance)
        .with(ITERATIONS, Iterations::from(iterations))
        .with(SUBSTEPS, Substeps::Fixed(1))
}

fn frame(gpu: &Gpu, model: &Model, settings: &Settings, state: &State) -> (State, Option<Effort>) {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    simulation.set_state(state).unwrap();
    simulation.step().unwrap();
    (simulation.state().unwrap(), simulation.effort().unwrap())
}

/// What a frame, which is one step, should come to, and how far its forces move the nodes (rms over the free ones).
struct Truth {
    minimum: Vec<DVec3>,
    motion: f64,
}

fn truth(model: &Model, settings: &Settings, before: &State) -> Truth {
    let forces = Forces::of(model, settings);
    let (h, before) = (f64::from(settings.step.frame_time), State64::from(before));
    let objective = Objective::of_step(&forces, h, &before);
    let drift: Vec<DVec3> = before.position.iter().zip(&before.velocity).map(|(x, v)| *x + h * *v).collect();
    // There are many minima: what counts is where the iterations of the reference end.
    let hierarchy = levels(model, settings);
    let options = Options { iterations: 300, ..Options::on_gpu(model, &hierarchy, settings) };
    let none = |_: &mut [DVec3]| ();
    let minimum =
        newton_multigrid::iterate(&mut objective.clone(), &hierarchy, drift.clone(), &options, none);
    let left = objective.gradient(&minimum).iter().map(|g| g.length()).fold(0.0, f64::max);
    assert!(left < 5e-3 * 9.81 * f64::from(model.mass()[1]), "{left} N is left");
    let mut motion = rms(model, objective.target(), &drift);
    if motion < 1e-7 {
        motion = rms(model, &minimum, &drift);
    }
    Truth { minimum, motion }
}

fn rms(model: &Model, a: &[DVec3], b: &[DVec3]) -> f64 {
    let free: Vec<usize> = (0..a.len()).filter(|&i| !model.pinned()[i]).collect();
    (free.iter().map(|&i| (a[i] - b[i]).length_squared()).sum::<f64>() / free.len() as f64).sqrt()
}

fn doubles(state: &State) -> Vec<DVec3> {
    state.position.iter().map(|x| x.as_dvec3()).collect()
}

/// Sheets that are let go, crumpled, and thrown without gravity. (One that swings is about to wrinkle: iterations linger at
/// a saddle, for a hundred of them, and no estimate can know that there is a minimum elsewhere.)
fn cases() -> Vec<(&'static str, Model, Settings, State)> {
    let (hanging, plain) = (sheet(33), settings(None, None));
    let mut free = common::raw_sheet(33, 33, [1000.0, 500.0, 100.0], 0.2 / 1089.0, 0.0);
    free.velocity =
        Some(free.rest_position.iter().map(|x| Vec3::Z * (5.0 * x.x + 3.0 * x.y).sin()).collect());
    let free = common::model(free);
    let mut level =
        common::raw_cloth([33, 33], [Vec3::X, Vec3::Z], [1000.0, 500.0, 100.0], 0.2 / 1089.0, 0.0);
    level.pinned = vec![0, 32];
    let level = common::model(level);
    let (flat, crumpled) = (level.initial_state().clone(), crumpled(&hanging, 33));
    let (thrown, calm) = (free.initial_state().clone(), plain.clone().with(GRAVITY, Vec3::ZERO));
    vec![
        ("let go", level, plain.clone(), flat),
        ("crumpled", hanging, plain, crumpled),
        ("thrown", free, calm, thrown),
    ]
}

#[test]
fn the_estimate_is_never_far_below_the_error() {
    let gpu = gpu();
    for (name, model, plain, mut state) in cases() {
        let with = |n: u32| {
            let settings = plain.clone().with(ITERATIONS, Iterations::Fixed(n));
            (n, Simulation::new(&gpu, &model, &settings).unwrap())
        };
        let mut simulations = [2, 4, 8, 16].map(with);
        let mut looks = Vec::new();
        for frame in 0..4 {
            let truth = truth(&model, &plain, &state);
            let mut next = state.clone();
            for (iterations, simulation) in &mut simulations {
                simulation.set_state(&state).unwrap();
                simulation.step().unwrap();
                next = simulation.state().unwrap();
                let error = rms(&model, &doubles(&next), &truth.minimum);
                let found = simulation.convergence().unwrap()[0];
                looks.push(found.error / error);
                println!(
                    "{name}, frame {frame}, {iterations} iterations: {error:.2e} m, estimated {:.2e} m, {:.3} of the motion",
                    found.error, found.share
                );
                assert!(found.error > error / 3.0, "{name}, {frame}: {error} m, not {} m", found.error);
                // What it is a part of; where springs alone act that is known as far as x is.
                let share = found.error / truth.motion;
                // Rounding is not counted: a ten-millionth of the size for each iteration.
                let rounding = 1.5e-7 * f64::from(*iterations).max(4.0) / truth.motion;
                let off = (found.share - share).abs();
                assert!(off < 0.3 * share + rounding, "{name}: {} not {share}", found.share);
                assert_eq!((found.looks, found.over), (1, u32::from(found.share > 0.05)));
            }
            state = next;
        }
        let far = looks.iter().filter(|ratio| **ratio > 25.0).count();
        assert!(far * 20 <= looks.len(), "{name}: {far} of {} more than 25 times the error", looks.len());
    }
}

#[test]
fn the_estimate_is_the_last_change_times_the_iterations() {
    let gpu = gpu();
    let soft = sheet(40);
    let mut stiff = common::raw_sheet(40, 40, [1e6, 10.0, 0.0], 0.2 / 1600.0, 0.0);
    stiff.pinned = vec![0, 39];
    let stiff = common::model(stiff);
    for (model, form, cg_steps, moves) in [
        (&soft, Form::Grid, 0, false),
        (&soft, Form::Mesh, 0, false),
        (&soft, Form::Grid, 3, false),
        (&stiff, Form::Grid, 0, false),
        (&stiff, Form::Mesh, 2, false),
        (&soft, Form::Grid, 0, true),
    ] {
        let state = swinging(model);
        // A frame so short that displacements are iterated on.
        let frame_time = if moves { 1e-4 } else { 1.0 / 60.0 };
        let run = |count: u32| {
            let iterations = Iterations::Fixed(count);
            let settings = settings(None, None)
                .with(FORM, form)
                .with(CG_STEPS, cg_steps)
                .with(ITERATIONS, iterations)
                .with(FRAME_TIME, frame_time);
            let mut simulation = Simulation::new(&gpu, model, &settings).unwrap();
            simulation.set_state(&state).unwrap();
            simulation.step().unwrap();
            let h = f64::from(frame_time);
            let moved = simulation.state().unwrap();
            // Velocities hold the displacements where positions cannot.
            let x = moved.velocity.iter().map(|v| h * v.as_dvec3()).collect::<Vec<_>>();
            (x, simulation.convergence().unwrap()[0].error)
        };
        for count in [2, 5, 9] {
            let ((before, _), (after, found)) = (run(count - 1), run(count));
            let expected = f64::from(count.max(4)) * rms(model, &before, &after);
            println!("{form:?}, {cg_steps}, {moves}, {count} iterations: {found:.3e} m, {expected:.3e} m");
            // A cycle's last sweep is not in it.
            assert!(
                (found / expected - 1.0).abs() < 0.35,
                "{form:?}, {cg_steps}, {count}: {found} m, not {expected} m"
            );
        }
    }
}

#[test]
fn a_tolerance_keeps_its_promise() {
    let gpu = gpu();
    for (name, model, plain, state) in cases() {
        let truth = truth(&model, &plain, &state);
        let mut fewer = 0;
        for tolerance in [0.1, 0.01, 0.003] {
            let settings = plain.clone().with(TOLERANCE, tolerance);
            let (reached, effort) = frame(&gpu, &model, &settings, &state);
            let left = rms(&model, &doubles(&reached), &truth.minimum) / truth.motion;
            let effort = effort.unwrap();
            println!("{name}, {tolerance}: {left:.5} is left, {effort:?}");
            assert!(left < 3.0 * f64::from(tolerance), "{name}, {tolerance}: {left} is left");
            assert_eq!((effort.unfinished, effort.most), (0, effort.iterations));
            // What takes many iterations or moves little is at what f32 holds before that.
            assert_eq!(effort.rounded > 0, name != "let go" && tolerance < 0.01, "{name}, {tolerance}");
            assert!((fewer + 1..100).contains(&effort.iterations), "{name}: {effort:?}");
            fewer = effort.iterations;
        }
    }
}

#[test]
fn auto_goes_on_as_the_estimate_asks() {
    let gpu = gpu();
    let model = sheet(33);
    let auto = settings(None, None).with(ITERATIONS, Iterations::Auto);
    let (_, moving) = frame(&gpu, &model, &auto, &swinging(&model));
    assert!((2..=MOST_AUTO).contains(&moving.unwrap().iterations), "{moving:?}");
    // Falling freely there is nothing to do.
    let mut loose = common::raw_sheet(33, 33, [1000.0, 500.0, 100.0], 0.2 / 1089.0, 0.0);
    loose.velocity = Some(vec![Vec3::X; 1089]);
    let loose = common::model(loose);
    let (_, falling) = frame(&gpu, &loose, &auto, loose.initial_state());
    assert!(falling.unwrap().iterations < 4, "{falling:?}");
    // Stiff springs have it as their own, a batch of them a fixed number.
    let mut stiff = common::raw_sheet(20, 20, [1e7, 10.0, 0.0], 5e-4, 0.0);
    stiff.pinned = vec![0];
    let stiff = common::model(stiff);
    let own = |model: &Model| Simulation::new(&gpu, model, &settings(None, None)).unwrap().settings().clone();
    assert_eq!(
        (own(&stiff).value(ITERATIONS), own(&stiff).get(TOLERANCE)),
        (Iterations::Auto, Some(MULTIPLIERS_TOLERANCE))
    );
    assert_eq!((own(&model).value(ITERATIONS), own(&model).get(TOLERANCE)), (Iterations::Own, None));
    let pair = Model::stack(vec![stiff.clone(), stiff]).unwrap();
    assert_eq!(own(&pair).value(ITERATIONS), Iterations::Fixed(8));
}

#[test]
fn it_ends_where_as_many_iterations_without_tolerance_end() {
    let gpu = gpu();
    let model = sheet(40);
    let state = swinging(&model);
    for (form, cg_steps) in [(Form::Grid, 0), (Form::Grid, 2), (Form::Mesh, 0), (Form::Mesh, 3)] {
        for tolerance in [0.3, 0.05, 0.005] {
            let with = |settings: Settings| settings.with(FORM, form).with(CG_STEPS, cg_steps);
            let stopping = with(settings(Some(tolerance), None));
            let (reached, effort) = frame(&gpu, &model, &stopping, &state);
            let (again, _) = frame(&gpu, &model, &stopping, &state);
            assert!(reached == again, "{form:?}, {tolerance}: other bits");
            let used = effort.unwrap().iterations;
            let (plain, none) = frame(&gpu, &model, &with(settings(None, Some(used))), &state);
            assert_eq!(none, None);
            let pairs = reached.position.iter().zip(&plain.position);
            let largest = pairs.map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
            println!("{form:?}, {cg_steps}, {tolerance}: {used} iterations, {largest:e} m apart");
            assert!(largest < 1e-6, "{form:?}, {tolerance}: {largest} m from {used} iterations");
        }
    }
}

#[test]
fn cloth_at_rest_takes_one_iteration() {
    let gpu = gpu();
    let model = sheet(17);
    let damped = settings(None, None).with(DRAG, 8.0);
    let mut state = common::run(&gpu, &model, &damped, 300);
    state.velocity.fill(Vec3::ZERO);
    let mut simulation = Simulation::new(&gpu, &model, &settings(Some(0.01), None)).unwrap();
    simulation.set_state(&state).unwrap();
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    let effort = simulation.effort().unwrap().unwrap();
    assert_eq!(effort, Effort { substeps: 20, iterations: 20, most: 1, unfinished: 0, rounded: 0 });
    let moved = |(a, b): (&Vec3, &Vec3)| (*a - *b).length();
    let after = simulation.state().unwrap();
    let largest = after.position.iter().zip(&state.position).map(moved).fold(0.0, f32::max);
    assert!(largest < 1e-4, "it moved by {largest} m");
    simulation.reset().unwrap();
    assert_eq!(simulation.effort().unwrap().unwrap().substeps, 0);
}

#[test]
fn it_says_where_the_iterations_were_not_enough() {
    let gpu = gpu();
    let model = sheet(33);
    let settings = settings(Some(1e-4), Some(3)).with(SUBSTEPS, Substeps::Fixed(2));
    let (_, effort) = frame(&gpu, &model, &settings, &swinging(&model));
    assert_eq!(effort, Some(Effort { substeps: 2, iterations: 6, most: 3, unfinished: 2, rounded: 0 }));
}
