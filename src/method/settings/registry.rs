//! All keys, by the table of a scene file that they stand in.

use super::key::Spec;
use super::{SolverKind, step, world as of_world};

/// Keys of steps and methods, in the order of tables: behind `substeps` those of the methods.
pub fn simulation() -> Vec<&'static Spec> {
    const BEFORE: usize = 3;
    let mut keys = step::KEYS[..BEFORE].to_vec();
    for used in SolverKind::ALL.iter().flat_map(|kind| kind.keys()) {
        if !keys.iter().any(|known| known.name == used.spec.name) {
            keys.push(used.spec);
        }
    }
    keys.extend(&step::KEYS[BEFORE..]);
    keys
}

/// Keys of what acts on everything, in the order of tables.
pub fn world() -> &'static [&'static Spec] {
    of_world::KEYS
}

/// All of them.
pub fn all() -> Vec<&'static Spec> {
    [&simulation()[..], world()].concat()
}
