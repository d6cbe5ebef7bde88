// Air on each node, constant within a substep as f = push - B v with a drag matrix B. Initializes the rows that other kernels
// of external forces add to.
// Reads position_in, velocity_in, the surface; writes rows 1 to 3 of applied, whose end it reads in
// batches. One thread per node.
//!import core/launch.wgsl
//!import forces/air.wgsl
//!import forces/applied_rows.wgsl
//!import forces/surroundings_out.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(2) var<storage, read_write> applied_out: array<vec4f>;

override HAS_AIR: bool = false;
// Whether z is frozen.
override IS_PLANAR: bool = false;

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position_in[i];
    let v = velocity_in[i].xyz;
    var total = Drag(vec3f(0.0), Symmetric(vec3f(0.0), vec3f(0.0)));
    if (HAS_AIR) {
        total = air(i, x.xyz, v, surroundings(i));
    }
    if (IS_PLANAR) {
        // Nodes keep their z to the last bit.
        total.push.z = 0.0;
        total.matrix.off = vec3f(0.0, 0.0, total.matrix.off.z);
    }
    applied_out[APPLIED_PUSH * world.node_count + i] = vec4f(total.push, 0.0);
    if (HAS_DRAG) {
        applied_out[APPLIED_DRAG * world.node_count + i] = first_half(total.matrix);
        applied_out[(APPLIED_DRAG + 1u) * world.node_count + i] = second_half(total.matrix);
    }
}
