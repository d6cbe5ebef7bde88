//! Measures a run: conserved quantities, stretch, and the distance to the converged solution.

use super::kept::{Amounts, Kept};
use super::row::{Row, Sample, StretchRange};
use super::trajectory::Trajectory;
use crate::measure::stretch::Stretch;
use crate::model::Model;
use crate::reference::State64;
use crate::settings::Settings;

/// The measurements of one run.
pub(super) struct Meter<'a> {
    model: &'a Model,
    settings: &'a Settings,
    kept: &'a Kept,
    exact: &'a Trajectory,
    start: Amounts,
    /// The row, as far as it is known.
    pub row: Row,
    /// Largest gain of energy, as a fraction of its scale, if nothing adds energy.
    pub gain: Option<f64>,
}

impl<'a> Meter<'a> {
    /// Begins with the initial state, which is the first sample.
    pub fn new(
        model: &'a Model,
        settings: &'a Settings,
        (kept, exact): (&'a Kept, &'a Trajectory),
        row: Row,
        state: &State64,
    ) -> Self {
        let start = Amounts::of(model, settings, state);
        let mut meter = Self { model, settings, kept, exact, start, row, gain: None };
        meter.look(0.0, state);
        meter
    }

    /// Adds the next sample, at `time` \[s\].
    pub fn look(&mut self, time: f64, state: &State64) {
        let (kept, row) = (self.kept, &mut self.row);
        let now = Amounts::of(self.model, self.settings, state);
        let change = now.energy - self.start.energy;
        if kept.is_passive && self.exact.scales.energy > 0.0 {
            let gain = change / self.exact.scales.energy;
            self.gain = Some(self.gain.map_or(gain, |before| before.max(gain)));
        }
        let energy = kept.energy_scale.map(|scale| change / scale);
        let of = |change: f64, scale: Option<f64>| scale.map(|scale| change / scale);
        let linear = of((now.linear - self.start.linear).length(), kept.linear_scale);
        let angular = of((now.angular - self.start.angular).length(), kept.angular_scale);
        farther(&mut row.drift.energy, energy);
        farther(&mut row.drift.linear_momentum, linear);
        farther(&mut row.drift.angular_momentum, angular);

        let strain = Stretch::of(self.model, &state.position).all;
        let stretch = StretchRange { largest: strain.max, p99: strain.p99 };
        let before = row.stretch.unwrap_or(stretch);
        row.stretch = Some(StretchRange {
            largest: before.largest.max(stretch.largest),
            p99: before.p99.max(stretch.p99),
        });
        let distance = self.exact.distance(row.history.len(), &state.position);
        row.history.push(Sample { time, distance, stretch, energy });
    }
}

/// Keeps the value of larger magnitude.
fn farther(most: &mut Option<f64>, value: Option<f64>) {
    if let Some(value) = value.filter(|value| most.is_none_or(|most| value.abs() > most.abs())) {
        *most = Some(value);
    }
}
