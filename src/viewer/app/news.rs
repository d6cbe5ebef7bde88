//! The window's reports on its simulations: it asks for results from time to time, and shows them without waiting.

use super::App;
use crate::Error;
use crate::checkpoint::Checkpoint;
use crate::render::nice_scale;
use crate::viewer::player::{Player, Told};

/// Time between updates of title and stretch \[s\].
const REPORT: f64 = 0.5;
/// Time between read-backs of the state, from which the run goes on after a lost device \[s\].
pub(super) const KEEP: f64 = 10.0;

impl App {
    /// Takes the results that have arrived, and asks for new ones from time to time.
    pub(super) fn tell(&mut self) -> Result<(), Error> {
        self.hear()?;
        let now = self.clock.seconds();
        let elapsed = now - self.last_report;
        let Some(stage) = &mut self.stage else { return Ok(()) };
        // With one picture left to draw while paused, this is the last chance to ask. Later the window rests.
        let rests = self.controls.paused && self.settle == 0;
        self.is_report_due |= self.settle == 1 || (elapsed >= REPORT && !rests);
        if !self.is_report_due || stage.players.iter().any(Player::is_asked) {
            return Ok(());
        }
        self.is_report_due = false;
        let (pictures, seconds) = std::mem::take(&mut self.since_report);
        self.last_report = now;
        self.report.fps = f64::from(pictures) as f32 / elapsed as f32;
        self.report.speed = (seconds / elapsed) as f32;
        let paused = if self.controls.paused { ", paused" } else { "" };
        stage.screen.window.set_title(&format!(
            "taffeta: {} – {:.0} fps, {:.1} ms{paused}",
            self.options.name,
            self.report.fps,
            1e3 * elapsed / f64::from(pictures.max(1)),
        ));
        let is_sound = stage.players.iter().all(|player| !player.is_broken);
        let keeps = is_sound && !self.controls.paused && now - self.last_kept > KEEP;
        stage.players.iter_mut().filter(|player| !player.is_broken).for_each(|player| player.ask(keeps));
        Ok(())
    }

    /// Shows the answers of the players, and keeps their states once all have arrived.
    fn hear(&mut self) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let mut any = false;
        for player in &mut stage.players {
            match player.hear()? {
                Told::Nothing => continue,
                Told::Sound(error) => player.error = error,
                Told::Broken(why) => self.controls.message = Some(why.to_string()),
            }
            any = true;
        }
        if !any || stage.players.iter().any(Player::is_asked) {
            return Ok(());
        }
        self.has_news = true;
        let sound = || stage.players.iter().filter(|player| !player.is_broken);
        self.report.warnings = warnings(&stage.players);
        self.report.error = sound().filter_map(|player| player.error).reduce(f64::max);
        if sound().next().is_none() {
            self.controls.paused = true;
        } else {
            let stretches = sound().map(|player| player.largest_stretch);
            self.report.largest_stretch = stretches.fold(0.0, f32::max);
        }
        if self.controls.follow_stretch {
            self.controls.look.stretch_scale = nice_scale(self.report.largest_stretch);
        }
        let kept: Option<Vec<Checkpoint>> =
            stage.players.iter_mut().map(|player| player.checkpoint.take()).collect();
        if let Some(kept) = kept {
            self.kept = kept;
            self.last_kept = self.clock.seconds();
            self.losses = 0;
        }
        Ok(())
    }
}

/// What there is to say of the runs; with several, behind the name of the solver.
fn warnings(players: &[Player]) -> Vec<String> {
    let of_player = |player: &Player| {
        let name = player.simulation.settings().solver.name();
        let line = move |text: String| if players.len() > 1 { format!("{name}: {text}") } else { text };
        player.warnings.iter().map(|warning| line(warning.to_string())).collect::<Vec<_>>()
    };
    players.iter().flat_map(of_player).collect()
}
