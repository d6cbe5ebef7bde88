//! Records how fast surfaces come nearer to each other that may meet soon: `shaders/contact/closing.wgsl`.

use bytemuck::Zeroable;

use super::report::GUARD_STRUCT;
use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, Kernel, Pass, Reading, UNIFORM_STRIDE, Usage, Words, twin,
};
use crate::method::Setup;

/// How often counts what comes near a pin that moves.
const DRIVEN: f64 = 2.0;
/// Leaves of a part, as `PART_LEAVES` in WGSL.
const PART_LEAVES: u32 = 8;

twin! {
    /// Host twin of WGSL `Slot`.
    struct Slot = "Slot" in 8 {
        index: u32,
        rubbing: f32,
        padding: [u32; 62],
    }
}

/// The kernel, and what it found at the start of the last frames.
pub struct Closing {
    /// Where no pin moves, and where one does.
    kernels: [Bound; 2],
    /// Of each frame what was found, then of each how many nodes had been held back; last, whether nothing is known yet.
    found: Buffer<u32>,
    parts: u32,
}

impl Closing {
    /// Frames whose numbers are kept, as `FRAMES` in WGSL.
    pub const FRAMES: usize = 32;

    /// Compiles and binds the kernel, which looks `ahead` frames ahead, for trees of so many leaves. What may meet counts as `least` spacings at least,
    /// and surfaces that may touch as `rubbing`.
    pub(super) fn new(
        setup: &Setup<'_>,
        bindings: &Bindings,
        leaves: u32,
        ahead: f64,
        least: f64,
        rubbing: f32,
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let found = Buffer::zeroed(gpu, "closings", 2 * Self::FRAMES + 1, Usage::empty())?;
        let slots: Vec<Slot> =
            (0..Self::FRAMES as u32).map(|index| Slot { index, rubbing, ..Slot::zeroed() }).collect();
        let slots = Buffer::from_slice(gpu, "slots of frames", &slots, Usage::UNIFORM)?;
        let frame = f64::from(setup.settings.step.frame_time);
        let own = [("FRAME", frame), ("AHEAD", ahead), ("LEAST", least)];
        let shader = setup.shader("contact/closing.wgsl", &[&GUARD_STRUCT, &Slot::TWIN])?;
        let still = [&setup.constants[..], &own].concat();
        let driven = [&still[..], &[("DRIVEN", DRIVEN)]].concat();
        let kernels =
            Kernel::compile(gpu, [(&shader, "closing", &still[..]), (&shader, "closing", &driven)])?;
        let bindings = bindings.clone().with("closings", &found).with("slot", &slots);
        let [still, driven] = kernels.map(|kernel| kernel.bind(gpu, &bindings));
        Ok(Self {
            kernels: [still?, driven?],
            found,
            parts: setup.copies * (leaves / PART_LEAVES.min(leaves)),
        })
    }

    /// Begins the number of a frame, before its first submission.
    pub fn clear(&self, gpu: &Gpu, frame: u64) {
        [0, Self::FRAMES]
            .into_iter()
            .for_each(|first| self.found.write(gpu, first + Self::place(frame), &[0]));
    }

    /// Records what finds the number of a frame. The tree is fitted to where nodes start. `is_driven`: whether a pin moves.
    pub fn record(&self, pass: &mut Pass<'_>, frame: u64, is_driven: bool) {
        pass.dispatch_at(
            &self.kernels[usize::from(is_driven)],
            self.parts,
            &[Self::place(frame) as u32 * UNIFORM_STRIDE],
        );
    }

    /// Asks for what was found where the last frames began.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Looks> {
        self.found.ask(gpu).map(Looks)
    }

    /// What lasts from frame to frame.
    pub fn lasting(&self) -> Words<'_> {
        self.found.words()
    }

    /// Forgets all numbers: nothing is known of the state.
    pub fn forget(&self, gpu: &Gpu) {
        self.found.clear(gpu);
        self.found.write(gpu, 2 * Self::FRAMES, &[1]);
    }

    /// Notes that the state is known.
    pub fn know(&self, gpu: &Gpu) {
        self.found.write(gpu, 2 * Self::FRAMES, &[0]);
    }

    /// Where the numbers of a frame are.
    fn place(frame: u64) -> usize {
        (frame % Self::FRAMES as u64) as usize
    }
}

/// What was found where each of the last [`Closing::FRAMES`] frames began.
pub struct Looks(Vec<u32>);

impl Looks {
    /// Whether nothing is known of the state.
    pub fn are_none(&self) -> bool {
        self.0[2 * Closing::FRAMES] == 1
    }

    /// By how many spacings surfaces that may meet soon come nearer to each other in a frame, at most.
    pub fn closing(&self, frame: u64) -> f32 {
        f32::from_bits(self.0[Closing::place(frame)])
    }

    /// How many nodes had been held back, counted in each substep; it wraps.
    pub fn held(&self, frame: u64) -> u32 {
        self.0[Closing::FRAMES + Closing::place(frame)]
    }
}
