// The springs of each node on a regular grid: neighbours follow from the index, nothing is stored.
// Same functions as network_mesh.wgsl.
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
    families: array<GridSlot, 6>,   // from a spring's start, in a fixed order; zero where not used
}

@group(1) @binding(0) var<uniform> grid: Grid;

// Slots in use: a constant of the pipeline, so that the driver can unroll the loop over them.
override LINKS: u32 = 12u;

// A node and what the functions below need to know of it.
struct Row {
    index: u32,
    at: vec2i,          // column, row
    factor: vec3f,      // on stiffness, by GridSlot.border
}

fn row_of(index: u32) -> Row {
    let row = index / grid.columns;
    let at = vec2i(i32(index - row * grid.columns), i32(row));
    return Row(index, at, border_factors(at));
}

fn border_factors(at: vec2i) -> vec3f {
    let on_row_border = at.y == 0 || at.y + 1 == i32(grid.rows);
    let on_column_border = at.x == 0 || at.x + 1 == i32(grid.columns);
    return vec3f(
        1.0,
        select(1.0, grid.border_factor, on_row_border),
        select(1.0, grid.border_factor, on_column_border),
    );
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
    return Link(select(row.index, other, inside), s.rest_length, s.stiffness * factor, s.dashpot * factor);
}

// The spring of a family that starts at a node; `node` is left open. Only where both ends are inside.
fn family_link(start: u32, at: vec2i, family: u32) -> Link {
    let f = grid.families[family];
    let factors = border_factors(at);
    let factor = select(select(1.0, factors.y, f.border == 1u), factors.z, f.border == 2u);
    return Link(start, f.rest_length, f.stiffness * factor, f.dashpot * factor);
}
