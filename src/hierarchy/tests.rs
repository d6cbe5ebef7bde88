use glam::Vec3;

use super::*;
use crate::model::{Body, Family, Model, ModelBuilder, Spring};

fn spring(a: usize, b: usize) -> Spring {
    let nodes = [a as u32, b as u32];
    Spring { nodes, rest_length: 1.0, stiffness: 1.0, dashpot: 0.0, family: Family::Raw }
}

fn body(rest_position: Vec<Vec3>, springs: Vec<Spring>, pinned: &[u32]) -> Body {
    let mass = vec![1.0; rest_position.len()];
    Body { rest_position, mass, springs, pinned: pinned.to_vec(), ..Body::default() }
}

fn model(bodies: impl IntoIterator<Item = Body>) -> Model {
    let mut builder = ModelBuilder::new();
    for body in bodies {
        builder.add(body);
    }
    builder.build().unwrap()
}

/// Numbers in [-1, 1).
fn noise(i: usize) -> f32 {
    let z = (i as u32 + 1).wrapping_mul(0x9e37_79b9);
    (z ^ (z >> 15)).wrapping_mul(0x85eb_ca6b) as i32 as f32 / 2147483648.0
}

/// Springs of the kinds of a grid, kind by kind.
fn grid_springs(columns: usize, rows: usize, kinds: &[[i64; 2]]) -> Vec<Spring> {
    let mut springs = Vec::new();
    for [dc, dr] in kinds {
        for (r, c) in (0..rows as i64).flat_map(|r| (0..columns as i64).map(move |c| (r, c))) {
            let (c2, r2) = (c + dc, r + dr);
            if (0..columns as i64).contains(&c2) && r2 < rows as i64 {
                springs.push(spring((r * columns as i64 + c) as usize, (r2 * columns as i64 + c2) as usize));
            }
        }
    }
    springs
}

const ALL: [[i64; 2]; 6] = [[1, 0], [0, 1], [1, 1], [-1, 1], [2, 0], [0, 2]];

/// A sheet with shifted nodes.
fn sheet(columns: usize, rows: usize, pinned: &[u32]) -> Body {
    let place = |i: usize| {
        let shift = 0.3 * Vec3::new(noise(3 * i), noise(3 * i + 1), noise(3 * i + 2));
        Vec3::new((i % columns) as f32, (i / columns) as f32, 0.0) + shift
    };
    body((0..columns * rows).map(place).collect(), grid_springs(columns, rows, &ALL[..4]), pinned)
}

/// What must hold for any hierarchy.
fn check(model: &Model, hierarchy: &Hierarchy) {
    let (mut nodes, mut springs) = (model.node_count(), model.springs().len());
    for level in &hierarchy.levels {
        assert!(level.nodes < nodes || hierarchy.levels.len() == 1);
        assert_eq!(level.interpolation.len(), nodes);
        for i in 0..nodes {
            let sum: f32 = level.interpolation.row(i).map(|e| e.1).sum();
            assert!((sum - 1.0).abs() < 1e-6, "the weights of node {i} sum to {sum}");
            assert!(level.interpolation.row(i).all(|e| e.0 < level.nodes && e.1 > 0.0));
        }
        assert_eq!(level.restriction, level.interpolation.transposed(level.nodes));
        assert_eq!((level.gather.len(), level.bend.len()), (level.springs.len(), level.springs.len()));
        let mut pairs: Vec<_> = level.springs.iter().map(|s| [s[0].min(s[1]), s[0].max(s[1])]).collect();
        pairs.sort_unstable();
        assert!(pairs.windows(2).all(|p| p[0] != p[1]), "a pair comes twice");
        assert!(pairs.iter().all(|p| p[0] < p[1] && (p[1] as usize) < level.nodes));
        assert!(level.gather.indices.iter().all(|&s| (s as usize) < springs));
        (nodes, springs) = (level.nodes, level.springs.len());
    }
}

