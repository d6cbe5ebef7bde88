// The springs of each node on a regular grid: neighbors follow from the index, nothing is stored.
// Same functions as network/mesh.wgsl.
//!import network/material_{one|copies}.wgsl
//!import network/spring.wgsl
//!import state/copies.wgsl

struct GridSlot {
    offset: vec2i,      // steps along columns and rows
    rest_length: f32,   // [m]
    stiffness: f32,     // [N/m]
    dashpot: f32,       // [N s/m]
    border: u32,        // 1: runs along rows, 2: along columns, 0: neither
    kind: u32,          // which of the six families
    slot: u32,          // its place among the slots
    bend: vec4f,        // [N/m]; kappa by the hinges along the slot's line that are centered one node before
                        // this one, on it and one after it, and by the cells on both sides
}

struct Grid {
    columns: u32,
    rows: u32,
    border_factor: f32, // on springs along a border
    penalty: f32,       // sigma without the factor of each spring, if there are multipliers [N/m]
    clamps: vec4u,      // columns, then rows, whose hinges count twice; those of copies: grid_clamps
    strain_limit: vec4f,    // x: of structural springs; 0: none
    slots: array<GridSlot, 12>,
    families: array<GridSlot, 6>,   // from a spring's start, in a fixed order; zero if not used
}

@group(1) @binding(0) var<uniform> grid: Grid;

// Number of slots in use: a constant of the pipeline, so that the driver can unroll the loop over them.
override LINKS: u32 = 12u;

// A node, with the data that the functions below need.
struct Row {
    index: u32,
    copy: u32,
    at: vec2i,          // column, row
    factor: vec3f,      // on stiffness, by GridSlot.border
    share: vec3f,       // 1/2 on a border, by GridSlot.border; with bending only
    along_row: vec3f,       // weights of the hinges centered on the columns before, at and after the node
    along_column: vec3f,    // the same on the rows
}

fn row_of(index: u32) -> Row {
    let copy = copy_of(index);
    let local = index - copy * copy_nodes();
    let row = local / grid.columns;
    let at = vec2i(i32(local - row * grid.columns), i32(row));
    var result = Row(index, copy, at, border_factors(at, grid.border_factor), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    if (HAS_BENDING) {
        let clamps = grid_clamps(copy);
        result.share = border_factors(at, 0.5);
        result.along_row = result.share.y * hinges(at.x, grid.columns, clamps.xy);
        result.along_column = result.share.z * hinges(at.y, grid.rows, clamps.zw);
    }
    return result;
}

// For a node on a border, the factor on springs along it, by GridSlot.border.
fn border_factors(at: vec2i, factor: f32) -> vec3f {
    let on_row_border = at.y == 0 || at.y + 1 == i32(grid.rows);
    let on_column_border = at.x == 0 || at.x + 1 == i32(grid.columns);
    return vec3f(1.0, select(1.0, factor, on_row_border), select(1.0, factor, on_column_border));
}

// Weights of the hinges centered before, at and after node `k` of a line of `count`.
fn hinges(k: i32, count: u32, clamps: vec2i) -> vec3f {
    let center = vec3i(k) + vec3i(-1, 0, 1);
    let inside = (center > vec3i(0)) & (center < vec3i(i32(count) - 1));
    let clamped = (center == vec3i(clamps.x)) | (center == vec3i(clamps.y));
    return select(vec3f(0.0), select(vec3f(1.0), vec3f(2.0), clamped), inside);
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
    let material = grid_material(row.copy, s);
    var bend = 0.0;
    if (HAS_BENDING && inside) {
        let hinges = select(row.along_column, row.along_row, s.border == 1u);
        let weights = grid_bend(row.copy, s);
        bend = dot(weights.xyz, hinges) + weights.w * row.share[s.border];
    }
    let node = select(row.index, other, inside);
    let limit = limit_of(row.copy, s);
    return Link(node, material.x, material.y * factor, material.z * factor, bend, grid_penalty(row.copy), limit);
}

// Largest elongation of a spring of a kind beyond its rest length. The first two kinds are structural.
fn limit_of(copy: u32, s: GridSlot) -> f32 {
    if (MULTIPLIER_SLOTS == 0u || s.kind >= 2u) {
        return 0.0;
    }
    return grid_strain_limit(copy) * grid_material(copy, s).x;
}

// Index of the four numbers of slots 4 quad to 4 quad + 3 of a node, one for each slot.
fn quad_of(row: Row, quad: u32) -> u32 {
    return quad * grid.columns * grid.rows * copies() + row.index;
}

// Index of the numbers of a node's slot.
fn slot_of(row: Row, slot: u32) -> u32 {
    return slot * grid.columns * grid.rows * copies() + row.index;
}

fn bend_count(row: Row) -> u32 {
    return 0u;
}

fn bend_at(row: Row, slot: u32) -> Bend {
    return Bend(row.index, 0.0);
}

// The spring of a family that starts at a node, without `node`. Both ends must be inside the grid.
fn family_link(start: u32, at: vec2i, family: u32) -> Link {
    let f = grid.families[family];
    let copy = copy_of(start);
    let material = grid_material(copy, f);
    let factors = border_factors(at, grid.border_factor);
    let factor = select(select(1.0, factors.y, f.border == 1u), factors.z, f.border == 2u);
    return Link(
        start, material.x, material.y * factor, material.z * factor, 0.0, grid_penalty(copy), limit_of(copy, f));
}
