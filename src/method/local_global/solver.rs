//! Implicit Euler as a minimization, local/global, with Jacobi sweeps for the global step.
//!
//! T. Liu, A. Bargteil, J. O'Brien, L. Kavan, "Fast Simulation of Mass-Spring Systems", ACM TOG 32(6),
//! 2013, doi:10.1145/2508363.2508406, equations 8 to 14. x+ minimizes
//! 1/2 (x - y)^T M (x - y) + h^2 sum k/2 (l - r)^2; damping, air and handles enter with coefficients
//! frozen at the start of the substep. Differences from the paper: the global system is not factored
//! but swept by Jacobi, fused with the local step, accelerated by Chebyshev weights (H. Wang, "A
//! Chebyshev semi-iterative approach", ACM TOG 34(6), 2015, doi:10.1145/2816795.2818063) with the
//! spectral radius 1 - (2 / N)^2 that fits a budget of N sweeps, and a fall-back to plain sweeps.
//! Bending is quadratic already and needs no local step; its matrix is not diagonally dominant, so a
//! sweep divides by half of the sum of its rows' magnitudes. Contact between surfaces adds the forces and blocks of each sweep's iterate
//! ([`crate::method::contact`]); nodes that touched in the substep before start where they get if they speed up as in that one (in the
//! first: from x + h v where pairs hold them), and only these have weights while they touch. Stable at any step. Limit: a sweep carries information one
//! spring further, so that large cloth needs many iterations or looks rubbery. Tested by `tests/quick/oracle.rs`, `tests/quick/interaction.rs`
//! (the fall-back), `tests/quick/forms.rs` and `tests/full/free_fall.rs`.

use std::iter;

use glam::Vec4;

use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Reading, UNIFORM_STRIDE, Usage, Words,
    twin,
};
use crate::method::anchor::{Anchor, Settle};
use crate::method::contact::Meeting;
use crate::method::external::External;
use crate::method::{Setup, Solver, Substep};
use crate::settings::{CHEBYSHEV, Chebyshev, Settings};

/// Sweeps before the acceleration begins.
const DELAY: u32 = 5;
/// Sweeps between two checks for divergence.
const CHECK_EVERY: u32 = 8;
/// Words of the watch over each copy before those of the checks: NOTED in `bindings.wgsl`.
const HEAD: u32 = 4;
/// Levels of care; the last has no acceleration.
const LEVELS: usize = 8;

twin! {
    /// Host twin of WGSL `Sweep`, padded to the stride of dynamic offsets.
    struct SweepUniform = "Sweep" in 48 {
        omega: [f32; LEVELS],
        check: u32,
        last: u32,
        padding: [u32; 54],
    }
}

const _: () = assert!(size_of::<SweepUniform>() == UNIFORM_STRIDE as usize);
const SWEEP_STRUCT: HostStruct = SweepUniform::TWIN;

/// The solver's kernels.
pub struct LocalGlobal {
    external: Option<External>,
    predict: Bound,
    /// The local step alone, from the first or second iterate; where several sweeps share one.
    project: Option<[Bound; 2]>,
    /// Reading the first and the second iterate.
    sweep: [Bound; 2],
    /// The same for sweeps that check for divergence; where there is acceleration.
    sweep_and_note: Option<[Bound; 2]>,
    meeting: Option<Meeting>,
    finish: [Bound; 2],
    /// The words of `methods/local_global/monitor.wgsl`, this many for each copy.
    monitor: Buffer<u32>,
    anchor: Anchor,
    settle: Settle,
    monitor_words: u32,
    nodes: u32,
    iterations: u32,
    sweeps: u32,
}

