//! A method on the GPU: it records the kernels of a substep, and reports on them.

use crate::gpu::{Gpu, Pass, Reading, Words};

/// Iterations of a solver that stops by itself, since the start or the last [`Solver::forget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Substeps.
    pub substeps: u32,
    /// Iterations of all of them together.
    pub iterations: u32,
    /// Most iterations of any of them.
    pub most: u32,
    /// Substeps that used all iterations and were not within the tolerance.
    pub unfinished: u32,
    /// Substeps that ended above the tolerance, where f32 holds no less; of newton-multigrid only.
    pub rounded: u32,
}

impl Effort {
    /// Iterations of a substep on average.
    pub fn mean(&self) -> f64 {
        f64::from(self.iterations) / f64::from(self.substeps.max(1))
    }
}

/// A share of the motion in a substep above which its error is worth a word \[1\].
pub const TOO_MUCH: f64 = 0.05;

/// How far substeps ended from their minimum, since the start or the last [`Solver::forget`], as the GPU estimates it.
///
/// After k iterations the error, rms over the free nodes, is about max(k, 4) times the rms of the last change. Its share is
/// that of the motion, rms |y - (x + h v)|: what gravity, air and handles do to nodes in a substep; where only springs act, what
/// these do. Field names are keys of JSON objects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Convergence {
    /// Error of the last substep \[m\].
    pub error: f64,
    /// The same as a share of the motion \[1\].
    pub share: f64,
    /// Largest share \[1\].
    pub largest: f64,
    /// Mean share \[1\].
    pub mean: f64,
    /// Substeps that were looked at: the last of each frame, or with a tolerance all.
    pub looks: u32,
    /// How many of them had a share above [`TOO_MUCH`].
    pub over: u32,
}

/// Which substep of its frame it is.
#[derive(Clone, Copy, Debug)]
pub struct Substep {
    /// Counted from zero.
    pub index: u32,
    /// Whether it is the frame's last.
    pub is_last: bool,
}

/// A time integrator on the GPU.
pub trait Solver: Send + Sync {
    /// Records one substep; never submits or waits.
    fn record(&self, pass: &mut Pass<'_>, substep: Substep);

    /// Which of the two pairs of [`super::Fields`] holds the state after `substeps` substeps.
    fn result(&self, substeps: u32) -> usize;

    /// Records the change from velocities at the time of the positions (first pair) to stored ones
    /// (second pair). Only where [`super::Method::is_staggered`].
    fn stagger(&self, _pass: &mut Pass<'_>) {}

    /// Records the opposite of [`Solver::stagger`].
    fn synchronize(&self, _pass: &mut Pass<'_>) {}

    /// Forgets what it learnt from earlier substeps, so that a run from a new state is a fresh one.
    fn forget(&self, _gpu: &Gpu) {}

    /// The buffers beside the first pair of [`super::Fields`] that carry something from one frame to the next, always in the same
    /// order: a run can go on to the last bit only with what they hold. Those that every substep writes before it
    /// reads them are none.
    fn lasting(&self) -> Vec<Words<'_>> {
        Vec::new()
    }

    /// Substeps since the start or the last [`Solver::forget`] in which Chebyshev acceleration fell back to plain sweeps, where it is used.
    fn falls(&self, _gpu: &Gpu) -> Reading<u32> {
        Reading::ready(0)
    }

    /// How far substeps ended from their minimum, of each copy; empty where the solver cannot tell.
    fn convergence(&self, _gpu: &Gpu) -> Reading<Vec<Convergence>> {
        Reading::ready(Vec::new())
    }

    /// What it took to stay within the tolerance, where there is one.
    fn effort(&self, _gpu: &Gpu) -> Reading<Option<Effort>> {
        Reading::ready(None)
    }
}
