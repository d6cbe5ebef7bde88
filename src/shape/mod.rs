//! Generators of bodies, which make particles, springs and triangles from a few numbers.

mod check;
mod cloth;
mod disc;
mod error;
mod lattice;
mod mesh;
mod perturbation;
mod raw;
mod rope;
mod sphere;
mod surface;
#[cfg(feature = "text")]
mod text;

pub use cloth::{Cloth, ClothMaterial, Fabric};
pub use disc::Disc;
pub use error::ShapeError;
pub use lattice::{Lattice, LatticeMaterial, Solid};
pub use mesh::{Mesh, Placement};
pub use perturbation::Perturbation;
pub use raw::RawSprings;
pub use rope::{AxialStiffness, Rope, RopeMass};
pub use sphere::Sphere;
pub use surface::{EdgeStiffness, Surface, SurfaceMass};
#[cfg(feature = "text")]
pub use text::{Align, Font, Islands, MeshQuality, Resolution, Text, TextForm, TextMesh};

/// Stiffness of springs that resist bending: between every second node of a rope, or across each
/// interior edge of a triangle mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Flexion {
    /// No such springs.
    #[default]
    None,
    /// This stiffness per spring [N/m].
    PerSpring(f32),
    /// This fraction of the structural stiffness beside it \[1\].
    Ratio(f32),
}

impl Flexion {
    /// The stiffness [N/m] for structural springs of stiffness `structural` [N/m].
    pub fn stiffness(self, structural: f32) -> f32 {
        match self {
            Flexion::None => 0.0,
            Flexion::PerSpring(stiffness) => stiffness,
            Flexion::Ratio(ratio) => ratio * structural,
        }
    }

    fn check(self) -> Result<(), ShapeError> {
        match self {
            Flexion::None => Ok(()),
            Flexion::PerSpring(stiffness) => check::not_negative("flexion", stiffness),
            Flexion::Ratio(ratio) => check::not_negative("flexion-ratio", ratio),
        }
    }
}

/// Damping along springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// The same dashpot on every spring [N s/m].
    Dashpot(f32),
    /// Each dashpot is this time \[s\] multiplied by the spring's stiffness.
    Time(f32),
}

impl Damping {
    /// No damping.
    pub const NONE: Damping = Damping::Dashpot(0.0);

    /// Dashpot [N s/m] of a spring of `stiffness` [N/m]; zero if the spring is absent or keeps its length.
    pub fn dashpot(self, stiffness: f32) -> f32 {
        match self {
            _ if stiffness == f32::INFINITY => 0.0,
            Damping::Dashpot(dashpot) if stiffness > 0.0 => dashpot,
            Damping::Dashpot(_) => 0.0,
            Damping::Time(time) => time * stiffness,
        }
    }

    pub(crate) fn check(self) -> Result<(), ShapeError> {
        match self {
            Damping::Dashpot(dashpot) => check::not_negative("dashpot", dashpot),
            Damping::Time(time) => check::not_negative("damping-time", time),
        }
    }
}
