// Beginning and end of a substep of vbd.
//!import core/launch.wgsl
//!import methods/implicit/anchor_contact.wgsl
//!import methods/implicit/substep_ends.wgsl

// Whether surfaces touch, and the start is left open.
override ADAPTS: bool = false;

// How much nodes that touch have sped up in the substep before [m/s^2]; w = 0: it did not touch.
@group(2) @binding(5) var<storage, read_write> gained: array<vec4f>;

// The minimizer y of the node terms, their matrix G, and the start vector. From y, far too few iterations bring stiff cloth back to what
// it lies on. So a node that has touched starts from where it gets if it speeds up as in the substep before, but by no more than outer forces
// alone would have it ("adaptive initialization" of Chen, Liu, Yang, Yuksel 2024).
// Reads position, velocity, applied, gained; writes anchor and iterate. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn predict(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let node = begin_node(i);
    if (!ADAPTS) {
        return;
    }
    let before = gained[i];
    let x = position[i];
    if (before.w > 0.0 && x.w > 0.0) {
        let coasting = world.step * velocity[i].xyz;
        let speeding = limited(world.step * world.step * before.xyz, node.ahead - coasting);
        iterate[i] = vec4f(kept(x.xyz, coasting + speeding), x.w);
    }
}

// v, no longer than `most`; nothing where it points against it.
fn limited(v: vec3f, most: vec3f) -> vec3f {
    if (dot(v, most) <= 0.0) {
        return vec3f(0.0);
    }
    return v * min(1.0, length(most) / length(v));
}

// v+ = (x+ - x_0) / h exp(-drag h). Reads iterate and anchor; writes position, velocity, gained. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn finish(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let next = iterate[i].xyz;
    if (ADAPTS) {
        let h = world.step;
        let moved = next - select(position[i].xyz, vec3f(0.0), KEEPS_MOVES);
        gained[i] = vec4f((moved - h * velocity[i].xyz) / (h * h), select(0.0, 1.0, is_touching(i)));
    }
    end_node(i, next);
}
