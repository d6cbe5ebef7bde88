//! Ctrl-C, and on Unix SIGTERM and SIGHUP: the first signal stops a run after the current frame, the second ends the
//! program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use taffeta::io::atomic;

use super::failure::Failure;
use super::note;

/// Exit code of a run that was cut short after it wrote all requested outputs.
pub const EXIT_CODE: u8 = 130;
/// Exit code if a second signal ended the program before that.
const EXIT_CODE_AT_ONCE: i32 = 1;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on a first signal is remembered instead of ending the program.
pub fn watch() -> Result<(), Failure> {
    listen(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            atomic::abandon();
            note("ended at once: not all that was asked for has been written\n");
            process::exit(EXIT_CODE_AT_ONCE);
        }
    })
    .map_err(|e| Failure::Run(format!("Ctrl-C cannot be watched: {e}")))
}

/// Whether the run should stop.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Calls `handler` for each signal that is not ignored. `nohup` ignores some, and so do scripts for programs that they
/// start in the background.
#[cfg(unix)]
fn listen(handler: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let ignored = ignored();
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(signals)?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|_| handler()))
        .map(|_| ())
}

#[cfg(not(unix))]
fn listen(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(handler)
}

/// A bit for each ignored signal, counted from one; zero if the system has no such file.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
