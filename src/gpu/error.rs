//! What can go wrong between the program and the GPU.

/// Anything that the GPU layer reports.
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
        /// What the user asked for.
        wanted: String,
        /// The names of the adapters there are.
        available: Vec<String>,
    },
    /// The device could not be opened.
    #[error("cannot open {adapter}: {message}")]
    Device {
        /// The adapter's name.
        adapter: String,
        /// The driver's words.
        message: String,
    },
    /// The scene needs more than the adapter has.
    #[error(
        "the scene needs {limit} = {needed}, but {adapter} has {available}; use fewer nodes or another adapter \
         (taffeta info lists them)"
    )]
    Limit {
        /// Name of the WebGPU limit.
        limit: &'static str,
        /// What the scene needs.
        needed: u64,
        /// What the adapter has.
        available: u64,
        /// The adapter's name.
        adapter: String,
    },
    /// A shader that does not compose, parse or validate.
    #[error("shader {file}:{line}: {message}")]
    Shader {
        /// The file under `shaders/`.
        file: String,
        /// Line in that file, from one.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A binding that a kernel needs was not given, or the sizes do not match.
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
    /// Where nothing may wait for the GPU, in a browser, something was to be waited for.
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
