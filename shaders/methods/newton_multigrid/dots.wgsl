// alpha and beta of the conjugate gradients in newton-multigrid, for each copy of the scene.
//!import core/group_sum.wgsl
//!import core/launch.wgsl
//!import core/part_sum.wgsl
//!import methods/newton_multigrid/guard.wgsl
//!import methods/newton_multigrid/work_write.wgsl
//!import state/world.wgsl

@group(2) @binding(3) var<storage, read_write> parts: array<vec2f>;

// Partial sums of z . q. Reads rows RESIDUAL and PRODUCT of work; writes parts. One workgroup per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_beta_parts(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let part = group.x + group.y * groups.x;
    let is_used = part < arrayLength(&parts) && !is_converged();
    let n = world.node_count;
    let end = select(0u, copy_nodes(), is_used);
    let first = part / sums_of_copy() * copy_nodes();
    var total = 0.0;
    let stride = stride_of_parts();
    for (var k = first_of_part(part, local); k < end; k += stride) {
        let i = first + k;
        total += dot(work[RESIDUAL * n + i].xyz, work[PRODUCT * n + i].xyz);
    }
    let of_part = part_sum(local, vec4f(total, 0.0, 0.0, 0.0));
    if (local == 0u && is_used) {
        parts[part] = of_part.xy;
    }
}

// Partial sums of p . r and p . q. Reads rows 0, DIRECTION and PRODUCT of work; writes parts. One workgroup per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_alpha_parts(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let part = group.x + group.y * groups.x;
    let is_used = part < arrayLength(&parts) && !is_converged();
    let n = world.node_count;
    let end = select(0u, copy_nodes(), is_used);
    let first = part / sums_of_copy() * copy_nodes();
    var total = vec2f(0.0);
    let stride = stride_of_parts();
    for (var k = first_of_part(part, local); k < end; k += stride) {
        let i = first + k;
        let p = work[DIRECTION * n + i].xyz;
        total += vec2f(dot(p, work[i].xyz), dot(p, work[PRODUCT * n + i].xyz));
    }
    let of_part = part_sum(local, vec4f(total, 0.0, 0.0));
    if (local == 0u && is_used) {
        parts[part] = of_part.xy;
    }
}

fn sum_of_parts(copy: u32, local: u32) -> vec2f {
    var total = vec2f(0.0);
    let count = sums_of_copy();
    for (var k = local; k < count; k += SUMMING) {
        total += parts[copy * count + k];
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
    if (copy >= copies() || is_group_converged(local)) {
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
    if (copy >= copies() || is_group_converged(local)) {
        return;
    }
    let total = sum_of_parts(copy, local);
    if (local == 0u) {
        control_out[copy].curvature = total.y;
        control_out[copy].alpha = select(0.0, total.x / total.y, total.y > 0.0);
    }
}
