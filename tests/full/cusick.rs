//! Cusick's drape test: a disc of cloth over a smaller one falls into as many folds, and covers as much, at any
//! resolution (G. Cusick, "The measurement of fabric drape", Journal of the Textile Institute 59(6), 1968).

use crate::common::gpu;
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::scene::Scene;
use taffeta::{Simulation, State};

/// Radii of the cloth and of what it lies on [m].
const RADII: [f64; 2] = [0.15, 0.09];

fn scene(spacing: f64) -> Scene {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/cusick.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("spacing = 0.005"));
    Scene::parse(&text.replace("spacing = 0.005", &format!("spacing = {spacing}")), &path).unwrap()
}

/// What hangs seen from above.
#[derive(Debug)]
struct Drape {
    /// Share of the ring that its shadow covers.
    coefficient: f64,
    /// Maxima of the border's distance from the axis around the circle.
    folds: usize,
    /// Largest speed that is left [m/s].
    speed: f64,
}

fn drape(scene: &Scene, state: &State) -> Drape {
    let rest = scene.model.rest_position();
    let center = rest[0];
    // The border, in order around the axis at rest.
    let outer = |i: &usize| f64::from((rest[*i] - center).length()) > 0.999 * RADII[0];
    let mut border: Vec<usize> = (0..rest.len()).filter(outer).collect();
    let angle = |i: usize| (rest[i] - center).z.atan2((rest[i] - center).x);
    border.sort_by(|a, b| angle(*a).total_cmp(&angle(*b)));
    let at = |k: usize| state.position[border[k % border.len()]] - center;
    let area: f64 =
        (0..border.len()).map(|k| 0.5 * f64::from(at(k).x * at(k + 1).z - at(k).z * at(k + 1).x)).sum();
    let [outer, inner] = RADII.map(|r| std::f64::consts::PI * r * r);
    // The strongest harmonic of the border's distance from the axis.
    let radius = |k: usize| f64::from(at(k).with_y(0.0).length());
    let strength = |n: usize| {
        let turn = |k: usize| std::f64::consts::TAU * (n * k) as f64 / border.len() as f64;
        let sum = |f: fn(f64) -> f64| (0..border.len()).map(|k| f(turn(k)) * radius(k)).sum::<f64>();
        sum(f64::cos).hypot(sum(f64::sin))
    };
    let folds = (1..20).max_by(|a, b| strength(*a).total_cmp(&strength(*b))).unwrap();
    let speed = state.velocity.iter().map(|v: &Vec3| f64::from(v.length())).fold(0.0, f64::max);
    Drape { coefficient: (area - inner) / (outer - inner), folds, speed }
}

/// After two seconds, and in the end.
fn run(gpu: &Gpu, spacing: f64) -> [Drape; 2] {
    let scene = scene(spacing);
    let mut simulation = Simulation::new(gpu, &scene.model, &scene.settings).unwrap();
    let mut until = |seconds: f64| {
        while simulation.time() < seconds - 1e-3 {
            simulation.step().unwrap();
        }
        drape(&scene, &simulation.state().unwrap())
    };
    [until(2.0), until(scene.seconds)]
}

#[test]
fn a_finer_disc_drapes_alike() {
    let gpu = gpu();
    // With 20, 30 and 40 rings of triangles.
    for (spacing, wanted) in [(0.0075, 0.811), (0.005, 0.817), (0.00375, 0.826)] {
        let [before, after] = run(&gpu, spacing);
        println!("{spacing}: {before:?}, then {after:?}");
        assert!((after.coefficient - wanted).abs() < 0.01 && (6..=7).contains(&after.folds), "{after:?}");
        assert!((after.coefficient - before.coefficient).abs() < 0.01 && after.speed < 0.02, "not at rest");
    }
}
