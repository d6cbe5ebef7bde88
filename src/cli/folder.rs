//! A directory of numbered files, one for each state or picture of a run.

use std::fs;
use std::path::{Path, PathBuf};

use super::failure::Failure;

/// The directory of numbered files, and after which frames they are written.
pub struct Folder {
    path: PathBuf,
    extension: &'static str,
    /// Frames between two files; at least one, not always a whole number.
    interval: f64,
    written: u64,
}

impl Folder {
    /// Checks, before a long run, that files can be written into `path`. The directory may be missing, but its
    /// parent must exist. `rate` is in files per simulated second; by default there is one for each frame.
    pub fn plan(
        option: &str,
        path: &Path,
        extension: &'static str,
        rate: Option<f64>,
        frame_time: f64,
    ) -> Result<Self, Failure> {
        let place = format!("{option} {}", path.display());
        check(path).map_err(|message| Failure::input(place, message))?;
        let frames = 1.0 / frame_time;
        let interval = rate.map_or(1.0, |rate| frames / rate);
        // A frame time of 1/60 s is not exact in f32.
        if interval < 1.0 - 1e-4 {
            let message = format!(
                "at most {}: a simulated second has as many frames; a shorter frame-time in the scene \
                 gives more",
                (frames * 1e3).round() / 1e3
            );
            return Err(Failure::input(format!("--fps {}", rate.unwrap_or_default()), message));
        }
        Ok(Self { path: path.to_owned(), extension, interval: interval.max(1.0), written: 0 })
    }

    /// Whether a file is due after `frame` frames; the start is frame 0.
    pub fn is_due(&self, frame: u64) -> bool {
        (self.number(frame) as f64 * self.interval).round() as u64 == frame
    }

    /// The file that is due after `frame` frames, numbered as in a run without a stop. Creates the directory if needed.
    pub fn file(&self, frame: u64) -> Result<PathBuf, Failure> {
        if !self.path.is_dir() {
            let failed = |e| Failure::Run(format!("{}: it cannot be created: {e}", self.path.display()));
            fs::create_dir(&self.path).map_err(failed)?;
        }
        let name = format!("{:06}.{}", self.number(frame), self.extension);
        Ok(self.path.join(name))
    }

    /// Counts a file that is complete.
    pub fn wrote(&mut self) {
        self.written += 1;
    }

    /// The number of the file that is nearest to `frame` frames.
    fn number(&self, frame: u64) -> u64 {
        (frame as f64 / self.interval).round() as u64
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// The files written, for reports.
    pub fn summary(&self) -> String {
        format!("{} ({} .{} files)", self.path.display(), self.written, self.extension)
    }
}

/// Checks a directory for numbered files. Returns what is wrong with it.
fn check(path: &Path) -> Result<(), String> {
    if !path.exists() {
        // The same call as when the first file is due.
        let made = fs::create_dir(path).and_then(|()| fs::remove_dir(path));
        return made.map_err(|e| format!("the directory cannot be created: {e}; its parent must exist"));
    }
    let entries =
        fs::read_dir(path).map_err(|e| format!("it is no readable directory: {e}; name a directory"))?;
    let probe = path.join(format!(".taffeta-{}", std::process::id()));
    let written = fs::File::create_new(&probe).and_then(|_| fs::remove_file(&probe));
    written.map_err(|e| format!("the directory cannot be written to: {e}"))?;
    let count = entries.count();
    if count > 0 {
        log::warn!(
            "{} already holds {count} entries; files of the same name are replaced, others stay",
            path.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(rate: Option<f64>) -> Vec<u64> {
        let frame_time = f64::from(1.0f32 / 60.0);
        let folder =
            Folder::plan("--sequence", &std::env::temp_dir().join("taffeta-none"), "obj", rate, frame_time);
        (0..=10).filter(|&frame| folder.as_ref().unwrap().is_due(frame)).collect()
    }

    #[test]
    fn files_are_numbered_without_a_gap() {
        let frame_time = f64::from(1.0f32 / 60.0);
        let path = tempfile::tempdir().unwrap();
        for rate in [60.0, 59.0, 41.3, 24.0, 7.0] {
            let folder = Folder::plan("--sequence", path.path(), "obj", Some(rate), frame_time).unwrap();
            let due: Vec<u64> = (0..500).filter(|&frame| folder.is_due(frame)).collect();
            for (number, frame) in due.into_iter().enumerate() {
                assert!(folder.file(frame).unwrap().ends_with(format!("{number:06}.obj")), "{rate}");
            }
        }
    }

    #[test]
    fn files_are_due_at_the_frames_nearest_to_their_times() {
        assert_eq!(due(None), (0..=10).collect::<Vec<_>>());
        assert_eq!(due(Some(60.0)), (0..=10).collect::<Vec<_>>());
        assert_eq!(due(Some(30.0)), [0, 2, 4, 6, 8, 10]);
        assert_eq!(due(Some(24.0)), [0, 2, 5, 7, 10]);
        assert_eq!(due(Some(1.0)), [0]);
    }
}
