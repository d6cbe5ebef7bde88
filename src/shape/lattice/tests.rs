use glam::DMat3;

use super::*;

const SOLID: Solid = Solid { density: 800.0, young: 3e4, damping_time: 1e-3 };

/// A lattice that is turned in space and whose cells are not cubes.
fn lattice(cells: [u32; 3], size: [f32; 3]) -> Lattice {
    let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.3, -0.8, 1.1);
    let edge = |d: usize| turn * Vec3::AXES[d] * size[d];
    let edges = [edge(0), edge(1), edge(2)];
    Lattice { corner: Vec3::new(1.0, 2.0, -1.0), edges, cells, material: LatticeMaterial::Solid(SOLID) }
}

/// A symmetric strain.
fn strain() -> DMat3 {
    let (x, y, z) = (DVec3::new(3.0, 1.0, -2.0), DVec3::new(1.0, -4.0, 0.5), DVec3::new(-2.0, 0.5, 1.5));
    1e-3 * DMat3::from_cols(x, y, z)
}

#[test]
fn any_strain_has_the_energy_of_the_isotropic_solid() {
    for (cells, size) in [
        ([1, 1, 1], [0.1, 0.1, 0.1]),
        ([4, 3, 5], [0.4, 0.3, 0.5]),
        ([6, 4, 3], [0.5, 0.4, 0.32]),
        ([2, 7, 1], [0.2, 0.6, 0.11]),
    ] {
        let lattice = lattice(cells, size);
        let body = lattice.build().unwrap();
        let place = |node: u32| body.rest_position[node as usize].as_dvec3();
        // Half k times the square of the lengthening r . (strain r) / |r|.
        let energy: f64 = body
            .springs
            .iter()
            .map(|s| {
                let r = place(s.nodes[1]) - place(s.nodes[0]);
                0.5 * f64::from(s.stiffness) * (r.dot(strain() * r) / r.length()).powi(2)
            })
            .sum();
        let e = strain();
        let trace = e.x_axis.x + e.y_axis.y + e.z_axis.z;
        let square: f64 = e.to_cols_array().iter().map(|x| x * x).sum();
        let mu = f64::from(SOLID.young) / 2.5;
        let volume: f64 = size.iter().map(|x| f64::from(*x)).product();
        let expected = volume * (0.5 * mu * trace * trace + mu * square);
        assert!((energy / expected - 1.0).abs() < 1e-4, "{cells:?}: {energy} of {expected}");
        let mass: f64 = body.mass.iter().map(|m| f64::from(*m)).sum();
        assert!((mass / (volume * 800.0) - 1.0).abs() < 1e-5, "{mass}");
    }
}

#[test]
fn its_surface_is_closed_and_faces_outwards() {
    for mirrored in [false, true] {
        let mut lattice = lattice([4, 3, 2], [0.4, 0.3, 0.2]);
        if mirrored {
            lattice.edges.swap(0, 1);
            lattice.cells.swap(0, 1);
        }
        let body = lattice.build().unwrap();
        let around = 2 * (4 * 3 + 3 * 2 + 4 * 2);
        assert_eq!((body.rest_position.len(), body.triangles.len()), (5 * 4 * 3, 2 * around));
        let mut sides = std::collections::HashMap::new();
        let mut volume = 0.0;
        for t in &body.triangles {
            let [a, b, c] = t.map(|n| (body.rest_position[n as usize] - lattice.corner).as_dvec3());
            volume += a.dot(b.cross(c)) / 6.0;
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                *sides.entry((a, b)).or_insert(0) += 1;
            }
        }
        assert!((volume - 0.024).abs() < 1e-7, "{volume}");
        assert!(sides.iter().all(|(&(a, b), &n)| n == 1 && sides.get(&(b, a)) == Some(&1)));
    }
}

#[test]
fn raw_lattices_have_the_springs_of_the_classical_one() {
    let raw = RawSprings { structural: 5.0, shear: 2.0, flexion: 1.0, node_mass: 0.1, dashpot: 0.3 };
    let lattice = Lattice { material: LatticeMaterial::Raw(raw), ..lattice([2, 2, 2], [0.2; 3]) };
    let body = lattice.build().unwrap();
    let of = |family, stiffness| {
        body.springs.iter().filter(|s| (s.family, s.stiffness, s.dashpot) == (family, stiffness, 0.3)).count()
    };
    // 27 nodes: 54 edges, 36 faces of two diagonals and eight cells of four, three lines of nine flexion springs.
    let counts = [of(Family::Structural, 5.0), of(Family::Shear, 2.0), of(Family::Flexion, 1.0)];
    assert_eq!((counts, body.springs.len()), ([54, 72 + 32, 27], 54 + 104 + 27));
    for spring in &body.springs {
        let [a, b] = spring.nodes.map(|n| body.rest_position[n as usize]);
        assert!((a.distance(b) - spring.rest_length).abs() < 1e-6, "{spring:?}");
    }
}

#[test]
fn what_cannot_be_built_is_refused() {
    let good = lattice([4, 3, 2], [0.4, 0.3, 0.2]);
    let refused = |lattice: Lattice, key: &str, part: &str| {
        let error = lattice.build().err().unwrap();
        assert!(error.key == key && error.to_string().contains(part), "{error}");
    };
    refused(Lattice { cells: [4, 0, 2], ..good.clone() }, "cells", "at least one");
    refused(Lattice { cells: [4000, 4000, 4000], ..good.clone() }, "cells", "too fine: 64048012001 nodes");
    let flat = "[4, 3, 20]: cells of 1.0000e-1 x 1.0000e-1 x 1.0000e-2 m are too long along u";
    refused(Lattice { cells: [4, 3, 20], ..good.clone() }, "cells", flat);
    refused(Lattice { corner: Vec3::splat(5e5), ..good.clone() }, "cells", "within rounding");
    let [u, v, w] = good.edges;
    refused(Lattice { edges: [u, v + 0.1 * u, w], ..good.clone() }, "v", "right angles");
    refused(Lattice { edges: [u, v, Vec3::ZERO], ..good.clone() }, "w", "length above zero");
    let soft = Solid { young: f32::NAN, ..SOLID };
    refused(Lattice { material: LatticeMaterial::Solid(soft), ..good }, "young", "above zero");
}
