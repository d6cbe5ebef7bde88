//! Turns the camera so that it shows all bodies.

use glam::Vec3;

use super::controls::Controls;
use super::player::Player;
use super::stage::Stage;
use crate::Error;

/// The requested bounding boxes of all bodies, and the height down to which there should be room \[m\].
pub(super) struct Framing {
    height: f32,
    /// Lowest and highest coordinates of each player, once they have arrived.
    boxes: Vec<Option<(Vec3, Vec3)>>,
}

impl Framing {
    pub fn ask(stage: &mut Stage, height: f32) -> Result<Self, Error> {
        stage.players.iter_mut().try_for_each(Player::ask_measure)?;
        let broken = |player: &Player| player.is_broken.then_some((Vec3::INFINITY, Vec3::NEG_INFINITY));
        Ok(Self { height, boxes: stage.players.iter().map(broken).collect() })
    }

    /// Asks again for the present boxes.
    pub fn again(self, stage: &mut Stage) -> Result<Self, Error> {
        Self::ask(stage, self.height)
    }

    /// Takes the boxes that have arrived; turns the camera once all have.
    pub fn is_done(&mut self, stage: &mut Stage, controls: &mut Controls) -> Result<bool, Error> {
        for (player, place) in stage.players.iter_mut().zip(&mut self.boxes) {
            if place.is_none() {
                *place = player.measure()?.map(|measure| (measure.low, measure.high));
            }
        }
        let Some(boxes) = self.boxes.iter().copied().collect::<Option<Vec<_>>>() else { return Ok(false) };
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (lowest, highest) in boxes {
            (low, high) = (low.min(lowest), high.max(highest));
        }
        low.y = low.y.min(self.height);
        match stage.players.len() {
            1 => controls.camera.frame(low, high),
            _ => stage.cells().frame(&mut controls.camera, low, high),
        }
        Ok(true)
    }
}
