// Beginning and end of a newton-multigrid substep.
//!import core/launch.wgsl
//!import methods/implicit/substep_ends.wgsl
//!import methods/newton_multigrid/bindings.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import network/spring.wgsl

@group(2) @binding(6) var<storage, read_write> work: array<vec4f>;          // bindings.wgsl
@group(2) @binding(7) var<storage, read> other_iterate: array<vec4f>;       // last x after an odd number of them

// y, the matrix G of the node terms, and the start vector.
// Reads position, velocity, applied, control; writes anchor and iterate. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let node = begin_node(i);
    let share = control[copy_of(i)].start;
    if (share < 1.0 && node.inverse > 0.0) {
        iterate[i] = vec4f(kept(position[i].xyz, share * world.step * velocity[i].xyz), 0.0);
    }
    iterate[i].w = node.loose;
    if (KEEPS_MOVES) {
        // Springs use x. The move x - x_0 is stored beside it, because f32 would lose h^2 g next to a large x.
        let moved = iterate[i].xyz;
        work[MOVES * world.node_count + i] = vec4f(moved, 0.0);
        iterate[i] = vec4f(position[i].xyz + moved, node.loose);
    }
    if (HAS_DASHPOTS || KEEPS_MOVES) {
        anchor[ORIGIN * world.node_count + i] = position[i];
    }
}

// x+ and v+. Reads the iterate that holds the last x; writes position and velocity. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    if (KEEPS_MOVES) {
        end_node(i, work[MOVES * world.node_count + i].xyz);
        return;
    }
    var next = iterate[i].xyz;
    if (USE_TOLERANCE && control[0].used % 2u == 1u) {
        next = other_iterate[i].xyz;
    }
    end_node(i, next);
}
