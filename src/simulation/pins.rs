//! Pins that follow a path.

use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Usage, twin};
use crate::model::{Model, MovingPin, Path};

twin! {
    /// Host twin of WGSL `MovingPin` in `forces/pins.wgsl`.
    struct PinEntry = "MovingPin" {
        start: [f32; 3],
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
        padding_1: u32,
        velocity: [f32; 3],
        padding_2: u32,
    }
}

/// Layouts compared with WGSL when the shader loads.
pub const PIN_STRUCTS: [&HostStruct; 2] = [&PinEntry::TWIN, &Motion::TWIN];

/// The moving pins of a model on the GPU.
pub struct Pins {
    paths: Vec<Path>,
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
        let moving: Vec<&MovingPin> = model.moving_pins().iter().filter(|p| !p.path.is_constant()).collect();
        let mut entries = std::collections::BTreeMap::new();
        for (path, pin) in moving.iter().enumerate() {
            for &node in &pin.nodes {
                // The initial state is already at the beginning of the path.
                let start = model.initial_state().position[node as usize] - pin.path.at(0.0);
                let start = start.to_array();
                entries.insert(node, PinEntry { start, node, path: path as u32, padding: [0; 3] });
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
            paths: moving.iter().map(|p| p.path.clone()).collect(),
            motions,
            uploaded: Vec::new(),
            kernel: compile()?.bind(gpu, &bindings)?,
            count: entries.len() as u32,
        }))
    }

    /// Uploads the motion from `time` to `time + frame` \[s\] if it has changed: after the end of the paths it does
    /// not, and an upload costs the CPU as much as several dispatches.
    pub fn prepare(&mut self, gpu: &Gpu, time: f64, frame: f64) {
        let motions: Vec<Motion> = self
            .paths
            .iter()
            .map(|path| {
                let (from, to) = (path.at(time), path.at(time + frame));
                Motion {
                    displacement: from.to_array(),
                    velocity: ((to - from).as_dvec3() / frame).as_vec3().to_array(),
                    ..Motion::default()
                }
            })
            .collect();
        // Compare bits: the uploads of a resumed run must not depend on earlier values, not even on the sign of a zero.
        if bits(&motions) != bits(&self.uploaded) {
            self.motions.write(gpu, 0, &motions);
            self.uploaded = motions;
        }
    }

    /// Records the move at the start of a frame.
    pub fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.kernel, self.count);
    }
}

fn bits(motions: &[Motion]) -> &[u32] {
    bytemuck::cast_slice(motions)
}
