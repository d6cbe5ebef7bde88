//! A virtual screen for tests of the window.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// An X server without a monitor, which goes with this value.
pub struct Screen {
    server: Child,
    /// What `DISPLAY` is there.
    pub display: String,
}

impl Screen {
    /// `None` where there is no Xvfb, which is told in one line; but where `TAFFETA_SCREEN` is set there must be one.
    pub fn open() -> Option<Self> {
        // The server looks for a free number itself and says which it took.
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]);
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut server) = spawned else {
            let asked = std::env::var_os("TAFFETA_SCREEN").is_some();
            assert!(!asked, "TAFFETA_SCREEN is set and there is no Xvfb: install it");
            // Not with eprintln!, which a test that passes keeps to itself.
            let _ = writeln!(std::io::stderr(), "no Xvfb here: the window is not tested");
            return None;
        };
        let mut number = String::new();
        BufReader::new(server.stdout.take()?).read_line(&mut number).expect("the number of a screen");
        assert!(!number.trim().is_empty(), "Xvfb ended before it had a screen");
        Some(Self { server, display: format!(":{}", number.trim()) })
    }

    /// Lets a program open its windows here.
    pub fn show<'a>(&self, program: &'a mut Command) -> &'a mut Command {
        program.env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY")
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
