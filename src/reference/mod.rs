//! The oracle: every method once more, in f64 on the CPU, in plain loops over the list of springs.
//!
//! It is written from the equations and shares no code with the kernels: here each spring scatters
//! its force to both ends, there each node gathers from its springs. The numbers of the model
//! (masses, rest lengths, stiffnesses) are used exactly as stored in f32, so that what differs
//! between the two is rounding only. [`energy`] and [`stretch`] are the measures.

pub mod air;
pub mod energy;
pub mod forces;
pub mod stretch;

#[cfg(test)]
mod fixture;

pub use forces::{Forces, Pull};

use glam::DVec3;

use crate::state::State;

/// A [`State`] in f64.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State64 {
    /// Position of each node [m].
    pub position: Vec<DVec3>,
    /// Velocity of each node [m/s].
    pub velocity: Vec<DVec3>,
    /// Simulated time since the start [s].
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
