//! Sheets that touch, for tests of contact.

use glam::{DVec3, Quat, Vec3};
use taffeta::Model;
use taffeta::model::{Body, Collider, ColliderShape, Layer, ModelBuilder};
use taffeta::shape::{Cloth, RawSprings};

use crate::common::crossing::crossing;
use crate::common::{Random, model};

/// A flat sheet whose cells are split along one diagonal and the other in turn.
pub fn sheet([columns, rows]: [u32; 2], s: f32, node_mass: f32, layer: Layer) -> Body {
    let raw = RawSprings { structural: 500.0, shear: 250.0, flexion: 0.0, node_mass, dashpot: 0.0 };
    let [u, v] = [(Vec3::X, columns), (Vec3::Z, rows)].map(|(axis, n)| axis * s * (n - 1) as f32);
    let mut body = Cloth::new([columns, rows], u, v).of(raw).build().unwrap();
    body.bending = 2e-5;
    body.layer = layer;
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

/// Without the onset of the force, as the study that the minimum is from.
pub fn layer(thickness: f64, onset: f32) -> Layer {
    Layer {
        thickness: Some(thickness as f32),
        stiffness: Some(75.0),
        friction: 0.3,
        onset,
        ..Layer::default()
    }
}

/// The body with its nodes in another order.
pub fn shuffled(body: Body, seed: u64) -> Body {
    let mut random = Random(seed);
    let n = body.rest_position.len();
    let mut place: Vec<u32> = (0..n as u32).collect();
    place.sort_by_cached_key(|_| random.vector().x.to_bits());
    let to = |i: &mut u32| *i = place[*i as usize];
    let moved = |from: &[Vec3]| -> Vec<Vec3> {
        let mut all = vec![Vec3::ZERO; n];
        from.iter().zip(&place).for_each(|(x, &p)| all[p as usize] = *x);
        all
    };
    let mut body = Body { grid: None, ..body };
    body.springs.iter_mut().for_each(|s| s.nodes.iter_mut().for_each(to));
    body.triangles.iter_mut().flatten().for_each(to);
    body.pinned.iter_mut().for_each(to);
    body.rest_position = moved(&body.rest_position);
    body.position = body.position.as_deref().map(moved);
    body
}

/// Two sheets of 1 m, one .98 of the thickness above the other, rough, that fall with 1 m/s.
pub fn falling(n: u32, order: Option<u64>) -> Model {
    layered(2, n, order, &[])
}

/// The same of more sheets, with pins in the lowest one.
pub fn layered(sheets: u32, n: u32, order: Option<u64>, pinned: &[u32]) -> Model {
    let s = 1.0 / f64::from(n - 1);
    let mut builder = ModelBuilder::new();
    for above in (0..sheets).map(|above| above as f32) {
        let mut body = sheet([n; 2], s as f32, 0.2 / (n * n) as f32, layer(s, 0.0));
        body.rest_position.iter_mut().for_each(|x| *x += above * Vec3::Y);
        let place = |k: u32| {
            let above = f64::from(above);
            let [u, w] = [(k % n, 0.3), (k / n, 0.2)].map(|(i, shift)| s * (f64::from(i) + shift * above));
            DVec3::new(u, 0.98 * s * above + 1e-3 * (6.0 * u).sin() * (5.0 * w).sin(), w).as_vec3()
        };
        body.position = Some((0..n * n).map(place).collect());
        body.velocity = Some(vec![Vec3::NEG_Y; (n * n) as usize]);
        if above == 0.0 {
            body.pinned = pinned.to_vec();
        }
        builder.add(match order {
            Some(seed) => shuffled(body, seed),
            None => body,
        });
    }
    builder.build().unwrap()
}

/// A fine sheet .97 of the thickness above a coarse one, whose nodes are forty times as heavy; rough, and falling with 1 m/s.
pub fn fine_on_coarse() -> Model {
    let layer = Layer { thickness: Some(0.02), friction: 0.3, ..Layer::default() };
    let mut above = sheet([9; 2], 0.05, 5e-5, layer);
    above.rest_position.iter_mut().for_each(|x| *x += Vec3::new(0.0512, 0.0194, 0.0633));
    let rough = |x: &Vec3| *x + 1e-3 * Vec3::Y * (6.0 * x.x).sin() * (5.0 * x.z).sin();
    above.position = Some(above.rest_position.iter().map(rough).collect());
    above.velocity = Some(vec![Vec3::NEG_Y; 81]);
    let mut builder = ModelBuilder::new();
    for body in [sheet([7; 2], 0.1, 2e-3, layer), above] {
        builder.add(body);
    }
    builder.build().unwrap()
}

/// A coarse sheet so many thicknesses above a fine one on a floor, whose nodes have a thousandth of the mass; falling with .1 m/s. All is turned with the floor.
pub fn heavy_on_light(turn: Quat, friction: f32, gap: f32) -> Model {
    coarse_on_fine(turn, friction, gap, 5e-5, 0.1 * Vec3::NEG_Y)
}

/// The same with this mass of a fine node \[kg\], and a velocity of the coarse sheet [m/s].
pub fn coarse_on_fine(turn: Quat, friction: f32, gap: f32, fine_mass: f32, velocity: Vec3) -> Model {
    let layer = Layer { thickness: Some(0.02), friction: 0.3, ..Layer::default() };
    let mut above = sheet([5; 2], 0.1, 0.05, layer);
    above.rest_position.iter_mut().for_each(|x| *x += Vec3::new(0.0512, gap * 0.02, 0.0633));
    above.velocity = Some(vec![turn * velocity; 25]);
    let mut builder = ModelBuilder::new();
    let floor = ColliderShape::Plane { point: Vec3::ZERO, normal: turn * Vec3::Y };
    builder.collide(Collider { friction, thickness: 1e-5, ..Collider::new(floor) });
    for mut body in [sheet([11; 2], 0.05, fine_mass, layer), above] {
        body.rest_position.iter_mut().for_each(|x| *x = turn * *x);
        builder.add(body);
    }
    builder.build().unwrap()
}

/// A sheet of 33 x 17 nodes folded over itself, rough, that falls with 1 m/s: a grid.
pub fn folded() -> Model {
    model(folded_body([33, 17]))
}

pub fn folded_body([columns, rows]: [u32; 2]) -> Body {
    let s = 1.0 / f64::from(columns - 1);
    let mut body = sheet([columns, rows], s as f32, 0.2 * (s * s) as f32, layer(s, 0.03));
    let radius = 0.49 * s;
    let begin = 0.5 - 0.5 * std::f64::consts::PI * radius;
    let mut random = Random(3);
    let mut place = |x: &Vec3| {
        let [u, w] = [x.x, x.z].map(f64::from);
        let angle = ((u - begin) / radius).clamp(0.0, std::f64::consts::PI);
        let straight = u.min(begin) - (u - begin - std::f64::consts::PI * radius).max(0.0);
        let wave = 1e-3 * (6.0 * u).sin() * (5.0 * w).sin();
        let place =
            DVec3::new(straight + radius * angle.sin(), radius * (1.0 - angle.cos()) + wave, w).as_vec3();
        // No two triangles are as near to a node.
        place + 1e-3 * random.vector()
    };
    body.position = Some(body.rest_position.iter().map(&mut place).collect());
    body.velocity = Some(vec![Vec3::NEG_Y; body.rest_position.len()]);
    body
}

/// Two sheets whose sharp folds cross: only edges touch.
pub fn folds(stiffness: Option<f32>, speed: f32, is_pinned: bool) -> Model {
    crossing(13, 1, [Layer { stiffness, ..layer(0.02, 0.03) }; 2], speed, is_pinned)
}

/// Gravity on a slope.
pub fn gravity(tangent: f32) -> Vec3 {
    let angle = tangent.atan();
    9.81 * Vec3::new(angle.sin(), -angle.cos(), 0.0)
}

/// What a sheet lies on that another one lies on.
pub enum On {
    /// It is held.
    Pins,
    /// As deep in a floor as its weight and that of the other one press it.
    Floor,
}

/// How heavy the nodes of a sheet are.
pub enum Masses {
    Equal,
    /// A node whose triangles are twice as large is twice as heavy, as nodes of meshes are. Pairs then press unevenly.
    ByArea,
}

fn by_area(mut body: Body) -> Body {
    let whole: f32 = body.mass.iter().sum();
    body.mass.fill(0.0);
    let part = whole / (3 * body.triangles.len()) as f32;
    body.triangles.iter().flatten().for_each(|&i| body.mass[i as usize] += part);
    body
}

/// A sheet so many thicknesses above another one, and the number of its first node.
pub fn lying(stiffness: Option<f32>, gap: f32, on: On, masses: Masses) -> (Model, usize) {
    let (s, thickness) = (0.0125, 0.00625);
    let layer = Layer { thickness: Some(thickness), friction: 0.3, stiffness, ..Layer::default() };
    let mut below = sheet([33, 25], s, 0.2 * s * s, layer);
    let mut builder = ModelBuilder::new();
    match on {
        On::Pins => below.pinned = (0..33 * 25).collect(),
        On::Floor => {
            let point = Vec3::Y * 2.0 * 9.81 / 1e6;
            let plane = ColliderShape::Plane { point, normal: Vec3::Y };
            builder.collide(Collider {
                stiffness: 1e6,
                friction: 0.3,
                thickness: 0.0,
                ..Collider::new(plane)
            });
        }
    }
    let mut above = sheet([17; 2], s, 0.2 * s * s, layer);
    let shift = Vec3::new(3.0 * s + 0.003, gap * thickness, 3.0 * s + 0.0041);
    above.rest_position.iter_mut().for_each(|x| *x += shift);
    for body in [below, above] {
        builder.add(match masses {
            Masses::Equal => body,
            Masses::ByArea => by_area(body),
        });
    }
    (builder.build().unwrap(), 33 * 25)
}

/// Sheets on each other and on a floor, each a little to the side of the one below.
pub fn stack(sheets: usize, n: u32) -> Model {
    let (s, thickness) = (0.0125, 0.00625);
    let layer = Layer { thickness: Some(thickness), friction: 0.3, ..Layer::default() };
    let mut builder = ModelBuilder::new();
    let floor = ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y };
    builder.collide(Collider { stiffness: 1e6, friction: 0.3, thickness: 0.0, ..Collider::new(floor) });
    for k in (0..sheets).map(|k| k as f32) {
        let mut body = sheet([n; 2], s, 0.2 * s * s, layer);
        body.rest_position.iter_mut().for_each(|x| *x += k * Vec3::new(0.0031, 0.995 * thickness, 0.0041));
        builder.add(body);
    }
    builder.build().unwrap()
}
