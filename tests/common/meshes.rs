//! Triangulated squares: regular, jittered, Delaunay's.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use taffeta::model::Body;
use taffeta::shape::{Damping, EdgeStiffness, Flexion, Mesh, Placement, Surface, SurfaceMass};

use super::Random;

/// Cloth of 1000 N/m and 0.2 kg/m^2 on a mesh.
pub fn cloth(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Body {
    let surface = Surface {
        mass: SurfaceMass::Density(0.2),
        stiffness: EdgeStiffness::Tensile(1000.0),
        flexion: Flexion::Ratio(0.1),
        bending: 0.0,
        damping: Damping::NONE,
    };
    Mesh { positions, triangles, placement: Placement::default(), surface }.build().unwrap()
}

/// A square of n x n nodes cut along one diagonal of each cell, each inner node moved by up to `jitter`
/// spacings along both axes.
pub fn square(n: u32, jitter: f32, random: &mut Random) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let inner = |k: u32| k > 0 && k + 1 < n;
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let mut place = Vec3::new(column as f32, row as f32, 0.0);
        if inner(row) && inner(column) {
            place += jitter * random.vector().with_z(0.0);
        }
        positions.push(place / (n - 1) as f32);
        if row + 1 < n && column + 1 < n {
            let a = row * n + column;
            triangles.extend([[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]);
        }
    }
    (positions, triangles)
}

/// Flips edges until the triangulation is Delaunay's.
pub fn delaunay(positions: &[Vec3], triangles: &mut [[u32; 3]]) {
    let in_circle = |t: [u32; 3], p: u32| {
        let p = positions[p as usize].as_dvec3();
        let [a, b, c] = t.map(|n| positions[n as usize].as_dvec3() - p);
        let cross = |p: DVec3, q: DVec3| p.x * q.y - p.y * q.x;
        a.length_squared() * cross(b, c) + b.length_squared() * cross(c, a) + c.length_squared() * cross(a, b)
            > 1e-14
    };
    loop {
        let mut edges: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for (k, t) in triangles.iter().enumerate() {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                edges.entry([a.min(b), a.max(b)]).or_default().push(k);
            }
        }
        let (mut flips, mut touched) = (0, vec![false; triangles.len()]);
        for (edge, sides) in edges {
            let &[k, l] = &sides[..] else { continue };
            if touched[k] || touched[l] {
                continue;
            }
            let opposite = |t: [u32; 3]| t.into_iter().position(|n| !edge.contains(&n)).unwrap();
            let (at, other) = (opposite(triangles[k]), triangles[l][opposite(triangles[l])]);
            if in_circle(triangles[k], other) {
                let [a, b, c] = [0, 1, 2].map(|i| triangles[k][(at + i) % 3]);
                (triangles[k], triangles[l]) = ([a, b, other], [a, other, c]);
                (touched[k], touched[l]) = (true, true);
                flips += 1;
            }
        }
        if flips == 0 {
            return;
        }
    }
}
