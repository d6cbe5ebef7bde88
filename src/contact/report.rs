//! What the guard says of a run.

use crate::gpu::{HostStruct, twin};

/// Rounds in which the guard holds nodes back, as `ROUNDS` in `shaders/contact/bindings.wgsl`.
const ROUNDS: u32 = 8;
/// The round after them, which looks at what pins may run over where all nodes take the same part of their motion.
pub const LAST_LOOK: u32 = ROUNDS + 1;

twin! {
    /// Host twin of WGSL `Guard`: one for each copy.
    #[derive(Debug)]
    pub struct GuardState = "Guard" {
        pub unproven: [u32; 16],
        pub whole: u32,
        pub cut: u32,
        pub stopped: u32,
        pub substeps: u32,
        pub forced: u32,
        pub least_gap: f32,
        pub listed: u32,
        pub yielding: u32,
    }
}

/// Layout of [`GuardState`].
pub const GUARD_STRUCT: HostStruct = GuardState::TWIN;

/// What the guard did, since the start or the last [`crate::Simulation::set_state`], of all copies together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Report {
    /// Substeps.
    pub substeps: u64,
    /// Nodes that were held back, counted in each substep.
    pub cut: u64,
    /// Substeps in which all nodes of a copy were held back alike, because some pair had no proof after all rounds.
    pub stopped: u64,
    /// Pairs that moving pins may have driven through each other, since there is no proof that they did not; some are counted twice in a substep.
    pub forced: u64,
    /// Nodes of what crossed or touched when the state was set, and of pairs that pins forced: between two of these the guard does
    /// not keep features apart, so that they can come free.
    pub tangled: u64,
    /// Nodes.
    pub nodes: u64,
}

impl Report {
    /// The sum over copies.
    pub(super) fn of(states: &[GuardState], tangled: &[u32], nodes: u32) -> Self {
        let sum = |f: fn(&GuardState) -> u32| states.iter().map(|state| u64::from(f(state))).sum();
        Self {
            substeps: states.first().map_or(0, |state| state.substeps.into()),
            cut: sum(|state| state.cut),
            stopped: sum(|state| state.stopped),
            forced: sum(|state| state.forced),
            tangled: tangled.iter().map(|word| u64::from(word.count_ones())).sum(),
            nodes: nodes.into(),
        }
    }

    /// The part of the nodes that is held back in a substep, on average \[1\].
    pub fn share(&self) -> f64 {
        self.cut as f64 / (self.substeps * self.nodes).max(1) as f64
    }

    /// One line for people.
    pub fn text(&self) -> String {
        let mut text = match self.cut {
            0 => "no node was held back".to_owned(),
            _ => format!("held back {:.2} % of the nodes a substep", 100.0 * self.share()),
        };
        if self.stopped > 0 {
            text += &format!("; all nodes alike in {} of {} substeps", self.stopped, self.substeps);
        }
        if self.forced > 0 {
            text += &format!("; pins may have forced {} pairs through each other", self.forced);
        }
        if self.tangled > 0 {
            text += &format!("; {} nodes may cross others, because they did or touched", self.tangled);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_only_what_happened() {
        let calm = Report { substeps: 240, nodes: 100, ..Report::default() };
        assert_eq!(calm.text(), "no node was held back");
        let wild = Report { cut: 72, stopped: 2, forced: 3, tangled: 4, ..calm };
        assert_eq!(
            wild.text(),
            "held back 0.30 % of the nodes a substep; all nodes alike in 2 of 240 substeps; pins may have forced 3 pairs \
             through each other; 4 nodes may cross others, because they did or touched"
        );
    }
}
