// The small levels of a grid in one workgroup per copy: stiffness of all of them, then VISITS V-cycles, the coarsest
// level solved exactly.
// Corrections stay in workgroup memory; right sides are read only by the thread that wrote them.
//!import shared/grid_coarsen.wgsl
//!import shared/grid_interpolate.wgsl
//!import shared/grid_smooth.wgsl
//!import shared/guard.wgsl

const TAIL_SIZE: u32 = 256u;
// Nodes of all levels of the tail, of its first level, and unknowns of the coarsest: together under 16 KiB.
const TAIL_NODES: u32 = 630u;
const FIRST_NODES: u32 = 490u;
const UNKNOWNS: u32 = 27u;

override FIRST_LEVEL: u32 = 0u;
// A second cycle is cheap here and halves the error that is left.
const VISITS: u32 = 2u;

var<workgroup> corrections: array<f32, 3 * TAIL_NODES>;
var<workgroup> scratch: array<f32, 3 * FIRST_NODES>;
var<workgroup> inverse: array<f32, UNKNOWNS * UNKNOWNS>;   // of the coarsest level's matrix

fn coarse_correction(level: Level, index: u32) -> vec3f {
    let at = 3u * (level.tail_first + index % (level.columns * level.rows));
    return vec3f(corrections[at], corrections[at + 1u], corrections[at + 2u]);
}

fn correction_at(level: Level, base: u32, index: u32) -> vec3f {
    return coarse_correction(level, index);
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

@compute @workgroup_size(TAIL_SIZE)
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
    for (var l = FIRST_LEVEL + 1u; l < arrayLength(&levels); l += 1u) {
        coarsen_level(levels[l], copy, local);
        storageBarrier();
    }
    guard(copy, local);
    let last_level = arrayLength(&levels) - 1u;
    let last = levels[last_level];
    assemble(last, copy, local);
    invert(3u * last.columns * last.rows, local);
    for (var visit = 0u; visit < VISITS; visit += 1u) {
        if (visit > 0u) {
            set_aside(levels[FIRST_LEVEL], copy, local);
            workgroupBarrier();
            storageBarrier();
        }
        for (var l = FIRST_LEVEL + 1u; l <= last_level; l += 1u) {
            restrict_to(levels[l], copy, local);
            storageBarrier();
        }
        solve_coarsest(last, copy, local);
        workgroupBarrier();
        for (var l = last_level; l > FIRST_LEVEL; l -= 1u) {
            ascend(l - 1u, copy, local);
            workgroupBarrier();
            sweep(levels[l - 1u], copy, local);
        }
    }
    let level = levels[FIRST_LEVEL];
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        let index = copy * of_copy + i;
        let e = nodes[level.stride + level.first + index].xyz + coarse_correction(level, index);
        nodes[2u * level.stride + level.first + index] = vec4f(e, 0.0);
    }
}

// Sums the objective, which restriction has carried here, and decides how careful the next iteration is.
fn guard(copy: u32, local: u32) {
    let level = levels[FIRST_LEVEL];
    let of_copy = level.columns * level.rows;
    var phi = 0.0;
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        phi += nodes[level.first + copy * of_copy + i].w;
    }
    scratch[local] = phi;
    for (var stride = TAIL_SIZE / 2u; stride > 0u; stride /= 2u) {
        workgroupBarrier();
        if (local < stride) {
            scratch[local] += scratch[local + stride];
        }
    }
    if (local == 0u) {
        watch_objective(copy, scratch[0]);
    }
    workgroupBarrier();
}

fn coarsen_level(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        coarsen_blocks(level, place_of(level, copy * of_copy + i), finer_base(level, copy));
    }
}

// Between two cycles: the correction so far goes to row 1 of nodes, and what is left of the right side is the next.
fn set_aside(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        let place = place_of(level, copy * of_copy + i);
        let e = coarse_correction(level, place.index);
        let left = nodes[level.first + place.index].xyz - stencil(level, place, e).taken;
        nodes[level.first + place.index] = vec4f(left, 0.0);
        nodes[level.stride + level.first + place.index] = vec4f(e, 0.0);
    }
}

fn restrict_to(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    let finer = finer_base(level, copy);
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        let place = place_of(level, copy * of_copy + i);
        nodes[level.first + place.index] = restricted(level, place, finer);
    }
}

// e <- e + OMEGA D^-1 (r - A e).
fn sweep(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        let place = place_of(level, copy * of_copy + i);
        let e = coarse_correction(level, place.index);
        let node = stencil(level, place, e);
        set_scratch(i, e + smoothed(node.diagonal, nodes[level.first + place.index].xyz - node.taken));
    }
    workgroupBarrier();
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        set_correction(level, i, get_scratch(i));
    }
    workgroupBarrier();
}

