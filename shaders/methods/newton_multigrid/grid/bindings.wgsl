// The buffers of the coarser levels of a grid.

struct Level {
    columns: u32,
    rows: u32,
    copies: u32,
    first: u32,             // its first node among the nodes of all levels
    finer_columns: u32,
    finer_rows: u32,
    finer_first: u32,
    stride: u32,            // nodes of all levels: distance of the rows of `nodes`
    factor: vec2u,          // 2 in directions that are coarser than on the level before, else 1
    tail_first: u32,        // its first node in the memory of the tail's workgroup
    first_bend: u32,        // of its first copy in `level_bends`
}

@group(1) @binding(8) var<storage, read> levels: array<Level>;
// Three words for each symmetric matrix: (xx, yy), (zz, yz), (xz, xy). Matrices 0 to 5 of a node belong to the
// springs that start there, in the order of `offset_of`; matrix 6 is G.
@group(2) @binding(6) var<storage, read_write> blocks: array<vec2f>;
// Rows of `stride` entries: right-hand side r, and share of the objective (right_hand_side_place); correction e (correction_place).
@group(2) @binding(7) var<storage, read_write> nodes: array<vec4f>;
// Of contact between surfaces: the first of three rows of nodes, product and block (contact/groups/gather.wgsl).
override LEVEL_CONTACT: u32 = 0u;
// Weights of bending hinges along rows, along columns, and of cells [N/m], of each copy on each level; one unused
// entry where there is no bending.
@group(1) @binding(9) var<storage, read> level_bends: array<vec4f>;

// Where a node of a level has its right-hand side in `nodes`, and its correction.
fn right_hand_side_place(level: Level, index: u32) -> u32 {
    return level.first + index;
}

fn correction_place(level: Level, index: u32) -> u32 {
    return level.stride + level.first + index;
}
