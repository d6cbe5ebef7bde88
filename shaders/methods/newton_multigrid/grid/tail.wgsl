// The small levels of a grid in one workgroup a copy: the coarse-grid operators of all these levels, then VISITS V-cycles
// with an exact solution on the coarsest level. Corrections stay in workgroup memory.
//!import contact/groups/tail_{clear|coupled}.wgsl
//!import core/lane_sum.wgsl
//!import methods/newton_multigrid/grid/coarse_operator.wgsl
//!import methods/newton_multigrid/grid/coarsest.wgsl
//!import methods/newton_multigrid/grid/finer_level.wgsl
//!import methods/newton_multigrid/grid/interpolate.wgsl
//!import methods/newton_multigrid/grid/stencil.wgsl
//!import methods/newton_multigrid/guard.wgsl

// Nodes of all levels of the tail, of its first level, and of the coarsest: together under 16 KiB.
const TAIL_NODES: u32 = 630u;
const FIRST_NODES: u32 = 490u;
const MOST_DENSE: u32 = 9u;

override FIRST_LEVEL: u32 = 0u;
// Whether K and G are those of the cycle before, and the objective has been watched.
override AGAIN: bool = false;
// A second cycle is cheap here and halves the error that is left.
const VISITS: u32 = 2u;

var<workgroup> corrections: array<f32, 3 * TAIL_NODES>;
var<workgroup> scratch: array<f32, 3 * FIRST_NODES>;

fn coarse_correction(level: Level, index: u32) -> vec3f {
    let at = 3u * (level.tail_first + index % (level.columns * level.rows));
    return vec3f(corrections[at], corrections[at + 1u], corrections[at + 2u]);
}

fn correction_at(level: Level, base: u32, at: vec2i) -> vec3f {
    return coarse_correction(level, index_at(0u, at, level.columns));
}

// The level whose corrections contact reads.
var<private> contact_level: u32;

fn vector_at(node: u32) -> vec3f {
    let level = levels[contact_level];
    return coarse_correction(level, node - level.first);
}

fn multiply_contact_at(l: u32, copy: u32, local: u32) {
    let of_copy = levels[l].columns * levels[l].rows;
    contact_level = l;
    multiply_contact(levels[l].first + copy * of_copy, of_copy, local);
}

fn set_correction(level: Level, local: u32, e: vec3f) {
    let at = 3u * (level.tail_first + local);
    corrections[at] = e.x;
    corrections[at + 1u] = e.y;
    corrections[at + 2u] = e.z;
}

fn set_scratch(local: u32, e: vec3f) {
    scratch[3u * local] = e.x;
    scratch[3u * local + 1u] = e.y;
    scratch[3u * local + 2u] = e.z;
}

fn get_scratch(local: u32) -> vec3f {
    return vec3f(scratch[3u * local], scratch[3u * local + 1u], scratch[3u * local + 2u]);
}

