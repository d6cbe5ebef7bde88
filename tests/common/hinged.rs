//! Ropes and sheets let go from the horizontal, and what they come to.

use glam::{DVec3, Vec3};
use taffeta::model::{Body, Family, Model, Spring};
use taffeta::reference::stretch::Stretch;
use taffeta::settings::Substeps;
use taffeta::{Settings, Simulation, State};

use super::{model, raw_cloth};

/// A frame, which is one step [s].
pub const H: f64 = 1.0 / 60.0;

/// One step a frame.
pub fn one_substep() -> Settings {
    Settings { substeps: Substeps::Fixed(1), ..Settings::default() }
}

/// A rope of 1 m and 50 g in so many springs, held at one end and let go from the horizontal, of axial stiffness `ea` [N].
pub fn hinged_rope(springs: u32, ea: f64) -> Model {
    model(rope_body(springs, ea))
}

/// The same as a body.
pub fn rope_body(springs: u32, ea: f64) -> Body {
    let length = 1.0 / springs as f32;
    let spring = |i| Spring {
        nodes: [i, i + 1],
        rest_length: length,
        stiffness: (ea * f64::from(springs)) as f32,
        dashpot: 0.0,
        family: Family::Structural,
    };
    Body {
        rest_position: (0..=springs).map(|i| Vec3::X * (i as f32 * length)).collect(),
        mass: vec![0.05 / springs as f32; springs as usize + 1],
        pinned: vec![0],
        springs: (0..springs).map(spring).collect(),
        ..Body::default()
    }
}

/// A horizontal sheet of 1 m and 0.2 kg on an edge, of structural stiffness `k` and little shear [N/m].
pub fn hinged_sheet(n: u32, k: f32) -> Model {
    let mut body = raw_cloth([n, n], [Vec3::X, Vec3::Z], [k, 10.0, 0.0], 0.2 / (n * n) as f32, 0.0);
    body.pinned = (0..n).collect();
    model(body)
}

/// How far free nodes have fallen on average \[m\].
pub fn mean_fall(model: &Model, position: &[DVec3]) -> f64 {
    let fall = |i: usize| f64::from(model.initial_state().position[i].y) - position[i].y;
    let free: Vec<f64> = (0..position.len()).filter(|&i| !model.pinned()[i]).map(fall).collect();
    free.iter().sum::<f64>() / free.len() as f64
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

/// The same body with springs of more than 1 MN/m, between neighbours, that keep their length.
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
