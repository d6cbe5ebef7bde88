// Beginning and end of an xpbd substep.
//!import core/launch.wgsl
//!import methods/implicit/constraint_ends.wgsl

@group(2) @binding(2) var<storage, read_write> anchor: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> iterate: array<vec4f>;

// Whether all springs move at once, so that each gets its share of a node only.
override SHARES: bool = false;

// y, the matrix G of the node terms, and W: 1 / g, g the scalar part of G, times the number of springs that share the
// node. Reads position, velocity, applied, the network; writes anchor and iterate. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let row = row_of(i);
    let node = free(i, row);
    set_anchor(i, position[i].xyz + node.ahead, node);
    var shares = 1.0;
    if (SHARES) {
        shares = 0.0;
        for (var s = 0u; s < link_count(row); s += 1u) {
            let link = link_at(row, s);
            shares += select(0.0, 1.0, link.stiffness + link.dashpot > 0.0);
        }
    }
    iterate[i] = vec4f(node.ahead, shares * node.inverse);
}

// x+ and v+. Reads iterate; writes position and velocity. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        end_free(i, iterate[i].xyz);
    }
}
