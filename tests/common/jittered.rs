//! A swinging sheet on meshes without any order: jittered points, Delaunay's triangles, nodes numbered at random.

use std::path::PathBuf;

use glam::{DVec3, Vec3};
use taffeta::model::{Body, Model};

use super::meshes::{cloth, delaunay, square};
use super::{Random, model, renumber};

/// Nodes along a side.
pub const SIDES: [u32; 2] = [100, 316];

/// The file of the step's minimizer.
pub fn data(side: u32) -> PathBuf {
    let name = format!("tests/data/jittered-{}.npy", side * side);
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A square meter of cloth of 1000 N/m and 0.2 kg/m^2 in the plane y = 0, held at the ends of z = 0; bent about that
/// edge and swinging.
pub fn swinging(side: u32) -> Model {
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
