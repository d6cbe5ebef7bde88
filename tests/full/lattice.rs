//! A beam made as a lattice bends as the beam of its Young's modulus does, the nearer the finer it is.

use crate::common::{self, gpu, newton_multigrid};
use glam::Vec3;
use taffeta::Simulation;
use taffeta::gpu::Gpu;
use taffeta::settings::DAMPING;
use taffeta::shape::{Lattice, LatticeMaterial, Solid};

const THICK: f32 = 0.1;
const DENSITY: f32 = 1000.0;
const YOUNG: f32 = 7.5e7;

/// How far the tip of a beam with so many cells across is below the clamp at rest \[m\].
fn drop(gpu: &Gpu, length: f32, across: u32) -> f64 {
    let lattice = Lattice {
        corner: Vec3::new(0.0, -THICK / 2.0, -THICK / 2.0),
        edges: [length * Vec3::X, THICK * Vec3::Y, THICK * Vec3::Z],
        cells: [(length / THICK * across as f32).round() as u32, across, across],
        material: LatticeMaterial::Solid(Solid { density: DENSITY, young: YOUNG, damping_time: 0.0 }),
    };
    let mut body = lattice.build().unwrap();
    let place = body.rest_position.clone();
    body.pinned = (0..place.len() as u32).filter(|&i| place[i as usize].x == 0.0).collect();
    let tip: Vec<usize> = (0..place.len()).filter(|&i| place[i].x > 0.999 * length).collect();
    // Nearly critical for the slowest swing, about 27 rad/s.
    let settings = newton_multigrid(8).with(DAMPING, 40.0);
    let mut simulation = Simulation::new(gpu, &common::model(body), &settings).unwrap();
    let mut drops = [0.0; 2];
    for drop in &mut drops {
        (0..60).for_each(|_| simulation.step().unwrap());
        let state = simulation.state().unwrap();
        *drop = tip.iter().map(|&i| -f64::from(state.position[i].y)).sum::<f64>() / tip.len() as f64;
    }
    assert!((drops[1] / drops[0] - 1.0).abs() < 1e-3, "not at rest: {drops:?}");
    drops[1]
}

/// How far it is below its clamp by the theory of beams \[m\].
fn beam(length: f32) -> f64 {
    // Bending and shear of a beam under its own weight (Timoshenko; shear coefficient 5/6, Poisson's ratio 1/4).
    let [length, thick, density, young] = [length, THICK, DENSITY, YOUNG].map(f64::from);
    let weight = density * 9.81 * thick * thick;
    let (bending, shear) = (young * thick.powi(4) / 12.0, 5.0 / 6.0 * young / 2.5 * thick * thick);
    weight * length.powi(4) / (8.0 * bending) + weight * length.powi(2) / (2.0 * shear)
}

/// The drops at three resolutions as parts of what the theory says, each within `near` of `expected`.
fn parts(length: f32, across: [u32; 3], expected: [f64; 3], near: f64) -> [f64; 3] {
    let gpu = gpu();
    let found = across.map(|across| drop(&gpu, length, across) / beam(length));
    println!("parts of the beam's {:.5} m: {found:?}", beam(length));
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < near), "{found:?}");
    found
}

#[test]
fn a_finer_beam_droops_as_the_beam_of_its_modulus() {
    let found = parts(1.0, [2, 4, 6], [0.803, 0.935, 0.966], 0.01);
    // Rows of springs stand for the layers between them: too stiff by about 1 / n^2, which extrapolation takes away.
    let limit = (36.0 * found[2] - 16.0 * found[1]) / 20.0;
    assert!((limit - 1.0).abs() < 0.02, "{found:?} tend to {limit}");
}
