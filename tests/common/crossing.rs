//! Two sheets with sharp folds that cross.

use glam::Vec3;
use taffeta::model::{Body, Layer, Model, ModelBuilder, Spring};

use super::{Random, raw_cloth};

/// Spacing \[m\].
const S: f32 = 0.05;

/// What folds are like: the slope beside them, the distance between them \[m\], and how far nodes are off at random \[m\].
#[derive(Clone, Copy)]
pub struct Folds {
    pub slope: f32,
    pub gap: f32,
    pub roughness: f32,
}

/// 19 mm from each other.
const SHARP: Folds = Folds { slope: 0.5, gap: 0.38 * S, roughness: 2e-4 };

/// Two sheets of n x n nodes with sharp folds across each other, those of the upper one down and of the lower one up, 19 mm from each
/// other: below a thickness of 20 only edges touch. Each sheet has a fold every four nodes. The upper one, which is lighter, slides with
/// `speed` \[m/s\], 45 degrees to all folds; the lower one is pinned or free. Where on the edges they touch depends on `seed`.
pub fn crossing(n: u32, seed: u64, layers: [Layer; 2], speed: f32, is_pinned: bool) -> Model {
    built(bodies(n, seed, layers, speed, is_pinned, SHARP))
}

/// The same with a slope that may be so small that folds keep only a part of their thickness.
pub fn crossing_shallow(n: u32, layer: Layer, speed: f32, slope: f32) -> Model {
    crossing_at(n, layer, speed, Folds { slope, ..SHARP })
}

/// The same with any folds.
pub fn crossing_at(n: u32, layer: Layer, speed: f32, folds: Folds) -> Model {
    built(bodies(n, 1, [layer; 2], speed, false, folds))
}

fn built(bodies: [Body; 2]) -> Model {
    let mut builder = ModelBuilder::new();
    bodies.into_iter().for_each(|body| {
        builder.add(body);
    });
    builder.build().unwrap()
}

/// The same as one body, whose halves are at rest farther apart by `by` \[m\].
pub fn crossing_itself(n: u32, layer: Layer, speed: f32, by: f32) -> Model {
    let [mut all, upper] = bodies(n, 1, [layer; 2], speed, false, SHARP);
    let at_rest = upper.rest_position.iter().map(|x| *x + by * Vec3::Y);
    all.position = Some([&all.rest_position[..], &upper.rest_position].concat());
    all.rest_position.extend(at_rest);
    all.mass.extend(upper.mass);
    all.velocity.as_mut().unwrap().extend(upper.velocity.unwrap());
    let to = |i: u32| i + n * n;
    all.springs.extend(upper.springs.into_iter().map(|s| Spring { nodes: s.nodes.map(to), ..s }));
    all.triangles.extend(upper.triangles.iter().map(|t| t.map(to)));
    let mut builder = ModelBuilder::new();
    builder.add(all);
    builder.build().unwrap()
}

fn bodies(n: u32, seed: u64, layers: [Layer; 2], speed: f32, is_pinned: bool, folds: Folds) -> [Body; 2] {
    let mut random = Random(seed);
    // Not near a node.
    let by = random.vector();
    let by = S * (0.2 + 0.25 * by.abs()) * by.signum();
    let mut bodies = Vec::new();
    let side = S * (n - 1) as f32;
    for (layer, above) in layers.into_iter().zip([0.0, 1.0]) {
        let mass = (0.2 - 0.1 * above) * S * S;
        let mut body =
            raw_cloth([n; 2], [Vec3::X, Vec3::Z].map(|v| side * v), [500.0, 250.0, 0.0], mass, 0.0);
        for (k, x) in (0..).zip(&mut body.rest_position) {
            // Folds along lines of nodes: of the lower sheet along columns, of the upper one along rows.
            let line: u32 = if above == 0.0 { k % n } else { k / n };
            let height = folds.slope * S * line.rem_euclid(4).abs_diff(2) as f32;
            let lifted = if above == 0.0 { -height } else { height + folds.gap };
            let middle = Vec3::new(0.5 * side, 0.0, 0.5 * side);
            *x += above * Vec3::new(by.x, 0.0, by.z) + lifted * Vec3::Y - middle
                + folds.roughness * random.vector();
        }
        let at = |i: u32| body.rest_position[i as usize];
        body.springs.iter_mut().for_each(|spring| {
            let [a, b] = spring.nodes.map(at);
            spring.rest_length = a.distance(b);
        });
        body.velocity = Some(vec![above * speed * Vec3::new(0.7, 0.0, 0.7); (n * n) as usize]);
        let pinned = if is_pinned && above == 0.0 { (0..n * n).collect() } else { Vec::new() };
        bodies.push(Body { grid: None, layer, pinned, ..body });
    }
    bodies.try_into().unwrap()
}
