use glam::{DVec3, Vec3};

use super::*;
use crate::model::{Model, ModelBuilder, ModelError};
use crate::shape::{Cloth, ClothMaterial, Fabric};

const B: f32 = 0.25;

/// A sheet of square cells of 0.5 m.
fn sheet(columns: u32, rows: u32) -> Body {
    let fabric =
        Fabric { density: 1.0, tensile: 100.0, shear: 10.0, flexion: 0.0, bending: B, damping_time: 0.0 };
    let size = |nodes: u32| 0.5 * (nodes - 1) as f32;
    let (u, v) = (Vec3::X * size(columns), Vec3::Y * size(rows));
    let material = ClothMaterial::Fabric(fabric);
    Cloth { corner: Vec3::ZERO, u, v, columns, rows, material }.build().unwrap()
}

/// The same nodes and triangles, without the grid.
fn mesh(columns: u32, rows: u32) -> Body {
    Body { grid: None, ..sheet(columns, rows) }
}

fn build(body: Body) -> Result<Model, ModelError> {
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.build()
}

fn kappa(rows: &BendingRows, a: u32, b: u32) -> f64 {
    rows.row(a as usize).iter().find(|entry| entry.0 == b).map_or(0.0, |entry| f64::from(entry.1))
}

#[test]
fn inner_nodes_of_a_grid_have_the_thirteen_point_stencil() {
    let model = build(sheet(7, 7)).unwrap();
    let rows = model.bending_rows();
    let (unit, middle) = (f64::from(B) / 0.25, 24);
    assert_eq!(rows.row(middle as usize).len(), 12);
    for (offset, expected) in [(1, 8.0), (7, 8.0), (6, -2.0), (8, -2.0), (2, -1.0), (14, -1.0)] {
        for other in [middle + offset, middle - offset] {
            assert!((kappa(rows, middle, other) / unit - expected).abs() < 1e-6, "{offset}");
        }
    }
    // Along a border: two hinges of half the weight and one cell; across it, one full hinge and two cells.
    assert!((kappa(rows, 3, 4) / unit - (2.0 + 2.0)).abs() < 1e-6);
    assert!((kappa(rows, 3, 10) / unit - (2.0 + 4.0)).abs() < 1e-6);
    assert!((kappa(rows, 3, 5) / unit - -0.5).abs() < 1e-6);
}

#[test]
fn pairs_store_the_energy_of_the_stencils() {
    for (name, mut body) in [("grid", sheet(6, 5)), ("mesh", mesh(6, 5))] {
        body.pinned = (0..12).collect();
        let model = build(body).unwrap();
        let x: Vec<DVec3> = (0..30).map(|i| DVec3::new((i * i % 7) as f64, (i % 4) as f64, 0.3)).collect();
        let mut stencils = 0.0;
        model.for_each_bending_stencil(|nodes, c| {
            let sum: DVec3 = nodes.iter().zip(c).map(|(&n, c)| *c * x[n as usize]).sum();
            stencils += 0.5 * sum.length_squared();
        });
        let rows = model.bending_rows();
        let mut pairs = 0.0;
        for a in 0..30 {
            for &(b, k) in rows.row(a) {
                let k = f64::from(k);
                pairs += 0.25 * k * x[a].distance_squared(x[b as usize]);
                assert_eq!(kappa(rows, b, a as u32).to_bits(), k.to_bits());
            }
        }
        assert!(stencils > 1.0 && (pairs / stencils - 1.0).abs() < 1e-6, "{name}: {pairs} {stencils}");
        for (i, bound) in model.bending_majorant().into_iter().enumerate() {
            assert!((rows.majorant(i) - bound).abs() <= 1e-6 * bound, "{name}: {} {bound}", rows.majorant(i));
        }
    }
}

#[test]
fn an_edge_is_clamped_where_two_rows_are_pinned() {
    let clamps =
        |pinned: Vec<u32>| build(Body { pinned, ..sheet(5, 6) }).unwrap().grid_bending(0).unwrap().clamps;
    const FREE: u32 = GridBending::FREE;
    assert_eq!(clamps((0..5).collect()), [[FREE, FREE], [FREE, FREE]]);
    assert_eq!(clamps((0..10).collect()), [[FREE, FREE], [1, FREE]]);
    assert_eq!(clamps((0..9).collect()), [[FREE, FREE], [FREE, FREE]]);
    assert_eq!(clamps((0..15).chain(20..30).collect()), [[FREE, FREE], [2, 4]]);
    assert_eq!(clamps((0..30).filter(|i| i % 5 > 2).collect()), [[FREE, 3], [FREE, FREE]]);
}

