//! Where everything is: the part of a simulation that changes.

use glam::{DVec3, Vec3};

/// Positions and velocities of all nodes at one time, in the order of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Position of each node \[m\].
    pub position: Vec<Vec3>,
    /// Velocity of each node [m/s].
    pub velocity: Vec<Vec3>,
    /// Simulated time since the start \[s\].
    pub time: f64,
}

/// A [`State`] in f64.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State64 {
    /// Position of each node \[m\].
    pub position: Vec<DVec3>,
    /// Velocity of each node [m/s]; half a step behind the position where the reference of a staggered method says so.
    pub velocity: Vec<DVec3>,
    /// Simulated time since the start \[s\].
    pub time: f64,
}

impl From<&State> for State64 {
    fn from(state: &State) -> Self {
        Self {
            position: state.position.iter().map(|x| x.as_dvec3()).collect(),
            velocity: state.velocity.iter().map(|v| v.as_dvec3()).collect(),
            time: state.time,
        }
    }
}

impl From<&State64> for State {
    /// Rounds to f32.
    fn from(state: &State64) -> Self {
        Self {
            position: state.position.iter().map(|x| x.as_vec3()).collect(),
            velocity: state.velocity.iter().map(|v| v.as_vec3()).collect(),
            time: state.time,
        }
    }
}
