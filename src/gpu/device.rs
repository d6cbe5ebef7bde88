//! The opened GPU: adapter, device and queue, with errors reported instead of panics.

use std::sync::{Arc, Mutex};

use super::{GpuError, adapter};

/// What a program needs of the device beyond WebGPU's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// Largest storage binding \[B\].
    pub largest_binding: u64,
    /// Largest buffer \[B\].
    pub largest_buffer: u64,
}

impl Requirements {
    /// Needs a buffer of this many bytes, bound as a whole.
    pub fn buffer(bytes: u64) -> Self {
        Self { largest_binding: bytes, largest_buffer: bytes }
    }

    /// The larger of both needs.
    pub fn max(self, other: Self) -> Self {
        Self {
            largest_binding: self.largest_binding.max(other.largest_binding),
            largest_buffer: self.largest_buffer.max(other.largest_buffer),
        }
    }
}

/// How the GPU is opened.
#[derive(Clone, Debug)]
pub struct GpuOptions {
    /// Index, or part of the name, of the adapter; the best one where `None`.
    pub adapter: Option<String>,
    /// Limits that the work needs.
    pub requirements: Requirements,
    /// Whether shaders check every index. Rows are validated when the model is built, so that this
    /// may be switched off for speed.
    pub bounds_checks: bool,
}

impl Default for GpuOptions {
    fn default() -> Self {
        Self { adapter: None, requirements: Requirements::default(), bounds_checks: true }
    }
}

/// First error that wgpu reported outside any call.
type Failure = Arc<Mutex<Option<GpuError>>>;

/// An opened GPU. Clones are handles of the same device.
#[derive(Clone)]
pub struct Gpu {
    /// The instance, for making surfaces.
    pub instance: wgpu::Instance,
    /// The adapter.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    pub(super) bounds_checks: bool,
    failure: Failure,
}

impl Gpu {
    /// Opens an adapter without a window system connection.
    pub fn open(options: &GpuOptions) -> Result<Self, GpuError> {
        Self::open_with(options, wgpu::InstanceDescriptor::new_without_display_handle)
    }

    /// Opens an adapter of an instance described by the caller (a viewer's knows its display).
    ///
    /// OpenGL is tried only where nothing better is found or `WGPU_BACKEND` asks for it: its loader
    /// complains on machines without a screen.
    pub fn open_with(
        options: &GpuOptions,
        descriptor: impl Fn() -> wgpu::InstanceDescriptor,
    ) -> Result<Self, GpuError> {
        let with = |backends| {
            let mut descriptor = descriptor();
            descriptor.backends = backends;
            wgpu::Instance::new(descriptor.with_env())
        };
        let instance = with(wgpu::Backends::PRIMARY);
        let wanted = options.adapter.as_deref();
        match adapter::choose(&instance, wanted) {
            Err(GpuError::NoAdapter) => {
                let instance = with(wgpu::Backends::GL);
                let adapter = adapter::choose(&instance, wanted)?;
                Self::open_adapter(instance, adapter, options)
            }
            found => Self::open_adapter(instance, found?, options),
        }
    }

