//! A table of the copies of a batch: the parameters and the outcome of each.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use taffeta::Error;
use taffeta::io::atomic;
use taffeta::scene::{Parameter, Sweep};
use taffeta::simulation::{Outcome, Simulation};

/// Format of a table.
#[derive(Clone, Copy)]
pub enum Format {
    Csv,
    Json,
}

impl Format {
    /// The format of a file with this extension.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        match extension.as_str() {
            "csv" => Some(Format::Csv),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// The row of a copy. Field names are the keys of the JSON object.
#[derive(Serialize)]
struct Row<'a> {
    copy: u32,
    parameters: BTreeMap<&'a str, Parameter>,
    /// Largest |l / r - 1| in the last frame; absent if the copy broke down.
    largest_stretch: Option<f32>,
    /// Largest |l / r - 1| at the end of any frame; absent if the copy broke down.
    peak_strain: Option<f32>,
    /// How far the last substeps of frames ended from their minimum, as a share of the motion, on average; absent if the copy
    /// broke down, and with solvers that cannot tell.
    mean_error: Option<f64>,
    /// What broke down, and in which step; absent if nothing did.
    failure: Option<String>,
    failed_step: Option<u32>,
}

/// Writes the table to `path`.
pub fn write(path: &Path, sweep: &Sweep, simulation: &Simulation, outcomes: &[Outcome]) -> Result<(), Error> {
    let found = simulation.convergence()?;
    let mean_error = |copy: u32| found.get(copy as usize).filter(|c| c.looks > 0).map(|c| c.mean);
    let row = |(copy, outcome): (u32, &Outcome)| Row {
        copy,
        parameters: sweep.keys().zip(sweep.parameters(copy)).collect(),
        largest_stretch: outcome.failure.is_none().then_some(outcome.largest_stretch),
        peak_strain: outcome.failure.is_none().then_some(outcome.peak.stretch),
        mean_error: mean_error(copy).filter(|_| outcome.failure.is_none()),
        failure: outcome.failure.as_ref().map(|failure| simulation.breakdown(failure).to_string()),
        failed_step: outcome.failure.map(|failure| failure.step),
    };
    let rows: Vec<Row> = (0..).zip(outcomes).map(row).collect();
    atomic::write(path, |w| match Format::of(path) {
        Some(Format::Json) => {
            serde_json::to_writer_pretty(&mut *w, &rows)?;
            writeln!(w)
        }
        _ => csv(w, sweep, &rows),
    })
}

fn csv(w: &mut impl Write, sweep: &Sweep, rows: &[Row]) -> std::io::Result<()> {
    let keys: Vec<&str> = sweep.keys().collect();
    let names = keys.iter().map(|key| field(key));
    let header: Vec<String> = ["copy".to_owned()].into_iter().chain(names).collect();
    writeln!(w, "{},largest_stretch,peak_strain,mean_error,failed_step,failure", header.join(","))?;
    for row in rows {
        write!(w, "{}", row.copy)?;
        for key in &keys {
            let value = match &row.parameters[key] {
                Parameter::Text(text) => text.clone(),
                value => value.to_toml(),
            };
            write!(w, ",{}", field(&value))?;
        }
        let stretch = row.largest_stretch.map_or(String::new(), |x| x.to_string());
        let peak = row.peak_strain.map_or(String::new(), |x| x.to_string());
        let error = row.mean_error.map_or(String::new(), |x| x.to_string());
        let step = row.failed_step.map_or(String::new(), |step| step.to_string());
        writeln!(w, ",{stretch},{peak},{error},{step},{}", field(row.failure.as_deref().unwrap_or("")))?;
    }
    Ok(())
}

/// A field of a CSV file (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}
