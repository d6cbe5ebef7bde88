//! Writes a file beside its target and renames it, so that no partial output ever looks complete.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::Error;

/// Writes `path` with `fill`. The file appears under its name only once it is complete and on
/// disk; after an error the old file, if any, is still there.
pub fn write(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Error> {
    let (temporary, file) = create_beside(path)?;
    let finish = || {
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        fill(&mut writer)?;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    finish().map_err(|e| {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
        Error::file(path, format!("it cannot be written: {e}"))
    })
}

/// Checks that a file can be written at `path`, without touching what is there.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    let (temporary, _) = create_beside(path)?;
    fs::remove_file(&temporary)
        .map_err(|e| Error::file(path, format!("its temporary file cannot be removed: {e}")))
}

fn create_beside(path: &Path) -> Result<(PathBuf, File), Error> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let Some(name) = path.file_name().filter(|_| !path.is_dir()) else {
        return Err(Error::file(path, "it is a directory; name a file in it"));
    };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let message = format!("the directory '{}' does not exist; create it first", folder.display());
        return Err(Error::file(path, message));
    }
    // Other runs and threads may write the same target.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}-{number}.tmp", std::process::id()));
    let temporary = folder.join(hidden);
    match OpenOptions::new().write(true).create_new(true).open(&temporary) {
        Ok(file) => Ok((temporary, file)),
        Err(e) => {
            let message = format!("the directory '{}' cannot be written to: {e}", folder.display());
            Err(Error::file(path, message))
        }
    }
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
