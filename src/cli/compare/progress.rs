//! Progress of a comparison: a bar on a terminal, otherwise a line for each run and a few lines during long runs.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use taffeta::compare;

use crate::cli::note;

/// Time between two refreshes of the bar.
const REFRESH: Duration = Duration::from_millis(100);
/// Time between two plain lines of one run.
const LINES: Duration = Duration::from_secs(10);

/// The progress of a comparison, on stderr.
pub struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    shown: Instant,
    run: usize,
}

impl Progress {
    pub fn start() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {msg}");
            // The template is fixed; if it were wrong, the default bar would be used.
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(1000).with_style(style)
        });
        let now = Instant::now();
        Self { bar, started: now, shown: now, run: 0 }
    }

    /// Shows the stage if it is time to refresh.
    pub fn show(&mut self, stage: &compare::Progress) {
        let is_new = self.run != stage.run;
        if !is_new && self.shown.elapsed() < if self.bar.is_some() { REFRESH } else { LINES } {
            return;
        }
        (self.run, self.shown) = (stage.run, Instant::now());
        let message = format!("{} of {}: {}", stage.run, stage.runs, stage.what);
        match &self.bar {
            Some(bar) => {
                bar.set_position((1000.0 * stage.done) as u64);
                bar.set_message(message);
            }
            None => {
                let seconds = self.started.elapsed().as_secs_f64();
                let part = if is_new { String::new() } else { format!(", {:.0} % done", 100.0 * stage.done) };
                note(&format!("{seconds:>5.0} s  {message}{part}\n"));
            }
        }
    }
}

impl Drop for Progress {
    /// Removes the bar, so that the table or error that follows stands alone.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
