//! A comparison as a table for people, and as CSV.

use std::fmt::Write;

use taffeta::chart::PALETTE;
use taffeta::compare::{Comparison, Row, color};
use taffeta::foreign::escape_lines;

/// Stands before the rows where there are colors.
const SQUARE: &str = "\u{25a0} ";

/// A column: its heading and the text of a row in it.
struct Column {
    head: [&'static str; 2],
    cell: fn(&Row) -> Option<String>,
}

const COLUMNS: &[Column] = &[
    Column { head: ["substeps", ""], cell: |row| row.substeps.map(|n| n.to_string()) },
    Column { head: ["itera-", "tions"], cell: |row| row.iterations.map(|n| n.to_string()) },
    Column { head: ["ms per", "frame"], cell: |row| row.frame_seconds.map(|s| digits(1e3 * s)) },
    Column { head: ["largest", "stretch"], cell: |row| row.stretch.map(|s| percent(s.largest, false)) },
    Column { head: ["stretch", "p99"], cell: |row| row.stretch.map(|s| percent(s.p99, false)) },
    Column { head: ["energy", "drift"], cell: |row| row.drift.energy.map(|x| percent(x, true)) },
    Column { head: ["momentum", "drift"], cell: |row| row.drift.linear_momentum.map(|x| percent(x, false)) },
    Column { head: ["angular", "drift"], cell: |row| row.drift.angular_momentum.map(|x| percent(x, false)) },
    Column { head: ["distance", "[mm]"], cell: |row| row.distance.map(|d| digits(1e3 * d)) },
];

/// The table for people; with `colors`, the solver's color in plot and picture comes before its name.
pub fn text(name: &str, found: &Comparison, written: &[String], colors: bool) -> String {
    let columns: Vec<&Column> =
        COLUMNS.iter().filter(|column| found.rows.iter().any(|row| (column.cell)(row).is_some())).collect();
    let cell = |column: &Column, row: &Row| (column.cell)(row).unwrap_or_else(|| "-".into());
    let width = |column: &Column| {
        let cells = found.rows.iter().map(|row| cell(column, row).chars().count());
        cells.chain(column.head.map(str::len)).max().unwrap_or(0) + 2
    };
    let names = found.rows.iter().map(|row| row.solver.name().len()).max().unwrap_or(6);
    let margin = if colors { "  " } else { "" };

    // Writing to a String cannot fail.
    let mut text = format!(
        "{name}: {} nodes, {} springs, frames: {} to {:.4} s\n",
        found.nodes, found.springs, found.frames, found.seconds
    );
    let _ = match &found.converged {
        Some(converged) => writeln!(text, "converged solution: {converged}\n"),
        None => writeln!(text, "the converged solution was not finished\n"),
    };
    for line in 0..2 {
        let first = if line == 0 { "solver" } else { "" };
        let _ = write!(text, "{margin}{first:<names$}");
        for column in &columns {
            let _ = write!(text, "{:>1$}", column.head[line], width(column));
        }
        text += if line == 0 { "  verdict\n" } else { "\n" };
    }
    for row in &found.rows {
        if colors {
            text += SQUARE;
        }
        let _ = write!(text, "{:<names$}", row.solver.name());
        for column in &columns {
            let _ = write!(text, "{:>1$}", cell(column, row), width(column));
        }
        let _ = writeln!(text, "  {}", row.verdict.words());
    }
    notes(&mut text, found);
    written.iter().for_each(|path| text += &format!("written   {path}\n"));
    // Names and reasons are escaped before the program's own sequences come in.
    let text = escape_lines(&text);
    if colors { colored(&text, found) } else { text }
}

/// The text with the square of each row in the color of its solver.
fn colored(text: &str, found: &Comparison) -> String {
    let mut rows = found.rows.iter();
    let mut whole = String::new();
    for line in text.split_inclusive('\n') {
        let own = line.strip_prefix(SQUARE).and_then(|rest| Some((rest, rows.next()?)));
        match own {
            Some((rest, row)) => {
                let [r, g, b] = PALETTE[color(row.solver) % PALETTE.len()];
                let _ = write!(whole, "\x1b[38;2;{r};{g};{b}m{SQUARE}\x1b[0m{rest}");
            }
            None => whole += line,
        }
    }
    whole
}

/// Notes below the table: why runs ended, and why columns are missing.
fn notes(text: &mut String, found: &Comparison) {
    text.push('\n');
    let mut said: Vec<(&str, &str)> = Vec::new();
    for row in &found.rows {
        let Some(reason) = &row.reason else { continue };
        // The first value of a sweep is enough.
        if !said.contains(&(row.solver.name(), row.verdict.words())) {
            said.push((row.solver.name(), row.verdict.words()));
            let _ = writeln!(text, "{} {}: {reason}", row.solver, row.verdict.words());
        }
    }
    let kept = &found.kept;
    for (what, reason) in [
        ("energy", &kept.energy_reason),
        ("momentum", &kept.linear_reason),
        ("angular momentum", &kept.angular_reason),
    ] {
        if let Some(reason) = reason {
            let _ = writeln!(text, "no drift of {what}: the scene does not keep it ({reason})");
        }
    }
    if found.surfaces {
        *text += "surfaces do not touch each other here, as those of the converged solution do not\n";
    }
    if !found.gpu_time {
        *text += "times are wall time: the adapter has no timestamps\n";
    }
}

/// The rows as CSV in SI units, with a line of names.
pub fn csv(found: &Comparison) -> String {
    let mut text =
        "solver,color,verdict,substeps,step,iterations,frame_seconds,cost,stretch_largest,stretch_p99,\
                    energy_drift,linear_momentum_drift,angular_momentum_drift,distance,reached,reason\n"
            .to_owned();
    for row in &found.rows {
        let number = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:e}"));
        let count = |n: Option<u32>| n.map_or_else(String::new, |n| n.to_string());
        let reason = row.reason.as_deref().unwrap_or_default().replace('"', "\"\"");
        let cells = [
            row.solver.name().to_owned(),
            row.color.clone(),
            row.verdict.words().to_owned(),
            count(row.substeps),
            number(row.step),
            count(row.iterations),
            number(row.frame_seconds),
            number(row.cost),
            number(row.stretch.map(|s| s.largest)),
            number(row.stretch.map(|s| s.p99)),
            number(row.drift.energy),
            number(row.drift.linear_momentum),
            number(row.drift.angular_momentum),
            number(row.distance),
            number(Some(row.reached)),
            if reason.is_empty() { reason } else { format!("\"{reason}\"") },
        ];
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Three significant digits, without an exponent unless the number is large or tiny.
fn digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.1e}"),
        size => {
            let decimals = (2.0 - size.log10().floor()).clamp(0.0, 5.0) as usize;
            format!("{value:.decimals$}")
        }
    }
}

/// A fraction in percent, with a plus sign if `signed`.
fn percent(part: f64, signed: bool) -> String {
    let sign = if signed && part > 0.0 { "+" } else { "" };
    format!("{sign}{} %", digits(100.0 * part))
}

#[cfg(test)]
mod tests {
    use super::{digits, percent};

    #[test]
    fn figures_have_three_digits() {
        let found = [0.0, 1234.5, 12.345, -0.012345, 3.2e7, 4.5e-9].map(digits);
        assert_eq!(found, ["0", "1234", "12.3", "-0.0123", "3.2e7", "4.5e-9"]);
        assert_eq!(
            [percent(0.5, true), percent(-0.5, true), percent(0.5, false)],
            ["+50.0 %", "-50.0 %", "50.0 %"]
        );
    }
}
