//! Errors of the GPU layer.

/// An error of the GPU layer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GpuError {
    /// No adapter in the backends that an environment variable names.
    #[error(
        "WGPU_BACKEND = '{0}' leaves no GPU adapter; unset it, or name backends of this machine: vulkan, metal, \
         dx12, gl"
    )]
    NoAdapterInBackend(String),
    /// No adapter at all.
    #[error(
        "no GPU adapter found. Install a Vulkan driver; without a GPU, Mesa's software driver works: \
         apt-get install mesa-vulkan-drivers"
    )]
    NoAdapter,
    /// The adapter asked for does not exist.
    #[error("no adapter '{wanted}'; the adapters are {}", list(.available))]
    UnknownAdapter {
        /// The adapter that the user asked for.
        wanted: String,
        /// The names of the available adapters.
        available: Vec<String>,
    },
    /// The device could not be opened.
    #[error("cannot open {adapter}: {message}")]
    Device {
        /// The adapter's name.
        adapter: String,
        /// The message of the driver.
        message: String,
    },
    /// The scene exceeds a limit of the adapter.
    #[error(
        "the scene needs {limit} = {needed}, but {adapter} has {available}; use fewer nodes, another adapter or, where \
         surfaces touch, contact = false"
    )]
    Limit {
        /// Name of the WebGPU limit.
        limit: &'static str,
        /// The value that the scene needs.
        needed: u64,
        /// The value that the adapter has.
        available: u64,
        /// The adapter's name.
        adapter: String,
    },
    /// A shader could not be composed, parsed or validated.
    #[error("shader {file}:{line}: {message}")]
    Shader {
        /// The file under `shaders/`.
        file: String,
        /// Line in that file, from one.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A binding that a kernel needs is missing, or sizes do not match.
    #[error("kernel {kernel}: {message}")]
    Binding {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// A validation or out-of-memory error from wgpu.
    #[error("GPU error: {0}")]
    Wgpu(String),
    /// A call would have to wait for the GPU, which is impossible in a browser.
    #[error("a browser cannot wait for the GPU; ask for it and take it when it is there")]
    CannotWait,
    /// The device was lost.
    #[error("the GPU device was lost: {0}")]
    Lost(String),
}

fn list(names: &[String]) -> String {
    let rows = names.iter().enumerate().map(|(i, name)| format!("{i} = {name}"));
    rows.collect::<Vec<_>>().join(", ")
}
