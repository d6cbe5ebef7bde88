// The user's own force on each free node, after external.wgsl. Records the first force that is not a finite number.
// Reads position_in, velocity_in, moment; adds to row 1 of applied, writes bad_force. One thread per node.
//!import core/launch.wgsl
//!import forces/applied_rows.wgsl
//!import forces/user_force.wgsl
//!import state/copies.wgsl
//!import state/moment.wgsl
//!import state/world.wgsl

struct BadForce {
    step: atomic<u32>,      // its substep since the start, from one; all bits set: none
    node: atomic<u32>,      // the lowest node in that substep
}

// Whether z is frozen.
override IS_PLANAR: bool = false;

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(2) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(3) var<storage, read> moment: Moment;
@group(2) @binding(6) var<storage, read_write> bad_force: array<BadForce>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn add_user_force(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i];
    if (x.w == 0.0) {
        return;
    }
    var force = user_force(x.xyz, velocity_in[i].xyz, 1.0 / x.w, moment.time);
    if (IS_PLANAR) {
        force.z = 0.0;
    }
    applied_out[APPLIED_PUSH * world.node_count + i] += vec4f(force, 0.0);
    // The test of bits finds NaN and infinity, whatever the compiler assumes about comparisons.
    let bits = bitcast<vec3u>(force) & vec3u(0x7fffffffu);
    if (max(bits.x, max(bits.y, bits.z)) < 0x7f800000u) {
        return;
    }
    let copy = copy_of(i);
    // Frames may have more substeps than count.
    let step = moment.step + min(moment.substep, world.substeps);
    if (atomicMin(&bad_force[copy].step, step) >= step) {
        atomicMin(&bad_force[copy].node, i);
    }
}
