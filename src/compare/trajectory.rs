//! The trajectory of a run: its positions at the samples, and the scales with which drifts are compared.

use glam::DVec3;

use super::kept::Scales;
use crate::model::Model;
use crate::reference::State64;

/// The samples of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Trajectory {
    /// Positions \[m\] at each sample.
    positions: Vec<Vec<DVec3>>,
    /// Largest scales at any of them.
    pub scales: Scales,
}

impl Trajectory {
    /// Adds the next sample.
    pub fn push(&mut self, model: &Model, state: &State64) {
        self.scales = self.scales.max(Scales::of(model, state));
        self.positions.push(state.position.clone());
    }

    /// Root mean square distance \[m\] over the nodes from positions at the sample of this index.
    pub fn distance(&self, sample: usize, position: &[DVec3]) -> Option<f64> {
        let here = self.positions.get(sample)?;
        let squares: f64 = position.iter().zip(here).map(|(x, y)| (*x - *y).length_squared()).sum();
        Some((squares / here.len() as f64).sqrt())
    }

    /// Positions at the last sample \[m\].
    pub fn end(&self) -> &[DVec3] {
        self.positions.last().map_or(&[], Vec::as_slice)
    }

    /// Index of the last sample.
    pub fn last(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }
}
