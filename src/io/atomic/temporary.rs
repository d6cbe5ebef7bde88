//! Files that are not complete yet: `.NAME.taffeta-PROCESS-NUMBER.tmp`, locked as long as they are written. One that
//! nobody has locked was left by a program that was killed, and is removed.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// In the name of every such file.
const MARK: &str = ".taffeta-";
/// At the end of it.
const END: &str = ".tmp";

/// Those of this process.
static LIVING: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
/// Directories that have been looked through: once is enough, they can be long.
static SWEPT: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// A file that is removed unless it gets its name.
pub struct Temporary(PathBuf);

impl Temporary {
    /// A new one for `name` in `folder`, in which what nobody writes any more is removed first.
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
            // Where a file system has no locks nothing is taken for left over.
            let _ = file.lock();
            // Between the two lines above another program may have taken it for that.
            if path.exists() {
                living.insert(path.clone());
                return Ok((Self(path), file));
            }
        }
    }

    /// Gives it its name.
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

/// Removes what is being written, and holds up whoever goes on writing: for a program that ends at once.
pub fn abandon() {
    let mut living = lock(&LIVING);
    for path in living.drain() {
        // Nothing can be done about what cannot be removed.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(living);
}

/// Removes what killed programs left in `folder`.
fn sweep(folder: &Path) {
    if !lock(&SWEPT).insert(folder.to_owned()) {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.filter(|entry| is_temporary(&entry.file_name())).map(|entry| entry.path()) {
        // What cannot be opened, locked or removed stays.
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

/// A thread that panicked has left nothing half done in here.
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
        // One that is being written is not taken for left over.
        lock(&SWEPT).clear();
        sweep(folder.path());
        assert!(written.0.exists());
        let path = written.0.clone();
        drop(written);
        assert!(!path.exists());
    }
}
