use super::*;
use crate::shape::RawSprings;

const FABRIC: Fabric =
    Fabric { density: 0.2, tensile: 900.0, shear: 200.0, flexion: 0.0, bending: 2e-5, damping_time: 1e-3 };

fn cloth(columns: u32, rows: u32, material: ClothMaterial) -> Cloth {
    let (u, v) = (Vec3::new(0.8, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.6));
    Cloth { corner: Vec3::new(-1.0, 2.0, 3.0), u, v, columns, rows, material }
}

fn raw() -> ClothMaterial {
    let raw = RawSprings { structural: 100.0, shear: 50.0, flexion: 10.0, node_mass: 0.01, dashpot: 0.5 };
    ClothMaterial::Raw(raw)
}

/// Energy of the springs for small displacements `d(rest position)`, in f64 \[J\].
fn energy(body: &Body, d: impl Fn(glam::DVec3) -> glam::DVec3) -> f64 {
    let at = |i: u32| body.rest_position[i as usize].as_dvec3();
    let each = |s: &Spring| {
        let [a, b] = s.nodes.map(at);
        let elongation = (d(b) - d(a)).dot((b - a).normalize());
        0.5 * f64::from(s.stiffness) * elongation * elongation
    };
    body.springs.iter().map(each).sum()
}

#[test]
fn a_fabric_has_modulus_t_along_both_directions_at_any_cell_shape() {
    let (t, g) = (900.0, 200.0);
    let c = 0.5 * (t + f64::hypot(t, 2.0 * g));
    for (columns, rows) in [(2, 2), (9, 7), (12, 6), (3, 2), (40, 31)] {
        let body = cloth(columns, rows, ClothMaterial::Fabric(FABRIC)).build().unwrap();
        for axis in 0..2 {
            // Stretched by e along one direction, free to contract by the Poisson ratio G/C.
            let strain = if axis == 0 { [1e-3, -1e-3 * g / c] } else { [-1e-3 * g / c, 1e-3] };
            let found = energy(&body, |p| glam::DVec3::new(p.x * strain[0], 0.0, p.z * strain[1]));
            let expected = 0.5 * t * 1e-6 * 0.8 * 0.6;
            assert!((found / expected - 1.0).abs() < 1e-5, "{columns} x {rows}: {found} J, not {expected} J");
        }
        let sheared = energy(&body, |p| glam::DVec3::new(p.z * 1e-3, 0.0, 0.0));
        let expected = 0.5 * g * 1e-6 * 0.8 * 0.6;
        assert!((sheared / expected - 1.0).abs() < 1e-5, "{columns} x {rows}: {sheared} J, not {expected} J");
    }
}

#[test]
fn flexion_springs_take_their_part_of_the_modulus() {
    // A row of n nodes has n - 1 structural but n - 2 flexion springs: 4 k_flexion are missing.
    let (columns, rows, flexion) = (9, 7, 20.0);
    let with = cloth(columns, rows, ClothMaterial::Fabric(Fabric { flexion, ..FABRIC })).build().unwrap();
    let without = cloth(columns, rows, ClothMaterial::Fabric(FABRIC)).build().unwrap();
    let stretch = |p: glam::DVec3| glam::DVec3::new(p.x * 1e-3, 0.0, 0.0);
    let a = 0.1f64;
    let missing = f64::from(rows - 1) * 0.5 * 4.0 * f64::from(flexion) * (a * 1e-3).powi(2);
    let difference = energy(&without, stretch) - energy(&with, stretch);
    assert!((difference / missing - 1.0).abs() < 1e-3, "{difference} J, not {missing} J");
}

