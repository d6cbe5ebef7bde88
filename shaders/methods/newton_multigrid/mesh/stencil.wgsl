// The Newton matrix of a coarse level of a network, A = G + sum (K + kappa), at one node; and interpolation from it.
//!import methods/newton_multigrid/contact_block.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/mesh/level.wgsl

struct Stencil {
    product: vec3f,         // A e
    diagonal: Symmetric,    // D, with max(kappa, 0) for bending
}

// At node i, with corrections e in the given row of nodes.
fn stencil(level: NetworkLevel, i: u32, row: u32) -> Stencil {
    let base = row * level.stride + level.first;
    let u = nodes[base + i].xyz;
    var diagonal = load_block(level.ground, level.nodes, i);
    var product = multiply(diagonal, u);
    let end = rows[level.links + i + 1u];
    for (var k = rows[level.links + i]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let link = entry_at(k, k + n, end);
            let share = select(0.0, 1.0, link.is_there);
            let block = scaled(share, load_block(level.stiffness, level.springs, link.words.y));
            let bend = share * level_bend(level, link.words.y);
            let d = u - nodes[base + link.words.x].xyz;
            product += multiply(block, d) + bend * d;
            diagonal = sum(diagonal, block);
            diagonal.diagonal += vec3f(max(bend, 0.0));
        }
    }
    if (HAS_CONTACT) {
        product += contact_product(level.stride, level.first + i);
        diagonal = sum(diagonal, contact_block(level.stride, level.first + i));
    }
    return Stencil(product, diagonal);
}

// D^-1 r; zero where all finer nodes are pinned and D is zero.
fn times_inverse_diagonal(diagonal: Symmetric, r: vec3f) -> vec3f {
    let is_empty = diagonal.diagonal.x + diagonal.diagonal.y + diagonal.diagonal.z <= 0.0;
    let filled = Symmetric(diagonal.diagonal + select(0.0, 1.0, is_empty), diagonal.off);
    return select(solve(filled, r), vec3f(0.0), is_empty);
}

// Of a sweep, e + OMEGA D^-1 (r - A e): from e, D and r - A e.
fn swept(e: vec3f, diagonal: Symmetric, left: vec3f) -> vec3f {
    return e + OMEGA * times_inverse_diagonal(diagonal, left);
}

// The sweep from row LEVEL_INTERPOLATED to row LEVEL_CORRECTION.
fn smooth_node(level: NetworkLevel, i: u32) {
    let at = level.first + i;
    let node = stencil(level, i, LEVEL_INTERPOLATED);
    let e = nodes[LEVEL_INTERPOLATED * level.stride + at].xyz;
    nodes[LEVEL_CORRECTION * level.stride + at] = vec4f(swept(e, node.diagonal, nodes[at].xyz - node.product), 0.0);
}

// The correction of `level` at a node of the next finer one.
fn interpolated(level: NetworkLevel, finer: u32) -> vec3f {
    var total = vec3f(0.0);
    let end = rows[level.interpolation + finer + 1u];
    for (var k = rows[level.interpolation + finer]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let entry = entry_at(k, k + n, end);
            total += weight_of(entry) * nodes[LEVEL_CORRECTION * level.stride + level.first + entry.words.x].xyz;
        }
    }
    return total;
}
