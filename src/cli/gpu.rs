//! Options that choose the GPU.

use taffeta::gpu::{Gpu, GpuError, GpuOptions, Requirements};

use super::failure::Failure;

/// Options for the GPU that simulates the scene.
#[derive(clap::Args)]
#[command(next_help_heading = "GPU")]
pub struct GpuArgs {
    #[command(flatten)]
    pub choice: AdapterArg,

    /// Let shaders skip the check of every index: faster on scenes with stored neighbors, and safe,
    /// because scenes are validated when they are read
    #[arg(long)]
    pub unchecked: bool,
}

/// The option for the adapter.
#[derive(clap::Args)]
pub struct AdapterArg {
    /// Adapter by index or part of its name; 'taffeta info' lists them [default: discrete, then
    /// integrated, then software]
    #[arg(long, value_name = "INDEX|NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    adapter: Option<String>,
}

impl GpuArgs {
    /// The options for opening the GPU.
    pub fn options(&self, requirements: Requirements) -> GpuOptions {
        GpuOptions { requirements, bounds_checks: !self.unchecked, adapter: self.choice.adapter.clone() }
    }

    /// Opens the adapter.
    pub fn open(&self, requirements: Requirements) -> Result<Gpu, Failure> {
        Gpu::open(&self.options(requirements)).map_err(|error| self.choice.blame(error))
    }
}

impl AdapterArg {
    /// Opens the adapter with WebGPU's default limits.
    pub fn open(&self) -> Result<Gpu, Failure> {
        let options = GpuOptions { adapter: self.adapter.clone(), ..GpuOptions::default() };
        Gpu::open(&options).map_err(|error| self.blame(error))
    }

    /// The failure for an error, with the option or environment variable that caused it in front.
    pub fn blame(&self, error: GpuError) -> Failure {
        match (error, &self.adapter) {
            (error @ GpuError::UnknownAdapter { .. }, Some(wanted)) => {
                Failure::input(format!("--adapter {wanted}"), error)
            }
            (error @ GpuError::UnknownAdapter { .. }, None) => Failure::input("WGPU_ADAPTER_NAME", error),
            (error @ GpuError::NoAdapterInBackend(_), _) => Failure::input("WGPU_BACKEND", error),
            (error, _) => error.into(),
        }
    }
}
