//! What pairs did to each node: `TOUCH_ROW` in `shaders/forces/applied_rows.wgsl`. Colliders of implicit methods read it in the next substep, and
//! staggered methods when the velocity is asked for.

use std::ops::Range;

use glam::Vec4;

use crate::gpu::{Buffer, Words};
use crate::method::{Setup, Touch};

/// The name of its words.
pub const FORCES_OF_CONTACT: &str = "forces of contact";

/// A row of `applied`, of methods for which it lasts from substep to substep.
pub struct TouchRow {
    applied: Buffer<Vec4>,
    row: Range<usize>,
}

impl TouchRow {
    /// That of a method; `None` where nothing reads it after the substep.
    pub fn of(setup: &Setup<'_>) -> Option<Self> {
        let nodes = setup.nodes as usize;
        let start = setup.pushes.touch_row() * nodes;
        let lasts = setup.pushes.contact != Some(Touch::Force) || setup.settings.solver.is_staggered();
        (start > 0 && lasts)
            .then(|| Self { applied: setup.fields.applied.clone(), row: start..start + nodes })
    }

    /// Its words.
    pub fn words(&self) -> Words<'_> {
        self.applied.words_of(self.row.clone()).named(FORCES_OF_CONTACT)
    }
}
