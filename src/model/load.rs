//! Forces and pressures on selected nodes.

use glam::Vec4;

use super::Path;

/// Most loads of a model.
pub const MOST_LOADS: usize = crate::numbers::MOST_LOADS;

/// A force or pressure on selected nodes, whose strength depends on time only.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Indices of the nodes.
    pub nodes: Vec<u32>,
    /// The push on each of them; linear within a frame.
    pub push: Push,
}

/// The push of a load on a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Push {
    /// The same force \[N\] on each.
    Force(Path),
    /// Pressure behind the surface minus that in front of it \[Pa\]. Each triangle around a node adds a third of
    /// pressure times area along the normal, at its position at the start of a substep, or at the position to which its
    /// velocities take it by the end ([`crate::method::Method::acts_ahead`]).
    Pressure(Path<f32>),
}

impl Load {
    /// Force \[N\] and pressure \[Pa\] at `time` \[s\].
    pub fn at(&self, time: f64) -> Vec4 {
        match &self.push {
            Push::Force(force) => force.at(time).extend(0.0),
            Push::Pressure(pressure) => Vec4::W * pressure.at(time),
        }
    }

    /// Whether it is the same at all times.
    pub fn is_constant(&self) -> bool {
        match &self.push {
            Push::Force(force) => force.is_constant(),
            Push::Pressure(pressure) => pressure.is_constant(),
        }
    }

    /// Whether it acts on each of `count` nodes.
    pub fn selects(&self, count: usize) -> Vec<bool> {
        let mut selected = vec![false; count];
        self.nodes.iter().for_each(|&node| selected[node as usize] = true);
        selected
    }

    /// Whether it acts through the triangles.
    pub fn is_pressure(&self) -> bool {
        matches!(self.push, Push::Pressure(_))
    }

    /// The largest pressure at any time, to either side \[Pa\].
    pub fn most_pressure(&self) -> f32 {
        match &self.push {
            Push::Force(_) => 0.0,
            Push::Pressure(pressure) => pressure.values().fold(0.0, |most, p| most.max(p.abs())),
        }
    }
}