fn solve_coarsest(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    if (local < of_copy) {
        var e = vec3f(0.0);
        for (var j = 0u; j < of_copy; j += 1u) {
            let r = nodes[level.first + copy * of_copy + j].xyz;
            for (var c = 0u; c < 3u; c += 1u) {
                let row = 3u * of_copy * (3u * local + c) + 3u * j;
                e[c] += inverse[row] * r.x + inverse[row + 1u] * r.y + inverse[row + 2u] * r.z;
            }
        }
        set_correction(level, local, e);
    }
}

// A of the coarsest level as a dense matrix: three rows a thread.
fn assemble(level: Level, copy: u32, local: u32) {
    let of_copy = level.columns * level.rows;
    let size = 3u * of_copy;
    for (var k = local; k < size * size; k += TAIL_SIZE) {
        inverse[k] = 0.0;
    }
    workgroupBarrier();
    if (local < of_copy) {
        let place = place_of(level, copy * of_copy + local);
        let weights = level_weights(level, copy);
        var diagonal = ground_block(level, weights, place.index, place.at);
        for (var family = 0u; family < FAMILIES; family += 1u) {
            let ahead = place.at + offset_of(family);
            if (is_inside(ahead, level.columns, level.rows)) {
                let block = bent_block(level, weights, family, place.index, place.at);
                diagonal = sum(diagonal, block);
                set_entries(size, local, index_at(0u, ahead, level.columns), scaled(-1.0, block));
            }
            let behind = place.at - offset_of(family);
            if (is_inside(behind, level.columns, level.rows)) {
                let other = index_at(0u, behind, level.columns);
                let block = bent_block(level, weights, family, place.base + other, behind);
                diagonal = sum(diagonal, block);
                set_entries(size, local, other, scaled(-1.0, block));
            }
        }
        let is_empty = diagonal.diagonal.x + diagonal.diagonal.y + diagonal.diagonal.z <= 0.0;
        set_entries(size, local, local, Symmetric(diagonal.diagonal + select(0.0, 1.0, is_empty), diagonal.off));
    }
    workgroupBarrier();
}

// K + kappa of a spring.
fn bent_block(level: Level, weights: vec3f, family: u32, index: u32, start: vec2i) -> Symmetric {
    let block = load_block(level, family, index);
    return Symmetric(block.diagonal + vec3f(level_bend(level, weights, family, start)), block.off);
}

fn set_entries(size: u32, i: u32, j: u32, m: Symmetric) {
    let first = 3u * (size * i + j);
    inverse[first] = m.diagonal.x;
    inverse[first + 1u] = m.off.z;
    inverse[first + 2u] = m.off.y;
    inverse[first + size] = m.off.z;
    inverse[first + size + 1u] = m.diagonal.y;
    inverse[first + size + 2u] = m.off.x;
    inverse[first + 2u * size] = m.off.y;
    inverse[first + 2u * size + 1u] = m.off.x;
    inverse[first + 2u * size + 2u] = m.diagonal.z;
}

// Gauss and Jordan in place; a positive definite matrix needs no exchange of rows. Each thread holds on to its
// column of the pivot row while the pivot's column is used.
fn invert(size: u32, local: u32) {
    for (var p = 0u; p < size; p += 1u) {
        let diagonal = inverse[p * size + p];
        let pivot = select(1.0 / diagonal, 0.0, diagonal <= 0.0);
        workgroupBarrier();
        for (var j = local; j < size; j += TAIL_SIZE) {
            inverse[p * size + j] = select(pivot * inverse[p * size + j], pivot, j == p);
        }
        workgroupBarrier();
        // Rows other than the pivot's; its column last, for the others need it.
        for (var k = local; k < size * size; k += TAIL_SIZE) {
            let i = k / size;
            let j = k - i * size;
            if (i != p && j != p) {
                inverse[k] -= inverse[i * size + p] * inverse[p * size + j];
            }
        }
        workgroupBarrier();
        if (local < size && local != p) {
            inverse[local * size + p] *= -pivot;
        }
        workgroupBarrier();
    }
}

fn ascend(l: u32, copy: u32, local: u32) {
    let level = levels[l];
    let of_copy = level.columns * level.rows;
    for (var i = local; i < of_copy; i += TAIL_SIZE) {
        let place = place_of(level, copy * of_copy + i);
        set_correction(level, i, interpolated(levels[l + 1u], 0u, place.at));
    }
}
