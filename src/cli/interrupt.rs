//! Ctrl-C: the first asks a run to stop after the current frame, the second ends the program.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Failure;

/// Exit code of a run that Ctrl-C cut short.
pub const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C is remembered instead of ending the program.
pub fn watch() -> Result<(), Failure> {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            process::exit(EXIT_CODE.into());
        }
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::Run(format!("Ctrl-C cannot be watched: {e}")))
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
