//! What pairs did to each node, for colliders: `TOUCH_ROW` in `shaders/forces/applied_rows.wgsl`.

use std::ops::Range;

use glam::Vec4;

use crate::gpu::{Buffer, Words};
use crate::method::Setup;

/// A row of `applied`, of methods for which it lasts from substep to substep.
pub struct TouchRow {
    applied: Buffer<Vec4>,
    row: Range<usize>,
}

impl TouchRow {
    /// That of a method; `None` where nothing reads it.
    pub fn of(setup: &Setup<'_>) -> Option<Self> {
        let nodes = setup.nodes as usize;
        let start = setup.pushes.touch_row() * nodes;
        (start > 0).then(|| Self { applied: setup.fields.applied.clone(), row: start..start + nodes })
    }

    /// Its words.
    pub fn words(&self) -> Words<'_> {
        self.applied.words_of(self.row.clone()).named("forces of contact")
    }
}
