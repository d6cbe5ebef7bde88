//! Reaching for the cloth: the positions of the nodes arrive some frames after the button went down.

use super::drag::Drag;
use crate::Error;
use crate::gpu::Reading;
use crate::render::{Camera, Ray};
use crate::simulation::{Positions, Simulation};

pub(super) struct Reach {
    /// The index of the player.
    pub player: usize,
    ray: Ray,
    positions: Option<Reading<Positions>>,
}

/// The result of reaching.
pub(super) enum Reached {
    /// The positions have not arrived.
    Waits,
    /// A node is held.
    Holds(Drag),
    /// There is nothing to hold.
    Nothing,
}

impl Reach {
    /// Reaches along a ray.
    pub fn begin(player: usize, simulation: &Simulation, ray: Ray) -> Self {
        Self { player, ray, positions: Some(simulation.ask_positions()) }
    }

    /// Takes hold, once the positions have arrived.
    pub fn go_on(
        &mut self,
        simulation: &mut Simulation,
        camera: &Camera,
        stiffness: f32,
        radius: f32,
    ) -> Result<Reached, Error> {
        let Some(positions) = Reading::arrived(&mut self.positions)? else { return Ok(Reached::Waits) };
        let drag = Drag::begin(simulation, &positions, camera, self.ray, stiffness, radius)?;
        Ok(drag.map_or(Reached::Nothing, Reached::Holds))
    }
}