#[test]
fn springs_are_those_that_the_grid_describes() {
    let fabric = ClothMaterial::Fabric(Fabric { flexion: 5.0, ..FABRIC });
    for (material, columns, rows) in [(fabric, 5, 4), (fabric, 3, 2), (raw(), 4, 6), (raw(), 2, 2)] {
        let body = cloth(columns, rows, material).build().unwrap();
        let grid = body.grid.as_ref().unwrap();
        let mut expected = Vec::new();
        for (link, family) in grid.links.iter().zip(FAMILIES) {
            for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let (c2, r2) = (c as i32 + link.offset[0], r as i32 + link.offset[1]);
                if c2 < 0 || c2 >= columns as i32 || r2 >= rows as i32 {
                    continue;
                }
                let factor = if grid.along_border(link.offset, c, r) { grid.border_factor } else { 1.0 };
                expected.push(Spring {
                    nodes: [r * columns + c, r2 as u32 * columns + c2 as u32],
                    rest_length: link.rest_length,
                    stiffness: link.stiffness * factor,
                    dashpot: link.dashpot * factor,
                    family,
                });
            }
        }
        assert_eq!(body.springs, expected);
        for s in &body.springs {
            let [a, b] = s.nodes.map(|n| body.rest_position[n as usize]);
            assert!((a.distance(b) - s.rest_length).abs() < 1e-6, "{s:?}");
        }
    }
}

#[test]
fn masses_are_by_area_and_triangles_cover_it() {
    let body = cloth(6, 5, ClothMaterial::Fabric(FABRIC)).build().unwrap();
    assert!((body.mass.iter().sum::<f32>() - 0.2 * 0.48).abs() < 1e-6);
    assert_eq!((body.mass[0] * 4.0, body.mass[1] * 2.0), (body.mass[7], body.mass[7]));
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|n| body.rest_position[n as usize]);
        (b - a).cross(c - a) * 0.5
    };
    let total: Vec3 = body.triangles.iter().map(area).sum();
    assert!(total.distance(Vec3::X.cross(Vec3::Z) * 0.48) < 1e-6);
    assert_eq!(&body.triangles[..2], &[[0, 1, 7], [0, 7, 6]]);
}

#[test]
fn nonsense_is_refused_by_key() {
    let error = |c: Cloth| c.build().unwrap_err();
    let good = || cloth(4, 4, ClothMaterial::Fabric(FABRIC));
    assert_eq!(error(Cloth { columns: 1, ..good() }).key, "columns");
    assert_eq!(error(Cloth { rows: 0, ..good() }).key, "rows");
    assert_eq!(error(Cloth { u: Vec3::ZERO, ..good() }).key, "u");
    assert_eq!(error(Cloth { v: Vec3::new(0.1, 0.0, 0.6), ..good() }).key, "v");
    let huge = error(Cloth { columns: 40_000, rows: 40_000, ..good() });
    assert!(huge.to_string().contains("1600000000 nodes; the most is 50000000"), "{huge}");
    let fabric = |f: Fabric| error(Cloth { material: ClothMaterial::Fabric(f), ..good() });
    let stiff = fabric(Fabric { flexion: 300.0, ..FABRIC });
    assert!(stiff.key == "flexion" && stiff.allowed.contains("lower flexion"), "{stiff}");
    assert_eq!(fabric(Fabric { tensile: 0.0, ..FABRIC }).key, "tensile");
    assert_eq!(fabric(Fabric { bending: -1e-6, ..FABRIC }).key, "bending");
    assert_eq!(fabric(Fabric { density: f32::INFINITY, ..FABRIC }).key, "density");
    let long = Cloth { columns: 2, rows: 50, material: ClothMaterial::Fabric(FABRIC), ..good() };
    assert_eq!(error(long).key, "shear");
}

/// Run with `--nocapture` to see the times; the limits are ten times what two cores need.
#[test]
fn large_cloths_are_made_fast() {
    for (side, limit) in [(316, 0.3), (1000, 5.0)] {
        let start = std::time::Instant::now();
        let body = cloth(side, side, raw()).build().unwrap();
        let seconds = start.elapsed().as_secs_f64();
        println!("{side} x {side}: {} springs in {:.1} ms", body.springs.len(), seconds * 1e3);
        assert!(seconds < limit, "{side} x {side} took {seconds} s");
    }
}
