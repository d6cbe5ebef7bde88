//! The levels of a batch: the levels of all copies side by side, without any connection.

use rayon::prelude::*;

use super::part::{Part, first_spring};
use super::rows::Rows;
use super::{Hierarchy, Level};
use crate::model::Model;

/// The levels of all copies of a model.
pub fn of_copies(model: &Model) -> Hierarchy {
    let first = Part::of(model, 0);
    // Most copies differ in their material or start alone.
    let own = |copy: usize| -> Option<Hierarchy> {
        let part = Part::of(model, copy);
        (part != first).then(|| Hierarchy::of_part(part))
    };
    let own: Vec<Option<Hierarchy>> = (1..model.copies() as usize).into_par_iter().map(own).collect();
    let shared = Hierarchy::of_part(first);
    if own.is_empty() {
        return shared;
    }
    let others = own.iter().map(|own| own.as_ref().unwrap_or(&shared));
    let copies: Vec<&Hierarchy> = std::iter::once(&shared).chain(others).collect();
    stacked(model, &copies)
}

/// The levels of the copies of a model as one hierarchy.
fn stacked(model: &Model, copies: &[&Hierarchy]) -> Hierarchy {
    let depth = copies.iter().map(|copy| copy.levels.len()).max().unwrap_or(0);
    let mut finer: Vec<[usize; 2]> =
        (0..copies.len()).map(|c| [c * model.nodes_per_copy(), first_spring(model, c)]).collect();
    let mut levels = Vec::new();
    for l in 0..depth {
        let mut whole = Level { copies: vec![0], ..Level::default() };
        for (copy, finer) in copies.iter().zip(&mut finer) {
            let begin = [whole.nodes, whole.springs.len()];
            match copy.levels.get(l) {
                Some(level) => append(&mut whole, level, *finer),
                // It has few enough nodes already, and keeps them where others have coarser levels.
                None => append(&mut whole, &same(&copy.levels[copy.levels.len() - 1]), *finer),
            }
            *finer = begin;
            whole.copies.push(whole.nodes as u32);
        }
        levels.push(whole);
    }
    Hierarchy { levels }
}

/// The next level where nothing becomes coarser.
fn same(level: &Level) -> Level {
    let each = |count: usize| {
        let mut rows = Rows::default();
        (0..count as u32).for_each(|i| rows.push([(i, 1.0)]));
        rows
    };
    Level {
        gather: each(level.springs.len()),
        interpolation: each(level.nodes),
        restriction: each(level.nodes),
        ..level.clone()
    }
}

/// Appends the same level of another copy, whose finer nodes and springs begin at `finer`.
fn append(whole: &mut Level, level: &Level, finer: [usize; 2]) {
    let (first, [finer_node, finer_spring]) = (whole.nodes as u32, finer.map(|n| n as u32));
    whole.nodes += level.nodes;
    whole.springs.extend(level.springs.iter().map(|ends| ends.map(|node| node + first)));
    whole.bend.extend(&level.bend);
    append_rows(&mut whole.gather, &level.gather, finer_spring);
    append_rows(&mut whole.interpolation, &level.interpolation, first);
    append_rows(&mut whole.restriction, &level.restriction, finer_node);
}

/// Appends rows whose indices move up by `by`.
fn append_rows(whole: &mut Rows, rows: &Rows, by: u32) {
    let before = whole.indices.len() as u32;
    whole.starts.extend(rows.starts[1..].iter().map(|start| start + before));
    whole.indices.extend(rows.indices.iter().map(|index| index + by));
    whole.weights.extend_from_slice(&rows.weights);
}
