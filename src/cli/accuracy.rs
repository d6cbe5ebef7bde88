//! `taffeta bench --accuracy`: the accuracy of the default solver.

use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use taffeta::bench::truth::{self, Bound, Group, News, Row, Verdict};
use taffeta::gpu::Requirements;

use super::failure::Failure;
use super::gpu::GpuArgs;
use super::print;

/// Nodes of the largest body.
const NODES: u64 = 129 * 129;

/// Measures these groups, or all if none is named; prints each row when it is measured, JSON at the end.
pub fn run(groups: &[Group], json: bool, gpu: &GpuArgs) -> Result<ExitCode, Failure> {
    let gpu = gpu.open(Requirements::buffer(400 * NODES))?;
    let asked = |group: &Group| groups.is_empty() || groups.contains(group);
    let groups: Vec<Group> = Group::ALL.into_iter().filter(asked).collect();
    let table = |text: String| if json { Ok(()) } else { print(&text) };
    let mut printed = table(head(&gpu.description()));
    let mut progress = Progress::default();
    let mut rows: Vec<Row> = Vec::new();
    truth::run(&gpu, &groups, |news| match news {
        News::Begins(name, count) => progress.begins(name, count),
        News::Rows(new) => {
            let text: String = new.iter().map(line).collect();
            let shown = progress.aside(|| table(text));
            printed = std::mem::replace(&mut printed, Ok(())).and(shown);
            rows.extend_from_slice(new);
        }
    })?;
    drop(progress);
    printed?;
    match json {
        true => {
            let report = serde_json::json!({ "adapter": gpu.description(), "rows": rows });
            print(&(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"))?;
        }
        false => print(&sum(&rows))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn head(adapter: &str) -> String {
    let columns = columns(["group", "case", "what", "value", "bound"], "");
    format!("{adapter}\n\n{columns}\n")
}

fn columns([group, case, what, value, bound]: [&str; 5], verdict: &str) -> String {
    let text = format!("{group:<10} {case:<47} {what:<39} {value:>9} {bound:>9}  {verdict}");
    text.trim_end().to_owned()
}

fn line(row: &Row) -> String {
    let number =
        |value: f64| format!("{}{}{}", figures(value), if row.unit.is_empty() { "" } else { " " }, row.unit);
    let value = row.value.map_or("-".to_owned(), number);
    let bound = match row.bound {
        None => "-".to_owned(),
        Some(Bound::AtMost(most)) => format!("<= {}", number(most)),
        Some(Bound::AtLeast(least)) => format!(">= {}", number(least)),
    };
    let note = row.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
    let cells = [row.group.name(), &row.case, row.what, &value, &bound];
    columns(cells, &format!("{}{note}", row.verdict.name())) + "\n"
}

/// Three significant digits.
fn figures(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if !(1e-3..1e5).contains(&v) => format!("{value:.1e}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v => {
            let text = format!("{value:.*}", (2 - (v.log10().floor() as i32).min(2)) as usize);
            let text =
                if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            text.to_owned()
        }
    }
}

fn sum(rows: &[Row]) -> String {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let [holds, over, value, none] =
        [Verdict::Holds, Verdict::Over, Verdict::Value, Verdict::NoReference].map(count);
    format!("\n{holds} hold, {over} are over, {none} have no reference, {value} have no bound\n")
}

/// Progress on stderr: a bar on a terminal, else nothing.
#[derive(Default)]
struct Progress(Option<ProgressBar>);

impl Progress {
    /// Shows that the next of `count` measurements begins.
    fn begins(&mut self, name: &str, count: usize) {
        let bar = self.0.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{spinner} {bar:24} {pos} of {len}, {elapsed}: {msg}");
            // The template is fixed; if it were wrong, the default bar would be used.
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(count as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        bar.inc(1);
        bar.set_message(name.to_owned());
    }

    /// Runs `work`, which prints, with the bar hidden.
    fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
