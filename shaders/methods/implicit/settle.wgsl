// The start of nodes of which no substep before is known. They coast until the first meeting. What does not touch there goes on to y, and what touches
// does so to see whether its pairs push it harder there. Where they do, something holds it against outer forces, and it starts from where it coasts: from y,
// far too few iterations would bring it back. Where they do not, as in cloth that falls together, it starts from y: it would else fall in slow motion.
//!import core/launch.wgsl
//!import methods/implicit/anchor_contact.wgsl
//!import methods/implicit/bindings.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/implicit/rows.wgsl

@group(2) @binding(2) var<storage, read_write> anchor: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> iterate: array<vec4f>;

// How many times as hard pairs push where outer forces press a node into them.
const HELD: f32 = 2.0;

// After a meeting of coasting nodes: all go on to y. Reads and writes anchor; writes iterate. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn go_on(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || anchor[gained_at(i)].w != UNKNOWN) {
        return;
    }
    if (is_touching(i)) {
        anchor[gained_at(i)] = vec4f(contact_force(i), MET);
    }
    iterate[i] = vec4f(anchor[i].xyz, iterate[i].w);
}

// After a meeting there: what is held goes back. Reads anchor, position, velocity; writes iterate. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn go_back(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let met = anchor[gained_at(i)];
    if (met.w == MET && length(contact_force(i)) > HELD * length(met.xyz)) {
        let x = position[i];
        iterate[i] = vec4f(kept(x.xyz, world.step * velocity[i].xyz), x.w);
    }
}
