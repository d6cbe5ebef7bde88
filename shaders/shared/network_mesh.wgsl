// The springs of each node as stored rows. Same functions as network_grid.wgsl.
//!import shared/spring.wgsl
//!import shared/launch.wgsl
//
// Rows are stored slice by slice, a slice being the nodes of one workgroup; slot s of a node stands
// SLICE entries behind slot s - 1, so that neighbouring threads read neighbouring words. Each slice is
// as wide as its longest row: one node with many springs costs its own slice only.

struct MeshLayout {
    header: u32,        // words before the rows in `links`
    slots: u32,         // slots of all slices together
}

const SLICE: u32 = 64u;

// [slice]: first slot of the slice (one entry more than slices); [header + slot]: the other node.
@group(1) @binding(0) var<storage, read> links: array<u32>;
// [slot]: rest length [m]; [slots + slot]: stiffness [N/m].
@group(1) @binding(1) var<storage, read> material: array<f32>;
// [slot]: dashpot [N s/m]; one unused entry where no spring has any.
@group(1) @binding(2) var<storage, read> dashpots: array<f32>;
@group(1) @binding(3) var<uniform> mesh: MeshLayout;


// A node and where its row stands.
struct Row {
    index: u32,
    first: u32,
    count: u32,
}

fn row_of(index: u32) -> Row {
    let slice = index / SLICE;
    let first = links[slice];
    return Row(index, first + index % SLICE, (links[slice + 1u] - first) / SLICE);
}

fn link_count(row: Row) -> u32 {
    return row.count;
}

fn link_at(row: Row, slot: u32) -> Link {
    let at = row.first + slot * SLICE;
    var dashpot = 0.0;
    if (HAS_DASHPOTS) {
        dashpot = dashpots[at];
    }
    return Link(links[mesh.header + at], material[at], material[mesh.slots + at], dashpot);
}
