//! newton-multigrid from bad starts and with any pins: always finite, and the objective falls.

mod common;

use common::{Random, gpu};
use glam::Vec3;
use taffeta::model::{Model, ModelBuilder, Path};
use taffeta::reference::objective::Objective;
use taffeta::reference::{Forces, State64};
use taffeta::settings::{SolverKind, Substeps};
use taffeta::shape::{Cloth, ClothMaterial, RawCloth};
use taffeta::{Settings, Simulation, State};

const N: u32 = 64;

fn sheet(pinned: Vec<u32>, moving: Vec<u32>) -> Model {
    let material = ClothMaterial::Raw(RawCloth {
        structural: 1000.0,
        shear: 500.0,
        flexion: 100.0,
        node_mass: 0.2 / (N * N) as f32,
        dashpot: 0.0,
    });
    let cloth = Cloth { corner: Vec3::ZERO, u: Vec3::X, v: Vec3::Z, columns: N, rows: N, material };
    let mut body = cloth.build().unwrap();
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
        ("inverted noise", rest.iter().map(|x| Vec3::new(-x.x, 0.0, x.z) + 0.2 * spacing * random.vector()).collect()),
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

#[test]
fn whatever_is_pinned_and_whatever_the_start_the_objective_falls() {
    let gpu = gpu();
    for (held, model) in pins() {
        for (start, position) in starts(&model) {
            let settings = Settings {
                solver: SolverKind::NewtonMultigrid,
                substeps: Substeps::Fixed(1),
                ..Settings::default()
            };
            let state = State { velocity: vec![Vec3::ZERO; position.len()], position, time: 0.0 };
            let before = State64::from(&state);
            let forces = Forces { model: &model, settings: &settings, pulls: &[], reach: 1.0 };
            let objective = Objective::of_step(&forces, 1.0 / 60.0, &before);
            let first = objective.value(&before.position);
            print!("{held}, {start}: {first:.3e}:");
            for iterations in 1..=7 {
                let settings = Settings { iterations: Some(iterations), ..settings.clone() };
                let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
                simulation.set_state(&state).unwrap();
                simulation.step().unwrap();
                let after = State64::from(&simulation.state().unwrap());
                print!(" {:.3e}", objective.value(&after.position));
            }
            println!();
        }
    }
}