/// sum k (u_i - u_j)^2.
fn energy(springs: impl Iterator<Item = [u32; 2]>, stiffness: &[f64], u: &[f64]) -> f64 {
    let each = |(s, k): ([u32; 2], &f64)| k * (u[s[0] as usize] - u[s[1] as usize]).powi(2);
    springs.zip(stiffness).map(each).sum()
}

fn gathered(rows: &Rows, of: &[f64]) -> Vec<f64> {
    (0..rows.len()).map(|i| rows.row(i).map(|(j, w)| f64::from(w) * of[j]).sum()).collect()
}

/// Energies of the coarser levels over those of what they stand for, for some field on each.
fn energy_ratios(model: &Model, hierarchy: &Hierarchy, field: impl Fn(&Level, usize) -> f64) -> Vec<f64> {
    let mut ends: Vec<[u32; 2]> = model.springs().iter().map(|s| s.nodes).collect();
    let mut stiffness: Vec<f64> = (0..ends.len()).map(|s| 2.0 + f64::from(noise(s))).collect();
    let mut ratios = Vec::new();
    for level in &hierarchy.levels {
        let u: Vec<f64> = (0..level.nodes).map(|i| field(level, i)).collect();
        let fine = energy(ends.iter().copied(), &stiffness, &gathered(&level.interpolation, &u));
        stiffness = gathered(&level.gather, &stiffness);
        ends = level.springs.clone();
        ratios.push(energy(ends.iter().copied(), &stiffness, &u) / fine);
    }
    ratios
}

#[test]
fn coarser_springs_hold_the_energy_of_the_finer_ones() {
    let model = model([sheet(40, 30, &[])]);
    let hierarchy = Hierarchy::galerkin(&model);
    check(&model, &hierarchy);
    assert!(hierarchy.levels.len() >= 3 && hierarchy.levels.last().unwrap().nodes <= 29);
    // But for what is dropped.
    for ratio in energy_ratios(&model, &hierarchy, |_, i| f64::from(noise(i + 7))) {
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    }
}

#[test]
fn a_coarser_sheet_follows_a_plane() {
    let model = model([sheet(40, 30, &[])]);
    let level = &Hierarchy::galerkin(&model).levels[0];
    // Where a node is a seed its row has one entry; the seed of each coarser node:
    let mut seed = vec![Vec3::NAN; level.nodes];
    for (i, x) in model.rest_position().iter().enumerate() {
        if level.interpolation.row(i).len() == 1 {
            let (coarse, weight) = level.interpolation.row(i).next().unwrap();
            assert!(weight == 1.0 && seed[coarse].is_nan());
            seed[coarse] = *x;
        }
    }
    let mut off: Vec<f32> = (0..model.node_count())
        .map(|i| {
            level
                .interpolation
                .row(i)
                .map(|(c, w)| w * seed[c])
                .sum::<Vec3>()
                .distance(model.rest_position()[i])
        })
        .collect();
    off.sort_by(f32::total_cmp);
    // The nodes stand 0.3 off the plane and two or three seeds need not surround one.
    assert!(
        off[off.len() / 2] < 0.2 && off[off.len() - 1] < 1.0,
        "{} {}",
        off[off.len() / 2],
        off[off.len() - 1]
    );
}

#[test]
fn the_same_lists_on_any_number_of_threads() {
    let model = model([sheet(60, 50, &[0, 7])]);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(Hierarchy::galerkin(&model), alone.install(|| Hierarchy::galerkin(&model)));
}

