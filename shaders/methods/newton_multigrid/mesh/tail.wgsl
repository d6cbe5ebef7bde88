// The small levels of a network in one workgroup a copy: VISITS V-cycles from their first level on, with an exact solution
// on the coarsest level. K, G and the right-hand sides are made before.
//!import contact/groups/tail_{clear|coupled}.wgsl
//!import core/dense.wgsl
//!import core/lane_sum.wgsl
//!import methods/newton_multigrid/guard.wgsl
//!import methods/newton_multigrid/mesh/coarse_operator.wgsl
//!import methods/newton_multigrid/mesh/stencil.wgsl
//!import state/copies.wgsl

// Whether the objective has been watched in this iteration.
override AGAIN: bool = false;
// Most nodes of a coarsest level that is inverted: the matrix and the memory of sums stay under 16 KiB.
const MOST_DENSE: u32 = 29u;
// A second cycle is cheap here and halves the error that is left.
const VISITS: u32 = 2u;

// The nodes of a copy on a level.
struct Range {
    first: u32,
    count: u32,
}

fn own_nodes(level: NetworkLevel, copy: u32) -> Range {
    let first = rows[level.copies + copy];
    return Range(first, rows[level.copies + copy + 1u] - first);
}

// Whether level l repeats the one before it for this copy: a new level always has fewer nodes.
fn is_repeated(l: u32, copy: u32) -> bool {
    return own_nodes(levels[l], copy).count == own_nodes(levels[l - 1u], copy).count;
}

// The row of nodes that contact multiplies.
var<private> contact_row: u32;

fn vector_at(node: u32) -> vec3f {
    return nodes[contact_row * levels[0].stride + node].xyz;
}

fn multiply_contact_of(level: NetworkLevel, own: Range, row: u32, local: u32) {
    contact_row = row;
    multiply_contact(level.first + own.first, own.count, local);
}

// Reads blocks, row 0 of nodes; writes rows 0 to 3 of nodes. One workgroup a copy.
@compute @workgroup_size(DENSE_SIZE)
fn cycle(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= copies() || is_group_converged(local)) {
        return;
    }
    if (!AGAIN) {
        guard(copy, local);
    }
    find_contact_of(copy, local);
    // A copy with fewer levels than others repeats its last one, which is visited once.
    var last_level = arrayLength(&levels) - 1u;
    while (last_level > 0u && is_repeated(last_level, copy)) {
        last_level -= 1u;
    }
    let first = levels[0];
    let last = levels[last_level];
    let own = own_nodes(first, copy);
    let coarsest = own_nodes(last, copy);
    let is_dense = coarsest.count <= MOST_DENSE;
    if (is_dense) {
        assemble(last, coarsest, local);
        invert(coarsest.count, local);
    }
    let visits = select(VISITS, 1u, last_level == 0u);
    for (var visit = 0u; visit < visits; visit += 1u) {
        for (var l = 1u; visit > 0u && l <= last_level; l += 1u) {
            let coarse = own_nodes(levels[l], copy);
            for (var i = local; i < coarse.count; i += DENSE_SIZE) {
                nodes[levels[l].first + coarse.first + i] = restricted(levels[l], coarse.first + i);
            }
            storageBarrier();
        }
        solve_coarsest(last, coarsest, is_dense, local);
        storageBarrier();
        // A sweep on each level but the coarsest, then the residual for the next visit: in one place, as A e is most of what a driver
        // compiles.
        let turns = last_level + select(0u, 1u, visit + 1u < visits);
        for (var turn = 0u; turn < turns; turn += 1u) {
            let is_sweep = turn < last_level;
            let l = select(0u, last_level - 1u - turn, is_sweep);
            let row = select(LEVEL_CORRECTION, LEVEL_INTERPOLATED, is_sweep);
            let of_level = own_nodes(levels[l], copy);
            if (is_sweep) {
                let coarse = levels[l + 1u];
                for (var i = of_level.first + local; i < of_level.first + of_level.count; i += DENSE_SIZE) {
                    nodes[row * coarse.stride + coarse.finer_first + i] = vec4f(interpolated(coarse, i), 0.0);
                }
                storageBarrier();
            }
            multiply_contact_of(levels[l], of_level, row, local);
            sweep_or_update_residual(levels[l], of_level, row, local, is_sweep);
            storageBarrier();
        }
    }
    if (visits > 1u) {
        for (var k = local; k < own.count; k += DENSE_SIZE) {
            let i = first.first + own.first + k;
            nodes[LEVEL_CORRECTION * first.stride + i] += nodes[LEVEL_EARLIER * first.stride + i];
        }
    }
}

