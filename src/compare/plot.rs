//! The plot: error against GPU time if a setting was swept; otherwise the runs over time.

use super::row::{Row, Sample, Verdict};
use super::{Comparison, SweepKey, color, millimeters};
use crate::chart::{Axis, Figure, Level, LineChart, Series, Style};
use crate::settings::SolverKind;

/// The axis shows a run that leaves the others up to this many times their largest value.
const BEYOND: f64 = 3.0;
/// Most decades of a logarithmic axis for runs over time.
const DECADES: i32 = 5;
/// Least and largest range of an axis for the change of total energy, in percent.
const ENERGY: [f64; 2] = [1.0, 150.0];

/// Verdicts of stable runs.
const STABLE: &[Verdict] = &[Verdict::Stable];
/// Verdicts of runs that reached their end.
const ENDED: &[Verdict] = &[Verdict::Stable, Verdict::GainedEnergy];

/// The plot of a comparison of the scene `name`, as an SVG file.
pub fn plot(comparison: &Comparison, name: &str) -> String {
    let mut notes = notes(comparison);
    let charts = match &comparison.sweep {
        Some(sweep) => {
            let unit = match sweep.key {
                SweepKey::Substeps => "substeps a frame",
                SweepKey::Iterations => "iterations a substep",
            };
            let mut note = format!("Labels: {unit}; farther left is cheaper, lower is closer.");
            let missing = missing(comparison);
            if !missing.is_empty() {
                note += &format!(" Without a point: {}.", missing.join(", "));
            }
            notes.push(note);
            vec![cost(comparison)]
        }
        None => vec![distances(comparison), second(comparison)],
    };
    let title = match comparison.sweep {
        Some(_) => format!("{name}: error against GPU time"),
        None => format!("{name}: solvers compared"),
    };
    Figure { title, notes, charts }.svg()
}

/// Notes on the runs, and on the solution with which they are compared.
fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes = vec![format!(
        "{} nodes, {} springs, {:.4} s in frames of {:.4} s, on {}",
        comparison.nodes, comparison.springs, comparison.seconds, comparison.frame_time, comparison.adapter
    )];
    if let Some(converged) = &comparison.converged {
        notes.push(format!("Converged solution: {converged}"));
    }
    notes
}

/// Solvers without any point.
fn missing(comparison: &Comparison) -> Vec<String> {
    let has = |row: &&Row| row.distance.is_some() && row.cost.is_some();
    let none = |solver: &SolverKind| !comparison.rows.iter().filter(has).any(|row| row.solver == *solver);
    let words = |solver: SolverKind| {
        let row = comparison.rows.iter().find(|row| row.solver == solver);
        format!("{solver} ({})", row.map_or("", |row| row.verdict.words()))
    };
    comparison.solvers().into_iter().filter(none).map(words).collect()
}

/// Distance to the converged solution against GPU time, a line for each solver.
fn cost(comparison: &Comparison) -> LineChart {
    let mut series = Vec::new();
    for solver in comparison.solvers() {
        let mut line = Series { name: solver.name().into(), style: style(solver), ..Series::default() };
        for row in comparison.rows.iter().filter(|row| row.solver == solver) {
            let (Some(cost), Some(distance)) = (row.cost, row.distance.filter(|d| *d > 0.0)) else {
                continue;
            };
            let value = match comparison.sweep.as_ref().map(|sweep| sweep.key) {
                Some(SweepKey::Iterations) => row.iterations,
                _ => row.substeps,
            };
            let label = value.map_or_else(String::new, |value| value.to_string());
            line.points.push((
                cost,
                1e3 * distance,
                format!("{label}: {cost:.3e} s, {:.3e} mm", 1e3 * distance),
            ));
            line.labels.push(label);
        }
        let mut runs = comparison.rows.iter().filter(|row| row.solver == solver && row.distance.is_some());
        if runs.all(|row| row.verdict == Verdict::GainedEnergy) {
            line.name += &format!(" ({})", Verdict::GainedEnergy.words());
        }
        if !line.points.is_empty() {
            series.push(line);
        }
    }
    let all = |of: fn(&(f64, f64, String)) -> f64| series.iter().flat_map(move |s| s.points.iter().map(of));
    let levels = own_error(comparison, all(|p| p.1).fold(f64::INFINITY, f64::min));
    let time = if comparison.gpu_time { "GPU time" } else { "wall time" };
    LineChart {
        title: "Error against GPU time".into(),
        x: Axis::around(&format!("{time} for a simulated second [s]"), all(|p| p.0)),
        y: Axis::around(
            "rms distance to the converged solution [mm]",
            all(|p| p.1).chain(levels.iter().map(|level| level.y)),
        ),
        levels,
        series,
    }
}