impl LocalGlobal {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let (gpu, settings, nodes) = (setup.gpu, setup.settings, setup.nodes);
        let (iterations, sweeps) = (settings.iterations(), settings.sweeps());
        let total = iterations * sweeps; // bounded by Settings::check
        let uniforms = sweep_uniforms(settings, total, setup.stiffness_ratio);
        let checks = total / CHECK_EVERY + 2;
        let monitor_words = HEAD + checks;
        let monitor =
            Buffer::zeroed(gpu, "monitor", (setup.copies * monitor_words) as usize, Usage::empty())?;
        let rows = if sweeps > 1 {
            4
        } else if setup.pushes.has_drag() {
            3
        } else {
            1
        };
        let anchor = Anchor::new(setup, rows)?;
        let second = Buffer::<Vec4>::zeroed(gpu, "iterate", nodes as usize, Usage::empty())?;
        // The second position buffer is free: this solver ends every substep in the first.
        let iterates = [&setup.fields.position[1], &second];

        let common = setup
            .bindings
            .clone()
            .with("position", &setup.fields.position[0])
            .with("velocity", &setup.fields.velocity[0])
            .with("start", &setup.fields.position[0])
            .with("applied", &setup.fields.applied)
            .with("anchor", &anchor.buffer)
            .with("monitor", &monitor)
            .with("this_sweep", &Buffer::from_slice(gpu, "sweeps", &uniforms, Usage::UNIFORM)?);
        let at = |from: usize| -> Bindings {
            common
                .clone()
                .with("iterate", iterates[from])
                .with("position_in", iterates[from])
                .with("position_out", iterates[1 - from])
                .with("applied_out", &anchor.buffer)
        };
        let ends = setup.shader("methods/local_global/ends.wgsl", &[])?;
        let sweeping = setup.shader("methods/local_global/sweep.wgsl", &[&SWEEP_STRUCT])?;
        let mut constants = setup.constants.clone();
        constants.push(("SHARED_LOCAL_STEP", f64::from(u8::from(sweeps > 1))));
        constants.push(("CHECKS", f64::from(checks)));
        constants.extend(anchor.constants());
        let both = |entry| -> Result<[Bound; 2], GpuError> {
            let kernel = Kernel::new(gpu, &sweeping, entry, &constants)?;
            Ok([kernel.bind(gpu, &at(0))?, kernel.bind(gpu, &at(1))?])
        };
        let accelerated = spectral_gap(settings, total, setup.stiffness_ratio).is_some();
        let sweep_and_note = match accelerated {
            true => Some(both("sweep_and_note")?),
            false => None,
        };
        let end = |entry| Kernel::new(gpu, &ends, entry, &constants);
        let finish = end("finish")?;
        let project = match sweeps {
            1 => None,
            _ => {
                let kernel = end("project")?;
                Some([kernel.bind(gpu, &at(0))?, kernel.bind(gpu, &at(1))?])
            }
        };
        Ok(Self {
            external: External::of_first(setup)?,
            predict: end("predict")?.bind(gpu, &at(0))?,
            project,
            sweep: both("sweep")?,
            sweep_and_note,
            meeting: Meeting::swept(setup, &anchor, &[at(0), at(1)])?,
            finish: [finish.bind(gpu, &at(0))?, finish.bind(gpu, &at(1))?],
            monitor,
            settle: Settle::new(
                &Setup { constants, bindings: setup.bindings.clone(), ..*setup },
                &anchor,
                &at(0),
            )?,
            anchor,
            monitor_words,
            nodes,
            iterations,
            sweeps,
        })
    }
}

impl Solver for LocalGlobal {
    fn record(&self, pass: &mut Pass<'_>, substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        pass.dispatch(&self.predict, self.nodes);
        let mut done = 0u32;
        for _ in 0..self.iterations {
            for sweep in 0..self.sweeps {
                let kernels = match &self.sweep_and_note {
                    Some(noting) if checks(done) => noting,
                    _ => &self.sweep,
                };
                let meet = |pass: &mut Pass<'_>| {
                    self.meeting.iter().for_each(|meeting| meeting.record(pass, done as usize % 2, done));
                };
                meet(pass);
                if done == 0 {
                    self.settle.record(pass, substep, self.nodes, meet);
                }
                if let (Some(project), 0) = (&self.project, sweep) {
                    pass.dispatch(&project[done as usize % 2], self.nodes);
                }
                pass.dispatch_at(&kernels[done as usize % 2], self.nodes, &[done * UNIFORM_STRIDE]);
                done += 1;
            }
        }
        pass.dispatch(&self.finish[done as usize % 2], self.nodes);
        self.meeting.iter().for_each(|meeting| meeting.record_end(pass));
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }

    fn forget(&self, gpu: &Gpu) {
        self.monitor.write(gpu, 0, &vec![0; self.monitor.len()]);
        self.anchor.forget(gpu);
    }

    /// The level of care, how long it has been calm, whether the last substep fell back; and what nodes that touch have gained in it.
    fn lasting(&self) -> Vec<Words<'_>> {
        iter::once(self.monitor.words()).chain(self.anchor.lasting()).collect()
    }

    fn falls(&self, gpu: &Gpu) -> Reading<u32> {
        const FALLS: usize = 3;
        let words_of_copy = self.monitor_words as usize;
        self.monitor.ask(gpu).map(move |words| words.chunks(words_of_copy).map(|copy| copy[FALLS]).sum())
    }
}

