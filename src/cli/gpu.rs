//! Options that choose the GPU.

use taffeta::gpu::{Gpu, GpuError, GpuOptions, Requirements};

use super::failure::Failure;

/// On what the scene is simulated.
#[derive(clap::Args)]
#[command(next_help_heading = "GPU")]
pub struct GpuArgs {
    #[command(flatten)]
    pub choice: AdapterArg,

    /// Let shaders skip the check of every index: faster on scenes of stored neighbours, safe for
    /// scenes, which are validated when they are read
    #[arg(long)]
    pub unchecked: bool,
}

/// Which adapter.
#[derive(clap::Args)]
pub struct AdapterArg {
    /// Adapter by index or part of its name; 'taffeta info' lists them [default: discrete, then
    /// integrated, then software]
    #[arg(long, value_name = "INDEX|NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub adapter: Option<String>,
}

impl GpuArgs {
    /// Opens the adapter.
    pub fn open(&self, requirements: Requirements) -> Result<Gpu, Failure> {
        self.choice.open(requirements, !self.unchecked)
    }
}

impl AdapterArg {
    /// Opens the adapter.
    pub fn open(&self, requirements: Requirements, bounds_checks: bool) -> Result<Gpu, Failure> {
        let options = GpuOptions { adapter: self.adapter.clone(), requirements, bounds_checks };
        Gpu::open(&options).map_err(|error| match (error, &self.adapter) {
            (error @ GpuError::UnknownAdapter { .. }, Some(wanted)) => {
                Failure::input(format!("--adapter {wanted}"), error)
            }
            (error @ GpuError::UnknownAdapter { .. }, None) => Failure::input("WGPU_ADAPTER_NAME", error),
            (error, _) => error.into(),
        })
    }
}