#[test]
fn copies_have_the_levels_that_each_has_alone() {
    let with = |pinned: &[u32], few: bool| {
        let mut body = sheet(14, 12, pinned);
        if few {
            body.springs.retain(|s| s.nodes.iter().all(|&node| node < 9));
        }
        let cells = (0..11).flat_map(|r| (0..13).map(move |c| 14 * r + c));
        body.triangles = cells.flat_map(|i| [[i, i + 1, i + 15], [i, i + 15, i + 14]]).collect();
        body.bending = 1.0;
        model([body])
    };
    let copies = [with(&[], false), with(&[0, 3, 77], false), with(&[], true), with(&[], false)];
    let batch = Hierarchy::galerkin(&Model::stack(copies.to_vec()).unwrap());
    let mut finer = [[0, 0], [168, copies[0].springs().len()], [336, 0], [504, 0]];
    finer[2][1] = 2 * finer[1][1];
    finer[3][1] = finer[2][1] + copies[2].springs().len();
    let own = copies.map(|copy| Hierarchy::galerkin(&copy));
    let depths: Vec<usize> = own.iter().map(|h| h.levels.len()).collect();
    assert!(depths[2] < depths[0] && batch.levels.len() == depths[0], "{depths:?}: not the case wanted");
    let row = |rows: &Rows, i: usize| -> Vec<(usize, f32)> { rows.row(i).collect() };
    let moved = |rows: &Rows, i: usize, by: usize| -> Vec<(usize, f32)> {
        rows.row(i).map(|(index, weight)| (index + by, weight)).collect()
    };
    for (l, whole) in batch.levels.iter().enumerate() {
        let (mut node, mut spring) = (0, 0);
        for (c, own) in own.iter().enumerate() {
            assert_eq!(whole.copies[c] as usize, node);
            let begin = [node, spring];
            let Some(level) = own.levels.get(l) else {
                // As it was.
                let last = own.levels.last().unwrap();
                assert!(last.bend.iter().any(|kappa| *kappa != 0.0));
                assert_eq!(whole.bend[spring..spring + last.springs.len()], last.bend);
                for i in 0..last.nodes {
                    assert_eq!(row(&whole.restriction, node + i), [(finer[c][0] + i, 1.0)]);
                    assert_eq!(row(&whole.interpolation, finer[c][0] + i), [(node + i, 1.0)]);
                }
                for (s, ends) in last.springs.iter().enumerate() {
                    assert_eq!(whole.springs[spring + s], ends.map(|end| end + node as u32));
                    assert_eq!(row(&whole.gather, spring + s), [(finer[c][1] + s, 1.0)]);
                }
                (node, spring) = (node + last.nodes, spring + last.springs.len());
                finer[c] = begin;
                continue;
            };
            assert_eq!(whole.bend[spring..spring + level.springs.len()], level.bend);
            for i in 0..level.nodes {
                assert_eq!(row(&whole.restriction, node + i), moved(&level.restriction, i, finer[c][0]));
            }
            for i in 0..level.interpolation.len() {
                assert_eq!(row(&whole.interpolation, finer[c][0] + i), moved(&level.interpolation, i, node));
            }
            for (s, ends) in level.springs.iter().enumerate() {
                assert_eq!(whole.springs[spring + s], ends.map(|end| end + node as u32));
                assert_eq!(row(&whole.gather, spring + s), moved(&level.gather, s, finer[c][1]));
            }
            (node, spring) = (node + level.nodes, spring + level.springs.len());
            finer[c] = begin;
        }
        assert_eq!((whole.nodes, whole.springs.len(), whole.copies[4] as usize), (node, spring, node));
    }
}

#[test]
fn bodies_never_mix_and_none_is_lost() {
    // In the same place, and one of them without springs.
    let dust = body((0..3).map(|i| Vec3::X * i as f32).collect(), Vec::new(), &[]);
    let model = model([sheet(12, 12, &[]), dust, sheet(12, 12, &[]), sheet(3, 1, &[])]);
    let hierarchy = Hierarchy::galerkin(&model);
    check(&model, &hierarchy);
    let mut body: Vec<usize> = (0..model.node_count() as u32)
        .map(|i| model.bodies().iter().position(|b| b.nodes.contains(&i)).unwrap())
        .collect();
    for level in &hierarchy.levels {
        let mut coarse = vec![usize::MAX; level.nodes];
        for (i, body) in body.iter().enumerate() {
            for (c, _) in level.interpolation.row(i) {
                assert!(coarse[c] == usize::MAX || coarse[c] == *body);
                coarse[c] = *body;
            }
        }
        assert!((0..4).all(|b| coarse.contains(&b)));
        assert!(level.springs.iter().all(|s| coarse[s[0] as usize] == coarse[s[1] as usize]));
        body = coarse;
    }
    assert!(body.len() <= 29);
}

