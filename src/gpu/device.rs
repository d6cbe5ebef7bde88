//! The opened GPU: adapter, device and queue, with errors reported instead of panics.

use std::sync::{Arc, Mutex};

use super::cache::Cache;
use super::{Compilations, GpuError, HostStruct, Requirements, Shader, Source, adapter, native};

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

impl From<Requirements> for GpuOptions {
    /// The best adapter, for work that needs this.
    fn from(requirements: Requirements) -> Self {
        Self { requirements, ..Self::default() }
    }
}

/// First error that wgpu reported outside any call.
type Failure = Arc<Mutex<Option<GpuError>>>;

/// An opened GPU. Clones are handles of the same device.
#[derive(Clone)]
pub struct Gpu {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    home: Option<Home>,
    pub(super) bounds_checks: bool,
    pub(super) cache: Arc<Cache>,
    failure: Failure,
}

/// Where a device that was opened here comes from.
#[derive(Clone)]
pub struct Home {
    /// The instance, for making surfaces.
    pub instance: wgpu::Instance,
    /// The adapter.
    pub adapter: wgpu::Adapter,
}

impl Gpu {
    /// Opens an adapter without a window system connection. Waits.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(options: &GpuOptions) -> Result<Self, GpuError> {
        native::block_on(Self::open_async(options))
    }

    /// Opens an adapter of an instance described by the caller (a viewer's knows its display). Waits.
    #[cfg(not(target_family = "wasm"))]
    pub fn open_with(
        options: &GpuOptions,
        descriptor: impl Fn() -> wgpu::InstanceDescriptor,
    ) -> Result<Self, GpuError> {
        native::block_on(Self::open_async_with(options, descriptor))
    }

    /// [`Gpu::open`] without waiting: in a browser the only way.
    pub async fn open_async(options: &GpuOptions) -> Result<Self, GpuError> {
        Self::open_async_with(options, wgpu::InstanceDescriptor::new_without_display_handle).await
    }

    /// Opens an adapter of an instance described by the caller, without waiting.
    ///
    /// OpenGL is tried only where nothing better is found or `WGPU_BACKEND` asks for it: its loader
    /// complains on machines without a screen.
    pub async fn open_async_with(
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
        match adapter::choose(&instance, wanted).await {
            Err(GpuError::NoAdapter) => {
                let instance = with(wgpu::Backends::GL);
                let adapter = adapter::choose(&instance, wanted).await?;
                Self::open_adapter(Home { instance, adapter }, options).await
            }
            found => Self::open_adapter(Home { adapter: found?, instance }, options).await,
        }
    }

    /// Opens the adapter of your choice: one that a surface asks for, say.
    pub async fn open_adapter(home: Home, options: &GpuOptions) -> Result<Self, GpuError> {
        let adapter = &home.adapter;
        let info = adapter.get_info();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("taffeta"),
            required_features: adapter.features() & Requirements::USEFUL_FEATURES,
            required_limits: options.requirements.limits_on(&adapter.limits(), &info.name)?,
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|e| GpuError::Device { adapter: info.name.clone(), message: e.to_string() })?;
        if info.device_type == wgpu::DeviceType::Cpu {
            log::warn!("no GPU: running on the software driver {} (correct, but slow)", info.name);
        }
        let gpu = Self { home: Some(home), bounds_checks: options.bounds_checks, ..Self::of(device, queue) };
        gpu.watch();
        Ok(gpu)
    }

    /// A device of your own: a game's, so that it draws from the simulation's buffers.
    ///
    /// It needs the limits of [`Requirements::limits`] and no feature. Its handlers of errors and of loss stay yours; with
    /// [`Gpu::watch`] errors come from the calls here instead. In a browser let it be one that your canvas can use.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self, GpuError> {
        let gpu = Self::of(device, queue);
        let has = gpu.device.limits();
        Requirements::check_kernels(&has, &gpu.info.name)?;
        Ok(gpu)
    }

    /// Lets shaders skip the check of every index, which models are validated for. What was compiled stays with the
    /// handle that it was compiled for.
    pub fn without_bounds_checks(self) -> Self {
        Self { bounds_checks: false, cache: Arc::default(), ..self }
    }

    fn of(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = device.adapter_info();
        let (cache, failure) = (Arc::default(), Failure::default());
        Self { device, queue, info, home: None, bounds_checks: true, cache, failure }
    }

    /// A device of the `noop` backend with WebGPU's default limits: validates everything, runs nothing.
    #[cfg(not(target_family = "wasm"))]
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
        let adapters = native::block_on(instance.enumerate_adapters(wgpu::Backends::NOOP));
        let adapter = adapters.into_iter().next().ok_or(GpuError::NoAdapter)?;
        let request = adapter.request_device(&wgpu::DeviceDescriptor::default());
        let (device, queue) = native::block_on(request)
            .map_err(|e| GpuError::Device { adapter: "noop".into(), message: e.to_string() })?;
        let gpu = Self { home: Some(Home { instance, adapter }), ..Self::of(device, queue) };
        gpu.watch();
        Ok(gpu)
    }

    /// The adapter as it describes itself. In a browser most of it is empty.
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// Instance and adapter, of a device that was opened here.
    pub fn home(&self) -> Option<&Home> {
        self.home.as_ref()
    }

    /// Name, driver and backend of the adapter, for reports.
    pub fn description(&self) -> String {
        let info = &self.info;
        let driver = format!("{} {}", info.driver, info.driver_info);
        let name = if info.name.is_empty() { "an adapter without a name" } else { &info.name };
        match driver.trim() {
            "" => format!("{name} ({})", info.backend),
            driver => format!("{name} ({driver}, {})", info.backend),
        }
    }

    /// Whether shaders check every index.
    pub fn checks_bounds(&self) -> bool {
        self.bounds_checks
    }

    /// Whether the adapter is a software driver.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// The first error that came outside any call since the device was opened, if any.
    pub fn check(&self) -> Result<(), GpuError> {
        match &*self.failure.lock().unwrap_or_else(|e| e.into_inner()) {
            None => Ok(()),
            Some(error) => Err(error.clone()),
        }
    }

    /// Parses and validates a shader, unless one of the same text is there already; compares host structs.
    pub fn shader(&self, source: Source, structs: &[&HostStruct]) -> Result<Shader, GpuError> {
        let text = source.text.clone();
        let shader = self.cache.shader(&text, || Shader::new(source, &[]))?;
        shader.check_structs(structs)?;
        Ok(shader)
    }

    /// What was compiled for this device, and what was there already.
    pub fn compilations(&self) -> Compilations {
        self.cache.compilations()
    }

    /// Waits until everything submitted has run.
    pub fn wait(&self) -> Result<(), GpuError> {
        native::wait(&self.device, None)?;
        self.check()
    }

    /// Lets what has come from the GPU arrive, without waiting, and returns what [`Gpu::check`] does.
    pub fn poll(&self) -> Result<(), GpuError> {
        self.device.poll(wgpu::PollType::Poll).map_err(|e| GpuError::Lost(e.to_string()))?;
        self.check()
    }

    /// Waits until a submission has run. A browser keeps the queue short by itself.
    pub(crate) fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        match native::wait(&self.device, Some(submission)) {
            Ok(()) | Err(GpuError::CannotWait) => self.check(),
            Err(lost) => Err(lost),
        }
    }

    /// Fails where a buffer of `bytes` does not fit the device's limits.
    pub(crate) fn check_size(&self, bytes: u64) -> Result<(), GpuError> {
        Requirements::buffer(bytes).check(&self.device.limits(), &self.info.name)
    }

    /// Takes errors that come outside any call, and the loss of the device, for [`Gpu::check`] to return: instead of the
    /// handlers that the device has. Devices that were opened here are watched.
    pub fn watch(&self) {
        let remember = |failure: &Failure, error: GpuError| {
            failure.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
        };
        let on_error = Arc::clone(&self.failure);
        self.device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| {
            remember(&on_error, GpuError::Wgpu(e.to_string()));
        }));
        let on_loss = Arc::clone(&self.failure);
        self.device.set_device_lost_callback(move |reason, message| {
            // A device that is dropped comes here, too, when nobody is left to ask.
            let destroyed = reason == wgpu::DeviceLostReason::Destroyed;
            let message = if destroyed { "it was destroyed".to_owned() } else { message };
            remember(&on_loss, GpuError::Lost(message));
        });
    }
}
