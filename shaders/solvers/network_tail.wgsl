// The small levels of a network in one workgroup: VISITS V-cycles from their first level, the coarsest level solved
// exactly. K, G and right sides are there already.
//!import shared/dense.wgsl
//!import shared/group_sum.wgsl
//!import shared/guard.wgsl
//!import shared/network_coarsen.wgsl
//!import shared/network_smooth.wgsl

@group(1) @binding(8) var<storage, read> levels: array<NetworkLevel>;

override FIRST_LEVEL: u32 = 0u;
// Whether the objective has been watched in this iteration.
override AGAIN: bool = false;
// Most nodes of a coarsest level that is inverted: its matrix and what sums need stay under 16 KiB.
const MOST_DENSE: u32 = 29u;
// A second cycle is cheap here and halves the error that is left.
const VISITS: u32 = 2u;

// Reads blocks, row 0 of nodes; writes rows 0 to 3 of nodes. One workgroup.
@compute @workgroup_size(DENSE_SIZE)
fn cycle(@builtin(local_invocation_index) local: u32) {
    if (is_group_converged(local)) {
        return;
    }
    if (!AGAIN) {
        guard(local);
    }
    let last_level = arrayLength(&levels) - 1u;
    let first = levels[FIRST_LEVEL];
    let last = levels[last_level];
    let is_dense = last.nodes <= MOST_DENSE;
    if (is_dense) {
        assemble(last, local);
        invert(last.nodes, local);
    }
    let visits = select(VISITS, 1u, last_level == FIRST_LEVEL);
    for (var visit = 0u; visit < visits; visit += 1u) {
        if (visit > 0u) {
            set_aside(first, local);
            storageBarrier();
            for (var l = FIRST_LEVEL + 1u; l <= last_level; l += 1u) {
                for (var i = local; i < levels[l].nodes; i += DENSE_SIZE) {
                    nodes[levels[l].first + i] = restricted(levels[l], i);
                }
                storageBarrier();
            }
        }
        solve_coarsest(last, is_dense, local);
        storageBarrier();
        for (var l = last_level; l > FIRST_LEVEL; l -= 1u) {
            let coarse = levels[l];
            for (var i = local; i < coarse.finer_nodes; i += DENSE_SIZE) {
                nodes[coarse.stride + coarse.finer_first + i] = vec4f(interpolated(coarse, i), 0.0);
            }
            storageBarrier();
            for (var i = local; i < coarse.finer_nodes; i += DENSE_SIZE) {
                relax_node(levels[l - 1u], i);
            }
            storageBarrier();
        }
    }
    if (visits > 1u) {
        for (var i = first.first + local; i < first.first + first.nodes; i += DENSE_SIZE) {
            nodes[2u * first.stride + i] += nodes[3u * first.stride + i];
        }
    }
}

// Sums the objective, which restriction has carried here, and decides how careful the next iteration is.
fn guard(local: u32) {
    let level = levels[FIRST_LEVEL];
    var phi = 0.0;
    for (var i = local; i < level.nodes; i += DENSE_SIZE) {
        phi += nodes[level.first + i].w;
    }
    let total = group_sum(local, phi);
    if (local == 0u) {
        watch_objective(0u, total);
    }
}

// Between two cycles: the correction so far goes to row 3, and what is left of the right side is the next.
fn set_aside(level: NetworkLevel, local: u32) {
    for (var i = local; i < level.nodes; i += DENSE_SIZE) {
        let at = level.first + i;
        nodes[at] = vec4f(nodes[at].xyz - stencil(level, i, 2u).taken, 0.0);
        nodes[3u * level.stride + at] = nodes[2u * level.stride + at];
    }
}

// Where the matrix is too large to be inverted it has no springs left: D^-1 is its inverse.
fn solve_coarsest(level: NetworkLevel, is_dense: bool, local: u32) {
    for (var i = local; i < level.nodes; i += DENSE_SIZE) {
        var e = vec3f(0.0);
        if (is_dense) {
            for (var j = 0u; j < level.nodes; j += 1u) {
                e += inverse_block(i, j) * nodes[level.first + j].xyz;
            }
        } else {
            e = divided(stencil(level, i, 0u).diagonal, nodes[level.first + i].xyz);
        }
        nodes[2u * level.stride + level.first + i] = vec4f(e, 0.0);
    }
}

// A of the coarsest level: G + sum of K on the diagonal, -K beside it.
fn assemble(level: NetworkLevel, local: u32) {
    clear_dense(local);
    workgroupBarrier();
    if (local < level.nodes) {
        var diagonal = load_block(level.ground, level.nodes, local);
        for (var k = rows[level.links + local]; k < rows[level.links + local + 1u]; k += 1u) {
            let link = entries[k];
            var block = load_block(level.stiffness, level.springs, link.y);
            block.diagonal += vec3f(level_bend(level, link.y));
            diagonal = sum(diagonal, block);
            if (link.x < local) {
                set_dense(local, link.x, full(scaled(-1.0, block)));
            }
        }
        set_dense(local, local, full(diagonal));
    }
    workgroupBarrier();
}
