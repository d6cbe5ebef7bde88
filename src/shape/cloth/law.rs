//! Springs of a grid from a material.
//!
//! A fabric has tensile stiffness T and shear stiffness G per width [N/m]. On a cell a x b with
//! diagonal L, diagonals of stiffness k_d and structural springs k_u, k_v (flexion springs stretch
//! twice as far and so count four times) store per area, at strains e_u, e_v and shear g,
//! C (e_u^2 + e_v^2)/2 + G e_u e_v + G g^2/2 where
//!
//! ```text
//! k_d = G L^2 / (2 a b)                             shear stiffness G
//! k_u + 4 k_flexion = (b/a) (C - G a^2/b^2)         the same C along both directions
//! C - G^2/C = T  =>  C = (T + sqrt(T^2 + 4 G^2))/2  uniaxial modulus T
//! ```

use super::super::{RawSprings, ShapeError, check};

/// A fabric: it gives the same cloth at any resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Mass per area [kg/m^2]; typical cotton: 0.1 to 0.3.
    pub density: f32,
    /// Tensile stiffness per width, T [N/m]: the uniaxial modulus. Typical cotton: 1e3 to 1e4. If it is infinite,
    /// threads keep their length.
    pub tensile: f32,
    /// Shear stiffness per width, G [N/m]; zero for no diagonals. Typical: T/100 to T/3.
    pub shear: f32,
    /// Stiffness of an interior flexion (skip-one) spring [N/m]; zero for none.
    pub flexion: f32,
    /// Bending stiffness B [N m]: energy B/2 per area and squared curvature, at any resolution
    /// ([`crate::model::GridBending`]). Typical: cotton shirting 5e-6 to 2e-5, denim 1e-4 to 3e-4.
    pub bending: f32,
    /// Damping time \[s\]: every spring has a dashpot of this time multiplied by its stiffness.
    pub damping_time: f32,
}

impl Default for Fabric {
    /// A light cotton: 0.2 kg/m^2, 1000 N/m against stretching, 100 N/m against shearing, 1e-5 N m against bending.
    fn default() -> Self {
        Self::new(0.2, 1000.0).with_bending(1e-5)
    }
}

impl From<Fabric> for ClothMaterial {
    fn from(fabric: Fabric) -> Self {
        ClothMaterial::Fabric(fabric)
    }
}

impl From<RawSprings> for ClothMaterial {
    fn from(raw: RawSprings) -> Self {
        ClothMaterial::Raw(raw)
    }
}

/// Material of a rectangular cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClothMaterial {
    /// A fabric.
    Fabric(Fabric),
    /// Raw springs.
    Raw(RawSprings),
}

/// Stiffnesses [N/m] of a grid's interior springs.
#[derive(Clone, Copy)]
pub(super) struct GridSprings {
    /// Along columns and along rows.
    pub structural: [f64; 2],
    pub shear: f64,
    pub flexion: f64,
    /// Dashpot [N s/m] = `dashpot + damping_time * stiffness`.
    pub dashpot: f64,
    pub damping_time: f64,
    pub border_factor: f32,
}

impl ClothMaterial {
    /// Springs of a grid with cells of `size` \[m\] and `nodes` along columns and rows.
    pub(super) fn springs(&self, size: [f64; 2], nodes: [u32; 2]) -> Result<GridSprings, ShapeError> {
        match self {
            ClothMaterial::Fabric(fabric) => fabric.springs(size, nodes),
            ClothMaterial::Raw(raw) => raw_springs(raw),
        }
    }
}

impl Fabric {
    /// A fabric of this density [kg/m^2] and tensile stiffness [N/m] that shears ten times more easily, as common cloth does,
    /// and bends freely.
    pub fn new(density: f32, tensile: f32) -> Self {
        Self { density, tensile, shear: 0.1 * tensile, flexion: 0.0, bending: 0.0, damping_time: 0.0 }
    }

    /// Sets the stiffness against shearing [N/m].
    pub fn with_shear(self, shear: f32) -> Self {
        Self { shear, ..self }
    }

    /// Sets the stiffness against bending [N m].
    pub fn with_bending(self, bending: f32) -> Self {
        Self { bending, ..self }
    }

    /// Sets the damping time \[s\].
    pub fn with_damping_time(self, damping_time: f32) -> Self {
        Self { damping_time, ..self }
    }

    fn springs(&self, [a, b]: [f64; 2], nodes: [u32; 2]) -> Result<GridSprings, ShapeError> {
        check::positive("density", self.density)?;
        check::stiffness("tensile", self.tensile)?;
        check::not_negative("shear", self.shear)?;
        check::not_negative("flexion", self.flexion)?;
        check::not_negative("bending", self.bending)?;
        check::not_negative("damping-time", self.damping_time)?;
        let [t, g, flexion] = [self.tensile, self.shear, self.flexion].map(f64::from);
        let c = 0.5 * (t + t.hypot(2.0 * g));
        let mut structural = [0.0; 2];
        for (axis, aspect) in [a / b, b / a].into_iter().enumerate() {
            let stretch = (c - g * aspect * aspect) / aspect;
            if stretch < 0.0 {
                let allowed = format!(
                    "too much for cells of {a:.4} x {b:.4} m and tensile = {t}: structural springs would be \
                     negative. Lower shear, raise tensile, or choose columns and rows for squarer cells"
                );
                return Err(ShapeError::new("shear", self.shear, allowed));
            }
            // Too short for a flexion spring, so nothing is subtracted.
            structural[axis] = if nodes[axis] < 3 { stretch } else { stretch - 4.0 * flexion };
            if structural[axis] < 0.0 {
                let most = stretch / 4.0;
                let allowed = format!(
                    "at most {most:.4} N/m here, since flexion springs take 4 times their stiffness from the \
                     structural ones; lower flexion, or raise tensile"
                );
                return Err(ShapeError::new("flexion", self.flexion, allowed));
            }
        }
        if t.is_finite() && structural.iter().any(|k| *k > f64::from(f32::MAX)) {
            let allowed = format!("too much for cells of {a:.4} x {b:.4} m; inf makes threads inextensible");
            return Err(ShapeError::new("tensile", self.tensile, allowed));
        }
        Ok(GridSprings {
            structural,
            shear: g * (a * a + b * b) / (2.0 * a * b),
            flexion,
            dashpot: 0.0,
            damping_time: f64::from(self.damping_time),
            border_factor: 0.5,
        })
    }
}

fn raw_springs(raw: &RawSprings) -> Result<GridSprings, ShapeError> {
    check::stiffness("structural", raw.structural)?;
    raw.check_others()?;
    Ok(GridSprings {
        structural: [f64::from(raw.structural); 2],
        shear: f64::from(raw.shear),
        flexion: f64::from(raw.flexion),
        dashpot: f64::from(raw.dashpot),
        damping_time: 0.0,
        border_factor: 1.0,
    })
}
