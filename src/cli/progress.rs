//! Progress of a run: a bar on a terminal, otherwise a plain line every few seconds.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two refreshes of the bar.
const REFRESH: Duration = Duration::from_millis(100);
/// Time between two plain lines.
const LINES: Duration = Duration::from_secs(5);

/// The progress of a run, on stderr.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// The last frame.
    frames: u64,
    seconds: f64,
    /// Time, frame and step of the first line: the time before also includes the compilation of shaders.
    begun: Option<(Instant, u64, u64)>,
    shown: Instant,
}

impl Progress {
    /// Begins a run up to `frames` frames and `seconds` simulated seconds.
    pub fn start(frames: u64, seconds: f64) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {msg}");
            // The template is fixed; if it were wrong, the default bar would be used.
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(frames).with_style(style)
        });
        Self { bar, frames, seconds, begun: None, shown: Instant::now() }
    }

    /// Whether it is time to refresh.
    pub fn is_due(&self) -> bool {
        self.shown.elapsed() >= if self.bar.is_some() { REFRESH } else { LINES }
    }

    /// Shows simulated time [s], steps done since the start and the largest stretch [1] after `frame` frames.
    pub fn show(&mut self, frame: u64, time: f64, steps: u64, stretch: f32) {
        self.shown = Instant::now();
        let begun = *self.begun.get_or_insert((self.shown, frame, steps));
        let mut message =
            format!("{time:.3} of {:.3} s, largest stretch |l/r - 1| {:.1} %", self.seconds, 100.0 * stretch);
        let elapsed = (self.shown - begun.0).as_secs_f64();
        if elapsed > 0.0 && frame > begun.1 {
            let rate = (steps - begun.2) as f64 / elapsed;
            let left = elapsed * (self.frames - frame) as f64 / (frame - begun.1) as f64;
            message += &format!(", {rate:.0} steps/s, {left:.0} s left");
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(frame);
                bar.set_message(message);
            }
            None => super::note(&format!("{message}\n")),
        }
    }
}

/// Progress of building the copies of a batch, on stderr, if that takes a while.
pub struct Building {
    bar: Option<ProgressBar>,
    copies: u32,
    shown: Mutex<Instant>,
}

impl Building {
    /// Begins with none of `copies`.
    pub fn start(copies: u32) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {msg}");
            ProgressBar::new(copies.into()).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Self { bar, copies, shown: Mutex::new(Instant::now()) }
    }

    /// Shows that `built` copies are done, if it is time to refresh.
    pub fn show(&self, built: u32) {
        // If another thread shows progress now, that is enough.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if shown.elapsed() < if self.bar.is_some() { REFRESH } else { LINES } {
            return;
        }
        *shown = Instant::now();
        let message = format!("{built} of {} copies built", self.copies);
        match &self.bar {
            Some(bar) => {
                bar.set_position(built.into());
                bar.set_message(message);
            }
            None => super::note(&format!("{message}\n")),
        }
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    /// Removes the bar, so that the summary or error that follows stands alone.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
