//! Options that choose the GPU.

use taffeta::gpu::{Gpu, GpuOptions, Requirements};

use super::failure::Failure;

/// On what the scene is simulated.
#[derive(clap::Args)]
#[command(next_help_heading = "GPU")]
pub struct GpuArgs {
    /// Adapter by index or part of its name; 'taffeta info' lists them [default: discrete, then
    /// integrated, then software]
    #[arg(long, value_name = "INDEX|NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub adapter: Option<String>,

    /// Let shaders skip the check of every index: faster on scenes of stored neighbours, safe for
    /// scenes, which are validated when they are read
    #[arg(long)]
    pub unchecked: bool,
}

impl GpuArgs {
    /// Opens the adapter.
    pub fn open(&self, requirements: Requirements) -> Result<Gpu, Failure> {
        let options =
            GpuOptions { adapter: self.adapter.clone(), requirements, bounds_checks: !self.unchecked };
        Ok(Gpu::open(&options)?)
    }
}
