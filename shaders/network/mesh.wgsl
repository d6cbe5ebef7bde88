// The springs of each node as stored rows. Same functions as network/grid.wgsl.
//!import core/launch.wgsl
//!import network/spring.wgsl
//
// Rows are stored slice by slice. A slice is the nodes of one workgroup. Slot s of a node is SLICE
// entries after slot s - 1, so that neighboring threads read neighboring words. Each slice is as wide
// as its longest row, so a node with many springs affects only its own slice.

struct MeshLayout {
    header: u32,        // words before the rows in `links`
    slots: u32,         // slots of all slices together
    bend_starts: u32,   // words before the first slots of the slices of bending pairs in `links`
    bend_header: u32,   // words before the bending pairs in `links`
    bend_stiffness: u32,    // numbers before the stiffnesses of bending pairs in `dashpots_and_bending`
    padding: u32,
}

const SLICE: u32 = 64u;

// [slice]: first slot of the slice (one entry more than slices); [header + slot]: the other node, and from bit
// MATERIAL_SHIFT on the number of the material.
// The same again for the pairs that bending couples: [bend_starts + slice], [bend_header + slot].
@group(1) @binding(0) var<storage, read> links: array<u32>;
// [slot]: rest length [m]; [slots + slot]: stiffness [N/m]; with multipliers, [2 slots + slot]: penalty [N/m];
// with limits of stretch, [3 slots + slot]: Link.limit [m].
// With MATERIAL_SHIFT for each material: rest length, stiffness, dashpot [N s/m], and then penalty and limit, too.
@group(1) @binding(1) var<storage, read> material: array<f32>;
// [slot]: dashpot [N s/m], if any spring has one and slots have their own materials; [bend_stiffness + slot]:
// kappa of a bending pair [N/m].
// One unused entry if there is neither.
@group(1) @binding(2) var<storage, read> dashpots_and_bending: array<f32>;
@group(1) @binding(3) var<uniform> mesh: MeshLayout;

// 0: each slot has its own material; otherwise a link has the number of its material from this bit on.
override MATERIAL_SHIFT: u32 = 0u;
// Words of a material: 4 with multipliers, 5 with limits of stretch.
override MATERIAL_WORDS: u32 = 3u;
// Whether any spring has a limit of stretch.
override HAS_LIMITS: bool = false;

// A node and the place of its row.
struct Row {
    index: u32,
    first: u32,
    count: u32,
    first_bend: u32,
    bend_count: u32,
}

fn row_of(index: u32) -> Row {
    let slice = index / SLICE;
    let first = links[slice];
    var row = Row(index, first + index % SLICE, (links[slice + 1u] - first) / SLICE, 0u, 0u);
    if (HAS_BENDING) {
        let first_bend = links[mesh.bend_starts + slice];
        row.first_bend = first_bend + index % SLICE;
        row.bend_count = (links[mesh.bend_starts + slice + 1u] - first_bend) / SLICE;
    }
    return row;
}

fn link_count(row: Row) -> u32 {
    return row.count;
}

fn link_at(row: Row, slot: u32) -> Link {
    let at = row.first + slot * SLICE;
    let word = links[mesh.header + at];
    if (MATERIAL_SHIFT > 0u) {
        let m = MATERIAL_WORDS * (word >> MATERIAL_SHIFT);
        let node = word & ((1u << MATERIAL_SHIFT) - 1u);
        var penalty = 0.0;
        if (MULTIPLIER_SLOTS > 0u) {
            penalty = material[m + 3u];
        }
        var limit = 0.0;
        if (HAS_LIMITS) {
            limit = material[m + 4u];
        }
        return Link(node, material[m], material[m + 1u], material[m + 2u], 0.0, penalty, limit);
    }
    var dashpot = 0.0;
    if (HAS_DASHPOTS) {
        dashpot = dashpots_and_bending[at];
    }
    var penalty = 0.0;
    if (MULTIPLIER_SLOTS > 0u) {
        penalty = material[2u * mesh.slots + at];
    }
    var limit = 0.0;
    if (HAS_LIMITS) {
        limit = material[3u * mesh.slots + at];
    }
    return Link(word, material[at], material[mesh.slots + at], dashpot, 0.0, penalty, limit);
}

// Index of the four numbers of slots 4 quad to 4 quad + 3 of a node, one for each slot. A slice of w slots has ceil(w /
// 4) quads, which fit in from a quarter of the slots before it plus one quad a slice on.
fn quad_of(row: Row, quad: u32) -> u32 {
    let slice = row.index / SLICE;
    return (row.first / SLICE / 4u + slice + quad) * SLICE + row.index % SLICE;
}

// Index of the numbers of a node's slot.
fn slot_of(row: Row, slot: u32) -> u32 {
    return row.first + slot * SLICE;
}

fn bend_count(row: Row) -> u32 {
    return row.bend_count;
}

// An empty slot has stiffness zero and names the node itself.
fn bend_at(row: Row, slot: u32) -> Bend {
    let at = row.first_bend + slot * SLICE;
    return Bend(links[mesh.bend_header + at], dashpots_and_bending[mesh.bend_stiffness + at]);
}
