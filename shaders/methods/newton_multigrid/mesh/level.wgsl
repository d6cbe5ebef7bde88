// The coarser levels of any network: each a network of its own, every spring with a symmetric 3 x 3 stiffness K,
// every node with a ground block G. Which finer springs and nodes they are made of, and with what weights, is in
// lists made once (galerkin.rs).
//!import methods/implicit/stiffness.wgsl

struct NetworkLevel {
    nodes: u32,
    springs: u32,
    first: u32,             // its first node among the nodes of all coarser levels
    stride: u32,            // nodes of all coarser levels: distance of the rows of `nodes`
    stiffness: u32,         // its first K in `blocks`
    ground: u32,            // its first G in `blocks`
    finer_nodes: u32,
    finer_springs: u32,
    finer_first: u32,
    finer_stiffness: u32,
    finer_ground: u32,
    gather: u32,            // rows: of each spring, (finer spring, weight)
    restriction: u32,       // rows: of each node, (finer node, weight)
    interpolation: u32,     // rows: of each finer node, (node, weight)
    links: u32,             // rows: of each node, (other node, spring)
    bend: u32,              // its first kappa in `level_bends`
    part_first: u32,        // a part of its springs
    part_count: u32,
    copies: u32,            // rows: where the nodes of each copy begin
    more_padding: u32,
}

// Where each row of `entries` begins; a row ends where the next begins.
@group(1) @binding(4) var<storage, read> rows: array<u32>;
// Index, and bits of a weight or a second index.
@group(1) @binding(5) var<storage, read> entries: array<vec2u>;
// Three words for each symmetric matrix: (xx, yy), (zz, yz), (xz, xy), first all first words of a level. G of the
// network's own nodes comes before all others.
@group(2) @binding(6) var<storage, read_write> blocks: array<vec2f>;
// Row 0: right side r, and share of the objective. Row 1: interpolated correction. Row 2: correction e.
// Row 3: correction of an earlier visit.
@group(2) @binding(7) var<storage, read_write> nodes: array<vec4f>;

fn load_block(first: u32, count: u32, index: u32) -> Symmetric {
    let a = blocks[first + index];
    let b = blocks[first + count + index];
    let c = blocks[first + 2u * count + index];
    return Symmetric(vec3f(a, b.x), vec3f(b.y, c));
}

// kappa of bending between the ends of each spring [N/m], level by level; one unused entry without bending.
@group(1) @binding(9) var<storage, read> level_bends: array<f32>;

fn level_bend(level: NetworkLevel, s: u32) -> f32 {
    if (!HAS_BENDING) {
        return 0.0;
    }
    return level_bends[level.bend + s];
}

fn store_block(first: u32, count: u32, index: u32, m: Symmetric) {
    blocks[first + index] = m.diagonal.xy;
    blocks[first + count + index] = vec2f(m.diagonal.z, m.off.x);
    blocks[first + 2u * count + index] = m.off.yz;
}
