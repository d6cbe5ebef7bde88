// The node terms of the objective that implicit solvers minimise, prepared by `predict` once a substep.
//!import core/symmetric.wgsl
//!import state/world.wgsl

// Row 0: y (or y - x_0: implicit/moves.wgsl), and 1/g with g the scalar part of G (0: pinned). Rows 1, 2, where anything drags: B / (h g). Row 3: sum
// k r n of the last local step, where several sweeps share one.
@group(2) @binding(2) var<storage, read> anchor: array<vec4f>;

fn anchor_drag(i: u32) -> Symmetric {
    let a = anchor[world.node_count + i];
    let b = anchor[2u * world.node_count + i];
    return Symmetric(a.xyz, vec3f(a.w, b.x, b.y));
}
