//! The report as a self-contained HTML page.

mod sections;

use std::fmt::Write;

use super::{Accuracy, FullReport, GOAL};
use crate::chart::{Style, escape};
use crate::settings::SolverKind;

const CSS: &str = include_str!("page.css");

/// The page.
pub fn page(report: &FullReport) -> String {
    let machine = &report.machine;
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>taffeta on {adapter}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n\
         <h1>taffeta {version}: measured speed</h1>\n",
        adapter = escape(&machine.adapter),
        version = machine.version,
    );
    html += &sections::machine(report);
    html += &headline(report);
    html += &sections::accuracy(report);
    html += &sections::frames(report);
    html += &sections::setup(report);
    html += &sections::roofline(report);
    html += &sections::batches(report);
    html += &sections::skipped(report);
    html + "</body>\n</html>\n"
}

/// The main results in words.
fn headline(report: &FullReport) -> String {
    let mut lines = String::new();
    for accuracy in &report.accuracy {
        // Writing to a String cannot fail.
        let _ = writeln!(lines, "<p>{}</p>", escape(&verdict(accuracy)));
    }
    if lines.is_empty() { lines } else { format!("<div class=\"headline\">\n{lines}</div>\n") }
}

/// The solver that reaches the goal the fastest, and by how much.
fn verdict(accuracy: &Accuracy) -> String {
    let Accuracy { side, curves, .. } = accuracy;
    let size = format!("{} nodes ({side} × {side})", grouped(u64::from(side * side)));
    let goal = format!("{:.0} % of the start error", 100.0 * GOAL);
    let mut reached: Vec<_> = curves.iter().filter_map(|c| Some((c, c.reached.as_ref()?))).collect();
    reached.sort_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    let Some(&(best, run)) = reached.first() else {
        return format!("{size}: no solver came within {goal} in the time that this report allowed it.");
    };
    let first = format!(
        "{size}: {} comes within {goal} first, in {} and {} iterations.",
        best.label,
        duration(run.seconds),
        run.iterations
    );
    let others = curves.iter().filter(|c| c.solver != best.solver);
    let second = reached.iter().find(|(curve, _)| curve.solver != best.solver);
    match second {
        Some((other, run)) => {
            let ratio = other.ratio.unwrap_or(f64::NAN);
            let time = duration(run.seconds);
            format!(
                "{first} The best of the other solvers, {}, takes {time}: {ratio:.1} times as long.",
                other.label
            )
        }
        None => {
            let ratios: Vec<f64> = others.filter_map(|c| c.ratio).collect();
            match (ratios.iter().copied().reduce(f64::min), ratios.iter().copied().reduce(f64::max)) {
                (Some(least), Some(most)) => format!(
                    "{first} No other solver was there when the time that the report has for each was up: after {} to {} \
                     times as long.",
                    digits(least),
                    digits(most)
                ),
                _ => first,
            }
        }
    }
}

/// The color of a solver, the same on the whole page.
fn color(solver: &str) -> usize {
    SolverKind::ALL.iter().position(|kind| kind.name() == solver).unwrap_or(SolverKind::ALL.len())
}

fn plain(solver: &str) -> Style {
    Style { color: color(solver), variant: 0 }
}

/// A cell of a table.
enum Cell {
    Text(String),
    Number(String),
}

