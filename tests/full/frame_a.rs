//! One fast frame of a large sheet: how fast newton-multigrid approaches the minimizer of the step.
//!
//! The frame: an n x n sheet of 1 m in its rest plane, bent about its held edge and swinging; two corners pinned,
//! h = 1/60 s. The minimizers in `tests/data` come from f64 runs to convergence.

use crate::common::{self, gpu, plain, plain_of};
use glam::{DVec3, Vec3};
use taffeta::gpu::Gpu;
use taffeta::hierarchy::Hierarchy;
use taffeta::model::Model;
use taffeta::reference::multigrid::CycleOptions;
use taffeta::reference::newton_multigrid::{Options, iterate};
use taffeta::reference::objective::Objective;
use taffeta::reference::{Forces, State64};
use taffeta::settings::{ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps};
use taffeta::{Simulation, State};

/// The sheet in its rest plane.
fn sheet(n: u32) -> Model {
    let mut body = common::stiff_sheet(n, Vec3::Z);
    body.pinned = vec![0, n - 1];
    common::model(body)
}

fn swinging(model: &Model) -> State {
    let swing = |x: &Vec3| {
        let (angle, first) = (0.3 + 0.8 * f64::from(x.z), 0.3f64);
        let y = (angle.cos() - first.cos()) / 0.8;
        let z = (angle.sin() - first.sin()) / 0.8;
        Vec3::new(x.x, y as f32, z as f32)
    };
    let position: Vec<Vec3> = model.rest_position().iter().map(swing).collect();
    let velocity = position.iter().map(|x| 3.0 * Vec3::new(0.0, -x.z, x.y)).collect();
    State { position, velocity, time: 0.0 }
}

fn stored(n: u32) -> Vec<Vec3> {
    let path = format!("{}/tests/data/frame-a-{n}.npy", env!("CARGO_MANIFEST_DIR"));
    let file = npyz::NpyFile::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).unwrap();
    let numbers: Vec<f32> = file.into_vec().unwrap();
    numbers.chunks(3).map(Vec3::from_slice).collect()
}

/// rms and largest distance \[mm\] to the minimizer after some iterations.
fn error(gpu: &Gpu, model: &Model, exact: &[Vec3], iterations: u32) -> (f64, f64) {
    let settings = plain_of(SolverKind::NewtonMultigrid)
        .with(ITERATIONS, Iterations::Fixed(iterations))
        .with(SUBSTEPS, Substeps::Fixed(1));
    let mut simulation = Simulation::new(gpu, model, &settings).unwrap();
    simulation.set_state(&swinging(model)).unwrap();
    simulation.step().unwrap();
    let found = simulation.state().unwrap().position;
    let distance: Vec<f64> =
        found.iter().zip(exact).map(|(a, b)| f64::from((*a - *b).length_squared())).collect();
    let mean = distance.iter().sum::<f64>() / distance.len() as f64;
    (1e3 * mean.sqrt(), 1e3 * distance.iter().copied().fold(0.0, f64::max).sqrt())
}

#[test]
fn a_few_iterations_are_enough_at_any_size() {
    let gpu = gpu();
    // Published rms distance \[mm\] after 3 and 7 iterations.
    for (n, published) in [(33, [0.078, 0.028]), (101, [0.094, 0.045]), (317, [0.117, 0.043])] {
        let (model, exact) = (sheet(n), stored(n));
        for (iterations, bound) in [3, 7].into_iter().zip(published) {
            let (rms, largest) = error(&gpu, &model, &exact, iterations);
            println!("{n}, {iterations} iterations: {rms:.3} mm, at most {largest:.2} mm");
            assert!(rms < 1.2 * bound, "{n}, {iterations} iterations: {rms} mm");
        }
    }
}

/// As many at any size.
#[test]
fn four_iterations_are_within_a_tenth_of_a_millimeter_at_any_size() {
    let gpu = gpu();
    for n in [33, 101, 317] {
        let (model, exact) = (sheet(n), stored(n));
        let (rms, _) = error(&gpu, &model, &exact, 4);
        println!("{n}, 4 iterations: {rms:.3} mm");
        assert!(rms < 0.1, "{n}, 4 iterations: {rms} mm");
    }
}

/// The same in f64 on the CPU: rms distances \[mm\] after 0, 1, .. iterations.
fn reference_errors(n: u32, options: &Options) -> Vec<f64> {
    let (model, exact) = (sheet(n), stored(n));
    let hierarchy = Hierarchy::structured([n, n], model.springs(), 5);
    let (state, settings) = (State64::from(&swinging(&model)), plain());
    let forces = Forces::of(&model, &settings);
    let h = f64::from(settings.step.frame_time);
    let mut objective = Objective::of_step(&forces, h, &state);
    let start: Vec<DVec3> = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v).collect();
    let mut found = Vec::new();
    iterate(&mut objective, &hierarchy, start, options, |x: &mut [DVec3]| {
        found.push(1e3 * common::rms_distance(x, &exact));
    });
    found
}

/// The unit tests have the same for 33 x 33 and 101 x 101 nodes.
#[test]
fn the_reference_errs_as_published_on_a_large_sheet() {
    let plain = |iterations| Options { iterations, nesterov: false, ..Options::default() };
    let check = |what: &str, found: &[f64], published: &[(usize, f64)]| {
        for &(k, rms) in published {
            assert!((found[k] - rms).abs() <= 1.1e-3, "{what} after {k}: {} instead of {rms}", found[k]);
        }
    };
    let published = [(0, 2.579), (1, 0.327), (2, 0.190), (3, 0.117), (5, 0.062), (7, 0.043), (14, 0.025)];
    check("317", &reference_errors(317, &plain(14)), &published);
    let with_momentum = Options { iterations: 14, ..Options::default() };
    let published = [(5, 0.050), (7, 0.030), (14, 0.018)];
    check("317, momentum", &reference_errors(317, &with_momentum), &published);
    for (twice, published) in [(21 * 21, [0.148, 0.107, 0.072]), (41 * 41, [0.138, 0.105, 0.069])] {
        let cycle = CycleOptions { twice, ..CycleOptions::default() };
        let found = reference_errors(317, &Options { cycle, ..plain(3) });
        let published: Vec<_> = (1..4).zip(published).collect();
        check(&format!("317, {twice} nodes twice"), &found, &published);
    }
}
