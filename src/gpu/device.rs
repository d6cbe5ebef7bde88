//! The opened GPU: adapter, device and queue, with errors reported instead of panics.

use std::sync::{Arc, Mutex};

use super::cache::Cache;
use super::{Compilations, GpuError, HostStruct, Requirements, Shader, Source, adapter, native};

/// Options for opening the GPU.
#[derive(Clone, Debug)]
pub struct GpuOptions {
    /// Index of the adapter, or a part of its name; `None` for the best one.
    pub adapter: Option<String>,
    /// Limits that the work needs.
    pub requirements: Requirements,
    /// Whether shaders check every index. Rows are validated when the model is built, so this can be
    /// switched off for speed.
    pub bounds_checks: bool,
}

impl Default for GpuOptions {
    fn default() -> Self {
        Self { adapter: None, requirements: Requirements::default(), bounds_checks: true }
    }
}

impl From<Requirements> for GpuOptions {
    /// The best adapter, with these requirements.
    fn from(requirements: Requirements) -> Self {
        Self { requirements, ..Self::default() }
    }
}

/// First error that wgpu reported outside any call.
type Failure = Arc<Mutex<Option<GpuError>>>;

/// An opened GPU. Clones are handles to the same device.
#[derive(Clone)]
pub struct Gpu {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    home: Option<Home>,
    pub(super) bounds_checks: bool,
    is_wide: bool,
    pub(super) cache: Arc<Cache>,
    failure: Failure,
}

/// The instance and the adapter of a device that the library opened.
#[derive(Clone)]
pub struct Home {
    /// The instance, for making surfaces.
    pub instance: wgpu::Instance,
    /// The adapter.
    pub adapter: wgpu::Adapter,
}

