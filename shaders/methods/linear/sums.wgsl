// Dot products over the nodes of each copy, and the scalars alpha and beta that follow from them.
//!import core/group_sum.wgsl
//!import core/launch.wgsl
//!import core/part_sum.wgsl
//!import methods/linear/bindings.wgsl
//!import methods/linear/control.wgsl
//!import methods/linear/terms_{nodes|springs}.wgsl

// Steepest descent has beta = 0.
override STEEPEST_DESCENT: bool = false;
// Iterations end where |r| of the recurrence falls below this part of |b|. The true residual has then long been rounding,
// and alpha and beta would become quotients of numbers too small for f32.
const LEAST_RESIDUAL: f32 = 1e-12;
// Iterations since the residual was last checked; 0: before the first iteration.
override SINCE: u32 = 1u;

// Partial sums of TERM. Writes parts. One workgroup per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_parts(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let part = group.x + group.y * groups.x;
    let is_used = part < arrayLength(&parts);
    let end = select(0u, copy_nodes(), is_used);
    let first = part / sums_of_copy() * copy_nodes();
    var total = vec2f(0.0);
    let stride = stride_of_parts();
    for (var k = first_of_part(part, local); k < end; k += stride) {
        total += term(first + k);
    }
    let of_part = part_sum(local, vec4f(total, 0.0, 0.0));
    if (local == 0u && is_used) {
        parts[part] = of_part.xy;
    }
}

// Adds up the parts and updates the scalars. Reads parts; writes linear. One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn reduce(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= copies()) {
        return;
    }
    var total = vec2f(0.0);
    let count = sums_of_copy();
    for (var k = local; k < count; k += SUMMING) {
        total += parts[copy * count + k];
    }
    total = vec2f(group_sum(local, total.x), group_sum(local, total.y));
    if (local != 0u) {
        return;
    }
    if (TERM == CURVATURE) {
        compute_alpha(copy, total.x);
    } else if (SINCE == 0u) {
        begin(copy, total);
    } else {
        compute_beta(copy, total);
    }
}

// Before the first iteration: |b|^2 and r . z.
fn begin(copy: u32, total: vec2f) {
    linear[copy].rz = total.x;
    linear[copy].b_squared = total.y;
    linear[copy].used = 0u;
    linear[copy].is_solved = 0u;
    linear[copy].systems += 1u;
    if (total.y == 0.0) {
        end_system(copy);
    }
}

// alpha = (r . z) / (p . A p); 0 once the system is solved, and where p . A p shows that A is not positive definite.
fn compute_alpha(copy: u32, curvature: f32) {
    let goes_on = curvature > 0.0 && linear[copy].is_solved == 0u; // curvature: p . A p
    linear[copy].alpha = select(0.0, linear[copy].rz / curvature, goes_on);
}

// beta = (r . z) / (r . z of the iteration before), and whether this was the last iteration.
fn compute_beta(copy: u32, total: vec2f) {
    let before = linear[copy].rz;
    linear[copy].rz = total.x;
    count_iterations(copy, total.y);
    linear[copy].beta = select(total.x / before, 0.0, STEEPEST_DESCENT || linear[copy].is_solved == 1u || !(before > 0.0));
}

// Counts SINCE iterations, and ends the system where |r|^2 is small enough.
fn count_iterations(copy: u32, r_squared: f32) {
    if (linear[copy].is_solved == 1u) {
        return;
    }
    linear[copy].used += SINCE;
    linear[copy].total += SINCE;
    linear[copy].most = max(linear[copy].most, linear[copy].used);
    let enough = max(TOLERANCE, LEAST_RESIDUAL);
    if (r_squared <= enough * enough * linear[copy].b_squared) {
        end_system(copy);
    }
}

fn end_system(copy: u32) {
    linear[copy].is_solved = 1u;
    linear[copy].solved += 1u;
}
