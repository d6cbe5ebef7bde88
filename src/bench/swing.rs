//! The frame that reports measure: a sheet of 1 m by 1 m in fast motion, swinging about the edge by which it hangs.

use glam::{DVec3, Vec3};

use crate::Error;
use crate::model::{Model, ModelBuilder};
use crate::shape::{Cloth, ClothMaterial, RawSprings};
use crate::state::State;

/// Length of the frame \[s\].
pub const FRAME: f32 = 1.0 / 60.0;

/// A square sheet of `side` by `side` nodes and 0.2 kg, held at two corners, with structural, shear and
/// flexion springs of 1000, 500 and 100 N/m. Its rest positions are (u, 0, w), where w is the row. It is bent
/// to a circle about the row w = 0, and turns at 3 rad/s about the x axis.
pub fn sheet(side: u32) -> Result<(Model, State), Error> {
    let cloth = Cloth {
        corner: Vec3::ZERO,
        u: Vec3::X,
        v: Vec3::Z,
        columns: side,
        rows: side,
        material: ClothMaterial::Raw(RawSprings {
            structural: 1000.0,
            shear: 500.0,
            flexion: 100.0,
            node_mass: 0.2 / (f64::from(side) * f64::from(side)) as f32,
            dashpot: 0.0,
        }),
    };
    let mut body = cloth.build()?;
    body.pinned = vec![0, side - 1];
    let mut builder = ModelBuilder::new();
    builder.add(body);
    let model = builder.build()?;
    let place = |i: u32| {
        let (u, w) = (f64::from(i % side), f64::from(i / side));
        let angle = 0.3 + 0.8 * w / f64::from(side - 1);
        let [y, z] = [angle.cos() - 0.3f64.cos(), angle.sin() - 0.3f64.sin()];
        DVec3::new(u / f64::from(side - 1), y / 0.8, z / 0.8)
    };
    let position: Vec<DVec3> = (0..side * side).map(place).collect();
    let velocity = position.iter().map(|x| 3.0 * Vec3::new(0.0, -x.z as f32, x.y as f32));
    let velocity = velocity.collect();
    Ok((model, State { position: position.iter().map(|x| x.as_vec3()).collect(), velocity, time: 0.0 }))
}
