//! Sheets for the tests.

use glam::{DVec3, Vec3};

use super::super::{Law, Skin, Surface, law};
use crate::hierarchy::{Hierarchy, Rows};
use crate::model::{Body, Model, ModelBuilder};
use crate::reference::State64;
use crate::shape::{Cloth, RawSprings};

/// A sheet whose cells are split along one diagonal and the other in turn.
pub fn sheet(size: [u32; 2], spacing: f32, corner: Vec3, node_mass: f32) -> Body {
    let [columns, rows] = size;
    let [u, v] = [(Vec3::X, columns), (Vec3::Z, rows)].map(|(axis, n)| axis * spacing * (n - 1) as f32);
    let raw = RawSprings { structural: 500.0, shear: 250.0, flexion: 0.0, node_mass, dashpot: 0.0 };
    let mut body = Cloth::new(size, u, v).at(corner).of(raw).build().unwrap();
    body.bending = 2e-5;
    body.triangles.clear();
    for (row, column) in (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| (row, column))) {
        let [a, b, c, d] = [0, 1, columns, columns + 1].map(|step| row * columns + column + step);
        body.triangles.extend(match (row + column) % 2 {
            0 => [[a, c, d], [a, d, b]],
            _ => [[a, c, b], [b, c, d]],
        });
    }
    body
}

/// A model of these bodies.
pub fn model(bodies: impl IntoIterator<Item = Body>) -> Model {
    let mut builder = ModelBuilder::new();
    for body in bodies {
        builder.add(body);
    }
    builder.build().unwrap()
}

/// All of one skin.
pub fn surface(model: &Model, thickness: f64, friction: f64) -> Surface {
    Surface::of(model, vec![Skin { thickness, friction }; model.bodies().len()])
}

/// Two sheets of 1 m with 33 x 33 nodes, one on the other, that fall with 1 m/s.
pub fn falling() -> (Model, State64) {
    let (n, s) = (33, 1.0 / 32.0);
    let mass = 0.2 / (n * n) as f32;
    let model = model([0.0, 1.0].map(|y| sheet([n; 2], s as f32, y * Vec3::Y, mass)));
    let place = |k: u32| {
        let (above, k) = (f64::from(k / (n * n)), k % (n * n));
        let [u, w] = [(k % n, 0.3), (k / n, 0.2)].map(|(i, shift)| s * (f64::from(i) + shift * above));
        DVec3::new(u, 0.98 * s * above + 1e-3 * (6.0 * u).sin() * (5.0 * w).sin(), w)
    };
    let position: Vec<DVec3> = (0..2 * n * n).map(place).collect();
    let velocity = vec![DVec3::NEG_Y; position.len()];
    (model, State64 { position, velocity, time: 0.0 })
}

/// A sheet of 33 x 17 nodes folded over itself, rough, that falls with 1 m/s.
pub fn folded() -> (Model, State64) {
    let s = 1.0 / 32.0;
    let model = model([sheet([33, 17], s as f32, Vec3::ZERO, 0.2 * (s * s) as f32)]);
    let radius = 0.49 * s;
    let begin = 0.5 - 0.5 * std::f64::consts::PI * radius;
    let place = |x: &Vec3| {
        let [u, w] = [x.x, x.z].map(f64::from);
        let angle = ((u - begin) / radius).clamp(0.0, std::f64::consts::PI);
        let straight = u.min(begin) - (u - begin - std::f64::consts::PI * radius).max(0.0);
        let wave = 1e-3 * (6.0 * u).sin() * (5.0 * w).sin();
        DVec3::new(straight + radius * angle.sin(), radius * (1.0 - angle.cos()) + wave, w)
    };
    let position: Vec<DVec3> = model.rest_position().iter().map(place).collect();
    let velocity = vec![DVec3::NEG_Y; position.len()];
    (model, State64 { position, velocity, time: 0.0 })
}

/// The law of the study that these sheets are from, with a kink.
pub const STUDY: Law = Law { thickness: 1.0 / 32.0, stiffness: 75.0, friction: 0.3, onset: 0.0 };

/// The levels of two equal grids side by side.
pub fn grids(n: u32, model: &Model) -> Hierarchy {
    let half = model.springs().len() / 2;
    let weights = model_of_one(n).grid_bending(0).unwrap().weights();
    let mut hierarchy = Hierarchy::structured_with_bending([n; 2], &model.springs()[..half], 3, weights);
    let (mut nodes, mut springs) = ((n * n) as usize, half);
    for level in &mut hierarchy.levels {
        let (own_nodes, own_springs) = (level.nodes, level.springs.len());
        double(&mut level.gather, springs);
        double(&mut level.interpolation, own_nodes);
        double(&mut level.restriction, nodes);
        let moved: Vec<[u32; 2]> =
            level.springs.iter().map(|ends| ends.map(|i| i + own_nodes as u32)).collect();
        level.springs.extend(moved);
        level.bend.extend_from_within(..);
        level.nodes *= 2;
        level.copies = vec![0, level.nodes as u32];
        (nodes, springs) = (own_nodes, own_springs);
    }
    hierarchy
}

fn model_of_one(n: u32) -> Model {
    model([sheet([n; 2], 1.0 / (n - 1) as f32, Vec3::ZERO, 1.0)])
}

fn double(rows: &mut Rows, by: usize) {
    let end = rows.indices.len() as u32;
    let more: Vec<u32> = rows.starts[1..].iter().map(|start| start + end).collect();
    rows.starts.extend(more);
    let more: Vec<u32> = rows.indices.iter().map(|index| index + by as u32).collect();
    rows.indices.extend(more);
    rows.weights.extend_from_within(..);
}

/// The usual law for a thickness \[m\] and stiffness [N/m].
pub fn usual(thickness: f64, stiffness: f64) -> Law {
    Law { thickness, stiffness, friction: 0.3, onset: law::ONSET }
}
