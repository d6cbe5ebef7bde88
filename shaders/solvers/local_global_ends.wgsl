// Beginning and end of a local/global substep, and the local step where several sweeps share one.
//!import shared/inertial.wgsl
//!import shared/network.wgsl
//!import shared/launch.wgsl
//!import shared/monitor.wgsl

@group(2) @binding(0) var<storage, read_write> position: array<vec4f>;      // x_0, then x+
@group(2) @binding(1) var<storage, read_write> velocity: array<vec4f>;
@group(2) @binding(2) var<storage, read_write> anchor: array<vec4f>;        // as in shared/anchor.wgsl
@group(2) @binding(3) var<storage, read_write> iterate: array<vec4f>;       // first or last x of the sweeps

const CALM_SUBSTEPS: u32 = 240u;
const PLAIN_LEVEL: u32 = 7u;

// The minimiser y of the node terms, their matrix G, and the start vector.
// Reads position, velocity, applied; writes anchor and iterate, and prepares the monitor. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    prepare_monitor(i, groups.x * groups.y * WORKGROUP_SIZE);
    if (i >= world.node_count) {
        return;
    }
    let x = position[i];
    let node = inertial(i, x, velocity[i].xyz);
    anchor[i] = vec4f(x.xyz + node.ahead, node.inverse);
    if (HAS_AIR) {
        anchor[world.node_count + i] = vec4f(node.air.diagonal, node.air.off.x);
        anchor[2u * world.node_count + i] = vec4f(node.air.off.yz, 0.0, 0.0);
    }
    iterate[i] = vec4f(x.xyz + first_move(node, x, velocity[i].xyz), x.w);
}

// Clears the checks of the last substep and moves between levels of care.
fn prepare_monitor(i: u32, threads: u32) {
    for (var check = i; check < arrayLength(&monitor.noted); check += threads) {
        atomicStore(&monitor.noted[check], 0u);
    }
    if (i != 0u) {
        return;
    }
    monitor.calm += 1u;
    if (atomicLoad(&monitor.diverged) == 1u) {
        monitor.falls += 1u;
        monitor.level = min(monitor.level + 1u, PLAIN_LEVEL);
        monitor.calm = 0u;
    } else if (monitor.calm >= CALM_SUBSTEPS && monitor.level > 0u) {
        monitor.level -= 1u;
        monitor.calm = 0u;
    }
    atomicStore(&monitor.diverged, 0u);
}

// The local step alone: sum of k r n over the springs of each node. Reads iterate; writes row 3 of anchor.
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
        let spring = extent(x - iterate[link.node].xyz, link.rest_length);
        sum += link.stiffness * link.rest_length * spring.direction;
    }
    anchor[3u * world.node_count + i] = vec4f(sum, 0.0);
}

// v+ = (x+ - x_0) / h exp(-drag h). Reads iterate; writes position and velocity. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let x = position[i];
    let next = iterate[i].xyz;
    if (x.w > 0.0) {
        velocity[i] = vec4f((next - x.xyz) / world.step * world.drag_factor, 0.0);
    }
    position[i] = vec4f(next, x.w);
}
