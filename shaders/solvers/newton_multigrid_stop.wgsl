// Whether a newton-multigrid substep is converged: once an iteration changes little,
//     sum (g |e|)^2 <= sum g^2 ((TOLERANCE |y - x_0 - h v|)^2 + rounding^2)
// over the free nodes, with e the correction before its last sweep and g the scalar part of G. Both sides are sums over
// row 1 of work, whose w is g and zero for pins; before the first iteration `predict` has put the right one's terms
// there. Floats have no atomic sum: many threads add up parts, then one workgroup adds up those.
//!import shared/guard.wgsl
//!import shared/launch.wgsl
//!import shared/world.wgsl

@group(2) @binding(0) var<storage, read> work: array<vec4f>;            // as in newton_multigrid.wgsl
@group(2) @binding(1) var<storage, read_write> parts: array<f32>;

const ADDING: u32 = 256u;
var<workgroup> sums: array<f32, ADDING>;

// What is allowed; control is still that of the substep before. Reads row 1 of work; writes parts. As many threads as
// there are parts.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_allowed(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    add_part(thread_index(id, groups));
}

// What has changed. Reads row 1 of work; writes parts. As many threads as there are parts.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_changes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (!is_converged()) {
        add_part(t);
    }
}

fn add_part(t: u32) {
    let count = arrayLength(&parts);
    if (t >= count) {
        return;
    }
    var total = 0.0;
    for (var i = t; i < world.node_count; i += count) {
        let e = work[world.node_count + i];
        total += e.w * e.w * dot(e.xyz, e.xyz);
    }
    parts[t] = total;
}

fn sum_of_parts(local: u32) -> f32 {
    var total = 0.0;
    for (var t = local; t < arrayLength(&parts); t += ADDING) {
        total += parts[t];
    }
    sums[local] = total;
    for (var stride = ADDING / 2u; stride > 0u; stride /= 2u) {
        workgroupBarrier();
        if (local < stride) {
            sums[local] += sums[local + stride];
        }
    }
    return sums[0];
}

// Begins a substep. Reads parts; writes control. One workgroup.
@compute @workgroup_size(ADDING)
fn begin(@builtin(local_invocation_index) local: u32) {
    let total = sum_of_parts(local);
    if (local == 0u) {
        control_out[0].bound = total;
        control_out[0].last = UNKNOWN;
        control_out[0].used = 0u;
        control_out[0].substeps += 1u;
        // The guard does so in the last iteration, which may not have come.
        control_out[0].least = vec2f(LEAST_ACROSS);
    }
}

// Decides whether this iteration is the last. Reads parts; writes control. One workgroup.
@compute @workgroup_size(ADDING)
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
