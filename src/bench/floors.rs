//! The floors, which are lower bounds on time: from the bandwidth of a copy kernel, and from dependent dispatches.

use glam::Vec4;

use super::Clock;
use crate::gpu::{Bindings, Buffer, GpuError, Kernel, Shader, Source, Usage};
use crate::shaders;

/// Limits that no kernel can beat.
#[derive(Clone, Copy, Debug)]
pub struct Floors {
    /// Bytes per second that the copy kernel reads and writes.
    pub bandwidth: f64,
    /// Time of one dependent dispatch \[s\].
    pub launch: f64,
}

/// Dispatches per measurement.
const COUNT: u32 = 100;

fn kernel(clock: &Clock<'_>, entry: &str) -> Result<Kernel, GpuError> {
    let source = Source::compose(shaders::LIBRARY, "measure/floors.wgsl", &[])?;
    Kernel::new(clock.gpu, &Shader::new(source, &[])?, entry, &[])
}

/// Bytes per second that a copy of `nodes` vectors moves.
pub fn copy(clock: &Clock<'_>, nodes: u32) -> Result<f64, GpuError> {
    let make = |label| Buffer::<Vec4>::zeroed(clock.gpu, label, nodes as usize, Usage::empty());
    let (from, to) = (make("from")?, make("to")?);
    let kernel = kernel(clock, "copy")?;
    let there = kernel.bind(clock.gpu, &Bindings::new().with("source", &from).with("sink", &to))?;
    let back = kernel.bind(clock.gpu, &Bindings::new().with("source", &to).with("sink", &from))?;
    let seconds = clock.median(|pass| {
        for i in 0..COUNT {
            pass.dispatch(if i % 2 == 0 { &there } else { &back }, nodes);
        }
    })?;
    Ok(f64::from(COUNT) * 32.0 * f64::from(nodes) / seconds)
}

/// Time of one dispatch that waits for the one before it \[s\].
pub fn launch(clock: &Clock<'_>) -> Result<f64, GpuError> {
    let to = Buffer::<Vec4>::zeroed(clock.gpu, "to", 64, Usage::empty())?;
    let bound = kernel(clock, "launch")?.bind(clock.gpu, &Bindings::new().with("sink", &to))?;
    let seconds = clock.median(|pass| (0..10 * COUNT).for_each(|_| pass.dispatch(&bound, 64)))?;
    Ok(seconds / f64::from(10 * COUNT))
}