    fn open_adapter(
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
        options: &GpuOptions,
    ) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let limits = limits(&adapter.limits(), &info.name, options.requirements)?;
        let wanted = wgpu::Features::TIMESTAMP_QUERY;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("taffeta"),
            required_features: adapter.features() & wanted,
            required_limits: limits,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|e| GpuError::Device { adapter: info.name.clone(), message: e.to_string() })?;
        if info.device_type == wgpu::DeviceType::Cpu {
            log::warn!("no GPU: running on the software driver {} (correct, but slow)", info.name);
        }
        let failure = Failure::default();
        watch(&device, &failure);
        Ok(Self { instance, adapter, device, queue, bounds_checks: options.bounds_checks, failure })
    }

    /// A device of the `noop` backend with WebGPU's default limits: validates everything, runs nothing.
    pub fn noop() -> Result<Self, GpuError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::NOOP;
        descriptor.backend_options.noop = wgpu::NoopBackendOptions {
            enable: true,
            features: Some(wgpu::Features::empty()),
            limits: Some(wgpu::Limits::defaults()),
            ..Default::default()
        };
        let instance = wgpu::Instance::new(descriptor);
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::NOOP));
        let adapter = adapters.into_iter().next().ok_or(GpuError::NoAdapter)?;
        let request = adapter.request_device(&wgpu::DeviceDescriptor::default());
        let (device, queue) = pollster::block_on(request)
            .map_err(|e| GpuError::Device { adapter: "noop".into(), message: e.to_string() })?;
        let failure = Failure::default();
        watch(&device, &failure);
        Ok(Self { instance, adapter, device, queue, bounds_checks: true, failure })
    }

    /// Name, driver and backend of the adapter, for reports.
    pub fn description(&self) -> String {
        let info = self.adapter.get_info();
        let driver = [info.driver, info.driver_info].join(" ");
        format!("{} ({}, {})", info.name, driver.trim(), info.backend)
    }

    /// Whether shaders check every index.
    pub fn checks_bounds(&self) -> bool {
        self.bounds_checks
    }

    /// Whether the adapter is a software driver.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// The first error that came outside any call since the device was opened, if any.
    pub fn check(&self) -> Result<(), GpuError> {
        match &*self.failure.lock().unwrap_or_else(|e| e.into_inner()) {
            None => Ok(()),
            Some(error) => Err(error.clone()),
        }
    }

    /// Waits until everything submitted has run.
    pub fn wait(&self) -> Result<(), GpuError> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| GpuError::Lost(e.to_string()))?;
        self.check()
    }

    /// Fails where a buffer of `bytes` does not fit the device's limits.
    pub(crate) fn check_size(&self, bytes: u64) -> Result<(), GpuError> {
        let limits = self.device.limits();
        let fits = |limit, available: u64| {
            if bytes <= available {
                return Ok(());
            }
            let adapter = self.adapter.get_info().name;
            Err(GpuError::Limit { limit, needed: bytes, available, adapter })
        };
        fits("max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size)?;
        fits("max_buffer_size", limits.max_buffer_size)
    }
}

/// The default limits; of buffers as much as the adapter has, which must be enough for the work.
fn limits(has: &wgpu::Limits, adapter: &str, needs: Requirements) -> Result<wgpu::Limits, GpuError> {
    let mut limits = wgpu::Limits::defaults();
    // Textures for pictures: as large as the adapter allows. Software and old adapters may have less
    // than the defaults in fields that nothing here uses.
    limits.max_texture_dimension_2d = has.max_texture_dimension_2d;
    let raise = |limit, field: &mut u64, needed: u64, available: u64| {
        if needed > available {
            return Err(GpuError::Limit { limit, needed, available, adapter: adapter.to_owned() });
        }
        *field = (*field).max(available);
        Ok(())
    };
    raise(
        "max_storage_buffer_binding_size",
        &mut limits.max_storage_buffer_binding_size,
        needs.largest_binding,
        has.max_storage_buffer_binding_size,
    )?;
    raise("max_buffer_size", &mut limits.max_buffer_size, needs.largest_buffer, has.max_buffer_size)?;
    Ok(limits.or_worse_values_from(has))
}

fn watch(device: &wgpu::Device, failure: &Failure) {
    let remember = |failure: &Failure, error: GpuError| {
        failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
    };
    let on_error = Arc::clone(failure);
    device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| {
        remember(&on_error, GpuError::Wgpu(e.to_string()));
    }));
    let on_loss = Arc::clone(failure);
    device.set_device_lost_callback(move |reason, message| {
        // A device that is dropped comes here, too, when nobody is left to ask.
        let destroyed = reason == wgpu::DeviceLostReason::Destroyed;
        let message = if destroyed { "it was destroyed".to_owned() } else { message };
        remember(&on_loss, GpuError::Lost(message));
    });
}
