//! Ropes and sheets let go from the horizontal, and what they come to.

use glam::DVec3;
use taffeta::bench::truth::bodies;
#[allow(unused_imports)] // each test file uses a part
pub use taffeta::bench::truth::bodies::{mean_fall, one_substep, rope as rope_body};
use taffeta::measure::stretch::Stretch;
use taffeta::model::{Body, Family, Model};
use taffeta::{Simulation, State};

use super::model;

/// A frame, which is one step [s].
pub const H: f64 = 1.0 / 60.0;

/// A rope let go from the horizontal, of axial stiffness `ea` [N].
pub fn hinged_rope(springs: u32, ea: f64) -> Model {
    model(rope_body(springs, ea))
}

/// A horizontal sheet on an edge, of structural stiffness `k` [N/m].
pub fn hinged_sheet(n: u32, k: f32) -> Model {
    model(bodies::hinged_sheet(n, k).unwrap())
}

/// Positions in f64.
pub fn doubles(state: &State) -> Vec<DVec3> {
    state.position.iter().map(|x| x.as_dvec3()).collect()
}

/// Largest |l / r - 1| of the structural springs at the ends of `frames`, and the largest of their 99.9th percentiles.
pub fn worst_stretch(simulation: &mut Simulation, frames: u32) -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for _ in 0..frames {
        simulation.step().unwrap();
        let model = simulation.model().clone();
        let strain = Stretch::of(&model, &doubles(&simulation.state().unwrap())).family(Family::Structural);
        worst = [worst[0].max(strain.max), worst[1].max(strain.p999)];
    }
    worst
}

/// The same body with springs of more than 1 MN/m, between neighbors, that keep their length.
pub fn inextensible(mut body: Body) -> Body {
    let is_stiff = |stiffness: f32| stiffness > 1e6;
    for spring in body.springs.iter_mut().filter(|s| is_stiff(s.stiffness) && s.family == Family::Structural)
    {
        (spring.stiffness, spring.dashpot) = (f32::INFINITY, 0.0);
    }
    for link in body.grid.iter_mut().flat_map(|grid| &mut grid.links).filter(|l| is_stiff(l.stiffness)) {
        (link.stiffness, link.dashpot) = (f32::INFINITY, 0.0);
    }
    body
}

/// The same body with structural springs that get no more than 1 % longer.
pub fn limited(body: Body) -> Body {
    Body { strain_limit: Some(0.01), ..body }
}
