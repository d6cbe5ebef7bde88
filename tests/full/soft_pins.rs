//! Soft pins and dragged handles enter the diagonal of the step's equations: cloth held by them converges about as
//! fast as cloth held hard.

use crate::common::{self, gpu, plain, rms_distance};
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::model::{Model, ModelBuilder, Path, ScriptedHandle};
use taffeta::settings::{ITERATIONS, Iterations, SUBSTEPS, Substeps};
use taffeta::{Settings, State};

/// Nodes a side.
const N: u32 = 101;
/// Iterations after which the error is taken, and those that count as converged.
const COUNTS: [u32; 3] = [2, 4, 7];
const CONVERGED: u32 = 60;

/// What holds nodes of the sheet.
#[derive(Clone, Copy, Debug)]
enum Hold {
    Hard,
    Soft(f32),
}

/// A sheet whose `nodes` (with weights) follow `path`, besides hard pins.
fn sheet(pinned: Vec<u32>, nodes: &[(u32, f32)], path: &Path, hold: Hold) -> Model {
    let mut body = common::stiff_sheet(N, Vec3::Z);
    body.pinned = pinned;
    body.position = Some(body.rest_position.iter().map(swung).collect());
    body.velocity = Some(body.position.iter().flatten().map(|x| 3.0 * Vec3::new(0.0, -x.z, x.y)).collect());
    let mut builder = ModelBuilder::new();
    builder.add(body);
    match hold {
        Hold::Hard => builder.pin_along(nodes.iter().map(|n| n.0).collect(), path.clone()),
        Hold::Soft(stiffness) => builder.handle(ScriptedHandle {
            nodes: nodes.to_vec(),
            stiffness,
            path: path.clone(),
            active: 0.0..f64::INFINITY,
        }),
    };
    builder.build().unwrap()
}

/// Bent about its first row.
fn swung(x: &Vec3) -> Vec3 {
    let (angle, first) = (0.3 + 0.8 * x.z, 0.3f32);
    Vec3::new(x.x, (angle.cos() - first.cos()) / 0.8, (angle.sin() - first.sin()) / 0.8)
}

/// The state after one frame.
fn stepped(gpu: &Gpu, model: &Model, iterations: u32) -> State {
    let settings = plain().with(ITERATIONS, Iterations::Fixed(iterations)).with(SUBSTEPS, Substeps::Fixed(1));
    common::run(gpu, model, &settings, 1)
}

/// Distance from the converged step after some iterations, as parts of that of the start x + h v.
fn errors(gpu: &Gpu, model: &Model) -> [f64; 3] {
    let h = Settings::default().step.frame_time;
    let now = model.initial_state();
    let end = stepped(gpu, model, CONVERGED).position;
    let mut start: Vec<Vec3> = now.position.iter().zip(&now.velocity).map(|(x, v)| *x + h * *v).collect();
    for pin in model.moving_pins() {
        pin.nodes.iter().for_each(|&i| start[i as usize] = end[i as usize]);
    }
    let whole = rms_distance(&start, &end);
    COUNTS.map(|k| rms_distance(&stepped(gpu, model, k).position, &end) / whole)
}

/// Compares every stiffness with the hard hold: errors at most `allowed` times as large.
fn compare(gpu: &Gpu, what: &str, cases: &[(f32, f64)], build: impl Fn(Hold) -> Model) {
    let hard = errors(gpu, &build(Hold::Hard));
    println!("{what}, hard: {hard:.4?}");
    let mut failed = Vec::new();
    for &(stiffness, allowed) in cases {
        let soft = errors(gpu, &build(Hold::Soft(stiffness)));
        let ratio = [0, 1, 2].map(|i| soft[i] / hard[i]);
        println!("{what}, {stiffness:.0e} N/m: {soft:.4?}, times hard {ratio:.2?}");
        if !ratio.iter().all(|r| *r < allowed) {
            failed.push((stiffness, ratio));
        }
    }
    assert!(failed.is_empty(), "{what}: slower than allowed at {failed:.2?}");
}

#[test]
fn cloth_on_two_soft_pins_converges_about_as_fast_as_on_hard_ones() {
    let corners = [(0, 1.0), (N - 1, 1.0)];
    let build = |hold| sheet(Vec::new(), &corners, &Path::still(), hold);
    let cases =
        [(1.0, 1.5), (10.0, 1.5), (100.0, 2.0), (1e3, 1.5), (1e4, 1.5), (1e5, 1.5), (1e7, 2.5), (1e12, 2.5)];
    compare(&gpu(), "corners", &cases, build);
}

#[test]
fn cloth_held_along_an_edge_by_soft_pins_converges_as_fast() {
    let edge: Vec<(u32, f32)> = (0..N).map(|i| (i, 1.0)).collect();
    // The weakest hold is slower than the others, not explained yet: 0.11 mm of error after seven iterations, not 0.04.
    let cases = [(1.0, 3.0), (10.0, 1.6), (100.0, 1.25), (1e3, 1.25), (1e4, 1.25), (1e5, 1.25), (1e7, 1.25)];
    compare(&gpu(), "edge", &cases, |hold| sheet(Vec::new(), &edge, &Path::still(), hold));
}

/// A patch in the middle pulled by 0.1 m within one frame.
#[test]
fn a_dragged_patch_converges_as_fast_as_a_moved_pin() {
    let radius = 0.05;
    let weight = |i: u32| {
        let at = |k: u32| k as f32 / (N - 1) as f32 - 0.5;
        let part = (at(i % N).powi(2) + at(i / N).powi(2)) / (radius * radius);
        (i, (1.0 - part).max(0.0).powi(2))
    };
    let patch: Vec<(u32, f32)> = (0..N * N).map(weight).filter(|n| n.1 > 1e-3).collect();
    let h = f64::from(Settings::default().step.frame_time);
    let path = Path::new(vec![(0.0, Vec3::ZERO), (h, Vec3::new(0.0, 0.1, 0.0))]).unwrap();
    let cases = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e7].map(|stiffness| (stiffness, 1.5));
    compare(&gpu(), "drag", &cases, |hold| sheet(vec![0, N - 1], &patch, &path, hold));
}
