//! Pins that follow a path.

use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Usage, twin};
use crate::model::{Model, MovingPin};

twin! {
    /// Host twin of WGSL `MovingPin` in `forces/pins.wgsl`.
    struct PinEntry = "MovingPin" {
        place: [f32; 3],
        node: u32,
        path: u32,
        padding: [u32; 3],
    }
}

twin! {
    /// Host twin of WGSL `Motion`.
    #[derive(Default)]
    struct Motion = "Motion" {
        displacement: [f32; 3],
        turns: u32,
        velocity: [f32; 3],
        rate: f32,
        center: [f32; 4],
        before: [f32; 4],
        during: [f32; 4],
    }
}

/// Layouts compared with WGSL when the shader loads.
pub const PIN_STRUCTS: [&HostStruct; 2] = [&PinEntry::TWIN, &Motion::TWIN];

/// The moving pins of a model on the GPU.
pub struct Pins {
    moving: Vec<MovingPin>,
    motions: Buffer<Motion>,
    /// The motions that were uploaded last.
    uploaded: Vec<Motion>,
    kernel: Bound,
    count: u32,
}

impl Pins {
    /// `None` if no pin moves. A node in several groups follows the last one.
    pub fn new(
        gpu: &Gpu,
        model: &Model,
        compile: impl FnOnce() -> Result<Kernel, GpuError>,
        bindings: Bindings,
    ) -> Result<Option<Self>, GpuError> {
        let moving: Vec<&MovingPin> = model.moving_pins().iter().filter(|pin| !pin.is_still()).collect();
        let mut entries = std::collections::BTreeMap::new();
        for (path, pin) in moving.iter().enumerate() {
            for &node in &pin.nodes {
                // The initial state is already at the beginning of the path.
                let place = pin.place(model.initial_state().position[node as usize]).to_array();
                entries.insert(node, PinEntry { place, node, path: path as u32, padding: [0; 3] });
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        let entries: Vec<PinEntry> = entries.into_values().collect();
        let motions = Buffer::zeroed(gpu, "motions", moving.len(), Usage::empty())?;
        let pins = Buffer::from_slice(gpu, "moving_pins", &entries, Usage::empty())?;
        let bindings = bindings.with("moving_pins", &pins).with("motions", &motions);
        Ok(Some(Self {
            moving: moving.into_iter().cloned().collect(),
            motions,
            uploaded: Vec::new(),
            kernel: compile()?.bind(gpu, &bindings)?,
            count: entries.len() as u32,
        }))
    }

    /// Uploads the motion from `time` to `time + frame` \[s\] if it has changed: after the end of the paths it does
    /// not, and an upload costs the CPU as much as several dispatches.
    pub fn prepare(&mut self, gpu: &Gpu, time: f64, frame: f64) {
        let motions: Vec<Motion> = self.moving.iter().map(|pin| motion(pin, time, frame)).collect();
        // Compare bits: the uploads of a resumed run must not depend on earlier values, not even on the sign of a zero.
        if bits(&motions) != bits(&self.uploaded) {
            self.motions.write(gpu, 0, &motions);
            self.uploaded = motions;
        }
    }

    /// Whether any of them moves in the frame that was prepared last.
    pub fn is_moving(&self) -> bool {
        self.uploaded.iter().any(|motion| motion.velocity != [0.0; 3] || motion.turns == 1)
    }

    /// Records the move at the start of a frame.
    pub fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.kernel, self.count);
    }
}

/// What a pin does from `time` to `time + frame` \[s\].
fn motion(pin: &MovingPin, time: f64, frame: f64) -> Motion {
    let (from, to) = (pin.path.at(time), pin.path.at(time + frame));
    let straight = Motion {
        displacement: from.to_array(),
        velocity: ((to - from).as_dvec3() / frame).as_vec3().to_array(),
        ..Motion::default()
    };
    match &pin.turn {
        None => straight,
        Some(turn) => Motion {
            turns: 1,
            rate: (1.0 / frame) as f32,
            center: turn.center.extend(0.0).to_array(),
            before: turn.rotation(time).to_array(),
            during: turn.between(time, time + frame).to_array(),
            ..straight
        },
    }
}

fn bits(motions: &[Motion]) -> &[u32] {
    bytemuck::cast_slice(motions)
}
