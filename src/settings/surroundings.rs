//! What acts on every node: the part of the settings that the copies of a batch may have of their own.

use glam::Vec3;

use super::{Air, Settings};

/// Gravity, air and damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Gravity [m/s^2].
    pub gravity: Vec3,
    /// Velocity of the wind [m/s].
    pub wind: Vec3,
    /// Air resistance.
    pub air: Air,
    /// Viscous mass damping [1/s].
    pub damping: f32,
    /// Viscous damping per node [N s/m].
    pub node_damping: f32,
    /// Drag [1/s].
    pub drag: f32,
}

impl Surroundings {
    /// Whether air acts at all.
    pub fn has_air(&self) -> bool {
        self.air.density > 0.0 && (self.air.normal > 0.0 || self.air.tangential > 0.0)
    }
}

impl Settings {
    /// The surroundings that all copies have, or those that [`Settings::copies`] replaces.
    pub fn surroundings(&self) -> Surroundings {
        Surroundings {
            gravity: self.gravity,
            wind: self.wind,
            air: self.air,
            damping: self.damping,
            node_damping: self.node_damping,
            drag: self.drag,
        }
    }

    /// The surroundings of one copy.
    pub fn surroundings_of(&self, copy: u32) -> Surroundings {
        self.copies.get(copy as usize).copied().unwrap_or_else(|| self.surroundings())
    }

    /// The settings of one copy, as if it were alone.
    pub fn of_copy(&self, copy: u32) -> Settings {
        let Surroundings { gravity, wind, air, damping, node_damping, drag } = self.surroundings_of(copy);
        let copies = Vec::new();
        Settings { gravity, wind, air, damping, node_damping, drag, copies, ..self.clone() }
    }
}
