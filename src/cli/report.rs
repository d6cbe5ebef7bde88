//! `taffeta bench --report`: all measurements, as an HTML page and as JSON.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use taffeta::bench::report::{self, ReportOptions};
use taffeta::gpu::Gpu;
use taffeta::io::atomic;

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::{note, print};

/// Name of the page in the directory.
const PAGE: &str = "report.html";
/// Name of the JSON file in the directory.
const JSON: &str = "report.json";

/// Options that override the values that the adapter suggests.
pub struct Wishes<'a> {
    pub sizes: &'a [u32],
    pub sides: &'a [u32],
    pub seconds: Option<f64>,
    pub repeats: Option<u32>,
}

/// Measures and writes both files into `folder`.
pub fn run(folder: &Path, wishes: &Wishes<'_>, gpu: &GpuArgs) -> Result<ExitCode, Failure> {
    let place = || format!("--report {}", folder.display());
    // Check before measuring for minutes.
    let check = |made: std::io::Result<()>, what: &str| {
        made.map_err(|error| Failure::input(place(), format!("{what}: {error}")))
    };
    check(fs::create_dir_all(folder), "the directory cannot be created")?;
    let probe = folder.join(format!(".taffeta-{}", std::process::id()));
    let probed = fs::File::create_new(&probe).and_then(|_| fs::remove_file(&probe));
    check(probed, "the directory cannot be written to")?;

    let first = gpu.choice.open()?;
    let mut options = ReportOptions::of(first.is_software());
    if !wishes.sizes.is_empty() {
        options.sizes = wishes.sizes.to_vec();
    }
    if !wishes.sides.is_empty() {
        options.sides = wishes.sides.to_vec();
    }
    options.sizes.sort_unstable();
    options.sides.sort_unstable();
    options.seconds = wishes.seconds.unwrap_or(options.seconds);
    options.repeats = wishes.repeats.unwrap_or(options.repeats);
    let has = first.device.limits();
    let largest = has.max_buffer_size.min(has.max_storage_buffer_binding_size);
    drop(first);
    let gpu_options = gpu.options(options.requirements(largest));
    let opened = Gpu::open(&gpu_options).map_err(|error| gpu.choice.blame(error))?;

    let start = std::time::Instant::now();
    let found = report::run(&opened, &options, !gpu.unchecked, |what| {
        note(&format!("{:>5.0} s  {what}\n", start.elapsed().as_secs_f64()));
    })?;
    // Plain fields and string keys cannot fail.
    let json = serde_json::to_string_pretty(&found).unwrap_or_default() + "\n";
    let write = |name: &str, text: &str| atomic::write(&folder.join(name), |w| w.write_all(text.as_bytes()));
    write(JSON, &json).map_err(Failure::while_running)?;
    write(PAGE, &report::page(&found)).map_err(Failure::while_running)?;
    print(&format!("{}\n{}\n", folder.join(PAGE).display(), folder.join(JSON).display()))?;
    Ok(ExitCode::SUCCESS)
}
