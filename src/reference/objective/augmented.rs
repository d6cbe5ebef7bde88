//! What springs with multipliers pull: the augmented Lagrangian, inextensible springs and limits of stretch among them.

use glam::DVec3;

use super::Objective;
use crate::model::Multipliers;
use crate::numbers::LEAST_ACROSS;
use crate::reference::forces::direction;

/// The largest push of a multiplier, over sigma r. A multiplier that pushed harder would make cloth buckle back and forth.
const MOST_PUSH: f64 = 0.1;
/// Most that it pulls, over sigma r, while F and lambda differ by more than [`CALM`] rho r: a spring that would have to be
/// shorter than nothing to be at ease overshoots.
const MOST_PULL: f64 = 1.0;
/// See [`MOST_PULL`].
const CALM: f64 = 0.1;

impl Objective<'_> {
    /// The same with multipliers, whose values \[N\] are `lambda`: none, or one for each spring.
    pub fn with_multipliers(self, multipliers: &Multipliers, lambda: &[f64]) -> Self {
        if multipliers.is_empty() {
            return self;
        }
        let springs = self.model.springs().len();
        let penalty = (0..springs).map(|s| f64::from(multipliers.penalty(s))).collect();
        let limit = (0..springs).map(|s| f64::from(multipliers.limit(s))).collect();
        let lambda = if lambda.is_empty() { vec![0.0; springs] } else { lambda.to_vec() };
        self.augmented_by(penalty, limit, lambda)
    }

    /// The same with the penalty `sigma` [N/m] and a multiplier, zero at first, on each spring that is inextensible, stiffer
    /// than `sigma`, or has a limit of stretch.
    pub fn with_penalty_on_lengths(self, sigma: f64) -> Self {
        let (springs, limits) = (self.model.springs(), self.model.strain_limits());
        let limit = |s: usize| {
            f64::from(limits.get(s).copied().flatten().unwrap_or(0.0)) * f64::from(springs[s].rest_length)
        };
        let limit: Vec<f64> = (0..springs.len()).map(limit).collect();
        let is_kept = |s: usize| f64::from(springs[s].stiffness) > sigma || limit[s] > 0.0;
        let penalty = (0..springs.len()).map(|s| if is_kept(s) { sigma } else { 0.0 }).collect();
        self.augmented_by(penalty, limit, vec![0.0; springs.len()])
    }

    /// The same with penalties so many times as large, and multipliers as they are. Not for limits of stretch, whose
    /// multipliers mean something else where k is below the penalty.
    pub fn with_penalties_times(self, factor: f64) -> Self {
        let penalty = self.penalty.iter().map(|sigma| factor * sigma).collect();
        let (limit, multiplier) = (self.limit.clone(), self.multiplier.clone());
        self.augmented_by(penalty, limit, multiplier)
    }

    fn augmented_by(mut self, penalty: Vec<f64>, limit: Vec<f64>, lambda: Vec<f64>) -> Self {
        (self.penalty, self.limit, self.multiplier) = (penalty, limit, lambda);
        let factors = |s: usize| {
            let k = f64::from(self.model.springs()[s].stiffness);
            // Of a soft one with a limit lambda is that of the limit alone.
            let sigma = if self.limit[s] > 0.0 && self.is_soft(s) { 0.0 } else { self.penalty[s] };
            augmented(k, sigma)
        };
        self.augmented = (0..self.penalty.len()).map(factors).collect();
        self
    }

    /// lambda \[N\] of each spring; none where no spring has a multiplier.
    pub fn multiplier(&self) -> &[f64] {
        &self.multiplier
    }

    /// lambda <- F at `x` \[m\], within limits; of springs between pins, which moving ones would draw up without end, none.
    pub fn update_multipliers(&mut self, x: &[DVec3]) {
        for s in (0..self.multiplier.len()).filter(|&s| self.penalty[s] > 0.0) {
            let spring = &self.model.springs()[s];
            if spring.nodes.iter().all(|&i| self.model.pinned()[i as usize]) {
                continue;
            }
            let (_, l, _) = direction(spring, x);
            let r = f64::from(spring.rest_length);
            let tension = self.next_multiplier(s, l);
            let most = self.penalty[s] * r;
            let is_calm = (tension - self.multiplier[s]).abs() <= CALM * self.along(s) * r;
            let most_pull = if is_calm { f64::INFINITY } else { MOST_PULL * most };
            self.multiplier[s] = tension.clamp(-MOST_PUSH * most, most_pull);
        }
    }

    /// lambda <- F at `x` \[m\], without bounds; how far that is from what springs must be \[1\]: the largest change over
    /// sigma r.
    pub fn add_to_multipliers(&mut self, x: &[DVec3]) -> f64 {
        let mut most = 0.0f64;
        for s in (0..self.multiplier.len()).filter(|&s| self.penalty[s] > 0.0) {
            let spring = &self.model.springs()[s];
            let next = self.next_multiplier(s, direction(spring, x).1);
            let change = (next - self.multiplier[s]).abs();
            most = most.max(change / (self.penalty[s] * f64::from(spring.rest_length)));
            self.multiplier[s] = next;
        }
        most
    }

    /// F \[N\] of spring `s` at length `l` \[m\], or what it is beyond k (l - r).
    fn next_multiplier(&self, s: usize, l: f64) -> f64 {
        match self.beyond(s, l) {
            Some(beyond) if self.is_soft(s) => beyond.max(0.0),
            _ => self.tension(s, l),
        }
    }

    /// The stiffness of spring `s` along itself [N/m].
    pub fn along(&self, s: usize) -> f64 {
        match self.limit.get(s) {
            Some(limit) if *limit > 0.0 && self.is_soft(s) => self.free(s) + self.penalty[s],
            Some(limit) if *limit > 0.0 => self.penalty[s],
            _ => self.free(s),
        }
    }

    /// How fast its tension rises with its length `l` \[m\]: less where it is below its limit [N/m].
    pub(super) fn slope(&self, s: usize, l: f64) -> f64 {
        let free = self.unlimited(s, l);
        match self.beyond(s, l) {
            Some(beyond) if self.is_soft(s) && beyond > 0.0 => self.free(s) + self.penalty[s],
            Some(beyond) if !self.is_soft(s) && beyond > free => self.penalty[s],
            _ => self.free(s),
        }
    }

    /// The same but for what a limit of stretch adds [N/m].
    pub fn free(&self, s: usize) -> f64 {
        self.augmented.get(s).map_or_else(|| f64::from(self.model.springs()[s].stiffness), |a| a.0)
    }

    /// The tension of spring `s` at length `l` \[m\], in N.
    pub fn tension(&self, s: usize, l: f64) -> f64 {
        let free = self.unlimited(s, l);
        match self.beyond(s, l) {
            None => free,
            Some(beyond) if self.is_soft(s) => free + beyond.max(0.0),
            Some(beyond) => free.max(beyond),
        }
    }

    /// The tension without what a limit adds.
    fn unlimited(&self, s: usize, l: f64) -> f64 {
        self.free(s) * (l - f64::from(self.model.springs()[s].rest_length)) + self.carried(s)
    }

    /// lambda + sigma (l - r - a) \[N\] of a spring with a limit of stretch, at length `l` \[m\].
    fn beyond(&self, s: usize, l: f64) -> Option<f64> {
        let limit = *self.limit.get(s).filter(|limit| **limit > 0.0)?;
        let stretch = l - f64::from(self.model.springs()[s].rest_length);
        Some(self.multiplier[s] + self.penalty[s] * (stretch - limit))
    }

    /// Whether lambda of a spring with a limit is what comes to k (l - r), not all of its tension.
    fn is_soft(&self, s: usize) -> bool {
        f64::from(self.model.springs()[s].stiffness) <= self.penalty[s]
    }

    /// theta lambda of spring `s` \[N\].
    pub(super) fn carried(&self, s: usize) -> f64 {
        self.augmented.get(s).map_or(0.0, |(_, theta)| theta * self.multiplier[s])
    }

    /// The least stiffness across spring `s` in the projected matrix [N/m]; 0 without a multiplier. Newton steps with none at
    /// all throw what is nearly straight far beyond the minimum, and phi need not fall; this holds nothing up, since sigma is
    /// no more than inertia's times L^2.
    pub(super) fn least_across(&self, s: usize) -> f64 {
        let has_one = self.penalty.get(s).is_some_and(|sigma| *sigma > 0.0);
        if has_one { LEAST_ACROSS * self.along(s) } else { 0.0 }
    }

    /// What the limit of stretch of spring `s` adds to phi \[J\] at length `l` \[m\]: the integral of what it adds to the
    /// tension, which rises from where that begins.
    pub(super) fn above(&self, s: usize, l: f64) -> f64 {
        let Some(beyond) = self.beyond(s, l) else { return 0.0 };
        let free = self.unlimited(s, l);
        let (more, slope) = match self.is_soft(s) {
            true => (beyond, self.penalty[s]),
            false => (beyond - free, self.penalty[s] - self.free(s)),
        };
        0.5 * more.max(0.0).powi(2) / slope
    }
}

/// rho and theta [N/m, 1] of a spring of stiffness `k` and penalty `sigma` [N/m], which is 0 without a multiplier: then
/// (k, 0).
pub fn augmented(k: f64, sigma: f64) -> (f64, f64) {
    match (k, sigma) {
        (k, 0.0) => (k, 0.0),
        (f64::INFINITY, sigma) => (sigma, 1.0),
        (k, sigma) => (k * sigma / (k + sigma), k / (k + sigma)),
    }
}
