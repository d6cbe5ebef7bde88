//! Networks on which cycles are slow: thin triangles and random graphs. Conjugate gradients with the projected matrix
//! bring them as near to the end of a step as regular cloth comes.

use crate::common::{self, Random, gpu, hinged, model, newton_multigrid, plain, rms_distance};
use glam::{DVec3, Vec3};
use taffeta::bench::truth::bodies;
use taffeta::check::one_step;
use taffeta::hierarchy::{self, Hierarchy};
use taffeta::model::{Body, Family, Model, ModelBuilder, Spring};
use taffeta::reference::newton_multigrid::{self as twin, Options};
use taffeta::reference::{Forces, State64, minimizer};
use taffeta::settings::{CG_STEPS, SUBSTEPS, Settings, Substeps};
use taffeta::{Simulation, State};

/// Step [s].
const H: f64 = 1.0 / 60.0;

/// A square meter of cloth, held at two corners, bent and swinging as in `frame_a.rs`, of so many nodes in thin
/// triangles.
fn swinging(columns: u32, rows: u32) -> Model {
    model(thin(columns, rows))
}

fn thin(columns: u32, rows: u32) -> Body {
    bodies::swing(bodies::triangles(columns, rows).unwrap())
}

/// Points in a cubic meter, each joined to its eight nearest; one side is held, the other flies off.
fn graph() -> Model {
    let (n, mut random) = (900u32, Random(11));
    let rest_position: Vec<Vec3> = (0..n).map(|_| 0.5 * random.vector() + 0.5).collect();
    let mut springs = Vec::new();
    for i in 0..n {
        let length = |j: &u32| rest_position[i as usize].distance(rest_position[*j as usize]);
        let mut others: Vec<u32> = (0..n).filter(|j| *j != i).collect();
        others.sort_by(|a, b| length(a).total_cmp(&length(b)));
        springs.extend(others[..8].iter().map(|j| Spring {
            nodes: [i, *j],
            rest_length: length(j),
            stiffness: 500.0,
            dashpot: 0.0,
            family: Family::Raw,
        }));
    }
    let held = |i: &u32| rest_position[*i as usize].x < 0.08;
    let fly = |x: &Vec3| {
        if x.x < 0.08 { Vec3::ZERO } else { Vec3::new(0.0, -3.0 * x.x.powi(2), 2.0 * x.x.powi(3)) }
    };
    model(Body {
        pinned: (0..n).filter(held).collect(),
        velocity: Some(rest_position.iter().map(fly).collect()),
        mass: vec![0.2 / n as f32; n as usize],
        springs,
        rest_position,
        ..Body::default()
    })
}

fn ahead(model: &Model) -> Vec<DVec3> {
    let State { position, velocity, .. } = model.initial_state();
    position.iter().zip(velocity).map(|(x, v)| x.as_dvec3() + H * v.as_dvec3()).collect()
}

/// What is left of the error that a step begins with, in per cent, after so many iterations on the GPU.
#[test]
fn seven_iterations_leave_little_of_hard_networks() {
    let gpu = gpu();
    for (name, model, least) in [
        ("triangles 1:20", swinging(9, 161), 8.0),
        ("triangles 20:1", swinging(161, 9), 8.0),
        ("random graph", graph(), 4.0),
    ] {
        assert!(hierarchy::is_hard(&model), "{name}");
        let settings = newton_multigrid(7);
        let forces = Forces::of(&model, &settings);
        let exact = minimizer::implicit_step(&forces, H, &State64::from(model.initial_state()), 1e-7);
        assert!(exact.converged, "{name}: {}", exact.residual);
        let start = rms_distance(&ahead(&model), &exact.position);
        let left = |settings: &Settings| {
            let mut simulation = Simulation::new(&gpu, &model, settings).unwrap();
            simulation.step().unwrap();
            100.0 * rms_distance(&simulation.state().unwrap().position, &exact.position) / start
        };
        let found = left(&settings);
        let by_cycles = left(&settings.clone().with(CG_STEPS, 0));
        println!("{name}: {found:.2} %, by cycles alone {by_cycles:.2} %");
        assert!(found < 3.0, "{name}: {found} %");
        assert!(by_cycles > least, "{name}: cycles alone leave {by_cycles} %: it is not hard");
    }
}

#[test]
fn the_kernels_multiply_by_the_projected_matrix_of_hard_networks() {
    let gpu = gpu();
    let model = swinging(9, 161);
    for iterations in [1, 2] {
        let settings = newton_multigrid(iterations);
        let found = one_step(&gpu, &model, &settings, model.initial_state()).unwrap();
        println!("{iterations} iterations: {:.3}", found.worst);
        assert!(found.worst <= 1.0 && found.worst >= 1e-5, "{found:?}");
    }
    // The twin with the cycle's matrix in that place is far away.
    let settings = newton_multigrid(1);
    let hierarchy = Hierarchy::galerkin(&model);
    let options = Options::on_gpu(&model, &hierarchy, &settings);
    assert!(options.is_hard && options.cg_steps == 4);
    let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
    simulation.step().unwrap();
    let found: Vec<DVec3> = simulation.state().unwrap().position.iter().map(|x| x.as_dvec3()).collect();
    let forces = Forces::of(&model, &settings);
    let distance = |options: &Options| {
        let mut state = State64::from(model.initial_state());
        let none = &taffeta::model::Multipliers::none();
        twin::step(&forces, &hierarchy, options, none, &mut Vec::new(), H, &mut state);
        rms_distance(&found, &state.position)
    };
    let (right, wrong) = (distance(&options), distance(&Options { is_hard: false, ..options }));
    assert!(right < 1e-6 && wrong > 1e-4, "{right} m, {wrong} m");
}

#[test]
fn regular_cloth_is_not_hard() {
    for model in [swinging(31, 31), swinging(21, 41), model(common::stiff_sheet(33, Vec3::Z))] {
        assert!(!hierarchy::is_hard(&model));
    }
    let mut random = Random(3);
    for body in
        [common::disc(300.0, 0.002, &mut random), common::frame_f::sheet().body, common::frame_f::beam().body]
    {
        assert!(!hierarchy::is_hard(&model(body)));
    }
}

/// What such a network is given is nothing to a rope beside it.
#[test]
fn a_rope_beside_a_hard_network_falls_as_alone() {
    let gpu = gpu();
    let fall = |model: &Model| {
        let settings = plain().with(SUBSTEPS, Substeps::Fixed(1));
        let mut simulation = Simulation::new(&gpu, model, &settings).unwrap();
        assert!(simulation.multipliers() >= 100);
        (0..24).for_each(|_| simulation.step().unwrap());
        let rope = &simulation.state().unwrap().position[..101];
        rope.iter().map(|x| f64::from(-x.y)).sum::<f64>() / 101.0
    };
    let mut alone = ModelBuilder::new();
    alone.add(hinged::rope_body(100, f64::INFINITY));
    let mut both = ModelBuilder::new();
    both.add(hinged::rope_body(100, f64::INFINITY));
    both.add(thin(9, 161));
    let (alone, both) = (alone.build().unwrap(), both.build().unwrap());
    assert!(!hierarchy::is_hard(&alone) && hierarchy::is_hard(&both));
    let (expected, found) = (fall(&alone), fall(&both));
    assert!((found / expected - 1.0).abs() < 2e-3, "{found} m instead of {expected} m");
}
