use glam::Vec3;

use super::*;
use crate::model::{Body, Family, ModelBuilder, Spring};

fn place(i: usize) -> Vec3 {
    let n = 0.5 * noise(i) + 0.5;
    n.as_vec3()
}

fn spring(position: &[Vec3], nodes: [u32; 2], stiffness: f32) -> Spring {
    let [a, b] = nodes.map(|i| position[i as usize]);
    Spring { nodes, rest_length: a.distance(b), stiffness, dashpot: 0.0, family: Family::Raw }
}

fn model(position: Vec<Vec3>, springs: Vec<Spring>) -> Model {
    let mass = vec![0.2 / position.len() as f32; position.len()];
    let mut builder = ModelBuilder::new();
    builder.add(Body { rest_position: position, springs, mass, pinned: vec![0], ..Body::default() });
    builder.build().unwrap()
}

/// A unit square of triangles with nodes at the crossings of `x` and `z`; each edge as stiff as cloth of 1000 N/m is around it.
fn triangles(x: &[f32], z: &[f32], jitter: f32) -> Model {
    let (columns, rows) = (x.len() as u32, z.len() as u32);
    let at = |i: u32| {
        let (c, r) = ((i % columns) as usize, (i / columns) as usize);
        let shift = jitter / (columns - 1) as f32 * noise(i as usize).as_vec3();
        Vec3::new(x[c] + shift.x, 0.0, z[r] + shift.z)
    };
    let position: Vec<Vec3> = (0..columns * rows).map(at).collect();
    let mut springs = Vec::new();
    for i in 0..columns * rows {
        let (c, r) = (i % columns, i / columns);
        for (inside, j) in [
            (c + 1 < columns, i + 1),
            (r + 1 < rows, i + columns),
            (c + 1 < columns && r + 1 < rows, i + columns + 1),
        ] {
            if inside {
                let length = position[i as usize].distance(position[j as usize]);
                let area = 1.0 / ((columns - 1) * (rows - 1)) as f32;
                springs.push(spring(&position, [i, j], 1000.0 * area / (length * length)));
            }
        }
    }
    model(position, springs)
}

fn even(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32 / (n - 1) as f32).collect()
}

/// Spacings that grow from 1 to `ratio`.
fn graded(n: usize, ratio: f32) -> Vec<f32> {
    let step = ratio.powf(1.0 / (n - 2) as f32);
    let ends: Vec<f32> = (0..n).map(|i| (step.powi(i as i32) - 1.0) / (step - 1.0)).collect();
    ends.iter().map(|x| x / ends[n - 1]).collect()
}

/// Points at random, each joined to its nearest.
fn graph(n: usize, nearest: usize, flat: bool) -> Model {
    let put = |i| if flat { place(i).with_y(0.0) } else { place(i) };
    let position: Vec<Vec3> = (0..n).map(put).collect();
    let mut springs = Vec::new();
    for i in 0..n {
        let mut others: Vec<usize> = (0..n).filter(|j| *j != i).collect();
        others.sort_by(|a, b| {
            position[i].distance(position[*a]).total_cmp(&position[i].distance(position[*b]))
        });
        springs.extend(others[..nearest].iter().map(|j| spring(&position, [i as u32, *j as u32], 1000.0)));
    }
    model(position, springs)
}

/// The largest rate of any patch.
fn rate_of(model: &Model) -> f64 {
    patch::of(model).iter().map(rate).fold(0.0, f64::max)
}

#[test]
fn hard_networks_are_told_from_others() {
    let networks = [
        ("regular triangles", triangles(&even(31), &even(31), 0.0), false),
        ("large regular triangles", triangles(&even(101), &even(101), 0.0), false),
        ("jittered triangles", triangles(&even(31), &even(31), 0.25), false),
        ("triangles 1:2", triangles(&even(21), &even(41), 0.0), false),
        ("triangles 1:5", triangles(&even(13), &even(61), 0.0), true),
        ("triangles 1:20", triangles(&even(9), &even(161), 0.0), true),
        ("triangles 20:1", triangles(&even(161), &even(9), 0.0), true),
        ("large triangles 1:20", triangles(&even(21), &even(401), 0.0), true),
        ("graded 1:50", triangles(&graded(31, 50.0), &even(31), 0.0), true),
        ("random graph in a plane", graph(900, 6, true), true),
        ("random graph in space", graph(900, 8, false), true),
    ];
    for (name, model, hard) in networks {
        let rate = rate_of(&model);
        println!("{name}: {rate:.3}");
        assert_eq!(is_hard(&model), hard, "{name}: {rate}");
        // No figure is at the limit.
        assert!((rate - HARD).abs() > 0.005, "{name}: {rate}");
    }
}

#[test]
fn how_stiff_or_large_a_network_is_has_no_say() {
    let model = triangles(&even(13), &even(61), 0.0);
    let scaled = |stiffness: f32, size: f32| {
        let springs = model.springs().iter().map(|s| Spring {
            stiffness: stiffness * s.stiffness,
            rest_length: size * s.rest_length,
            ..*s
        });
        let position = model.rest_position().iter().map(|x| size * *x);
        let mut builder = ModelBuilder::new();
        builder.add(Body {
            rest_position: position.collect(),
            springs: springs.collect(),
            mass: model.mass().to_vec(),
            pinned: vec![0],
            ..Body::default()
        });
        builder.build().unwrap()
    };
    let rate = rate_of(&model);
    for (stiffness, size) in [(1e-3, 1.0), (1e4, 1.0), (1.0, 0.01), (1.0, 100.0)] {
        let found = rate_of(&scaled(stiffness, size));
        assert!((found - rate).abs() < 1e-3, "{stiffness}, {size}: {found}, not {rate}");
    }
}
