//! What acts on every node: the part of the settings that the copies of a batch may have of their own.

use glam::Vec3;

use super::key::{Key, Kind, NOT_NEGATIVE, Spec, field};

/// Air resistance of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Density [kg/m^3]; 1.2 at sea level; 0 switches air off.
    pub density: f32,
    /// Coefficient along the normal; about 1.3 for a flat plate held against the wind.
    pub normal: f32,
    /// Coefficient along the surface; about 0.05 for cloth.
    pub tangential: f32,
}

impl Air {
    /// No air at all.
    pub const NONE: Air = Air { density: 0.0, normal: 1.3, tangential: 0.05 };
}

/// Gravity, air and damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World {
    /// Gravity [m/s^2].
    pub gravity: Vec3,
    /// Velocity of the wind [m/s].
    pub wind: Vec3,
    /// Air resistance.
    pub air: Air,
    /// Viscous mass damping [1/s]: force -damping m v.
    pub damping: f32,
    /// Viscous damping per node [N s/m], for raw networks: force -node_damping v.
    pub node_damping: f32,
    /// Drag [1/s]: v <- v exp(-drag h) after each step.
    pub drag: f32,
}

impl Default for World {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            wind: Vec3::ZERO,
            air: Air::NONE,
            damping: 0.0,
            node_damping: 0.0,
            drag: 0.0,
        }
    }
}

impl World {
    /// Whether air acts at all.
    pub fn has_air(&self) -> bool {
        self.air.density > 0.0 && (self.air.normal > 0.0 || self.air.tangential > 0.0)
    }
}

/// [`World::gravity`].
pub const GRAVITY: Key<Vec3> = Key::new(&Spec {
    name: "gravity",
    kind: Kind::Vector,
    unit: "m/s^2",
    default: "[0, -9.81, 0]",
    help: "acceleration of everything",
    place: field!(world.gravity),
});

/// [`World::wind`].
pub const WIND: Key<Vec3> = Key::new(&Spec {
    name: "wind",
    kind: Kind::Vector,
    unit: "m/s",
    default: "[0, 0, 0]",
    help: "velocity of the air; without `air` it does nothing",
    place: field!(world.wind),
});

/// [`World::air`].
pub const AIR: Key<Air> = Key::new(&Spec {
    name: "air",
    kind: Kind::Air,
    unit: "",
    default: "no air",
    help: "air resistance of triangles",
    place: field!(world.air),
});

/// [`World::damping`].
pub const DAMPING: Key<f32> = Key::new(&Spec {
    name: "damping",
    kind: NOT_NEGATIVE.kind(),
    unit: "1/s",
    default: "0",
    help: "viscous damping by mass: force -damping m v",
    place: field!(world.damping),
});

/// [`World::node_damping`].
pub const NODE_DAMPING: Key<f32> = Key::new(&Spec {
    name: "node-damping",
    kind: NOT_NEGATIVE.kind(),
    unit: "N s/m",
    default: "0",
    help: "viscous damping by node, for raw networks: force -node-damping v",
    place: field!(world.node_damping),
});

/// [`World::drag`].
pub const DRAG: Key<f32> = Key::new(&Spec {
    name: "drag",
    kind: NOT_NEGATIVE.kind(),
    unit: "1/s",
    default: "0",
    help: "v <- v exp(-drag h) after each step",
    place: field!(world.drag),
});

/// All of them, in the order of tables.
pub const KEYS: &[&Spec] = &[GRAVITY.spec, WIND.spec, AIR.spec, DAMPING.spec, NODE_DAMPING.spec, DRAG.spec];
