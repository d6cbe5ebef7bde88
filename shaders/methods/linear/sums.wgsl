// Sums over the nodes of each copy for solvers of linear systems, and what follows from them. Floats have no atomic sum: many threads
// add up parts, then one workgroup a copy adds up those, always in the same order.
//!import core/group_sum.wgsl
//!import core/launch.wgsl
//!import methods/linear/bindings.wgsl
//!import methods/linear/control.wgsl
//!import methods/linear/terms_{nodes|springs}.wgsl

// Parts of each copy.
override PARTS: u32 = 1u;
// Steepest descent keeps nothing of the last direction.
override FORGETS: bool = false;
// Where the residual, carried on by recurrence, is this part of the right side, the true one has long been rounding;
// further steps would come down to quotients of numbers too small for f32.
const LEAST_LEFT: f32 = 1e-12;
// Iterations since the residual was last looked at; 0: before the first.
override SINCE: u32 = 1u;

// Parts of the sum of TERM. Writes parts. One thread per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_up(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&parts)) {
        return;
    }
    // Every PARTS-th node of the copy.
    let first = t / PARTS * COPY_NODES;
    var total = vec2f(0.0);
    for (var i = first + t % PARTS; i < first + COPY_NODES; i += PARTS) {
        total += term(i);
    }
    parts[t] = total;
}

// What follows from the sum. Reads parts; writes linear. One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn conclude(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= COPIES) {
        return;
    }
    var total = vec2f(0.0);
    for (var k = local; k < PARTS; k += SUMMING) {
        total += parts[copy * PARTS + k];
    }
    total = vec2f(group_sum(local, total.x), group_sum(local, total.y));
    if (local != 0u) {
        return;
    }
    if (TERM == CURVATURE) {
        set_along(copy, total.x);
    } else if (SINCE == 0u) {
        set_out(copy, total);
    } else {
        set_kept(copy, total);
    }
}

// No iteration done yet; |b|^2 and the first r . z.
fn set_out(copy: u32, total: vec2f) {
    linear[copy].slope = total.x;
    linear[copy].right = total.y;
    linear[copy].used = 0u;
    linear[copy].is_solved = 0u;
    linear[copy].systems += 1u;
    if (total.y == 0.0) {
        end_system(copy);
    }
}

// How far to go along the direction: a = (r . z) / (p . A p), nowhere once there is nothing left or A is found to be not
// positive definite.
fn set_along(copy: u32, curvature: f32) {
    let goes_on = curvature > 0.0 && linear[copy].is_solved == 0u;
    linear[copy].along = select(0.0, linear[copy].slope / curvature, goes_on);
}

// How much of the direction is kept, b = (r . z) / (r . z before), and whether this was the last iteration.
fn set_kept(copy: u32, total: vec2f) {
    let before = linear[copy].slope;
    linear[copy].slope = total.x;
    count_iterations(copy, total.y);
    linear[copy].kept = select(total.x / before, 0.0, FORGETS || linear[copy].is_solved == 1u || !(before > 0.0));
}

// Counts SINCE iterations, after which |r|^2 is left.
fn count_iterations(copy: u32, left: f32) {
    if (linear[copy].is_solved == 1u) {
        return;
    }
    linear[copy].used += SINCE;
    linear[copy].total += SINCE;
    linear[copy].most = max(linear[copy].most, linear[copy].used);
    let enough = max(TOLERANCE, LEAST_LEFT);
    if (left <= enough * enough * linear[copy].right) {
        end_system(copy);
    }
}

fn end_system(copy: u32) {
    linear[copy].is_solved = 1u;
    linear[copy].solved += 1u;
}