/// The watch over Chebyshev weights where there are none: `predict` prepares it, and nothing reads it.
pub(super) fn unwatched(setup: &Setup<'_>) -> Result<Buffer<u32>, GpuError> {
    Buffer::zeroed(setup.gpu, "monitor", ((HEAD + 1) * setup.copies) as usize, Usage::empty())
}

/// Chebyshev weights of `count` sweeps for a spectral radius: 1 during the first five, then
/// 2 / (2 - rho^2) and 4 / (4 - rho^2 omega).
fn chebyshev_weights(rho: f64, count: u32) -> Vec<f64> {
    let mut omega = 1.0;
    (0..count)
        .map(|t| {
            omega = match t {
                t if t < DELAY => 1.0,
                DELAY => 2.0 / (2.0 - rho * rho),
                _ => 4.0 / (4.0 - rho * rho * omega),
            };
            omega
        })
        .collect()
}

/// Whether weights follow from the number of sweeps, and there are any.
pub(super) fn is_weighted(settings: &Settings) -> bool {
    settings.value(CHEBYSHEV) == Chebyshev::Auto && settings.iterations() * settings.sweeps() > DELAY
}

/// One minus the spectral radius that the settings ask for, for `count` sweeps a substep; `None` where
/// there is no acceleration. `ratio` bounds h^2 w sum k: the true radius is at most 1 - 1 / (1 + ratio).
fn spectral_gap(settings: &Settings, count: u32, ratio: f64) -> Option<f64> {
    if count <= DELAY {
        return None;
    }
    match settings.value(CHEBYSHEV) {
        Chebyshev::Off => None,
        Chebyshev::Radius(rho) => Some(1.0 - f64::from(rho)),
        Chebyshev::Auto => {
            let budget = (2.0 / f64::from(count)).powi(2);
            Some(budget.max(1.0 / (1.0 + ratio)))
        }
    }
}

/// Whether sweep `t` notes its change: the last plain one, and every few after it.
fn checks(t: u32) -> bool {
    t + 1 >= DELAY && (t + 1 - DELAY).is_multiple_of(CHECK_EVERY)
}

fn sweep_uniforms(settings: &Settings, count: u32, ratio: f64) -> Vec<SweepUniform> {
    let gap = spectral_gap(settings, count, ratio);
    let levels: Vec<Vec<f64>> = (0..LEVELS)
        .map(|level| {
            // Each level is four times as careful; the last, or one without a gap left, is plain.
            let rho = 1.0 - gap.unwrap_or(1.0) * 4f64.powi(level as i32);
            let rho = if level + 1 == LEVELS { 0.0 } else { rho.max(0.0) };
            chebyshev_weights(rho, count)
        })
        .collect();
    let accelerated = gap.is_some();
    (0..count)
        .map(|t| {
            let since = (t + 1).checked_sub(DELAY).filter(|_| accelerated);
            let check = since.unwrap_or(0) / CHECK_EVERY;
            let last = since.filter(|s| *s > 0).map_or(0, |s| 1 + (s - 1) / CHECK_EVERY);
            let omega = std::array::from_fn(|level| levels[level][t as usize] as f32);
            SweepUniform { omega, check, last, padding: [0; 54] }
        })
        .collect()
}