#[test]
fn free_nodes_never_follow_pinned_ones_nor_free_ones_beyond_them() {
    // A row of pins parts a sheet, whose springs are no longer than one spacing.
    let pins: Vec<u32> = (15 * 20..16 * 20).collect();
    let model = model([sheet(20, 31, &pins)]);
    let hierarchy = Hierarchy::galerkin(&model);
    check(&model, &hierarchy);
    let mut side: Vec<i32> = (0..20 * 31).map(|i| (i / 20 - 15i32).signum()).collect();
    for level in &hierarchy.levels {
        let mut coarse = vec![0; level.nodes];
        for i in (0..side.len()).filter(|&i| side[i] != 0) {
            for (c, _) in level.interpolation.row(i) {
                assert!(coarse[c] == 0 || coarse[c] == side[i], "node {i}");
                coarse[c] = side[i];
            }
        }
        side = coarse;
    }
    assert!(side.contains(&1) && side.contains(&-1));
}

#[test]
fn odd_networks_have_a_hierarchy() {
    let star = body(
        (0..500).map(|i| Vec3::new(noise(i), noise(i + 500), 0.0)).collect(),
        (1..500).map(|i| spring(0, i)).collect(),
        &[],
    );
    let heap = body(vec![Vec3::ONE; 100], (1..100).map(|i| spring(i - 1, i)).collect(), &[3]);
    let dust = body((0..100).map(|i| Vec3::X * i as f32).collect(), Vec::new(), &[]);
    // Spacings from 1 to 1e6.
    let graded = body(
        (0..200).map(|i| Vec3::X * 1.07f32.powi(i)).collect(),
        (1..200).map(|i| spring(i - 1, i)).collect(),
        &[0],
    );
    let doubled = body(
        (0..60).map(|i| Vec3::X * i as f32).collect(),
        (1..60).flat_map(|i| [spring(i - 1, i), spring(i, i - 1)]).collect(),
        &[],
    );
    let held = sheet(10, 10, &(0..100).collect::<Vec<_>>());
    for (name, body, most) in [
        ("star", star, 29),
        ("heap", heap, 29),
        ("dust", dust, 100),
        ("graded", graded, 29),
        ("doubled", doubled, 29),
        ("held", held, 29),
    ] {
        let model = model([body]);
        let hierarchy = Hierarchy::galerkin(&model);
        check(&model, &hierarchy);
        let last = hierarchy.levels.last().map_or(model.node_count(), |l| l.nodes);
        assert!(last <= most, "{name}: {last}");
    }
}

#[test]
fn alike_springs_of_a_grid_stay_as_they_are() {
    for (columns, rows) in [(33, 33), (32, 33), (20, 18), (6, 7), (17, 29)] {
        let model = model([body(vec![Vec3::ZERO; columns * rows], grid_springs(columns, rows, &ALL), &[])]);
        let hierarchy = Hierarchy::structured([columns as u32, rows as u32], model.springs(), 5);
        check(&model, &hierarchy);
        let level = &hierarchy.levels[0];
        assert_eq!(level.nodes, (columns / 2 + 1) * (rows / 2 + 1));
        let width = columns / 2 + 1;
        let inside = |i: u32| {
            let (c, r) = (i as usize % width, i as usize / width);
            c > 0 && r > 0 && 2 * c + 1 < columns && 2 * r + 1 < rows
        };
        let mut seen = 0;
        for (s, ends) in level.springs.iter().enumerate().filter(|s| s.1.iter().all(|&i| inside(i))) {
            let sum: f32 = level.gather.row(s).map(|e| e.1).sum();
            assert_eq!(sum, 1.0, "{columns} x {rows}: {ends:?}");
            seen += 1;
        }
        assert!(seen > 0);
    }
}