// Sums the objective, which restriction has brought to this level, for the guard.
fn guard(copy: u32, local: u32) {
    let level = levels[0];
    let own = own_nodes(level, copy);
    for (var lane = local; lane < LANES; lane += DENSE_SIZE) {
        var phi = 0.0;
        for (var i = lane; i < own.count; i += LANES) {
            phi += nodes[level.first + own.first + i].w;
        }
        lanes[lane] = phi;
    }
    workgroupBarrier();
    let total = sum_of_lanes(local, DENSE_SIZE);
    if (local == 0u) {
        watch_objective(copy, total);
    }
}

fn find_contact_of(copy: u32, local: u32) {
    let own = own_nodes(levels[0], copy);
    let is_touching = find_contact(levels[0].first + own.first, own.count, local);
    if (HAS_CONTACT && !AGAIN && local == 0u) {
        watch_contact(copy, is_touching);
    }
}

// The sweep from `row` to row LEVEL_CORRECTION. Or, between two cycles: stores the correction so far in row 3, and makes the residual
// the next right-hand side.
fn sweep_or_update_residual(level: NetworkLevel, own: Range, row: u32, local: u32, is_sweep: bool) {
    for (var i = own.first + local; i < own.first + own.count; i += DENSE_SIZE) {
        let at = level.first + i;
        let e = nodes[row * level.stride + at];
        let node = stencil(level, i, row);
        let left = nodes[at].xyz - node.product;
        if (is_sweep) {
            nodes[LEVEL_CORRECTION * level.stride + at] = vec4f(swept(e.xyz, node.diagonal, left), 0.0);
        } else {
            nodes[at] = vec4f(left, 0.0);
            nodes[LEVEL_EARLIER * level.stride + at] = e;
        }
    }
}

// A matrix that is too large to be inverted has no springs left, and its inverse is D^-1.
fn solve_coarsest(level: NetworkLevel, own: Range, is_dense: bool, local: u32) {
    for (var i = local; i < own.count; i += DENSE_SIZE) {
        let at = level.first + own.first;
        var e = vec3f(0.0);
        if (is_dense) {
            for (var j = 0u; j < own.count; j += 1u) {
                e += inverse_block(i, j) * nodes[at + j].xyz;
            }
        } else {
            e = times_inverse_diagonal(stencil(level, own.first + i, 0u).diagonal, nodes[at + i].xyz);
        }
        nodes[LEVEL_CORRECTION * level.stride + at + i] = vec4f(e, 0.0);
    }
}

// A of the coarsest level: G + sum of K on the diagonal, -K beside it.
fn assemble(level: NetworkLevel, own: Range, local: u32) {
    clear_dense(local);
    workgroupBarrier();
    for (var row = local; row < own.count; row += DENSE_SIZE) {
        let i = own.first + row;
        var diagonal = load_block(level.ground, level.nodes, i);
        for (var k = rows[level.links + i]; k < rows[level.links + i + 1u]; k += 1u) {
            let link = entries[k];
            var block = load_block(level.stiffness, level.springs, link.y);
            block.diagonal += vec3f(level_bend(level, link.y));
            diagonal = sum(diagonal, block);
            if (link.x < i) {
                set_dense(row, link.x - own.first, full(scaled(-1.0, block)));
            }
        }
        set_dense(row, row, full(diagonal));
        add_contact(row, level.first + i);
    }
    workgroupBarrier();
}
