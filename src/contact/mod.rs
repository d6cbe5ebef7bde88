//! Contact between surfaces: cloth with itself and with other cloth.
//!
//! A tree of triangles ([`Surface`]) is built once, from the shape at rest, and refitted on the GPU in each substep
//! (`shaders/contact/refit.wgsl`). The guard (`shaders/contact/guard.wgsl`) proves for every pair of features that may meet that
//! it does not cross, and holds nodes back where there is no proof. Forces between surfaces are a part of methods:
//! [`crate::method::contact`].

mod closing;
mod elements;
mod guard;
mod parted;
mod patches;
mod planes;
mod regions;
mod report;
mod rounds;
mod tangled;
mod tree;

pub use closing::{Closing, Looks};
pub use elements::Surface;
pub use guard::{Guard, TREE_STRUCT};
pub use patches::boxes_bytes;
pub use report::Report;

use crate::method::contact as soft;
use crate::model::{BodyRange, Model};

/// The least gap that the guard leaves, as a part of the thickness.
const LEAST_GAP: f32 = 0.1;

/// The least gap that the guard leaves between the surfaces of each copy \[m\]: a part of the least thickness, or of the
/// spacing where that is less.
pub fn least_gaps(model: &Model) -> Vec<f32> {
    let copies = model.copies() as usize;
    let bodies = model.bodies().len() / copies;
    let of_copy = |copy: usize| {
        let bodies = &model.bodies()[copy * bodies..(copy + 1) * bodies];
        let touching = bodies.iter().filter(|body| body.touches());
        let least = touching.map(|body| soft::thickness(model, body).min(soft::spacing(model, body)));
        LEAST_GAP * least.reduce(f32::min).unwrap_or(0.0)
    };
    (0..copies).map(of_copy).collect()
}

/// Thickness of a body's surface \[m\]: its own, or half of its median edge; 0 where it touches nothing.
pub fn thickness(model: &Model, body: &BodyRange) -> f32 {
    if body.layer.touches { soft::thickness(model, body) } else { 0.0 }
}
