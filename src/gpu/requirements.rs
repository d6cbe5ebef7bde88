//! The features and limits that a simulation needs beyond WebGPU's defaults.

use super::GpuError;

/// Requirements on the device beyond WebGPU's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// Largest storage binding \[B\].
    pub largest_binding: u64,
    /// Largest buffer \[B\].
    pub largest_buffer: u64,
}

impl Requirements {
    /// Optional features that are used if the device has them: timestamps, for measurements.
    pub const USEFUL_FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY;

    /// Requires a buffer of this many bytes, bound as a whole.
    pub fn buffer(bytes: u64) -> Self {
        Self { largest_binding: bytes, largest_buffer: bytes }
    }

    /// The larger of both requirements.
    pub fn max(self, other: Self) -> Self {
        Self {
            largest_binding: self.largest_binding.max(other.largest_binding),
            largest_buffer: self.largest_buffer.max(other.largest_buffer),
        }
    }

    /// The lowest sufficient limits of a device: those that WebGPU guarantees, with larger buffers if needed. Use them
    /// as `required_limits` of a device of your own.
    pub fn limits(self) -> wgpu::Limits {
        let mut limits = wgpu::Limits::defaults();
        raise(&mut limits.max_storage_buffer_binding_size, self.largest_binding);
        raise(&mut limits.max_buffer_size, self.largest_buffer);
        limits
    }

    /// The limits for opening an adapter: its own for buffers and textures, otherwise those that WebGPU guarantees.
    pub(super) fn limits_on(self, has: &wgpu::Limits, adapter: &str) -> Result<wgpu::Limits, GpuError> {
        self.check(has, adapter)?;
        let mut limits = wgpu::Limits::defaults();
        // For the textures of pictures.
        limits.max_texture_dimension_2d = has.max_texture_dimension_2d;
        raise(&mut limits.max_storage_buffer_binding_size, has.max_storage_buffer_binding_size);
        raise(&mut limits.max_buffer_size, has.max_buffer_size);
        // Software and old adapters may have less than the defaults in limits that are not used here.
        Ok(limits.or_worse_values_from(has))
    }

    /// Checks that a device has the limits that WebGPU guarantees, which every kernel may use.
    pub(super) fn check_kernels(has: &wgpu::Limits, adapter: &str) -> Result<(), GpuError> {
        let least = wgpu::Limits::defaults();
        let counts: [(&str, u32, u32); 7] = [
            (
                "max_storage_buffers_per_shader_stage",
                least.max_storage_buffers_per_shader_stage,
                has.max_storage_buffers_per_shader_stage,
            ),
            (
                "max_uniform_buffers_per_shader_stage",
                least.max_uniform_buffers_per_shader_stage,
                has.max_uniform_buffers_per_shader_stage,
            ),
            (
                "max_compute_workgroup_storage_size",
                least.max_compute_workgroup_storage_size,
                has.max_compute_workgroup_storage_size,
            ),
            (
                "max_compute_invocations_per_workgroup",
                least.max_compute_invocations_per_workgroup,
                has.max_compute_invocations_per_workgroup,
            ),
            (
                "max_compute_workgroup_size_x",
                least.max_compute_workgroup_size_x,
                has.max_compute_workgroup_size_x,
            ),
            (
                "max_compute_workgroups_per_dimension",
                least.max_compute_workgroups_per_dimension,
                has.max_compute_workgroups_per_dimension,
            ),
            (
                "max_bindings_per_bind_group",
                least.max_bindings_per_bind_group,
                has.max_bindings_per_bind_group,
            ),
        ];
        let short = counts.into_iter().find(|(_, needed, available)| available < needed);
        short.map_or(Ok(()), |(limit, needed, available)| {
            let (needed, available) = (needed.into(), available.into());
            Err(GpuError::Limit { limit, needed, available, adapter: adapter.to_owned() })
        })
    }

    /// Checks that buffers of these sizes fit.
    pub(super) fn check(self, has: &wgpu::Limits, adapter: &str) -> Result<(), GpuError> {
        let fits = |limit, needed: u64, available: u64| match needed <= available {
            true => Ok(()),
            false => Err(GpuError::Limit { limit, needed, available, adapter: adapter.to_owned() }),
        };
        let binding = has.max_storage_buffer_binding_size;
        fits("max_storage_buffer_binding_size", self.largest_binding, binding)?;
        fits("max_buffer_size", self.largest_buffer, has.max_buffer_size)
    }
}

fn raise(limit: &mut u64, to: u64) {
    *limit = (*limit).max(to);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_webgpu_but_for_large_buffers() {
        let least = wgpu::Limits::defaults();
        assert_eq!(Requirements::default().limits(), least);
        let more = 1 << 40;
        let limits = Requirements::buffer(more).limits();
        assert_eq!([limits.max_buffer_size, limits.max_storage_buffer_binding_size], [more; 2]);
        let refused = Requirements::buffer(more).limits_on(&least, "small").unwrap_err();
        assert!(matches!(refused, GpuError::Limit { needed, .. } if needed == more), "{refused}");
    }
}
