// The factors of conjugate gradients in newton-multigrid, for each copy of the scene. Floats have no atomic sum: many
// threads add up parts, then one workgroup a copy adds up those, always in the same order.
//!import core/group_sum.wgsl
//!import core/launch.wgsl
//!import methods/newton_multigrid/guard.wgsl
//!import methods/newton_multigrid/work_write.wgsl
//!import state/world.wgsl

@group(2) @binding(3) var<storage, read_write> parts: array<vec2f>;

// Parts of each copy.
override PARTS: u32 = 1u;

// Parts of z . q. Reads rows LEFT and PRODUCT of work; writes parts. One thread per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_shared(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&parts) || is_converged()) {
        return;
    }
    let n = world.node_count;
    var total = 0.0;
    for (var k = t % PARTS; k < COPY_NODES; k += PARTS) {
        let i = t / PARTS * COPY_NODES + k;
        total += dot(work[LEFT * n + i].xyz, work[PRODUCT * n + i].xyz);
    }
    parts[t] = vec2f(total, 0.0);
}

// Parts of d . r and of d . q. Reads row 0, DIRECTION and PRODUCT of work; writes parts. One thread per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_slope(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&parts) || is_converged()) {
        return;
    }
    let n = world.node_count;
    var total = vec2f(0.0);
    for (var k = t % PARTS; k < COPY_NODES; k += PARTS) {
        let i = t / PARTS * COPY_NODES + k;
        let d = work[DIRECTION * n + i].xyz;
        total += vec2f(dot(d, work[i].xyz), dot(d, work[PRODUCT * n + i].xyz));
    }
    parts[t] = total;
}

fn sum_of_parts(copy: u32, local: u32) -> vec2f {
    var total = vec2f(0.0);
    for (var k = local; k < PARTS; k += SUMMING) {
        total += parts[copy * PARTS + k];
    }
    return vec2f(group_sum(local, total.x), group_sum(local, total.y));
}

// How much of the last direction is kept. Reads parts; writes control. One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn set_kept(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= COPIES || is_group_converged(local)) {
        return;
    }
    let shared_part = sum_of_parts(copy, local).x;
    if (local == 0u) {
        let curvature = control_out[copy].curvature;
        control_out[copy].kept = select(0.0, -shared_part / curvature, curvature > 0.0);
    }
}

// How far to go along the direction. Reads parts; writes control. One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn set_along(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= COPIES || is_group_converged(local)) {
        return;
    }
    let total = sum_of_parts(copy, local);
    if (local == 0u) {
        control_out[copy].curvature = total.y;
        control_out[copy].along = select(0.0, total.x / total.y, total.y > 0.0);
    }
}
