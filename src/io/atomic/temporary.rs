//! Files that are not complete yet: `.NAME.taffeta-PROCESS-NUMBER.tmp`. They are locked while they are written. A file
//! without a lock was left by a killed program, and is removed.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Part of the name of every such file.
const MARK: &str = ".taffeta-";
/// End of the name.
const END: &str = ".tmp";

/// The temporary files of this process.
static LIVING: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
/// Directories that have been searched. Once is enough, because they can have many entries.
static SWEPT: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// A temporary file. It is removed unless it is renamed to its target.
pub struct Temporary(PathBuf);

impl Temporary {
    /// Creates a temporary file for `name` in `folder`, after removing abandoned ones there.
    pub fn create(folder: &Path, name: &OsStr) -> io::Result<(Self, File)> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        sweep(folder);
        loop {
            // Other runs and threads may write the same target.
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!("{MARK}{}-{number}{END}", std::process::id()));
            let path = folder.join(hidden);
            let mut living = lock(&LIVING);
            let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
            // On a file system without locks, no file is taken for abandoned.
            let _ = file.lock();
            // Before it was locked, another program may have removed it as abandoned.
            if path.exists() {
                living.insert(path.clone());
                return Ok((Self(path), file));
            }
        }
    }

    /// Renames it to its target.
    pub fn rename(self, target: &Path) -> io::Result<()> {
        let mut living = lock(&LIVING);
        fs::rename(&self.0, target)?;
        living.remove(&self.0);
        Ok(())
    }

    /// Removes it.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.0)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if lock(&LIVING).remove(&self.0) {
            // The first error is the one to report.
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// Removes all files that are being written, and blocks threads that go on writing, for a program that ends at once.
pub fn abandon() {
    let mut living = lock(&LIVING);
    for path in living.drain() {
        // If a file cannot be removed, nothing can be done about it.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(living);
}

/// Removes the temporary files of killed programs in `folder`.
fn sweep(folder: &Path) {
    if !lock(&SWEPT).insert(folder.to_owned()) {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.filter(|entry| is_temporary(&entry.file_name())).map(|entry| entry.path()) {
        // Files that cannot be opened, locked or removed stay.
        if let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let inner = name.strip_prefix('.').and_then(|name| name.strip_suffix(END));
    let numbers =
        inner.and_then(|name| name.rsplit_once(MARK)).and_then(|(_, numbers)| numbers.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Locks even after a panic: no thread leaves the data half changed.
fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_over_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let others =
            [".a.obj.12-3.tmp", "a.obj.taffeta-1-2.tmp", ".a.obj.taffeta-1-.tmp", ".a.taffeta-x-1.tmp"];
        let left = ".a.obj.taffeta-123456-7.tmp";
        others.iter().chain([&left]).for_each(|name| fs::write(at(name), "").unwrap());
        let (written, _file) = Temporary::create(folder.path(), OsStr::new("b.obj")).unwrap();
        assert!(!at(left).exists());
        assert!(others.iter().all(|name| at(name).exists()));
        // A file that is being written is not taken for abandoned.
        lock(&SWEPT).clear();
        sweep(folder.path());
        assert!(written.0.exists());
        let path = written.0.clone();
        drop(written);
        assert!(!path.exists());
    }
}
