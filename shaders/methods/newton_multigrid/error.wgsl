// An estimate of how far a newton-multigrid substep is from its minimum, for each copy of the scene. After k iterations,
//     error = max(k, 4) rms |c|,
// where c is the last change of x and the mean is over the free nodes. Slow modes decay like a power of k, and the changes
// that are still to come then add up to about this. The first few changes say little about slow modes, hence the 4. The
// error is reported as a part of the motion, rms |y - (x_0 + h v)|, which is what gravity, air and handles do to the nodes
// in the substep. Where nothing but springs acts, the motion is rms |x - (x_0 + h v)|. With a tolerance the substep ends
// once
//     error <= TOLERANCE motion + rounding.
// A substep that ends with an error above TOLERANCE motion counts as `rounded`: the tolerance asks for more than f32 holds.
// Where little but a slow mode is left, as in a sheet about to buckle, the changes are lost in rounding long before the error
// is.
// c and x are taken before post-smoothing. Without a tolerance only a part of the nodes of a large body is summed.
//!import core/group_sum.wgsl
//!import core/launch.wgsl
//!import core/part_sum.wgsl
//!import forces/applied.wgsl
//!import forces/applied_in.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/newton_multigrid/guard.wgsl
//!import methods/newton_multigrid/work_write.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;     // z
@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;          // row 0: y, or y - x_0, and 1 / g (0: pinned)
@group(2) @binding(3) var<storage, read_write> parts: array<vec4f>;
@group(2) @binding(6) var<storage, read> position: array<vec4f>;        // x_0
@group(2) @binding(7) var<storage, read> velocity: array<vec4f>;

override CONJUGATE_GRADIENTS: bool = false;
override TOLERANCE: f32 = 0.0;

// The error of rounding to f32, as a part of the body's size.
const ROUNDING: f32 = 1e-7;
// With multipliers, which go on changing by what rounding does to lengths.
const AUGMENTED_ROUNDING: f32 = 1e-6;
// The least number of iterations in the estimate.
const FIRST: u32 = 4u;
// Substeps with a share above this are counted in `over`.
override TOO_MUCH: f32 = 1.0;

// Partial sums of |c|^2, |y - x_0 - h v|^2, |x - x_0 - h v|^2 and of 1, over the free nodes that the part takes.
// Reads position_in, position, velocity, anchor, rows of work; writes parts. One workgroup per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_changes(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let part = group.x + group.y * groups.x;
    let copy = part / sums_of_copy();
    let is_used = copy < copies() && !is_converged();
    let end = select(0u, copy_nodes(), is_used);
    let first = copy * copy_nodes();
    var total = vec4f(0.0);
    let stride = stride_of_parts();
    for (var k = first_of_part(part, local); k < end; k += stride) {
        let i = first + k;
        let y = anchor[i];
        if (y.w == 0.0) {
            continue;
        }
        let z = stored(i);
        let x = z - correction(i, copy);
        let change = x - before(i, copy, z);
        let drift = kept(position[i].xyz, world.step * velocity[i].xyz);
        let pushed = y.xyz - drift;
        let moved = x - drift;
        total += vec4f(dot(change, change), dot(pushed, pushed), dot(moved, moved), 1.0);
    }
    total = part_sum(local, total);
    if (local == 0u && is_used) {
        parts[part] = total;
    }
}

// z, or z - x_0.
fn stored(i: u32) -> vec3f {
    if (KEEPS_MOVES) {
        return work[MOVES * world.node_count + i].xyz;
    }
    return position_in[i].xyz;
}

// The correction of this iteration: x = z - e.
fn correction(i: u32, copy: u32) -> vec3f {
    let n = world.node_count;
    if (CONJUGATE_GRADIENTS) {
        return work[SOLUTION * n + i].xyz + control[copy].alpha * work[DIRECTION * n + i].xyz;
    }
    return work[CORRECTION * n + i].xyz;
}

// x at the end of the iteration before, which is z where there is no momentum.
fn before(i: u32, copy: u32, z: vec3f) -> vec3f {
    if (this_iteration.is_first_momentum == 1u || control[copy].has_multipliers + control[copy].is_touching > 0u) {
        return z;
    }
    return work[BEFORE * world.node_count + i].xyz;
}

// Estimates the error, and with a tolerance decides whether this iteration is the last. Reads parts; writes control.
// One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn estimate_error(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= copies() || is_group_converged(local)) {
        return;
    }
    var sums = vec4f(0.0);
    let count = sums_of_copy();
    for (var k = local; k < count; k += SUMMING) {
        sums += parts[copy * count + k];
    }
    let total = group_sum4(local, sums);
    if (local > 0u) {
        return;
    }
    let used = this_iteration.index + 1u;
    let rms = sqrt(total.xyz / max(total.w, 1.0));
    let terms = f32(max(used, FIRST));
    let noisy = control_out[copy].has_multipliers == 1u;
    let rounding = terms * select(ROUNDING, AUGMENTED_ROUNDING, noisy) * surroundings(copy * copy_nodes()).reach;
    let error = terms * rms.x;
    let motion = select(rms.z, rms.y, rms.y > rounding);
    let is_close = error <= max(TOLERANCE * motion, rounding);
    if (USE_TOLERANCE) {
        control_out[copy].used = used;
        control_out[copy].most = max(control_out[copy].most, used);
        control_out[copy].total += 1u;
        if (is_close) {
            control_out[copy].last = this_iteration.index;
        } else if (used < this_iteration.count) {
            return;
        }
        let is_reached = error <= TOLERANCE * motion || motion <= rounding;
        control_out[copy].unfinished += select(1u, 0u, is_close);
        control_out[copy].rounded += select(1u, 0u, is_reached || !is_close);
    }
    let share = max(error - rounding, 0.0) / max(motion, rounding);
    control_out[copy].error = error;
    control_out[copy].share = share;
    control_out[copy].worst = max(control_out[copy].worst, share);
    control_out[copy].shares += share;
    control_out[copy].looks += 1u;
    control_out[copy].over += select(0u, 1u, share > TOO_MUCH);
}
