//! GPU time of a pass by timestamps, if the adapter has them.

use super::{Buffer, Gpu, GpuError};

/// Measures one pass at a time.
pub struct Timer {
    queries: wgpu::QuerySet,
    resolved: Buffer<u64>,
    period: f64,
}

impl Timer {
    /// `None` if the adapter has no timestamps; then measure wall time, and say so.
    pub fn new(gpu: &Gpu) -> Result<Option<Self>, GpuError> {
        if !gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("timer"),
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let resolved = Buffer::zeroed(gpu, "timer", 2, wgpu::BufferUsages::QUERY_RESOLVE)?;
        let period = f64::from(gpu.queue.get_timestamp_period());
        Ok(Some(Self { queries, resolved, period }))
    }

    pub(super) fn writes(&self) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        })
    }

    /// Records the end of the measurement, after the timed pass.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, self.resolved.raw(), 0);
    }

    /// Waits and returns the seconds between the begin and the end of the last timed pass.
    pub fn seconds(&self, gpu: &Gpu) -> Result<f64, GpuError> {
        let ticks = self.resolved.read(gpu)?;
        Ok(ticks[1].saturating_sub(ticks[0]) as f64 * self.period * 1e-9)
    }
}
