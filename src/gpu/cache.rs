//! A cache of the kernels that have been compiled for a device.
//!
//! Parsing, validating and compiling take most of the time of setting up a simulation, and models of the same form use the
//! same kernels. The key of a shader is its whole composed text; the key of a kernel adds the entry point and the values of
//! the overrides that the entry point depends on.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Kernel, Shader};

/// Most kernels in the cache; the largest simulation has about 40. The least recently used go first.
const MOST_KERNELS: usize = 512;
/// Most shaders in the cache.
const MOST_SHADERS: usize = 256;

/// The key of a compiled kernel.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct KernelKey {
    /// The composed text.
    pub text: Arc<str>,
    /// The entry point.
    pub entry: String,
    /// Overrides that the entry point depends on, and the bits of their values.
    pub constants: Vec<(String, u64)>,
}

/// Numbers of shaders and kernels that were compiled or found in the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compilations {
    /// Shaders that were parsed and validated.
    pub shaders: u64,
    /// Kernels that the driver compiled.
    pub kernels: u64,
    /// Shaders and kernels that were found in the cache.
    pub found: u64,
}

/// The shaders and kernels of one device.
#[derive(Default)]
pub(super) struct Cache {
    shaders: Mutex<Recent<Arc<str>, Shader>>,
    kernels: Mutex<Recent<KernelKey, Kernel>>,
    /// The counts, in the order of the fields of [`Compilations`].
    counts: [AtomicU64; 3],
}

impl Cache {
    /// The shader of this text, made if it is not in the cache.
    pub fn shader<E>(&self, text: &str, make: impl FnOnce() -> Result<Shader, E>) -> Result<Shader, E> {
        if let Some(found) = lock(&self.shaders).get(text) {
            self.count(2);
            return Ok(found);
        }
        // Outside the lock, so that others can be made meanwhile. If two threads make the same one, one is kept.
        let made = make()?;
        self.count(0);
        lock(&self.shaders).keep(made.text(), made.clone(), MOST_SHADERS);
        Ok(made)
    }

    /// The kernel of this key, made if it is not in the cache.
    pub fn kernel<E>(&self, key: KernelKey, make: impl FnOnce() -> Result<Kernel, E>) -> Result<Kernel, E> {
        if let Some(found) = lock(&self.kernels).get(&key) {
            self.count(2);
            return Ok(found);
        }
        let made = make()?;
        self.count(1);
        lock(&self.kernels).keep(key, made.clone(), MOST_KERNELS);
        Ok(made)
    }

    /// The counts so far.
    pub fn compilations(&self) -> Compilations {
        let [shaders, kernels, found] = [0, 1, 2].map(|i: usize| self.counts[i].load(Ordering::Relaxed));
        Compilations { shaders, kernels, found }
    }

    fn count(&self, which: usize) {
        self.counts[which].fetch_add(1, Ordering::Relaxed);
    }
}

/// A map that drops the least recently used entries.
struct Recent<K, V> {
    entries: HashMap<K, (V, u64)>,
    /// Number of look-ups so far.
    clock: u64,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), clock: 0 }
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Recent<K, V> {
    fn get<Q: ?Sized + Eq + Hash>(&mut self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
    {
        self.clock += 1;
        let (value, used) = self.entries.get_mut(key)?;
        *used = self.clock;
        Some(value.clone())
    }

    fn keep(&mut self, key: K, value: V, most: usize) {
        if self.entries.len() >= most {
            let oldest = self.entries.iter().min_by_key(|(_, (_, used))| *used);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                self.entries.remove(&key);
            }
        }
        self.entries.insert(key, (value, self.clock));
    }
}

/// Locks even after a panic: no thread leaves the data half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_longest_ago_is_forgotten() {
        let mut recent = Recent::default();
        recent.get("nothing");
        recent.keep("a".to_owned(), 1, 2);
        recent.get("a");
        recent.keep("b".to_owned(), 2, 2);
        recent.get("a");
        recent.keep("c".to_owned(), 3, 2);
        assert_eq!([recent.get("a"), recent.get("b"), recent.get("c")], [Some(1), None, Some(3)]);
    }
}
