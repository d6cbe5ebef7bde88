//! A swinging sheet as in `frame_a.rs`, on meshes without any order: jittered points, Delaunay's triangles, nodes numbered
//! at random.
//!
//! The minimizers in `tests/data` come from f64 Newton iterations to convergence. To make them again:
//! `cargo test --release --test full jittered -- --ignored --nocapture`.

use std::path::PathBuf;

use crate::common::meshes::{cloth, delaunay, square};
use crate::common::{Random, gpu, model, newton_multigrid, renumber, rms_distance};
use glam::{DVec3, Vec3};
use taffeta::model::{Body, Model};
use taffeta::reference::{Forces, State64, minimizer};
use taffeta::{Simulation, io};

/// Nodes along a side.
const SIDES: [u32; 2] = [100, 316];
/// What is left of the gradient at the stored minimizers \[N\].
const RESIDUAL: f64 = 1e-8;

fn data(side: u32) -> PathBuf {
    let name = format!("tests/data/jittered-{}.npy", side * side);
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A square meter of cloth of 1000 N/m and 0.2 kg/m^2 in the plane y = 0, held at the ends of z = 0; bent about that
/// edge and swinging.
fn swinging(side: u32) -> Model {
    let mut random = Random(11);
    let (flat, mut triangles) = square(side, 0.35, &mut random);
    delaunay(&flat, &mut triangles);
    let mut body = cloth(flat.iter().map(|p| Vec3::new(p.x, 0.0, p.y)).collect(), triangles);
    body.pinned = vec![0, side - 1];
    let swing = |x: &Vec3| {
        let (angle, first) = (0.3 + 0.8 * f64::from(x.z), 0.3f64);
        DVec3::new(x.x.into(), (angle.cos() - first.cos()) / 0.8, (angle.sin() - first.sin()) / 0.8).as_vec3()
    };
    let position: Vec<Vec3> = body.rest_position.iter().map(swing).collect();
    let velocity = position.iter().map(|x| 3.0 * Vec3::new(0.0, -x.z, x.y)).collect();
    let body = Body { position: Some(position), velocity: Some(velocity), ..body };
    model(renumber(body, &mut random))
}

/// The errors that the triangulated sheet of 10,201 nodes of `common/frame_f.rs` has, too.
#[test]
fn meshes_without_order_converge_as_fast_at_any_size() {
    let gpu = gpu();
    let mut failures = Vec::new();
    for side in SIDES {
        let (model, exact) = (swinging(side), io::read_points(&data(side)).unwrap());
        for (iterations, published) in [(1, 0.261), (3, 0.120), (7, 0.040), (14, 0.022)] {
            let mut simulation = Simulation::new(&gpu, &model, &newton_multigrid(iterations)).unwrap();
            simulation.step().unwrap();
            let found = 1e3 * rms_distance(&simulation.state().unwrap().position, &exact);
            println!("{} nodes, {iterations} iterations: {found:.3} mm", side * side);
            if found.is_nan() || found > 1.25 * published {
                failures.push(format!("{side}, {iterations} iterations: {found} mm, not {published}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
#[ignore = "minutes: makes tests/data/jittered-*.npy"]
fn store_the_minimizers() {
    for side in SIDES {
        let model = swinging(side);
        let settings = newton_multigrid(1);
        let forces =
            Forces { model: &model, settings: &settings, pulls: &[], reach: 1.0, at: Default::default() };
        let start = State64::from(model.initial_state());
        let found = minimizer::implicit_step(&forces, f64::from(settings.step.frame_time), &start, RESIDUAL);
        println!("{side}: {:.1e} N after {} iterations", found.residual, found.iterations);
        assert!(found.converged);
        let position: Vec<Vec3> = found.position.iter().map(|x| x.as_vec3()).collect();
        io::write_points(&data(side), &position).unwrap();
    }
}
