//! Writes a file beside its target and renames it, so that a partial output never looks complete. Symbolic links are
//! followed. Pipes and devices cannot be replaced by renaming, so they are written directly.

mod temporary;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Error;
use temporary::Temporary;
pub use temporary::abandon;

/// Most links in a chain; more are taken for a cycle.
const MOST_LINKS: usize = 40;

/// Writes `path` with `fill`. The file appears under its name only once it is complete and on
/// disk; after an error the old file, if any, is still there.
pub fn write(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Error> {
    let failed = |e: io::Error| Error::file(path, format!("it cannot be written: {e}"));
    let target = target(path).map_err(failed)?;
    if is_special(&target) {
        let file = OpenOptions::new().write(true).open(&target).map_err(failed)?;
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        return fill(&mut writer).and_then(|()| writer.flush()).map_err(failed);
    }
    let (temporary, file) = create_beside(path, &target)?;
    let mut writer = BufWriter::with_capacity(1 << 20, file);
    fill(&mut writer).map_err(failed)?;
    let file = writer.into_inner().map_err(|e| failed(e.into_error()))?;
    file.sync_all().map_err(failed)?;
    temporary.rename(&target).map_err(failed)
}

/// Checks that a file can be written at `path`, without changing an existing one.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    let target = target(path).map_err(|e| Error::file(path, format!("it cannot be written: {e}")))?;
    if is_special(&target) {
        return Ok(());
    }
    let (temporary, _) = create_beside(path, &target)?;
    temporary.remove().map_err(|e| Error::file(path, format!("its temporary file cannot be removed: {e}")))
}

/// The target of a path after following links. It need not exist.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if !path.is_symlink() {
            return Ok(path);
        }
        let next = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other("it is a link that leads in a circle"))
}

/// Whether the path is a pipe or a device.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Creates a temporary file beside `target`, the target of `path`.
fn create_beside(path: &Path, target: &Path) -> Result<(Temporary, File), Error> {
    let Some(name) = target.file_name().filter(|_| !target.is_dir()) else {
        return Err(Error::file(path, "it is a directory; name a file in it"));
    };
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let message = format!("the directory '{}' does not exist; create it first", folder.display());
        return Err(Error::file(path, message));
    }
    Temporary::create(folder, name).map_err(|e| {
        Error::file(path, format!("the directory '{}' cannot be written to: {e}", folder.display()))
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failed_write_keeps_the_old_file_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        write(&path, |w| w.write_all(b"old")).unwrap();
        let failed = write(&path, |w| {
            w.write_all(b"new")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.unwrap_err().to_string().ends_with("out.txt: it cannot be written: disk full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_through_and_pipes_stay_pipes() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("there")).unwrap();
        symlink("there/real.txt", at("first.txt")).unwrap();
        symlink("first.txt", at("second.txt")).unwrap();
        for text in ["new", "newer"] {
            check(&at("second.txt")).unwrap();
            write(&at("second.txt"), |w| w.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(at("there/real.txt")).unwrap(), text);
            assert!(at("first.txt").is_symlink() && at("second.txt").is_symlink());
        }
        symlink("circle.txt", at("circle.txt")).unwrap();
        assert!(check(&at("circle.txt")).unwrap_err().to_string().contains("leads in a circle"));

        let pipe = at("pipe.txt");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        check(&pipe).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(&pipe, |w| w.write_all(b"through")).unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn missing_directories_and_directories_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = |path: &Path| check(path).unwrap_err().to_string();
        assert!(error(&folder.path().join("no/out.obj")).contains("does not exist; create it first"));
        assert!(error(folder.path()).contains("it is a directory"));
        check(&folder.path().join("out.obj")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
