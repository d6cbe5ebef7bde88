//! The hung sheet that all solvers bring to one equilibrium, by one motion.

use glam::Vec3;
use taffeta::model::{Model, ModelBuilder};
use taffeta::shape::{Cloth, ClothMaterial, Fabric};

/// A soft sheet of side x side nodes in a vertical plane, two patches of its top edge held.
pub fn sheet(side: u32) -> Model {
    let fabric =
        Fabric { density: 0.2, tensile: 60.0, shear: 15.0, flexion: 0.0, bending: 1e-5, damping_time: 0.0 };
    let material = ClothMaterial::Fabric(fabric);
    let cloth = Cloth { corner: Vec3::Y, u: Vec3::X, v: Vec3::NEG_Y, columns: side, rows: side, material };
    let mut body = cloth.build().unwrap();
    body.pinned = (0..4)
        .flat_map(|row| (0..4).flat_map(move |c| [side * row + c, side * row + side - 1 - c]))
        .collect();
    body.pinned.sort_unstable();
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.build().unwrap()
}
