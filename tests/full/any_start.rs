//! newton-multigrid from bad starts and with any pins: always finite, and the objective falls.

use crate::common::{self, Random, gpu, plain_of};
use glam::{DVec3, Vec3};
use taffeta::model::{Model, ModelBuilder, Path};
use taffeta::reference::objective::Objective;
use taffeta::reference::{Forces, State64};
use taffeta::settings::{FORM, Form, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps};
use taffeta::{Settings, Simulation, State};

const N: u32 = 64;
/// Frames after the one that is looked at: whatever the start, all numbers stay finite.
const FURTHER: u32 = 8;

fn sheet(pinned: Vec<u32>, moving: Vec<u32>) -> Model {
    let mut body = common::stiff_sheet(N, Vec3::Z);
    body.pinned = pinned;
    let mut builder = ModelBuilder::new();
    builder.add(body);
    if !moving.is_empty() {
        let path = Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::new(0.5, 0.2, -0.3))]).unwrap();
        builder.pin_along(moving, path);
    }
    builder.build().unwrap()
}

fn starts(model: &Model) -> Vec<(&'static str, Vec<Vec3>)> {
    let rest = model.rest_position();
    let spacing = 1.0 / (N - 1) as f32;
    let mut random = Random(7);
    let fold = |x: &Vec3| if x.x > 0.5 { Vec3::new(1.0 - x.x, 0.001, x.z) } else { *x };
    vec![
        ("at rest", rest.to_vec()),
        ("folded", rest.iter().map(fold).collect()),
        ("noise", rest.iter().map(|x| *x + 0.2 * spacing * random.vector()).collect()),
        (
            "inverted noise",
            rest.iter().map(|x| Vec3::new(-x.x, 0.0, x.z) + 0.2 * spacing * random.vector()).collect(),
        ),
        ("one point", vec![Vec3::splat(0.3); rest.len()]),
    ]
}

fn pins() -> Vec<(&'static str, Model)> {
    let mut random = Random(11);
    let some = (0..N * N).filter(|_| random.unit() < 0.3).collect();
    let patch = (0..N * N).filter(|i| i % N < 6 && i / N < 6).collect();
    vec![
        ("one node", sheet(vec![0], vec![])),
        ("an edge", sheet((0..N).collect(), vec![])),
        ("none", sheet(vec![], vec![])),
        ("a moving patch", sheet(vec![], patch)),
        ("30 % at random", sheet(some, vec![])),
    ]
}

/// A step of so many iterations.
fn settings(form: Form, iterations: u32) -> Settings {
    plain_of(SolverKind::NewtonMultigrid)
        .with(FORM, form)
        .with(SUBSTEPS, Substeps::Fixed(1))
        .with(ITERATIONS, Iterations::Fixed(iterations))
}

/// The objective before the step (x + h v, moving pins where they go) and after one substep.
fn objective_before_and_after(simulation: &mut Simulation, state: &State) -> (f64, f64) {
    let (model, settings) = (simulation.model().clone(), simulation.settings().clone());
    let (h, before) = (f64::from(settings.step.frame_time), State64::from(state));
    let forces = Forces::of(&model, &settings);
    let objective = Objective::of_step(&forces, h, &before);
    let mut start: Vec<DVec3> =
        before.position.iter().zip(&before.velocity).map(|(x, v)| *x + h * *v).collect();
    for pin in model.moving_pins() {
        for &node in &pin.nodes {
            start[node as usize] += (pin.path.at(h) - pin.path.at(0.0)).as_dvec3();
        }
    }
    simulation.set_state(state).unwrap();
    simulation.step().unwrap();
    let after = State64::from(&simulation.state().unwrap());
    (objective.value(&start), objective.value(&after.position))
}

#[test]
fn whatever_is_pinned_and_whatever_the_start_the_objective_falls() {
    let gpu = gpu();
    for form in [Form::Grid, Form::Mesh] {
        for (held, model) in pins() {
            let mut simulation = Simulation::new(&gpu, &model, &settings(form, 5)).unwrap();
            for (start, position) in starts(&model) {
                let state = State { velocity: vec![Vec3::ZERO; position.len()], position, time: 0.0 };
                let (before, after) = objective_before_and_after(&mut simulation, &state);
                println!("{form:?}, {held}, {start}: {before:.3e} -> {after:.3e}");
                assert!(after < before, "{form:?}, {held}, {start}: {before} -> {after}");
                for _ in 0..FURTHER {
                    simulation.step().unwrap();
                }
                let last = simulation.state().unwrap();
                let is_finite = last.position.iter().chain(&last.velocity).all(|v| v.is_finite());
                assert!(is_finite, "{form:?}, {held}, {start}: not finite after {FURTHER} further frames");
            }
        }
    }
}

/// Every shape of grid has levels of its own: strips become coarser in one direction only.
#[test]
fn every_rectangle_converges() {
    let gpu = gpu();
    let sizes = [(2, 2), (3, 2), (6, 6), (2, 300), (100, 7), (64, 33), (20, 2000), (2000, 20)];
    for (columns, rows) in sizes {
        let spacing = 1.0 / columns.max(rows) as f32;
        let (u, v) = (Vec3::X * spacing * (columns - 1) as f32, Vec3::Z * spacing * (rows - 1) as f32);
        let mass = 0.2 * spacing * spacing;
        let mut body = common::raw_cloth([columns, rows], [u, v], [1000.0, 500.0, 100.0], mass, 0.0);
        body.pinned = if rows >= columns { vec![0] } else { vec![0, columns] };
        let bend = |x: &Vec3| Vec3::new(0.5 * x.z * x.z, -3.0 * x.z, 2.0 * x.x * x.x);
        body.velocity = Some(body.rest_position.iter().map(bend).collect());
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let model = builder.build().unwrap();
        let state = model.initial_state();
        let stepped = |iterations| {
            let settings = settings(Form::Grid, iterations);
            objective_before_and_after(&mut Simulation::new(&gpu, &model, &settings).unwrap(), state)
        };
        let ((before, after), (_, lowest)) = (stepped(4), stepped(40));
        println!("{columns} x {rows}: {before:.3e} -> {after:.3e}, lowest {lowest:.3e}");
        assert!(after - lowest < 0.02 * (before - lowest), "{columns} x {rows}");
    }
}
