//! newton-multigrid with a tolerance: it stops once it is converged, and no later.

mod common;

use common::{Random, gpu};
use glam::{DVec3, Vec3};
use taffeta::gpu::Gpu;
use taffeta::model::Model;
use taffeta::reference::multigrid::Cycle;
use taffeta::reference::newton_multigrid::{Options, levels};
use taffeta::reference::objective::Objective;
use taffeta::reference::{Forces, State64};
use taffeta::settings::{Form, Substeps};
use taffeta::solver::Effort;
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
    Settings { tolerance, iterations, substeps: Substeps::Fixed(1), ..Settings::default() }
}

fn frame(gpu: &Gpu, model: &Model, settings: &Settings, state: &State) -> (State, Option<Effort>) {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    simulation.set_state(state).unwrap();
    simulation.step().unwrap();
    (simulation.state().unwrap(), simulation.effort().unwrap())
}

/// What one more iteration would change at `reached`, as a part of what gravity does in the step, in f64.
fn change(model: &Model, before: &State, reached: &State) -> f64 {
    let settings = settings(None, None);
    let forces = Forces { model, settings: &settings, pulls: &[], reach: 1.0, at: Default::default() };
    let (h, before) = (f64::from(settings.frame_time), State64::from(before));
    let objective = Objective::of_step(&forces, h, &before);
    let hierarchy = levels(model, &settings);
    let x: Vec<DVec3> = reached.position.iter().map(|x| x.as_dvec3()).collect();
    let options = Options::on_gpu(model, &hierarchy, &settings).cycle;
    let e = Cycle::new(&objective, &hierarchy, &x, options).apply(&objective.gradient(&x));
    let (mut moved, mut pushed) = (0.0, 0.0);
    for i in (0..x.len()).filter(|i| !model.pinned()[*i]) {
        let g = f64::from(model.mass()[i]) / (h * h);
        moved += (g * e[i]).length_squared();
        let push = objective.target()[i] - before.position[i] - h * before.velocity[i];
        pushed += (g * push).length_squared();
    }
    (moved / pushed).sqrt()
}

#[test]
fn it_goes_on_until_little_changes() {
    let gpu = gpu();
    for n in [33, 70] {
        let model = sheet(n);
        for (name, state) in [("swinging", swinging(&model)), ("crumpled", crumpled(&model, n))] {
            let mut fewer = 0;
            for tolerance in [0.1f32, 0.01] {
                let (reached, effort) = frame(&gpu, &model, &settings(Some(tolerance), None), &state);
                let (left, effort) = (change(&model, &state, &reached), effort.unwrap());
                println!("{n}, {name}, {tolerance}: {left:.4} is left, {effort:?}");
                assert!(left < f64::from(tolerance), "{n}, {name}: {left} is left");
                assert_eq!((effort.unfinished, effort.most), (0, effort.iterations));
                // Half of the iterations would not have been enough.
                let half = settings(None, Some(effort.iterations.div_ceil(2)));
                if effort.iterations > 3 {
                    let left = change(&model, &state, &frame(&gpu, &model, &half, &state).0);
                    assert!(left > 0.3 * f64::from(tolerance), "{n}, {name}: already {left}");
                }
                assert!((fewer + 1..60).contains(&effort.iterations), "{n}, {name}: {effort:?}");
                fewer = effort.iterations;
            }
        }
    }
}

#[test]
fn it_ends_where_as_many_iterations_without_tolerance_end() {
    let gpu = gpu();
    let model = sheet(40);
    let state = swinging(&model);
    for (form, cg_steps) in [(Form::Grid, 0), (Form::Grid, 2), (Form::Mesh, 0), (Form::Mesh, 3)] {
        for tolerance in [0.3, 0.05, 0.005] {
            let with = |settings| Settings { form, cg_steps: Some(cg_steps), ..settings };
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
    let damped = Settings { drag: 8.0, ..settings(None, None) };
    let mut state = common::run(&gpu, &model, &damped, 300);
    state.velocity.fill(Vec3::ZERO);
    let mut simulation = Simulation::new(&gpu, &model, &settings(Some(0.01), None)).unwrap();
    simulation.set_state(&state).unwrap();
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    let effort = simulation.effort().unwrap().unwrap();
    assert_eq!(effort, Effort { substeps: 20, iterations: 20, most: 1, unfinished: 0 });
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
    let settings = Settings { substeps: Substeps::Fixed(2), ..settings(Some(1e-4), Some(3)) };
    let (_, effort) = frame(&gpu, &model, &settings, &swinging(&model));
    assert_eq!(effort, Some(Effort { substeps: 2, iterations: 6, most: 3, unfinished: 2 }));
}
