// An iteration of xpbd over all springs at once, gathered by node. Both ends of a spring compute the same d lambda, and each
// stores lambda. A spring divides by W of both ends, which counts each node as many times as it has springs: as if the node
// were split into that many parts, and moved by their average.
//!import core/launch.wgsl
//!import methods/xpbd/bindings.wgsl
//!import methods/xpbd/change.wgsl
//!import network/{grid|mesh}.wgsl

@group(2) @binding(0) var<storage, read> iterate: array<vec4f>;

// Whether this is the first iteration, which begins with lambda = 0.
override IS_FIRST: bool = false;

// Reads iterate, start, anchor, lambda, the network; writes next and lambda. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn relax(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let u = iterate[i];
    if (u.w == 0.0) {
        next[i] = u;
        return;
    }
    let x_0 = start[i].xyz;
    let row = row_of(i);
    var force = vec3f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let other = iterate[link.node];
        let d = u.xyz - other.xyz;
        let spring = extent(x_0 - start[link.node].xyz + d, link.rest_length);
        let slot = slot_of(row, s);
        var had = 0.0;
        if (!IS_FIRST) {
            had = lambda[slot];
        }
        let change = change_of(spring, d, link, had, u.w + other.w);
        lambda[slot] = had + change;
        force += change * spring.direction;
    }
    next[i] = vec4f(u.xyz + moved_by(i, force), u.w);
}