/// |c|^2 of the stencil centered on a node, if there is one.
fn weight(model: &Model, center: u32) -> Option<f64> {
    let mut found = None;
    model.for_each_bending_stencil(|nodes, c| {
        if nodes[0] == center {
            found = Some(c.iter().map(|c| c * c).sum());
        }
    });
    found
}

#[test]
fn vertices_on_the_inner_edge_of_a_clamp_count_twice() {
    let at = |pinned: Vec<u32>, node| weight(&build(Body { pinned, ..mesh(7, 8) }).unwrap(), node).unwrap();
    let ratio = |pinned, node| at(pinned, node) / at(vec![], node);
    for (pinned, node, expected, what) in [
        (0..21, 17, 2.0, "three rows"),
        (0..21, 24, 1.0, "the row behind them"),
        (14..21, 17, 1.0, "a line between two free sides"),
        (17..18, 17, 1.0, "one node"),
    ] {
        assert!((ratio(pinned.collect(), node) - expected).abs() < 1e-6, "{what}");
    }
}

#[test]
fn only_inner_vertices_of_two_sided_edges_have_a_stencil() {
    let whole = build(mesh(4, 4)).unwrap();
    let centers: Vec<u32> = (0..16).filter(|&i| weight(&whole, i).is_some()).collect();
    assert_eq!(centers, [5, 6, 9, 10]);
    // A third triangle on the edge from 5 to 6.
    let mut body = mesh(4, 4);
    body.triangles.push([5, 6, 15]);
    let forked = build(body).unwrap();
    let centers: Vec<u32> = (0..16).filter(|&i| weight(&forked, i).is_some()).collect();
    assert_eq!(centers, [9, 10]);
}

/// A disc of triangles that all meet in node 0.
fn fan(count: u32) -> Body {
    let rim = (0..count).map(|i| std::f32::consts::TAU * i as f32 / count as f32);
    let points = rim.map(|angle| 0.1 * Vec3::new(angle.cos(), angle.sin(), 0.0));
    let rest_position: Vec<Vec3> = std::iter::once(Vec3::ZERO).chain(points).collect();
    Body {
        mass: vec![1e-3; rest_position.len()],
        triangles: (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect(),
        bending: B,
        rest_position,
        ..Body::default()
    }
}

#[test]
fn a_hub_of_any_number_of_neighbors_has_the_energy_of_the_plate() {
    for count in [8, 32, 33, 100, 2400] {
        let model = build(fan(count)).unwrap();
        let height = |p: Vec3| f64::from(1.5 * p.x * p.x - 2.0 * p.x * p.y - 0.5 * p.y * p.y);
        let mut energy = 0.0;
        model.for_each_bending_stencil(|nodes, c| {
            let sum: f64 =
                nodes.iter().zip(c).map(|(&n, c)| c * height(model.rest_position()[n as usize])).sum();
            energy += 0.5 * sum * sum;
        });
        let area = 0.5 * 0.01 * f64::from(count) * (std::f64::consts::TAU / f64::from(count)).sin();
        let expected = 0.5 * f64::from(B) * area * (9.0 + 1.0 + 2.0 * 4.0);
        assert!((energy / expected - 1.0).abs() < 1e-3, "{count}: {energy} {expected}");
        // The number of pairs per node does not grow with the number of neighbors, and every neighbor has one.
        let rows = model.bending_rows();
        assert!(rows.entries.len() <= 35 * count as usize, "{count}: {}", rows.entries.len());
        assert!((1..=count).all(|node| kappa(rows, 0, node) != 0.0));
    }
}

#[test]
fn impossible_bending_is_refused() {
    let error = |body: Body| build(body).unwrap_err().to_string();
    assert!(error(Body { bending: -1.0, ..sheet(4, 4) }).contains("bending = -1 N m: it must be finite"));
    assert!(error(Body { bending: f32::NAN, ..mesh(4, 4) }).contains("it must be finite"));
    assert!(error(Body { bending: 3e38, ..sheet(4, 4) }).contains("too much"));
    let bare = Body { triangles: vec![], ..mesh(4, 4) };
    assert!(error(bare).contains("it needs triangles"));
}

#[test]
fn triangles_without_area_do_no_harm() {
    let mut thin = mesh(4, 4);
    thin.rest_position[6] = thin.rest_position[5];
    let model = build(thin).unwrap();
    assert!((0..16).all(|i| weight(&model, i).is_none_or(f64::is_finite)));
}
