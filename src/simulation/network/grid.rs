//! The grid form, where neighbors follow from the index and materials from the kind of spring.

use crate::gpu::{HostStruct, twin};
use crate::method::MultiplierLayout;
use crate::model::{Grid, GridBending, GridLink, Model, Multipliers, stored_stiffness};

/// Most springs of a grid node.
const MOST_SLOTS: usize = 12;

twin! {
    /// Host twin of WGSL `GridSlot`.
    #[derive(Debug, Default)]
    struct GridSlot = "GridSlot" {
        offset: [i32; 2],
        rest_length: f32,
        stiffness: f32,
        dashpot: f32,
        border: u32,
        kind: u32,
        slot: u32,
        bend: [f32; 4],
    }
}

twin! {
    /// Host twin of WGSL `Grid`.
    #[derive(Debug)]
    pub struct GridUniform = "Grid" {
        columns: u32,
        rows: u32,
        border_factor: f32,
        penalty: f32,
        clamps: [[u32; 2]; 2],
        strain_limit: [f32; 4],
        slots: [GridSlot; MOST_SLOTS],
        families: [GridSlot; MOST_SLOTS / 2],
    }
}

/// Layout of the uniform, compared with WGSL when a shader loads.
pub const GRID_STRUCT: HostStruct = GridUniform::TWIN;

/// Layout of its slots.
pub const SLOT_STRUCT: HostStruct = GridSlot::TWIN;

/// The kinds of springs that any copy has; all kinds with bending, which couples the same nodes.
pub fn used_kinds<'a>(model: &'a Model, grid: &'a Grid) -> impl Iterator<Item = usize> + 'a {
    (0..grid.links.len()).filter(|kind| model.has_bending() || grid.has_link(*kind))
}

/// The data that `network/material_copies.wgsl` reads, copy by copy.
pub fn copy_links(grid: &Grid, model: &Model, multipliers: &Multipliers) -> Vec<[f32; 4]> {
    let numbers =
        |link: &GridLink, own| [link.rest_length, stored_stiffness(link.stiffness), link.dashpot, own];
    let each = (0..).zip(&grid.copy_links).flat_map(|(copy, links)| {
        // The numbers of the copy itself are stored beside those of its first two kinds.
        let limit = model.bodies()[copy as usize].strain_limit.unwrap_or(0.0);
        let own = [multipliers.base(copy), limit, 0.0, 0.0, 0.0, 0.0];
        links.iter().zip(own).map(move |(link, own)| numbers(link, own))
    });
    let mut entries: Vec<[f32; 4]> = each.collect();
    if !model.has_bending() {
        return entries;
    }
    let bending: Vec<_> = (0..model.copies()).map(|copy| model.grid_bending(copy)).collect();
    let factors = |of_copy: &Option<&GridBending>, link: &GridLink| {
        let [hinge, cell] = of_copy.map_or([0.0; 2], |bending| bend_factors(bending, link.offset));
        [hinge, cell, 0.0, 0.0]
    };
    for of_copy in &bending {
        entries.extend(grid.links.iter().map(|link| factors(of_copy, link)));
    }
    // f32 holds these indices exactly: in a batch, each copy has at most half of the most nodes.
    let clamp = |line: u32| if line == GridBending::FREE { -1.0 } else { line as f32 };
    entries.extend(bending.iter().map(|of_copy| {
        let [columns, rows] = clamps(*of_copy);
        [columns[0], columns[1], rows[0], rows[1]].map(clamp)
    }));
    entries
}

fn clamps(bending: Option<&GridBending>) -> [[u32; 2]; 2] {
    bending.map_or([[GridBending::FREE; 2]; 2], |bending| bending.clamps)
}

