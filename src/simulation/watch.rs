//! Measures the stretch of the springs in each frame and watches for runs that blow up.

use glam::Vec4;

use super::copies::{Outcome, Peak};
use super::user_force::BadForces;
use crate::breakdown::Failure;
use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Reading, Usage, Words, twin,
};
use crate::method::Setup;

twin! {
    /// Host twin of WGSL `Watch` in `measure/stretch.wgsl`.
    #[derive(Debug)]
    struct WatchState = "Watch" {
        largest: u32,
        bad_node: u32,
        last_largest: f32,
        failed: u32,
        step: u32,
        node: u32,
        other: u32,
        ratio: f32,
        frames: u32,
        tension: u32,
        last_tension: f32,
        peak: f32,
        peak_frame: u32,
    }
}

const WATCH_STRUCT: HostStruct = WatchState::TWIN;

/// Renumbers the nodes of failures in the watch's words.
pub fn rename(words: &mut [u32], to: impl Fn(u32) -> u32) {
    let states: &mut [WatchState] = bytemuck::cast_slice_mut(words);
    for state in states.iter_mut().filter(|state| state.failed != 0) {
        (state.node, state.other) = (to(state.node), to(state.other));
    }
}

/// Kernels and buffers of the measurement.
pub struct Watch {
    stretch: Buffer<f32>,
    /// One state for each copy.
    state: Buffer<WatchState>,
    /// `Some` if the user has a force.
    bad_forces: Option<BadForces>,
    measure: Bound,
    close: Bound,
    nodes: u32,
    copies: u32,
}

const CLEAR: WatchState = WatchState {
    largest: 0,
    bad_node: u32::MAX,
    last_largest: 0.0,
    failed: 0,
    step: 0,
    node: 0,
    other: 0,
    ratio: 0.0,
    frames: 0,
    tension: 0,
    last_tension: 0.0,
    peak: 0.0,
    peak_frame: 0,
};

impl Watch {
    /// Compiles and binds the kernels for the first position buffer.
    pub fn new(
        setup: &Setup<'_>,
        position: &Buffer<Vec4>,
        bad_forces: Option<BadForces>,
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let shader = setup.shader("measure/stretch.wgsl", &[&WATCH_STRUCT])?;
        let stretch = Buffer::zeroed(gpu, "stretch", setup.nodes as usize, Usage::empty())?;
        let state = Buffer::from_slice(gpu, "watch", &vec![CLEAR; setup.copies as usize], Usage::empty())?;
        let bindings: Bindings = setup
            .bindings
            .clone()
            .with("position_in", position)
            .with("stretch", &stretch)
            .with("watch", &state);
        let is_tense = setup.settings.solver.is_limited_by_tension();
        let own = ("WATCHES_TENSION", f64::from(u8::from(is_tense)));
        let constants = [&setup.constants[..], &[own]].concat();
        let bind = |entry| Kernel::new(gpu, &shader, entry, &constants)?.bind(gpu, &bindings);
        Ok(Self {
            measure: bind("measure")?,
            close: bind("close_frame")?,
            stretch,
            state,
            bad_forces,
            nodes: setup.nodes,
            copies: setup.copies,
        })
    }

    /// Largest |l / r - 1| of the springs of each node.
    pub fn stretch(&self) -> &Buffer<f32> {
        &self.stretch
    }

    /// Records the measurement at the end of a frame.
    pub fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.measure, self.nodes);
        pass.dispatch(&self.close, self.copies);
    }

    /// Records the measurement of a state that was set, not reached by a frame. This changes the watch's state.
    pub fn measure(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.measure, self.nodes);
    }

    /// Its state as words, for copies.
    pub fn words(&self) -> Words<'_> {
        self.state.words()
    }

    /// Its words if it had begun after so many frames.
    pub fn begun_after(&self, frames: u64) -> Vec<u32> {
        let state = WatchState { frames: frames as u32, ..CLEAR };
        bytemuck::cast_slice(&vec![state; self.copies as usize]).to_vec()
    }

    /// Forgets an earlier failure.
    pub fn clear(&self, gpu: &Gpu) {
        self.state.write(gpu, 0, &vec![CLEAR; self.copies as usize]);
        if let Some(bad) = &self.bad_forces {
            bad.clear(gpu);
        }
    }

    /// Asks for the outcome of each copy in the last frame. Nodes are places in memory.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Vec<Outcome>> {
        let bad_forces = match &self.bad_forces {
            Some(bad) => bad.ask(gpu),
            None => Reading::ready(Vec::new()),
        };
        self.state.ask(gpu).zip(bad_forces).map(|(states, bad_forces)| {
            let mut outcomes: Vec<Outcome> = states.into_iter().map(outcome).collect();
            for (outcome, bad) in outcomes.iter_mut().zip(bad_forces) {
                // The bad force came first: its effect on the positions is seen at the frame's end.
                if let Some([step, node]) = bad {
                    let ratio = f32::NAN;
                    let (other, tension_rate) = (node, 0.0);
                    outcome.failure =
                        Some(Failure { step, node, other, ratio, is_of_force: true, tension_rate });
                }
            }
            outcomes
        })
    }
}

fn outcome(state: WatchState) -> Outcome {
    let WatchState { step, node, other, ratio, peak, peak_frame, .. } = state;
    let tension_rate = state.last_tension;
    let failure = Failure { step, node, other, ratio, is_of_force: false, tension_rate };
    Outcome {
        largest_stretch: state.last_largest,
        peak: Peak { stretch: peak, frame: peak_frame },
        failure: (state.failed != 0).then_some(failure),
    }
}