/// A table; `best` marks rows.
fn table(head: &[&str], rows: &[(bool, Vec<Cell>)]) -> String {
    let mut html = "<div class=\"scroll\"><table>\n<tr>".to_owned();
    let is_text = |column: usize| rows.first().is_some_and(|row| matches!(row.1[column], Cell::Text(_)));
    for (column, title) in head.iter().enumerate() {
        let class = if is_text(column) { " class=\"text\"" } else { "" };
        let _ = write!(html, "<th{class}>{}</th>", escape(title));
    }
    html += "</tr>\n";
    for (best, cells) in rows {
        html += if *best { "<tr class=\"best\">" } else { "<tr>" };
        for cell in cells {
            let _ = match cell {
                Cell::Text(text) => write!(html, "<td class=\"text\">{}</td>", escape(text)),
                Cell::Number(text) => write!(html, "<td>{}</td>", escape(text)),
            };
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}

/// A time with a unit and three digits.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-3 => (1e6 * s, "µs"),
        s if s < 1.0 => (1e3 * s, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", digits(value))
}

/// Three significant digits, without an exponent.
fn digits(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return format!("{value}");
    }
    let decimals = (2.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

/// A number with its digits in groups of three.
fn grouped(value: u64) -> String {
    let text = value.to_string();
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::report::{Batch, Curve, Frame, Frames, Kernel, Machine, ModelBuild, Roofline, Run};

    fn curve(label: &'static str, solver: &'static str, reached: Option<f64>, ratio: f64) -> Curve {
        let run = |seconds, error| Run { iterations: 4, seconds, error };
        let runs = vec![run(1e-3, Some(2e-3)), run(4e-3, None), run(8e-3, Some(1e-5))];
        let reached = reached.map(|seconds| run(seconds, Some(1e-5)));
        Curve { label, solver, runs, reached, ratio: Some(ratio) }
    }

    fn report() -> FullReport {
        let curves = vec![
            curve("Jacobi", "local-global", None, 40.0),
            curve("vbd", "vbd", Some(6e-3), 3.0),
            curve("fast <new>", "newton-multigrid", Some(2e-3), 1.0),
        ];
        let accuracy = Accuracy {
            side: 33,
            start_error: 2.5e-3,
            minimizer_seconds: 1.0,
            minimizer_residual: 1e-9,
            curves,
        };
        let frame = |solver, nodes, seconds| Frame {
            solver,
            nodes,
            form: "grid",
            substeps: 1,
            iterations: Some(60),
            dispatches: 62,
            seconds,
            bytes: Some(1_000_000),
            recording: 1e-4,
            setup: 0.1,
        };
        let models = vec![ModelBuild { nodes: 1024, springs: 6000, seconds: 1e-3 }];
        let rows = vec![frame("vbd", 1024, 1e-3), frame("vbd", 4096, 3e-3)];
        let kernel = |floor| Kernel {
            solver: "vbd",
            form: "grid",
            kernel: "methods/vbd/descend.wgsl:descend".into(),
            threads: 205,
            dispatches: 5,
            seconds: 1e-5,
            bytes: Some(1000),
            floor,
        };
        let kernels = vec![kernel(Some(5e-6)), kernel(None)];
        FullReport {
            machine: Machine {
                adapter: "card & driver".into(),
                software: false,
                gpu_time: true,
                bounds_checks: true,
                platform: "linux x86_64".into(),
                cpu_threads: 2,
                version: "0.0.0",
                date: "2000-01-01T00:00Z".into(),
            },
            repeats: 5,
            seconds: [100.0, 90.0],
            frames: Frames { rows, models },
            accuracy: vec![accuracy],
            roofline: Some(Roofline { nodes: 1024, copy_bandwidth: 1e9, launch: 2e-6, kernels }),
            skipped: Vec::new(),
            batches: None,
        }
    }

    #[test]
    fn the_verdict_names_the_fastest_and_how_much_it_gains() {
        let mut report = report();
        let said = verdict(&report.accuracy[0]);
        assert!(said.contains("fast <new> comes within 5 % of the start error first, in 2.00 ms"), "{said}");
        assert!(said.contains("vbd, takes 6.00 ms: 3.0 times as long"), "{said}");
        report.accuracy[0].curves[1].reached = None;
        assert!(
            verdict(&report.accuracy[0])
                .contains("when the time that the report has for each was up: after 3.00 to 40.0 times as")
        );
        report.accuracy[0].curves.truncate(1);
        assert!(verdict(&report.accuracy[0]).contains("no solver came within"));
    }

    #[test]
    fn what_was_not_measured_has_no_section() {
        let mut report = report();
        let text = page(&report);
        assert!(text.contains("card &amp; driver") && text.contains("fast &lt;new&gt;"));
        assert!(!text.contains("<h2>Batches") && text.contains("<h2>Kernels"));
        assert!(!text.contains("NaN") && !text.contains("inf"));
        report.roofline = None;
        report.batches = Some(vec![Batch {
            copies: 64,
            nodes: 256,
            solver: "vbd",
            together: 64e3,
            alone: 2e3,
            ratio: 32.0,
        }]);
        let text = page(&report);
        assert!(text.contains("<h2>Batches") && text.contains("64,000") && text.contains("<td>32.0</td>"));
        assert!(text.contains("no timestamps"));
    }

    #[test]
    fn the_page_has_the_colors_of_charts() {
        for k in 0..crate::chart::PALETTE.len() {
            assert!(CSS.contains(&format!("--c{k}: {};", crate::chart::hex(k))), "c{k}");
            assert!(CSS.contains(&format!(".c{k} {{ stroke: var(--c{k}); fill: var(--c{k}); }}")), "c{k}");
        }
    }

    #[test]
    fn figures_have_three_digits_and_a_unit() {
        assert_eq!(duration(1.234e-5), "12.3 µs");
        assert_eq!(duration(0.5), "500 ms");
        assert_eq!(duration(12.0), "12.0 s");
        assert_eq!(grouped(99_856), "99,856");
        assert_eq!(grouped(1_000_000), "1,000,000");
    }
}
