//! Small networks for the tests of the reference.

use glam::{DVec3, Vec3};

use super::State64;
use crate::model::{Body, Family, Model, ModelBuilder, Spring};
use crate::shape::{Cloth, ClothMaterial, Fabric};

/// Spacing of [`cloth`] \[m\].
pub const SPACING: f32 = 0.1;

/// Offset (columns, rows) and family of the springs of a sheet.
const LINKS: [([i32; 2], Family); 6] = [
    ([1, 0], Family::Structural),
    ([0, 1], Family::Structural),
    ([1, 1], Family::Shear),
    ([-1, 1], Family::Shear),
    ([2, 0], Family::Flexion),
    ([0, 2], Family::Flexion),
];

/// A sheet in the x-z plane, node (column, row) at `row * columns + column`, with `stiffness` and
/// `dashpot` of its structural, shear and flexion springs.
fn sheet(size: [u32; 2], spacing: f32, stiffness: [f32; 3], dashpot: [f32; 3]) -> Body {
    let [columns, rows] = size;
    let mut body = Body { name: "sheet".into(), ..Body::default() };
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let i = row * columns + column;
        body.rest_position.push(spacing * Vec3::new(column as f32, 0.0, row as f32));
        for (offset, family) in LINKS {
            let (c, r) = (column as i32 + offset[0], row as i32 + offset[1]);
            if c >= 0 && c < columns as i32 && r < rows as i32 {
                body.springs.push(Spring {
                    nodes: [i, r as u32 * columns + c as u32],
                    rest_length: spacing * glam::IVec2::from(offset).as_vec2().length(),
                    stiffness: stiffness[family as usize],
                    dashpot: dashpot[family as usize],
                    family,
                });
            }
        }
        if column + 1 < columns && row + 1 < rows {
            body.triangles.push([i, i + columns, i + 1]);
            body.triangles.push([i + 1, i + columns, i + columns + 1]);
        }
    }
    body
}

/// A small sheet with dashpots and unequal masses.
pub fn cloth(columns: u32, rows: u32, pinned: &[u32]) -> Model {
    let mut body = sheet([columns, rows], SPACING, [100.0, 50.0, 10.0], [0.2, 0.1, 0.02]);
    body.mass = (0..columns * rows).map(|i| 0.01 * (1.0 + 0.1 * (i % 3) as f32)).collect();
    body.pinned = pinned.to_vec();
    build(body)
}

/// A fabric of 1 m by 1 m, `n` by `n` nodes, with density 0.2 kg/m^2, tensile stiffness `tensile` and
/// shear stiffness `shear` [N/m], pinned along its first row.
///
/// k_diag = G, k_struct = (T - 2 G + sqrt(T^2 + 4 G^2)) / 2, half of it along borders.
pub fn fabric(n: u32, tensile: f32, shear: f32) -> Model {
    let structural = 0.5 * (tensile - 2.0 * shear + (tensile * tensile + 4.0 * shear * shear).sqrt());
    let mut body = sheet([n, n], 1.0 / (n - 1) as f32, [structural, shear, 0.0], [0.0; 3]);
    let border = |i: u32| [i % n, i / n].map(|place| place == 0 || place + 1 == n);
    for spring in &mut body.springs {
        let [a, b] = spring.nodes.map(border);
        if spring.family == Family::Structural && ((a[0] && b[0]) || (a[1] && b[1])) {
            spring.stiffness *= 0.5;
        }
    }
    let area = |i| border(i).iter().fold(1.0, |area, &half| if half { 0.5 * area } else { area });
    body.mass = (0..n * n).map(|i| 0.2 * area(i) / ((n - 1) * (n - 1)) as f32).collect();
    body.pinned = (0..n).collect();
    build(body)
}