/// Distance to the converged solution over time.
fn distances(comparison: &Comparison) -> LineChart {
    let value = |sample: &Sample| sample.distance.map(|d| 1e3 * d);
    let high = BEYOND * largest(comparison, ENDED, value);
    let own = comparison.converged.as_ref().map_or(0.0, |c| 1e3 * c.error);
    let low = (0.3 * own).max(high * 0.1f64.powi(DECADES));
    let series = lines(comparison, [low, high], true, value);
    let all: Vec<f64> = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).collect();
    let levels = own_error(comparison, all.iter().copied().fold(f64::INFINITY, f64::min));
    LineChart {
        title: "Distance to the converged solution on the way".into(),
        x: time(comparison),
        y: Axis::around(
            "rms distance to the converged solution [mm]",
            all.into_iter().chain(levels.iter().map(|level| level.y)),
        ),
        levels,
        series,
    }
}

/// A second chart that distinguishes solvers: energy if the scene conserves it, otherwise stretch.
fn second(comparison: &Comparison) -> LineChart {
    let keeps_energy = comparison.kept.energy_scale.is_some();
    let value = move |sample: &Sample| match keeps_energy {
        true => sample.energy.map(|e| 100.0 * e),
        false => Some(100.0 * sample.stretch.p99),
    };
    let (label, range) = match keeps_energy {
        true => {
            let size = |sample: &Sample| value(sample).map(f64::abs);
            let most = (BEYOND * largest(comparison, STABLE, size)).clamp(ENERGY[0], ENERGY[1]);
            ("change of energy [% of largest kinetic + elastic]", [-most, most])
        }
        false => {
            ("stretch l / r - 1, 99th percentile [%]", [-100.0, BEYOND * largest(comparison, STABLE, value)])
        }
    };
    let series = lines(comparison, range, false, value);
    let all = || series.iter().flat_map(|s| s.points.iter().map(|p| p.1));
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    LineChart {
        title: label.into(),
        x: time(comparison),
        y: Axis::linear(label, low, high),
        levels: if keeps_energy { vec![Level { y: 0.0, label: String::new() }] } else { Vec::new() },
        series,
    }
}

fn time(comparison: &Comparison) -> Axis {
    Axis::linear("simulated time [s]", 0.0, comparison.seconds)
}

/// Largest value of any run with such a verdict, or of any run if none has it.
fn largest(comparison: &Comparison, wanted: &[Verdict], value: impl Fn(&Sample) -> Option<f64>) -> f64 {
    let of = |wanted: Option<&[Verdict]>| {
        let rows = comparison.rows.iter().filter(|row| wanted.is_none_or(|w| w.contains(&row.verdict)));
        let values = rows.flat_map(|row| &row.history).filter_map(&value);
        values.filter(|v| v.is_finite()).fold(0.0, f64::max)
    };
    let most = of(Some(wanted));
    if most > 0.0 { most } else { of(None) }
}

/// A line for each run, up to where it leaves the range for good. On a logarithmic axis it may begin below the range.
fn lines(
    comparison: &Comparison,
    [low, high]: [f64; 2],
    from_below: bool,
    value: impl Fn(&Sample) -> Option<f64>,
) -> Vec<Series> {
    let mut series = Vec::new();
    for row in &comparison.rows {
        let mut points = Vec::new();
        for sample in &row.history {
            let Some(y) = value(sample).filter(|y| y.is_finite()) else { continue };
            if y < low && from_below {
                continue;
            }
            points.push((sample.time, y.clamp(low, high), String::new()));
            if !(low..=high).contains(&y) {
                break;
            }
        }
        let name = match row.verdict {
            Verdict::Stable | Verdict::Refused => row.solver.name().to_owned(),
            verdict => format!("{} ({})", row.solver, verdict.words()),
        };
        if !points.is_empty() {
            series.push(Series { name, style: style(row.solver), points, bare: true, ..Series::default() });
        }
    }
    series
}

/// A level for the converged solution's own error, if it is large enough to matter.
fn own_error(comparison: &Comparison, least: f64) -> Vec<Level> {
    let own = comparison.converged.as_ref().map(|c| 1e3 * c.error);
    let matters = own.filter(|own| *own > 0.0 && least.is_finite() && *own > 0.1 * least);
    let level = |y: f64| Level {
        y,
        label: format!("error of the converged solution itself: {}", millimeters(1e-3 * y)),
    };
    matters.map(level).into_iter().collect()
}

fn style(solver: SolverKind) -> Style {
    Style { color: color(solver), variant: color(solver) }
}
