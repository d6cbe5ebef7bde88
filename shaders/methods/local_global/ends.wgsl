// Beginning and end of a local/global substep, and the local step where several sweeps share one.
//!import core/launch.wgsl
//!import methods/implicit/adaptive_start.wgsl
//!import methods/local_global/bindings.wgsl
//!import methods/local_global/monitor.wgsl
//!import network/{grid|mesh}.wgsl

const CALM_SUBSTEPS: u32 = 240u;
const PLAIN_LEVEL: u32 = 7u;
// Change of position that is rounding, as a part of the body's size.
const FLOOR_OF_REACH: f32 = 1e-6;

// The minimizer y of the node terms, their matrix G, and the start vector.
// Reads position, velocity, applied, gained; writes anchor and iterate, and prepares the monitor. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let around = surroundings(i);
    prepare_monitor(i, FLOOR_OF_REACH * around.reach);
    begin_adaptively(i);
}

// Clears the checks of the last substep, the first down to `floor` [m], and moves between levels of care.
fn prepare_monitor(i: u32, floor: f32) {
    let own = monitor_of(i);
    let local = index_in_copy(i);
    let nodes = copy_nodes();
    for (var check = local; check < CHECKS; check += nodes) {
        atomicStore(&monitor[own + NOTED + check], select(0u, bitcast<u32>(floor), check == 0u));
    }
    if (local != 0u) {
        return;
    }
    var level = atomicLoad(&monitor[own + LEVEL]);
    var calm = atomicLoad(&monitor[own + CALM]) + 1u;
    if (atomicLoad(&monitor[own + DIVERGED]) == 1u) {
        atomicAdd(&monitor[own + FALLS], 1u);
        level = min(level + 1u, PLAIN_LEVEL);
        calm = 0u;
    } else if (calm >= CALM_SUBSTEPS && level > 0u) {
        level -= 1u;
        calm = 0u;
    }
    atomicStore(&monitor[own + LEVEL], level);
    atomicStore(&monitor[own + CALM], calm);
    atomicStore(&monitor[own + DIVERGED], 0u);
}

// The local step alone: sum of k r n over the springs of each node. Reads iterate; writes row PULLED of anchor.
// One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn project(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = iterate[i].xyz;
    let row = row_of(i);
    var sum = vec3f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = apart(x - iterate[link.node].xyz, position[i].xyz, position[link.node].xyz);
        let spring = extent(e, link.rest_length);
        sum += link.stiffness * link.rest_length * spring.direction;
    }
    anchor[PULLED * world.node_count + i] = vec4f(sum, 0.0);
}

// v+ = (x+ - x_0) / h exp(-drag h). Reads iterate and anchor; writes position, velocity, gained. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    end_adaptively(i, iterate[i].xyz);
}
