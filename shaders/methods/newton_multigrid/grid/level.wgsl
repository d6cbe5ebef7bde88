// The coarser levels of a regular grid: each a small cloth of its own with the same families of springs at
// wider spacing, every spring with a symmetric 3 x 3 stiffness K, every node with a ground block G.
//!import methods/implicit/stiffness.wgsl
//!import methods/newton_multigrid/grid/bindings.wgsl

const GROUND: u32 = 6u;

// Families whose springs have a stiffness, and those that join nodes at all, by bending too: 4 without flexion.
override STIFF_FAMILIES: u32 = 6u;
override FAMILIES: u32 = 6u;

// From the start of a spring to its end: structural, shear, flexion.
fn offset_of(family: u32) -> vec2i {
    switch family {
        case 0u: { return vec2i(1, 0); }
        case 1u: { return vec2i(0, 1); }
        case 2u: { return vec2i(1, 1); }
        case 3u: { return vec2i(-1, 1); }
        case 4u: { return vec2i(2, 0); }
        default: { return vec2i(0, 2); }
    }
}

// A node of a level.
struct Place {
    index: u32,     // among the nodes of its level, all copies
    base: u32,      // index of the first node of its copy
    at: vec2i,      // column, row
}

fn size_of(level: Level) -> u32 {
    return level.columns * level.rows * level.copies;
}

fn place_of(level: Level, index: u32) -> Place {
    let of_copy = level.columns * level.rows;
    let base = index - index % of_copy;
    let local = index - base;
    let row = local / level.columns;
    return Place(index, base, vec2i(i32(local - row * level.columns), i32(row)));
}

fn is_inside(at: vec2i, columns: u32, rows: u32) -> bool {
    return all(at >= vec2i(0)) && at.x < i32(columns) && at.y < i32(rows);
}

fn index_at(base: u32, at: vec2i, columns: u32) -> u32 {
    return base + u32(at.y) * columns + u32(at.x);
}

fn load_block(level: Level, matrix: u32, index: u32) -> Symmetric {
    let size = size_of(level);
    let first = 21u * level.first + 3u * matrix * size + index;
    let a = blocks[first];
    let b = blocks[first + size];
    let c = blocks[first + 2u * size];
    return Symmetric(vec3f(a, b.x), vec3f(b.y, c));
}

// K of the spring of a family that starts at a node; nothing for a family without stiffness.
fn spring_block_of(level: Level, family: u32, index: u32) -> Symmetric {
    if (family >= STIFF_FAMILIES) {
        return NOTHING;
    }
    return load_block(level, family, index);
}

fn store_block(level: Level, matrix: u32, index: u32, m: Symmetric) {
    let size = size_of(level);
    let first = 21u * level.first + 3u * matrix * size + index;
    blocks[first] = m.diagonal.xy;
    blocks[first + size] = vec2f(m.diagonal.z, m.off.x);
    blocks[first + 2u * size] = m.off.yz;
}
