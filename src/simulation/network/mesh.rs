//! The mesh form, where neighbors are stored in rows; see `network/mesh.wgsl` for their layout.

use super::materials::Materials;
use crate::gpu::{HostStruct, twin};
use crate::method::MultiplierLayout;
use crate::model::{BendingRows, Model, Multipliers, stored_stiffness};
use crate::numbers::SLICE;

/// The rows of the mesh form; see `network/mesh.wgsl` for the layout.
pub struct Rows {
    /// Row starts and neighbors, with the number of the material if there are few materials.
    pub links: Vec<u32>,
    /// Rest lengths and stiffnesses of all slots, then penalties if there are multipliers; or (rest length, stiffness,
    /// dashpot) and penalty of each material.
    pub material: Vec<f32>,
    /// First bit of the number of a material in a link; 0 if each slot has its own material.
    pub material_shift: u32,
    /// Dashpots of all slots, unless materials have them, and stiffnesses of bending pairs.
    pub dashpots_and_bending: Vec<f32>,
    /// Starts of the parts.
    pub layout: MeshLayout,
}

twin! {
    /// Host twin of WGSL `MeshLayout`.
    #[derive(Debug, Default)]
    pub struct MeshLayout = "MeshLayout" {
        header: u32,
        slots: u32,
        bend_starts: u32,
        bend_header: u32,
        bend_stiffness: u32,
        padding: u32,
    }
}

/// Layout of [`MeshLayout`], compared with WGSL when a shader loads.
pub const MESH_STRUCT: HostStruct = MeshLayout::TWIN;

/// Bytes of the largest buffer that the rows can need.
pub fn largest_buffer(model: &Model, multipliers: &Multipliers) -> u64 {
    let last = |starts: &[u64]| starts.last().copied().unwrap_or(0);
    let spring_starts = slice_starts(&degrees(model));
    let bend_starts = match model.has_bending() {
        true => slice_starts(&bending_degrees(model.bending_rows())),
        false => Vec::new(),
    };
    let (springs, bends) = (last(&spring_starts), last(&bend_starts));
    let links = 4 * (springs + bends + (spring_starts.len() + bend_starts.len()) as u64);
    match Materials::of(model, multipliers) {
        Some(_) => links,
        None => links.max(4 * rows_of_slots(multipliers) as u64 * springs),
    }
}

/// Words of a material in memory: rest length, stiffness, dashpot, and penalty and limit if there are any.
pub fn material_words(multipliers: &Multipliers) -> usize {
    rows_of_slots(multipliers) + 1
}

/// Number of rows with one number for each slot, without dashpots.
fn rows_of_slots(multipliers: &Multipliers) -> usize {
    match (multipliers.is_empty(), multipliers.has_limits()) {
        (true, _) => 2,
        (false, false) => 3,
        (false, true) => 4,
    }
}

/// Number of springs at each node.
fn degrees(model: &Model) -> Vec<u32> {
    let mut degree = vec![0u32; model.node_count()];
    for spring in model.springs() {
        for node in spring.nodes {
            degree[node as usize] += 1;
        }
    }
    degree
}

impl MeshLayout {
    /// Slots of all slices together.
    pub fn slots(&self) -> usize {
        self.slots as usize
    }
}

/// First slot of each slice, and the number of slots at the end.
fn slice_starts(degrees: &[u32]) -> Vec<u64> {
    let mut starts = vec![0u64];
    for slice in degrees.chunks(SLICE) {
        let width = slice.iter().copied().max().unwrap_or(0);
        starts.push(starts[starts.len() - 1] + u64::from(width) * SLICE as u64);
    }
    starts
}

/// Number of pairs that bending couples at each node.
fn bending_degrees(rows: &BendingRows) -> Vec<u32> {
    rows.starts.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect()
}

/// Slots of rows of different lengths.
struct Slices {
    starts: Vec<u32>,
}

impl Slices {
    fn new(degrees: &[u32]) -> Self {
        Self { starts: slice_starts(degrees).into_iter().map(|s| s as u32).collect() } // checked before
    }

