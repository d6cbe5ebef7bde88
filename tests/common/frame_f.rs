//! General networks in fast motion. Their minima are in `tests/data` (see its README.md).

use std::path::PathBuf;

use glam::{DVec3, Vec3};
use taffeta::io;
use taffeta::model::{Body, Family, Spring};

/// A network, and where its nodes are \[m\] and how fast they move [m/s].
pub struct Frame {
    pub body: Body,
    pub position: Vec<DVec3>,
    pub velocity: Vec<DVec3>,
}

/// The triangulated, randomly renumbered sheet of 10,201 nodes, swung about its held edge.
pub fn sheet() -> Frame {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/frame-f-sheet.npz");
    let body = io::read_network(&path).unwrap();
    let swing = |x: &Vec3| {
        let (u, w) = (f64::from(x.x), f64::from(x.z));
        let (angle, first) = (0.3 + 0.8 * w, 0.3f64);
        DVec3::new(u, (angle.cos() - first.cos()) / 0.8, (angle.sin() - first.sin()) / 0.8)
    };
    let position: Vec<_> = body.rest_position.iter().map(swing).collect();
    let velocity = position.iter().map(|x| 3.0 * DVec3::new(0.0, -x.z, x.y)).collect();
    Frame { body, position, velocity }
}

/// 10 by 10 by 50 nodes 0.02 m apart, clamped at x = 0, thrown sideways.
pub fn beam() -> Frame {
    let spacing = 0.02f32;
    let mut body = Body { mass: vec![0.008; 5000], pinned: (0..100).collect(), ..Body::default() };
    let place = |i: i32| [i / 100, i / 10 % 10, i % 10];
    for i in 0..5000 {
        let [x, y, z] = place(i);
        body.rest_position.push(spacing * Vec3::new(x as f32, y as f32, z as f32));
        for step in 1..27 {
            let offset = [step / 9, (step / 3) % 3, step % 3].map(|o| if o == 2 { -1 } else { o });
            let end = [x + offset[0], y + offset[1], z + offset[2]];
            let first = offset.iter().find(|o| **o != 0) == Some(&1);
            let inside = end.iter().zip([50, 10, 10]).all(|(e, n)| (0..n).contains(e));
            if first && inside {
                let kind = offset.iter().filter(|o| **o != 0).count();
                body.springs.push(Spring {
                    nodes: [i as u32, (end[0] * 100 + end[1] * 10 + end[2]) as u32],
                    rest_length: spacing * (kind as f32).sqrt(),
                    stiffness: 2e4 / kind as f32,
                    dashpot: 0.0,
                    family: Family::Raw,
                });
            }
        }
    }
    let position: Vec<_> = body.rest_position.iter().map(|x| x.as_dvec3()).collect();
    let thrown = |x: &DVec3| {
        let t = x.x / 0.98;
        DVec3::new(0.0, -3.0 * t * t, 2.0 * t * t * t)
    };
    let velocity = position.iter().map(thrown).collect();
    Frame { body, position, velocity }
}

/// 1,000 nodes, one meter, swung about its pinned end.
pub fn rope() -> Frame {
    let spacing = 1.0 / 999.0;
    let mut body = Body { mass: vec![5e-5; 1000], pinned: vec![0], ..Body::default() };
    let mut position = Vec::new();
    for i in 0..1000u32 {
        let s = 2.0 * f64::from(i) * spacing;
        position.push(0.5 * DVec3::new(s.sin(), s.cos() - 1.0, 0.0));
        body.rest_position.push(Vec3::X * (f64::from(i) * spacing) as f32);
        for (step, ea) in [(1, 500.0), (2, 25.0)].into_iter().filter(|s| i + s.0 < 1000) {
            body.springs.push(Spring {
                nodes: [i, i + step],
                rest_length: (f64::from(step) * spacing) as f32,
                stiffness: (ea / spacing) as f32,
                dashpot: 0.0,
                family: Family::Raw,
            });
        }
    }
    let velocity = position.iter().map(|x| 3.0 * DVec3::new(x.y, -x.x, 0.0)).collect();
    Frame { body, position, velocity }
}
