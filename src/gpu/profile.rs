//! GPU time of every single dispatch, if the adapter has timestamps.

use super::{Buffer, Gpu, GpuError, Launch};

/// Most dispatches of one profile: WebGPU's largest query set has two timestamps for each.
pub const MOST_PROFILED: u32 = wgpu::QUERY_SET_MAX_QUERIES / 2;

/// A timed dispatch.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The dispatch.
    pub launch: Launch,
    /// Its time \[s\].
    pub seconds: f64,
}

/// Times each dispatch recorded with [`super::Pass::profiled`].
pub struct Profile {
    queries: wgpu::QuerySet,
    resolved: Buffer<u64>,
    period: f64,
    dispatches: Vec<Launch>,
}

impl Profile {
    /// `None` if the adapter has no timestamps.
    pub fn new(gpu: &Gpu) -> Result<Option<Self>, GpuError> {
        if !gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("profile"),
            ty: wgpu::QueryType::Timestamp,
            count: 2 * MOST_PROFILED,
        });
        let count = 2 * MOST_PROFILED as usize;
        let resolved = Buffer::zeroed(gpu, "profile", count, wgpu::BufferUsages::QUERY_RESOLVE)?;
        let period = f64::from(gpu.queue.get_timestamp_period());
        Ok(Some(Self { queries, resolved, period, dispatches: Vec::new() }))
    }

    /// The timestamps of the next dispatch; `None` after [`MOST_PROFILED`] dispatches.
    pub(super) fn next(&mut self, launch: Launch) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let index = self.dispatches.len() as u32;
        if index == MOST_PROFILED {
            return None;
        }
        self.dispatches.push(launch);
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(2 * index),
            end_of_pass_write_index: Some(2 * index + 1),
        })
    }

    /// Records the end of the measurement, after the profiled pass.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        let count = 2 * self.dispatches.len() as u32;
        if count > 0 {
            encoder.resolve_query_set(&self.queries, 0..count, self.resolved.raw(), 0);
        }
    }

    /// Waits, returns the timed dispatches in the order of recording, and begins anew.
    pub fn take(&mut self, gpu: &Gpu) -> Result<Vec<Timed>, GpuError> {
        let ticks = self.resolved.read_range(gpu, 0..2 * self.dispatches.len())?;
        let timed = self.dispatches.drain(..).zip(ticks.chunks(2)).map(|(launch, t)| Timed {
            launch,
            seconds: t[1].saturating_sub(t[0]) as f64 * self.period * 1e-9,
        });
        Ok(timed.collect())
    }
}
