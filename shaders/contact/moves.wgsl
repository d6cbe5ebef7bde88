// How far each node in pairs has moved in a substep of a linear system. Differences of positions have too few digits for friction, which is a large
// stiffness times a small slip; velocities have them, before viscous drag.
//!import contact/listed.wgsl
//!import core/launch.wgsl
//!import forces/surroundings_out.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(1) var<storage, read_write> moves: array<vec4f>;         // [m]
@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(3) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(4) var<storage, read> slots: array<Slot>;

// Where the substep ends. Reads the state; writes moves. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn measure_moves(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let i = listed(place);
    // Drag leaves pins alone.
    let drag = select(1.0, surroundings(i).drag_factor, position_in[i].w > 0.0);
    moves[i] = vec4f(world.step / drag * velocity_in[i].xyz, 0.0);
}