impl Gpu {
    /// Opens an adapter without a connection to a window system. Waits.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(options: &GpuOptions) -> Result<Self, GpuError> {
        native::block_on(Self::open_async(options))
    }

    /// Opens an adapter of an instance with the caller's descriptor, such as one with a viewer's display. Waits.
    #[cfg(not(target_family = "wasm"))]
    pub fn open_with(
        options: &GpuOptions,
        descriptor: impl Fn() -> wgpu::InstanceDescriptor,
    ) -> Result<Self, GpuError> {
        native::block_on(Self::open_async_with(options, descriptor))
    }

    /// [`Gpu::open`] without waiting, the only way in a browser.
    pub async fn open_async(options: &GpuOptions) -> Result<Self, GpuError> {
        Self::open_async_with(options, wgpu::InstanceDescriptor::new_without_display_handle).await
    }

    /// Opens an adapter of an instance with the caller's descriptor, without waiting.
    ///
    /// OpenGL is tried only if nothing better is found or `WGPU_BACKEND` asks for it, because its loader
    /// prints errors on machines without a screen.
    pub async fn open_async_with(
        options: &GpuOptions,
        descriptor: impl Fn() -> wgpu::InstanceDescriptor,
    ) -> Result<Self, GpuError> {
        let with = |backends| {
            let mut descriptor = descriptor();
            descriptor.backends = backends;
            // Our own kernels write the workgroups of indirect dispatches; each check would be a dispatch more.
            descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
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

    /// Opens the adapter of your choice, such as one that can draw to your surface.
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

    /// Uses a device of your own, such as a game's, which can then draw from the simulation's buffers.
    ///
    /// It needs the limits of [`Requirements::limits`] and no feature. With contact between surfaces many dispatches are indirect: wgpu adds a
    /// dispatch that checks it to each, unless your instance is made without the flag `VALIDATION_INDIRECT_CALL`. Your handlers of errors and device loss stay in
    /// place; with [`Gpu::watch`] the calls here return errors instead. In a browser, your canvas must support the
    /// device.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self, GpuError> {
        let gpu = Self::of(device, queue);
        let has = gpu.device.limits();
        Requirements::check_kernels(&has, &gpu.info.name)?;
        Ok(gpu)
    }

    /// The same device, for which nothing has been compiled yet.
    #[cfg(feature = "report")]
    pub(crate) fn afresh(&self) -> Self {
        Self { cache: Arc::default(), ..self.clone() }
    }

    fn of(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = device.adapter_info();
        let (cache, failure) = (Arc::default(), Failure::default());
        let is_wide = info.device_type != wgpu::DeviceType::Cpu;
        Self { device, queue, info, home: None, bounds_checks: true, is_wide, cache, failure }
    }

    /// A device of the `noop` backend with WebGPU's default limits. It validates everything and runs nothing.
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

    /// The adapter's description of itself. In a browser most fields are empty.
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// Instance and adapter; `None` if the library did not open the device.
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

    /// Whether kernels suit an adapter with threads to spare (`shaders/core/width.wgsl`): all but software drivers. Results are the
    /// same bits.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// The same device, with kernels as they suit a graphics card, or a software driver.
    pub fn with_width(self, is_wide: bool) -> Self {
        Self { is_wide, ..self }
    }

    /// Returns the first error that wgpu reported outside any call since the device was opened, if any. A lost device comes first:
    /// what is made on one is invalid, and wgpu may complain about that before it tells of the loss, which it does once all that was
    /// submitted has run. So where there is an error this waits for that, for ten seconds at most; a browser cannot wait.
    pub fn check(&self) -> Result<(), GpuError> {
        let failure = || self.failure.lock().unwrap_or_else(|e| e.into_inner()).clone();
        if matches!(failure(), Some(GpuError::Wgpu(_))) {
            native::settle(&self.device)?;
        }
        failure().map_or(Ok(()), Err)
    }

    /// Parses and validates a shader, unless the cache has one with the same text, and compares host structs.
    pub fn shader(&self, source: Source, structs: &[&HostStruct]) -> Result<Shader, GpuError> {
        let text = source.text.clone();
        let shader = self.cache.shader(&text, || Shader::new(source, &[]))?;
        shader.check_structs(structs)?;
        Ok(shader)
    }

    /// Numbers of shaders and kernels that were compiled for this device or found in the cache.
    pub fn compilations(&self) -> Compilations {
        self.cache.compilations()
    }

    /// Waits until everything submitted has run.
    pub fn wait(&self) -> Result<(), GpuError> {
        native::wait(&self.device, None)?;
        self.check()
    }

    /// Processes finished work of the GPU without waiting, so that readings arrive, and returns the result of
    /// [`Gpu::check`].
    pub fn poll(&self) -> Result<(), GpuError> {
        self.device.poll(wgpu::PollType::Poll).map_err(|e| GpuError::Lost(e.to_string()))?;
        self.check()
    }

    /// Waits until a submission has run. In a browser it does nothing, because the browser keeps the queue short.
    pub(crate) fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        match native::wait(&self.device, Some(submission)) {
            Ok(()) | Err(GpuError::CannotWait) => self.check(),
            Err(lost) => Err(lost),
        }
    }

    /// Fails if a buffer of `bytes` exceeds the device's limits.
    pub(crate) fn check_size(&self, bytes: u64) -> Result<(), GpuError> {
        Requirements::buffer(bytes).check(&self.device.limits(), &self.info.name)
    }

    /// Replaces the device's handlers, so that [`Gpu::check`] returns errors outside any call and the loss of the
    /// device. The library does this for devices that it opens.
    pub fn watch(&self) {
        let remember = |failure: &Failure, error: GpuError| {
            let mut known = failure.lock().unwrap_or_else(|e| e.into_inner());
            match (&*known, &error) {
                (None, _) | (Some(GpuError::Wgpu(_)), GpuError::Lost(_)) => *known = Some(error),
                _ => {}
            }
        };
        let on_error = Arc::clone(&self.failure);
        self.device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| {
            remember(&on_error, GpuError::Wgpu(e.to_string()));
        }));
        let on_loss = Arc::clone(&self.failure);
        self.device.set_device_lost_callback(move |reason, message| {
            // This is also called when the device is dropped, and nobody can ask any more.
            let destroyed = reason == wgpu::DeviceLostReason::Destroyed;
            let message = if destroyed { "it was destroyed".to_owned() } else { message };
            remember(&on_loss, GpuError::Lost(message));
        });
    }
}
