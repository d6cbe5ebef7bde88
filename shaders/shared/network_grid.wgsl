// The springs of each node on a regular grid: neighbours follow from the index, nothing is stored.
// Same functions as network_mesh.wgsl.
//!import shared/copies.wgsl
//!import shared/grid_material.wgsl
//!import shared/spring.wgsl

struct GridSlot {
    offset: vec2i,      // steps along columns and rows
    rest_length: f32,   // [m]
    stiffness: f32,     // [N/m]
    dashpot: f32,       // [N s/m]
    border: u32,        // 1: runs along rows, 2: along columns, 0: neither
    padding: vec2u,
}

struct Grid {
    columns: u32,
    rows: u32,
    border_factor: f32, // on springs along a border
    padding: u32,
    slots: array<GridSlot, 12>,
}

@group(1) @binding(0) var<uniform> grid: Grid;

// Slots in use: a constant of the pipeline, so that the driver can unroll the loop over them.
override LINKS: u32 = 12u;

// A node and what the functions below need to know of it.
struct Row {
    index: u32,
    copy: u32,
    at: vec2i,          // column, row
    factor: vec3f,      // on stiffness, by GridSlot.border
}

fn row_of(index: u32) -> Row {
    let local = index_in_copy(index);
    let row = local / grid.columns;
    let column = local - row * grid.columns;
    let on_row_border = row == 0u || row + 1u == grid.rows;
    let on_column_border = column == 0u || column + 1u == grid.columns;
    return Row(index, copy_of(index), vec2i(i32(column), i32(row)), vec3f(
        1.0,
        select(1.0, grid.border_factor, on_row_border),
        select(1.0, grid.border_factor, on_column_border),
    ));
}

fn link_count(row: Row) -> u32 {
    return LINKS;
}

fn link_at(row: Row, slot: u32) -> Link {
    let s = grid.slots[slot];
    let at = row.at + s.offset;
    let inside = all(at >= vec2i(0)) && at.x < i32(grid.columns) && at.y < i32(grid.rows);
    let other = u32(i32(row.index) + s.offset.y * i32(grid.columns) + s.offset.x);
    let factor = select(0.0, select(select(1.0, row.factor.y, s.border == 1u), row.factor.z, s.border == 2u), inside);
    let material = grid_material(row.copy, slot);
    return Link(select(row.index, other, inside), material.x, material.y * factor, material.z * factor);
}