/// Each kind of spring that is used, in both directions.
pub fn uniform(grid: &Grid, model: &Model, used: &[usize], multipliers: &Multipliers) -> GridUniform {
    let bending = if model.copies() == 1 { model.grid_bending(0) } else { None };
    let slot = |kind: usize, sign: i32| {
        let link = &grid.links[kind];
        let offset = link.offset.map(|o| sign * o);
        let pattern = bend_pattern(offset);
        GridSlot {
            offset,
            rest_length: link.rest_length,
            stiffness: stored_stiffness(link.stiffness),
            dashpot: link.dashpot,
            border: match offset {
                [_, 0] => 1,
                [0, _] => 2,
                _ => 0,
            },
            kind: kind as u32,
            slot: slot_of(used, kind, sign),
            // In a batch the kernels multiply by each copy's factors.
            bend: bending.map_or(pattern, |bending| {
                let [hinge, cell] = bend_factors(bending, offset);
                [hinge * pattern[0], hinge * pattern[1], hinge * pattern[2], cell * pattern[3]]
            }),
        }
    };
    let mut slots = [GridSlot::default(); MOST_SLOTS];
    // In the order of the rows of the mesh form, so that both forms sum in the same order.
    for (pair, &kind) in slots.chunks_exact_mut(2).zip(used) {
        pair.copy_from_slice(&[slot(kind, -1), slot(kind, 1)]);
    }
    GridUniform {
        columns: grid.columns,
        rows: grid.rows,
        border_factor: grid.border_factor,
        penalty: multipliers.base(0),
        clamps: clamps(bending),
        strain_limit: [model.bodies()[0].strain_limit.unwrap_or(0.0), 0.0, 0.0, 0.0],
        slots,
        families: std::array::from_fn(|kind| slot(kind, 1)),
    }
}

/// The slot of the springs of a kind, in their direction or against it.
fn slot_of(used: &[usize], kind: usize, sign: i32) -> u32 {
    let pair = used.iter().position(|k| *k == kind).unwrap_or(0);
    2 * pair as u32 + u32::from(sign > 0)
}

/// The layout of the multipliers, and which slots of each node have one: two bits for each slot, as
/// `newton_multigrid/nodes.wgsl` reads them.
pub fn multiplier_layout(grid: &Grid, model: &Model, multipliers: &Multipliers) -> MultiplierLayout {
    let used: Vec<usize> = used_kinds(model, grid).collect();
    let mut words = vec![0u32; model.node_count()];
    let mut last = 0;
    for (s, spring) in model.springs().iter().enumerate().filter(|(s, _)| multipliers.load(*s) > 0) {
        let at = |node: u32| [node % grid.columns, node / grid.columns].map(|i| i as i32);
        let [from, to] = spring.nodes.map(at);
        let offset = [to[0] - from[0], to[1] - from[1]];
        let (kind, sign) = (0..grid.links.len())
            .find_map(|kind| match grid.links[kind].offset {
                o if o == offset => Some((kind, 1)),
                o if o == offset.map(|o| -o) => Some((kind, -1)),
                _ => None,
            })
            .expect("a spring of a regular grid");
        for (node, sign) in spring.nodes.into_iter().zip([sign, -sign]) {
            let slot = slot_of(&used, kind, sign);
            words[node as usize] |= u32::from(multipliers.load(s)) << (2 * slot);
            last = last.max(slot);
        }
    }
    // The number of slots is a multiple of four.
    let slots = (last + 1).next_multiple_of(4).min(2 * used.len() as u32);
    let quads = slots.div_ceil(4) as usize * model.node_count();
    MultiplierLayout { slots, quads, words, springs: Vec::new() }
}

/// Which of the hinges that are centered before, at and after a node's neighbor in the direction of `offset` couple the
/// two nodes, and whether cells do.
fn bend_pattern(offset: [i32; 2]) -> [f32; 4] {
    let step = match offset {
        [step, 0] | [0, step] => step,
        _ => return [0.0, 0.0, 0.0, 1.0],
    };
    match step {
        1 => [0.0, 1.0, 1.0, 1.0],
        -1 => [1.0, 1.0, 0.0, 1.0],
        2 => [0.0, 0.0, 1.0, 0.0],
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// kappa = -c_a c_b of each hinge (1, -2, 1) and of the cells (1, -1, -1, 1) that two nodes share.
fn bend_factors(bending: &GridBending, offset: [i32; 2]) -> [f32; 2] {
    let [along_row, along_column, cell] = bending.weights();
    let (step, weight) = match offset {
        [step, 0] => (step, along_row),
        [0, step] => (step, along_column),
        _ => return [0.0, -cell as f32],
    };
    match step.abs() {
        1 => [(2.0 * weight) as f32, (2.0 * cell) as f32],
        _ => [-weight as f32, 0.0],
    }
}
