//! Records how fast surfaces come nearer to each other that may meet soon: `shaders/contact/closing.wgsl`.

use bytemuck::Zeroable;

use super::report::GUARD_STRUCT;
use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, Kernel, Pass, Reading, UNIFORM_STRIDE, Usage, Words, twin,
};
use crate::method::Setup;
use crate::method::contact as soft;

/// Leaves of a part, as `PART_LEAVES` in WGSL.
const PART_LEAVES: u32 = 8;

twin! {
    /// Host twin of WGSL `Slot`.
    struct Slot = "Slot" in 4 {
        index: u32,
        padding: [u32; 63],
    }
}

/// The kernel, and what it found at the start of the last frames.
pub struct Closing {
    kernel: Bound,
    found: Buffer<f32>,
    parts: u32,
}

impl Closing {
    /// Frames whose numbers are kept.
    pub const FRAMES: usize = 32;

    /// Compiles and binds the kernel, which looks `ahead` frames ahead, for trees of so many leaves. What may meet counts as `least` spacings at least.
    pub(super) fn new(
        setup: &Setup<'_>,
        bindings: &Bindings,
        constants: &[(&'static str, f64)],
        leaves: u32,
        ahead: f64,
        least: f64,
    ) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let found = Buffer::zeroed(gpu, "closings", Self::FRAMES, Usage::empty())?;
        let slots: Vec<Slot> =
            (0..Self::FRAMES as u32).map(|index| Slot { index, ..Slot::zeroed() }).collect();
        let slots = Buffer::from_slice(gpu, "slots of frames", &slots, Usage::UNIFORM)?;
        let [reach, _] = soft::largest_reach(setup.model).map(f64::from);
        let own = [
            ("FRAME", f64::from(setup.settings.step.frame_time)),
            ("AHEAD", ahead),
            ("LEAST", least),
            ("LARGEST_REACH", reach),
        ];
        let shader = setup.shader("contact/closing.wgsl", &[&GUARD_STRUCT, &Slot::TWIN])?;
        let [kernel] = Kernel::compile(gpu, [(&shader, "closing", &[constants, &own].concat()[..])])?;
        let bindings = bindings.clone().with("closings", &found).with("slot", &slots);
        Ok(Self {
            kernel: kernel.bind(gpu, &bindings)?,
            found,
            parts: setup.copies * (leaves / PART_LEAVES.min(leaves)),
        })
    }

    /// Begins the number of a frame, before its first submission.
    pub fn clear(&self, gpu: &Gpu, frame: u64) {
        self.found.write(gpu, Self::place(frame), &[0.0]);
    }

    /// Records what finds the number of a frame. The tree is fitted to where nodes start.
    pub fn record(&self, pass: &mut Pass<'_>, frame: u64) {
        pass.dispatch_at(&self.kernel, self.parts, &[Self::place(frame) as u32 * UNIFORM_STRIDE]);
    }

    /// Asks for the numbers of the last frames, each at its [`Closing::place`]: by how many spacings surfaces that may meet
    /// soon come nearer to each other in a frame, at most.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Vec<f32>> {
        self.found.ask(gpu)
    }

    /// What lasts from frame to frame.
    pub fn lasting(&self) -> Words<'_> {
        self.found.words()
    }

    /// Forgets all numbers.
    pub fn forget(&self, gpu: &Gpu) {
        self.found.clear(gpu);
    }

    /// Where the number of a frame is among them.
    pub fn place(frame: u64) -> usize {
        (frame % Self::FRAMES as u64) as usize
    }
}
