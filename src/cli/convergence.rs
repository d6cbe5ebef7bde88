//! What is said of how far substeps ended from their minimum.

use serde::Serialize;
use taffeta::method::Convergence;
use taffeta::simulation::Outcome;
use taffeta::warning::is_far;

/// The line of a summary.
pub fn text(found: &Convergence) -> String {
    format!(
        "estimated {:.2} % of the motion in a substep on average, {:.2} % at most; {:.1e} m at the end",
        100.0 * found.mean,
        100.0 * found.largest,
        found.error
    )
}

/// The copy of a batch in which this is worst. Field names are keys of the JSON object.
#[derive(Serialize)]
pub struct Worst {
    copy: usize,
    #[serde(flatten)]
    found: Convergence,
    /// Copies whose substeps ended visibly far from their minimum, on average.
    far: usize,
}

impl Worst {
    /// Of copies that did not break down; `None` if there is none with an estimate.
    pub fn of(found: &[Convergence], outcomes: &[Outcome]) -> Option<Self> {
        let estimates = found.iter().copied().zip(outcomes).enumerate();
        let is_sound = |found: &Convergence, outcome: &Outcome| found.looks > 0 && outcome.failure.is_none();
        let sound: Vec<_> = estimates.filter(|(_, (c, outcome))| is_sound(c, outcome)).collect();
        let far = sound.iter().filter(|(_, (c, _))| is_far(c)).count();
        let worst = sound.into_iter().max_by(|(_, (a, _)), (_, (b, _))| a.mean.total_cmp(&b.mean));
        worst.map(|(copy, (found, _))| Self { copy, found, far })
    }

    /// The line of a summary.
    pub fn text(&self) -> String {
        format!("copy {}, the worst: {}", self.copy, text(&self.found))
    }
}
