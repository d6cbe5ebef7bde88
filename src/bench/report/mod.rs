//! All measurements of this build on this machine, in one run: time of a frame and of set-up against nodes,
//! time to a given accuracy, and every kernel against its floor. [`page`] shows them.

mod accuracy;
mod batches;
mod budget;
mod frames;
mod page;
mod roofline;

pub use accuracy::{Accuracy, Curve, GOAL, Run};
pub use frames::{Frame, Frames, ModelBuild};
pub use page::page;
pub use roofline::{Kernel, Roofline};

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

pub use super::batch::Batch;
use super::scene::form_name;
use super::{Clock, floors};
use crate::Error;
use crate::gpu::{Gpu, Requirements, Timer};
use budget::Budget;

/// Bytes of the largest buffer per node: the springs as lines, and the corners of triangles.
const BUFFER_BYTES: u64 = 48;
/// Bytes of CPU memory per node of a model that is built and uploaded.
const MEMORY_BYTES: u64 = 900;

/// Options of the report.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// Numbers of nodes for frames, each rounded to a square.
    pub sizes: Vec<u32>,
    /// Nodes along the sides of the sheets whose accuracy is measured.
    pub sides: Vec<u32>,
    /// Numbers of copies of a small cloth, stepped as a batch and one after another.
    pub copies: Vec<u32>,
    /// Repetitions, of which the median counts.
    pub repeats: u32,
    /// Approximate upper limit on the total time \[s\].
    pub seconds: f64,
}

impl ReportOptions {
    /// Options for which an adapter takes some minutes.
    pub fn of(is_software: bool) -> Self {
        match is_software {
            true => Self {
                sizes: vec![1_000, 4_000, 16_000, 64_000],
                sides: vec![33, 101],
                copies: vec![4, 32, 256],
                repeats: 3,
                seconds: 300.0,
            },
            false => Self {
                sizes: vec![1_000, 4_000, 16_000, 64_000, 250_000, 1_000_000, 4_000_000, 10_000_000],
                sides: vec![33, 101, 317],
                copies: vec![16, 256, 4096],
                repeats: 5,
                seconds: 900.0,
            },
        }
    }

    /// Requirements on the GPU for the sizes, limited to those of an adapter with this largest buffer \[B\].
    pub fn requirements(&self, largest_buffer: u64) -> Requirements {
        let most = self.sizes.iter().copied().max().unwrap_or(0);
        Requirements::buffer((BUFFER_BYTES * u64::from(most)).max(160_000_000).min(largest_buffer))
    }
}

/// A measurement that was left out, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// The name of a solver, or another description.
    pub what: String,
    /// Nodes.
    pub nodes: u32,
    /// Why.
    pub reason: String,
}

/// The machine of the measurements.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Adapter, driver and backend.
    pub adapter: String,
    /// Whether the adapter is a software driver.
    pub software: bool,
    /// Whether times are GPU time (from timestamps), not wall time.
    pub gpu_time: bool,
    /// Whether shaders checked every index.
    pub bounds_checks: bool,
    /// Operating system and processor architecture.
    pub platform: String,
    /// Number of threads of the CPU.
    pub cpu_threads: usize,
    /// Version of this program.
    pub version: &'static str,
    /// Date and time (UTC) of the start, in ISO 8601.
    pub date: String,
}

/// The whole report. Field names are the keys of the JSON object.
#[derive(Clone, Debug, Serialize)]
pub struct FullReport {
    /// The machine.
    pub machine: Machine,
    /// Repetitions, of which the median counts.
    pub repeats: u32,
    /// Time allowed, and taken \[s\].
    pub seconds: [f64; 2],
    /// Frames and set-up against nodes.
    pub frames: Frames,
    /// Time to accuracy, by size.
    pub accuracy: Vec<Accuracy>,
    /// The kernels; `None` if the adapter has no timestamps.
    pub roofline: Option<Roofline>,
    /// Measurements that were left out.
    pub skipped: Vec<Skipped>,
    /// Batches, if they were measured: by number of copies, then by solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batches: Option<Vec<Batch>>,
}

/// Measures everything; calls `progress` with a description of the next measurement.
pub fn run(
    gpu: &Gpu,
    options: &ReportOptions,
    bounds_checks: bool,
    mut progress: impl FnMut(&str),
) -> Result<FullReport, Error> {
    let (start, date) = (Instant::now(), date(SystemTime::now()));
    let clock = Clock { gpu, timer: Timer::new(gpu)?, repeats: options.repeats };
    let whole = Budget::seconds(options.seconds);
    progress("launch floor");
    let launch = floors::launch(&clock)?;
    let limit = gpu.device.limits();
    let buffer = limit.max_buffer_size.min(limit.max_storage_buffer_binding_size);
    let memory = available_memory().unwrap_or(u64::MAX);
    let most_nodes = (buffer / BUFFER_BYTES).min(memory / MEMORY_BYTES).min(u64::from(u32::MAX)) as u32;
    let typical = if gpu.is_software() { 100_000 } else { 1_000_000 };
    let largest = options.sizes.iter().copied().max().unwrap_or(typical);
    let roofline = roofline::measure(&clock, typical.min(largest), launch, &mut progress)?;
    let (mut accuracy, mut skipped) = (Vec::new(), Vec::new());
    for (index, &side) in options.sides.iter().enumerate() {
        // Each size gets a part of the time left; the rest is for the frames.
        let part = if index + 1 == options.sides.len() { 0.6 } else { 0.3 };
        let minimizer = accuracy::predicted(&accuracy, side);
        if minimizer > whole.share(part) {
            let reason = format!("the f64 minimizer would take about {minimizer:.0} s on the CPU");
            skipped.push(Skipped { what: "time to accuracy".into(), nodes: side * side, reason });
            continue;
        }
        accuracy.push(accuracy::measure(&clock, side, &whole, part, &mut progress)?);
    }
    let frames = frames::measure(&clock, &options.sizes, most_nodes, &whole, &mut skipped, &mut progress)?;
    // Last, with the time that the others left.
    let batches = batches::measure(&clock, &options.copies, &whole, &mut skipped, &mut progress)?;
    Ok(FullReport {
        machine: Machine {
            adapter: gpu.description(),
            software: gpu.is_software(),
            gpu_time: clock.timer.is_some(),
            bounds_checks,
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            cpu_threads: std::thread::available_parallelism().map_or(1, usize::from),
            version: env!("CARGO_PKG_VERSION"),
            date,
        },
        repeats: options.repeats,
        seconds: [options.seconds, start.elapsed().as_secs_f64()],
        frames,
        accuracy,
        roofline,
        skipped,
        batches: Some(batches),
    })
}

/// Memory that the operating system reports as available \[B\], if it does.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// The time in ISO 8601, UTC, to the minute.
fn date(now: SystemTime) -> String {
    let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    // Days of the Gregorian calendar in eras of 400 years that begin in March: H. Hinnant,
    // "chrono-compatible low-level date algorithms", civil_from_days.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}Z", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_are_of_the_calendar() {
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00Z");
        assert_eq!(at(951_826_140), "2000-02-29T12:09Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59Z");
        assert_eq!(at(1_709_251_200), "2024-03-01T00:00Z");
    }
}
