// After the first meeting of a scene's first substep: what does not touch starts from y, as it would if nothing else touched.
//!import core/launch.wgsl
//!import methods/implicit/anchor_contact.wgsl
//!import methods/implicit/rows.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> anchor: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> iterate: array<vec4f>;

// Reads anchor; writes iterate. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn settle(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || anchor[gained_at(i)].w != UNKNOWN || is_touching(i)) {
        return;
    }
    iterate[i] = vec4f(anchor[i].xyz, iterate[i].w);
}
