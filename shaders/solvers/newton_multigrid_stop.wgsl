// Whether a newton-multigrid substep is converged: once an iteration changes little,
//     sum (g |e|)^2 <= sum g^2 ((TOLERANCE |y - x_0 - h v|)^2 + rounding^2)
// over the free nodes, with e the correction, before its last sweep where it is that of a cycle, and g the scalar part of
// G. Both sides are sums over row 1 of work, where `predict` has put the right one's terms before the first iteration; the
// left one's is over rows 4 and 5 with conjugate gradients. Floats have no atomic sum: many threads add up parts, then one
// workgroup adds up those.
//!import shared/group_sum.wgsl
//!import shared/guard.wgsl
//!import shared/launch.wgsl
//!import shared/newton_work.wgsl
//!import shared/world.wgsl

@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;          // row 0: y, and 1 / g (0: pinned)
@group(2) @binding(3) var<storage, read_write> parts: array<f32>;

override CONJUGATE_GRADIENTS: bool = false;

// What is allowed; control is still that of the substep before. Reads row 1 of work; writes parts. As many threads as
// there are parts.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_allowed(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    add_part(thread_index(id, groups), false);
}

// What has changed. Reads row 1, or rows 4 and 5, of work; writes parts. As many threads as there are parts.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_changes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (!is_converged()) {
        add_part(t, CONJUGATE_GRADIENTS);
    }
}

fn add_part(t: u32, is_descent: bool) {
    let count = arrayLength(&parts);
    if (t >= count) {
        return;
    }
    var total = 0.0;
    for (var i = t; i < world.node_count; i += count) {
        var e = work[CORRECTION * world.node_count + i].xyz;
        if (is_descent) {
            let n = world.node_count;
            e = work[TAKEN * n + i].xyz + control[0].along * work[DIRECTION * n + i].xyz;
        }
        let inverse = anchor[i].w;
        let g = select(1.0 / inverse, 0.0, inverse == 0.0);
        total += g * g * dot(e, e);
    }
    parts[t] = total;
}

fn sum_of_parts(local: u32) -> f32 {
    var total = 0.0;
    for (var t = local; t < arrayLength(&parts); t += SUMMING) {
        total += parts[t];
    }
    return group_sum(local, total);
}

// Begins a substep. Reads parts; writes control. One workgroup.
@compute @workgroup_size(SUMMING)
fn begin(@builtin(local_invocation_index) local: u32) {
    let total = sum_of_parts(local);
    if (local == 0u) {
        control_out[0].bound = total;
        control_out[0].last = UNKNOWN;
        control_out[0].used = 0u;
        control_out[0].substeps += 1u;
    }
}

// Decides whether this iteration is the last. Reads parts; writes control. One workgroup.
@compute @workgroup_size(SUMMING)
fn decide(@builtin(local_invocation_index) local: u32) {
    let total = sum_of_parts(local);
    if (local > 0u || control_out[0].last != UNKNOWN) {
        return;
    }
    let used = this_iteration.index + 1u;
    control_out[0].used = used;
    control_out[0].most = max(control_out[0].most, used);
    control_out[0].total += 1u;
    if (total <= control_out[0].bound) {
        control_out[0].last = this_iteration.index;
    } else if (used == this_iteration.count) {
        control_out[0].unfinished += 1u;
    }
}