@compute @workgroup_size(DENSE_SIZE)
fn cycle(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= levels[FIRST_LEVEL].copies) {
        return;
    }
    if (is_group_converged(local)) {
        return;
    }
    if (!AGAIN) {
        for (var l = FIRST_LEVEL + 1u; l < arrayLength(&levels); l += 1u) {
            coarsen_level(levels[l], copy, local);
            storageBarrier();
        }
        guard(copy, local);
    }
    find_contact_of(copy, local);
    let last_level = arrayLength(&levels) - 1u;
    let last = levels[last_level];
    assemble(last, copy, local);
    invert(last.columns * last.rows, local);
    for (var visit = 0u; visit < VISITS; visit += 1u) {
        for (var l = FIRST_LEVEL + 1u; l <= last_level; l += 1u) {
            restrict_to(levels[l], copy, local);
            storageBarrier();
        }
        for (var i = local; i < last.columns * last.rows; i += DENSE_SIZE) {
            set_correction(last, i, coarsest_correction(last, copy, i));
        }
        workgroupBarrier();
        storageBarrier(); // before the next visit's right-hand sides
        // A sweep on each level but the coarsest, then the residual for the next visit: in one place, as A e is most of what a driver
        // compiles.
        let turns = last_level - FIRST_LEVEL + select(0u, 1u, visit + 1u < VISITS);
        for (var turn = 0u; turn < turns; turn += 1u) {
            let is_sweep = turn < last_level - FIRST_LEVEL;
            let l = select(FIRST_LEVEL, last_level - 1u - turn, is_sweep);
            if (is_sweep) {
                prolongate_to(l, copy, local);
                workgroupBarrier();
            }
            multiply_contact_at(l, copy, local);
            sweep_or_update_residual(levels[l], copy, local, is_sweep);
            if (!is_sweep) {
                storageBarrier(); // before the next visit's restriction
            }
        }
    }
    let level = levels[FIRST_LEVEL];
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += DENSE_SIZE) {
        let index = copy * of_copy + i;
        let e = nodes[correction_place(level, index)].xyz + coarse_correction(level, index);
        nodes[correction_place(level, index)] = vec4f(e, 0.0);
    }
}

// Sums the objective, which restriction has brought to this level, for the guard.
fn guard(copy: u32, local: u32) {
    let level = levels[FIRST_LEVEL];
    let of_copy = level.columns * level.rows;
    for (var lane = local; lane < LANES; lane += DENSE_SIZE) {
        var phi = 0.0;
        for (var i = lane; i < of_copy; i += LANES) {
            phi += nodes[right_hand_side_place(level, copy * of_copy + i)].w;
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
    let level = levels[FIRST_LEVEL];
    let of_copy = level.columns * level.rows;
    let is_touching = find_contact(level.first + copy * of_copy, of_copy, local);
    if (HAS_CONTACT && !AGAIN && local == 0u) {
        watch_contact(copy, is_touching);
    }
}

fn coarsen_level(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    // The right-hand side comes later.
    let parts = select(1u, STIFF_FAMILIES + 1u, IS_WIDE);
    for (var t = local; t < parts * of_copy; t += DENSE_SIZE) {
        coarsen_blocks(level, place_of(level, copy * of_copy + t % of_copy), finer_base(level, copy), t / of_copy);
    }
}

fn restrict_to(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    let finer = finer_base(level, copy);
    for (var i = local; i < of_copy; i += DENSE_SIZE) {
        let place = place_of(level, copy * of_copy + i);
        nodes[right_hand_side_place(level, place.index)] = restricted(level, place, finer);
    }
}

// A sweep, e <- e + OMEGA D^-1 (r - A e). Or, between two cycles: stores the correction so far in row 1 of nodes, and makes the
// residual the next right-hand side.
fn sweep_or_update_residual(level: Level, copy: u32, local: u32, is_sweep: bool) {
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += DENSE_SIZE) {
        let place = place_of(level, copy * of_copy + i);
        let e = coarse_correction(level, place.index);
        let node = stencil(level, place, e);
        let left = nodes[right_hand_side_place(level, place.index)].xyz - node.product;
        if (is_sweep) {
            set_scratch(i, e + smoothed(node.diagonal, left));
        } else {
            nodes[right_hand_side_place(level, place.index)] = vec4f(left, 0.0);
            nodes[correction_place(level, place.index)] = vec4f(e, 0.0);
        }
    }
    workgroupBarrier();
    for (var i = local; i < select(0u, of_copy, is_sweep); i += DENSE_SIZE) {
        set_correction(level, i, get_scratch(i));
    }
    workgroupBarrier();
}

fn prolongate_to(l: u32, copy: u32, local: u32) {
    let level = levels[l];
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += DENSE_SIZE) {
        let place = place_of(level, copy * of_copy + i);
        set_correction(level, i, interpolated(levels[l + 1u], 0u, place.at));
    }
}
