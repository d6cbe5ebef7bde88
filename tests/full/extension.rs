//! A sheet held along its upper edge is longer by rho g L^2 / (2 T), at any resolution, with newton-multigrid's
//! default settings.

use crate::common::{gpu, model, plain};
use glam::Vec3;
use taffeta::Simulation;
use taffeta::gpu::Gpu;
use taffeta::settings::DAMPING;
use taffeta::shape::{Cloth, ClothMaterial, Fabric};

const DENSITY: f32 = 0.2;
const TENSILE: f32 = 1000.0;
/// Frames until it hangs still. Its slowest stretch wave, of frequency omega = pi/2 sqrt(T / rho) / L = 111 1/s, falls
/// to 1 / sqrt(1 + (omega h)^2 + damping h) = 0.45 a frame.
const FRAMES: u32 = 20;

/// Mean extension \[m\] of a square meter's lower edge, and by how much it grew in the last five frames.
fn extension(gpu: &Gpu, n: u32) -> (f64, f64) {
    // Poisson's ratio is G / (C + G) for C = (T + sqrt(T^2 + 4 G^2)) / 2. Where the held edge hinders contraction, the
    // sheet is stiffer by its square: with G = T / 50 by 4e-4, far below the bound of 1e-2. The diagonals still
    // carry their part of the load.
    let fabric = Fabric {
        density: DENSITY,
        tensile: TENSILE,
        shear: TENSILE / 50.0,
        flexion: 0.0,
        bending: 0.0,
        damping_time: 0.0,
    };
    let material = ClothMaterial::Fabric(fabric);
    let cloth = Cloth { corner: Vec3::ZERO, u: Vec3::X, v: Vec3::NEG_Y, columns: n, rows: n, material };
    let mut body = cloth.build().unwrap();
    body.pinned = (0..n).collect();
    let settings = plain().with(DAMPING, 5.0);
    let mut simulation = Simulation::new(gpu, &model(body), &settings).unwrap();
    let mut after = |frames| {
        for _ in 0..frames {
            simulation.step().unwrap();
        }
        let lower = &simulation.state().unwrap().position[(n * (n - 1)) as usize..];
        lower.iter().map(|p| -f64::from(p.y) - 1.0).sum::<f64>() / f64::from(n)
    };
    let before = after(FRAMES - 5);
    let end = after(5);
    (end, (end - before).abs())
}

fn check(gpu: &Gpu, n: u32) {
    let wanted = f64::from(DENSITY) * 9.81 / (2.0 * f64::from(TENSILE));
    let (found, change) = extension(gpu, n);
    println!("{n}: {:.4} mm of {:.4} mm, {:.1e} mm in the end", 1e3 * found, 1e3 * wanted, 1e3 * change);
    assert!(change < 1e-3 * wanted, "{n}: not at rest, {change} m in five frames");
    assert!((found / wanted - 1.0).abs() < 0.01, "{n}: {found} m instead of {wanted} m");
}

#[test]
fn a_sheet_stretches_under_its_weight_as_its_fabric_says_at_any_resolution() {
    let gpu = gpu();
    [32, 64, 128, 256].into_iter().for_each(|n| check(&gpu, n));
}