#[test]
fn a_strip_is_coarsened_along_itself_with_its_energy_kept() {
    for (columns, rows) in [(200, 4), (3, 101), (2, 64)] {
        let model =
            model([body(vec![Vec3::ZERO; columns * rows], grid_springs(columns, rows, &ALL[..4]), &[])]);
        let hierarchy = Hierarchy::structured([columns as u32, rows as u32], model.springs(), 5);
        check(&model, &hierarchy);
        assert!(hierarchy.levels.last().unwrap().nodes <= 5 * columns.min(rows), "{columns} x {rows}");
        // Springs across are not exact, so a field that is the same across.
        let along = |level: &Level, i: usize| {
            let place = if rows == 4 { i % (level.nodes / rows) } else { i / columns };
            f64::from(noise(place))
        };
        for ratio in energy_ratios(&model, &hierarchy, along) {
            assert!((ratio - 1.0).abs() < 1e-6, "{columns} x {rows}: {ratio}");
        }
    }
    let springs = grid_springs(20, 2000, &ALL);
    assert!(Hierarchy::structured([20, 2000], &springs, 5).levels.last().unwrap().nodes <= 25);
}

/// A bent sheet of square cells of `spacing` \[m\].
fn bent(columns: u32, rows: u32, spacing: f32) -> Body {
    use crate::shape::{Cloth, ClothMaterial, Fabric};
    let fabric =
        Fabric { density: 1.0, tensile: 100.0, shear: 10.0, flexion: 0.0, bending: 0.25, damping_time: 0.0 };
    let size = |nodes: u32| spacing * (nodes - 1) as f32;
    let (u, v) = (Vec3::X * size(columns), Vec3::Y * size(rows));
    Cloth { corner: Vec3::ZERO, u, v, columns, rows, material: ClothMaterial::Fabric(fabric) }
        .build()
        .unwrap()
}

/// Were it softer than what it interpolates to, a correction would overshoot.
#[test]
fn a_coarser_grid_is_no_softer_than_what_it_interpolates_to() {
    let fine = model([bent(33, 26, 0.5)]);
    let rows = fine.bending_rows();
    let each =
        |i: usize| rows.row(i).iter().filter(move |e| e.0 as usize > i).map(move |e| ([i as u32, e.0], e.1));
    let (mut ends, mut kappa): (Vec<_>, Vec<f64>) =
        (0..fine.node_count()).flat_map(each).map(|(pair, kappa)| (pair, f64::from(kappa))).unzip();
    for level in &Hierarchy::of(&fine).levels {
        let u: Vec<f64> = (0..level.nodes).map(|i| f64::from(noise(i + 7))).collect();
        let finer = energy(ends.iter().copied(), &kappa, &gathered(&level.interpolation, &u));
        (ends, kappa) = (level.springs.clone(), level.bend.iter().map(|kappa| f64::from(*kappa)).collect());
        let ratio = energy(ends.iter().copied(), &kappa, &u) / finer;
        assert!((1.0..3.0).contains(&ratio), "{ratio}");
    }
}

#[test]
fn coarser_pairs_hold_the_bending_of_the_finer_ones() {
    let model = model([Body { grid: None, ..bent(40, 30, 0.5) }]);
    let hierarchy = Hierarchy::galerkin(&model);
    check(&model, &hierarchy);
    let rows = model.bending_rows();
    let each =
        |i: usize| rows.row(i).iter().filter(move |e| e.0 as usize > i).map(move |e| ([i as u32, e.0], e.1));
    let (mut ends, mut kappa): (Vec<_>, Vec<f64>) =
        (0..model.node_count()).flat_map(each).map(|(pair, kappa)| (pair, f64::from(kappa))).unzip();
    for level in &hierarchy.levels {
        let u: Vec<f64> = (0..level.nodes).map(|i| f64::from(noise(i + 7))).collect();
        let fine = energy(ends.iter().copied(), &kappa, &gathered(&level.interpolation, &u));
        (ends, kappa) = (level.springs.clone(), level.bend.iter().map(|kappa| f64::from(*kappa)).collect());
        let ratio = energy(ends.iter().copied(), &kappa, &u) / fine;
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    }
}