/// An `n` by `n` sheet of 1 m by 1 m, held at two corners and swung about the edge between them. Its minimum after 1/60 s is
/// in `tests/data` for some n.
pub fn swinging_sheet(n: u32) -> (Model, State64) {
    let mut body = sheet([n, n], 1.0 / (n - 1) as f32, [1000.0, 500.0, 100.0], [0.0; 3]);
    body.mass = vec![0.2 / (n * n) as f32; (n * n) as usize];
    body.pinned = vec![0, n - 1];
    let model = build(body);
    let swing = |x: &Vec3| {
        let (u, w) = (f64::from(x.x), f64::from(x.z));
        let (angle, first) = (0.3 + 0.8 * w, 0.3f64);
        DVec3::new(u, (angle.cos() - first.cos()) / 0.8, (angle.sin() - first.sin()) / 0.8)
    };
    let position: Vec<_> = model.rest_position().iter().map(swing).collect();
    let velocity = position.iter().map(|x| 3.0 * DVec3::new(0.0, -x.z, x.y)).collect();
    (model, State64 { position, velocity, time: 0.0 })
}

/// `model` with factors on stiffness and dashpots, as one body.
pub fn changed(model: &Model, stiffness: f32, dashpot: f32) -> Model {
    let scaled =
        |s: &Spring| Spring { stiffness: stiffness * s.stiffness, dashpot: dashpot * s.dashpot, ..*s };
    build(Body {
        rest_position: model.rest_position().to_vec(),
        mass: model.mass().to_vec(),
        pinned: (0..model.node_count() as u32).filter(|&i| model.pinned()[i as usize]).collect(),
        springs: model.springs().iter().map(scaled).collect(),
        triangles: model.triangles().to_vec(),
        ..Body::default()
    })
}

/// Nodes `0 .. links` + 1 of `mass` in a line downwards, joined by springs of rest length
/// `rest_length` without dashpots.
pub fn chain(links: u32, rest_length: f32, stiffness: f32, mass: f32, pinned: &[u32]) -> Model {
    let at = |i: u32| -Vec3::Y * (i as f32 * rest_length);
    let spring =
        |i| Spring { nodes: [i, i + 1], rest_length, stiffness, dashpot: 0.0, family: Family::Structural };
    build(Body {
        name: "chain".into(),
        rest_position: (0..=links).map(at).collect(),
        mass: vec![mass; links as usize + 1],
        pinned: pinned.to_vec(),
        springs: (0..links).map(spring).collect(),
        ..Body::default()
    })
}

/// A strip of 1 m in 20 cells behind a clamp of two rows, three nodes wide, in the plane y = 0: 0.2 kg/m^2, 3000 N/m,
/// bending stiffness `bending` [N m].
pub fn clamped_strip(bending: f32) -> Model {
    let fabric =
        Fabric { density: 0.2, tensile: 3e3, shear: 500.0, flexion: 0.0, bending, damping_time: 0.0 };
    let cloth = Cloth {
        corner: -0.05 * Vec3::X,
        u: 0.1 * Vec3::Z,
        v: 1.05 * Vec3::X,
        columns: 3,
        rows: 22,
        material: ClothMaterial::Fabric(fabric),
    };
    build(Body { pinned: (0..6).collect(), ..cloth.build().expect("a valid cloth") })
}

/// Builds a model of one body.
pub fn build(body: Body) -> Model {
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.build().expect("a valid body")
}

/// The state at time zero.
pub fn at_rest(model: &Model) -> State64 {
    State64::from(model.initial_state())
}

/// The initial state with every node moved and every free node in motion, the same each time.
pub fn disturbed(model: &Model) -> State64 {
    let mut state = at_rest(model);
    for i in 0..model.node_count() {
        state.position[i] += 0.1 * f64::from(SPACING) * noise(i, 1);
        if !model.pinned()[i] {
            state.velocity[i] += 0.5 * noise(i, 2);
        }
    }
    state
}

/// A vector of numbers in [-1, 1] that depends on the two indices only.
pub fn noise(i: usize, j: usize) -> DVec3 {
    let one = |k: usize| {
        let mut z = ((i * 31 + j) * 31 + k + 1) as u64;
        z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    DVec3::new(one(0), one(1), one(2))
}

/// The largest distance between two lists of points.
pub fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}
