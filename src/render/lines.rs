//! Springs that are drawn as lines: all springs, or those of bodies without triangles.

use bytemuck::{Pod, Zeroable};

use super::pipelines::Layouts;
use crate::gpu::{Buffer, Gpu, GpuError, Usage};
use crate::model::{Family, Model, Spring};

/// The uniform `Style` of `render/lines.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Style {
    radius: f32,
    pixels: f32,
    cord: u32,
    pad: u32,
}

/// A list of springs and how they are drawn.
pub(super) struct Lines {
    springs: Buffer<[u32; 2]>,
    style: Buffer<Style>,
    radius: f32,
    pixels: f32,
}

impl Lines {
    /// Every spring, thin.
    pub fn all(gpu: &Gpu, model: &Model) -> Result<Self, GpuError> {
        let model = model.in_memory();
        let springs: Vec<&Spring> = model.springs().iter().collect();
        let radius = 0.035 * mean_length(&springs);
        Self::new(gpu, &springs, radius, 1.3)
    }

    /// The springs of bodies without triangles, as cords: only those along the body, if families are known. Attachments
    /// that are long enough are cords, too.
    pub fn cords(gpu: &Gpu, model: &Model) -> Result<Self, GpuError> {
        let model = model.in_memory();
        let mut springs = Vec::new();
        for body in model.bodies().iter().filter(|b| b.triangles.is_empty()) {
            let of_body = &model.springs()[body.springs.clone()];
            springs.extend(of_body.iter().filter(|s| matches!(s.family, Family::Structural | Family::Raw)));
        }
        // A chain is as thick as a rope of its length, but thin compared with its links; a net is thinner.
        let mean = mean_length(&springs);
        let nodes: usize =
            model.bodies().iter().filter(|b| b.triangles.is_empty()).map(|b| b.nodes.len()).sum();
        let attachments = attachments(model);
        let radius = if springs.is_empty() {
            // Each attachment is a separate rope.
            0.008 * mean_length(&attachments)
        } else if springs.len() <= nodes {
            (0.4 * mean).min(0.008 * mean * springs.len() as f32)
        } else {
            0.12 * mean
        };
        springs.extend(attachments);
        Self::new(gpu, &springs, radius, 2.2)
    }

    fn new(gpu: &Gpu, springs: &[&Spring], radius: f32, pixels: f32) -> Result<Self, GpuError> {
        let packed: Vec<[u32; 2]> =
            springs.iter().map(|s| [s.nodes[0] | (s.family as u32) << 30, s.nodes[1]]).collect();
        Ok(Self {
            springs: Buffer::from_slice(gpu, "springs", &packed, Usage::empty())?,
            style: Buffer::zeroed(gpu, "style", 1, Usage::UNIFORM)?,
            radius,
            pixels,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.springs.is_empty()
    }

    /// Number of vertices to draw: two triangles per spring.
    pub fn vertices(&self) -> u32 {
        6 * self.springs.len() as u32
    }

    /// Sets the style for a picture of this height and binds.
    pub fn bind(&self, gpu: &Gpu, layouts: &Layouts, cord: bool, height: u32) -> wgpu::BindGroup {
        let pixels = self.pixels * (height as f32 / 1080.0).max(0.9);
        let style = Style { radius: self.radius, pixels, cord: u32::from(cord), pad: 0 };
        self.style.write(gpu, 0, &[style]);
        layouts.bind(gpu, &layouts.lines, &[self.style.raw(), self.springs.raw()])
    }
}

/// Attachments whose ends are visibly apart at the start.
fn attachments(model: &Model) -> Vec<&Spring> {
    let all: Vec<&Spring> = model.attachments().collect();
    if all.is_empty() {
        return all;
    }
    let least = 1e-3 * mean_length(&model.springs().iter().collect::<Vec<_>>());
    let length = |s: &Spring| {
        let [a, b] = s.nodes.map(|i| model.initial_state().position[i as usize]);
        a.distance(b)
    };
    all.into_iter().filter(|s| length(s) > least).collect()
}

fn mean_length(springs: &[&Spring]) -> f32 {
    let sum: f64 = springs.iter().map(|s| f64::from(s.rest_length)).sum();
    (sum / springs.len().max(1) as f64) as f32
}
