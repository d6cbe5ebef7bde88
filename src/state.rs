//! Where everything is: the part of a simulation that changes.

use glam::Vec3;

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
