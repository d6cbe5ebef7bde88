// alpha and beta of the conjugate gradients in newton-multigrid, for each copy of the scene. WGSL has no atomic sum of
// floats: many threads add up parts, then one workgroup a copy adds up the parts, always in the same order.
//!import core/group_sum.wgsl
//!import core/launch.wgsl
//!import methods/newton_multigrid/guard.wgsl
//!import methods/newton_multigrid/work_write.wgsl
//!import state/world.wgsl

@group(2) @binding(3) var<storage, read_write> parts: array<vec2f>;

// Parts of each copy.
override PARTS: u32 = 1u;

// Partial sums of z . q. Reads rows RESIDUAL and PRODUCT of work; writes parts. One thread per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_beta_parts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&parts) || is_converged()) {
        return;
    }
    let n = world.node_count;
    var total = 0.0;
    for (var k = t % PARTS; k < COPY_NODES; k += PARTS) {
        let i = t / PARTS * COPY_NODES + k;
        total += dot(work[RESIDUAL * n + i].xyz, work[PRODUCT * n + i].xyz);
    }
    parts[t] = vec2f(total, 0.0);
}

// Partial sums of p . r and p . q. Reads rows 0, DIRECTION and PRODUCT of work; writes parts. One thread per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_alpha_parts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&parts) || is_converged()) {
        return;
    }
    let n = world.node_count;
    var total = vec2f(0.0);
    for (var k = t % PARTS; k < COPY_NODES; k += PARTS) {
        let i = t / PARTS * COPY_NODES + k;
        let p = work[DIRECTION * n + i].xyz;
        total += vec2f(dot(p, work[i].xyz), dot(p, work[PRODUCT * n + i].xyz));
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

// beta = -(z . q) / (p . q); 0 where p . q is not positive. Reads parts; writes control. One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn compute_beta(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= COPIES || is_group_converged(local)) {
        return;
    }
    let z_dot_q = sum_of_parts(copy, local).x;
    if (local == 0u) {
        let curvature = control_out[copy].curvature;
        control_out[copy].beta = select(0.0, -z_dot_q / curvature, curvature > 0.0);
    }
}

// alpha = (p . r) / (p . q); 0 where p . q is not positive. Reads parts; writes control. One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn compute_alpha(
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
        control_out[copy].alpha = select(0.0, total.x / total.y, total.y > 0.0);
    }
}