    /// Number of slots.
    fn slots(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    /// The slot of entry `k` of a node's row.
    fn slot(&self, node: usize, k: usize) -> usize {
        self.starts[node / SLICE] as usize + k * SLICE + node % SLICE
    }

    /// Appends a link for each slot: it names the slot's own node until it is filled. Slots after the last
    /// node are never read.
    fn append_empty(&self, links: &mut Vec<u32>) {
        links.reserve_exact(self.slots());
        for (slice, pair) in self.starts.windows(2).enumerate() {
            links.extend((0..pair[1] - pair[0]).map(|s| (slice * SLICE) as u32 + s % SLICE as u32));
        }
    }
}

/// The rows of a model.
pub fn rows(model: &Model, multipliers: &Multipliers) -> Rows {
    let mut degree = degrees(model);
    let slices = Slices::new(&degree);
    let mut links = slices.starts.clone();
    let (header, slots) = (links.len(), slices.slots());
    slices.append_empty(&mut links);
    degree.fill(0);
    // Calls `fill` for both ends of each spring with its index, its slot at this end, and the node at the other end.
    let mut each_slot = |fill: &mut dyn FnMut(usize, usize, u32)| {
        for (s, spring) in model.springs().iter().enumerate() {
            let [a, b] = spring.nodes;
            for (node, other) in [(a, b), (b, a)] {
                let next = &mut degree[node as usize];
                fill(s, slices.slot(node as usize, *next as usize), other);
                *next += 1;
            }
        }
    };
    let layout = MeshLayout { header: header as u32, slots: slots as u32, ..MeshLayout::default() };
    let mut rows = match Materials::of(model, multipliers) {
        Some(Materials { table, of_spring, shift }) => {
            each_slot(&mut |s, at, other| links[header + at] = other | u32::from(of_spring[s]) << shift);
            let words = material_words(multipliers);
            let material = table.iter().flat_map(|numbers| &numbers[..words]).copied().collect();
            Rows { links, material, material_shift: shift, dashpots_and_bending: Vec::new(), layout }
        }
        None => {
            let mut material = vec![0f32; rows_of_slots(multipliers) * slots];
            let mut dashpots = vec![0f32; if model.has_dashpots() { slots } else { 0 }];
            each_slot(&mut |s, at, other| {
                let spring = &model.springs()[s];
                links[header + at] = other;
                material[at] = spring.rest_length;
                material[slots + at] = stored_stiffness(spring.stiffness);
                if let Some(penalty) = material.get_mut(2 * slots + at) {
                    *penalty = multipliers.penalty(s);
                }
                if let Some(limit) = material.get_mut(3 * slots + at) {
                    *limit = multipliers.limit(s);
                }
                if let Some(dashpot) = dashpots.get_mut(at) {
                    *dashpot = spring.dashpot;
                }
            });
            Rows { links, material, material_shift: 0, dashpots_and_bending: dashpots, layout }
        }
    };
    if model.has_bending() {
        append_bending(&mut rows, model.bending_rows());
    }
    rows
}

/// The layout of the multipliers, in groups of four per node: see `quad_of` in `network/mesh.wgsl`.
pub fn multiplier_layout(model: &Model, multipliers: &Multipliers) -> MultiplierLayout {
    let mut degree = degrees(model);
    let starts = slice_starts(&degree);
    let quads_before = |slice: usize| starts[slice] as usize / SLICE / 4 + slice;
    let quads = (quads_before(starts.len() - 1) + 1) * SLICE;
    degree.fill(0);
    let mut springs = Vec::with_capacity(model.springs().len());
    for (s, spring) in model.springs().iter().enumerate() {
        let node = spring.nodes[0] as usize;
        let slot = degree[node] as usize;
        let quad = (quads_before(node / SLICE) + slot / 4) * SLICE + node % SLICE;
        springs.push([
            quad as u32,
            slot as u32 % 4,
            multipliers.penalty(s).to_bits(),
            multipliers.limit(s).to_bits(),
        ]);
        spring.nodes.iter().for_each(|&node| degree[node as usize] += 1);
    }
    MultiplierLayout { slots: u32::MAX, quads, words: Vec::new(), springs }
}

/// Appends the pairs that bending couples.
fn append_bending(rows: &mut Rows, bending: &BendingRows) {
    let slices = Slices::new(&bending_degrees(bending));
    let (starts, stiffness) = (rows.links.len(), rows.dashpots_and_bending.len());
    rows.links.extend_from_slice(&slices.starts);
    let header = rows.links.len();
    slices.append_empty(&mut rows.links);
    rows.dashpots_and_bending.resize(stiffness + slices.slots(), 0.0);
    for node in 0..bending.starts.len() - 1 {
        for (k, &(other, kappa)) in bending.row(node).iter().enumerate() {
            let at = slices.slot(node, k);
            rows.links[header + at] = other;
            rows.dashpots_and_bending[stiffness + at] = kappa;
        }
    }
    rows.layout.bend_starts = starts as u32;
    rows.layout.bend_header = header as u32;
    rows.layout.bend_stiffness = stiffness as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each slice has enough room, whatever the widths of the slices before it.
    #[test]
    fn the_quads_of_slices_never_overlap() {
        for seed in 0..200u64 {
            let widths: Vec<u64> = (0..12).map(|i| (seed * 7 + i * i * (seed % 5 + 1)) % 11).collect();
            let mut before = 0;
            let mut end = 0;
            for (slice, width) in (0..).zip(&widths) {
                let first = before / 4 + slice;
                assert!(first >= end, "{widths:?}");
                end = first + width.div_ceil(4);
                before += width;
            }
            assert!(before / 4 + widths.len() as u64 + 1 >= end, "{widths:?}");
        }
    }

    #[test]
    fn slots_are_counted_beyond_32_bits() {
        let mut degrees = vec![1u32; 3 * SLICE];
        (degrees[0], degrees[SLICE]) = (50_000_000, 50_000_000);
        assert_eq!(slice_starts(&degrees).last(), Some(&(100_000_001 * SLICE as u64)));
    }
}
