// Beginning and end of a substep of the solvers that treat springs as constraints. Bending is a force at the substep's
// start.
//!import forces/applied_in.wgsl
//!import methods/implicit/bindings.wgsl
//!import methods/implicit/inertial.wgsl
//!import methods/implicit/set_anchor.wgsl
//!import network/{grid|mesh}.wgsl

// The force of bending on a node.
fn bending_force(i: u32, x: vec3f, row: Row) -> vec3f {
    var force = vec3f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        force -= link.bend * (x - position[link.node].xyz);
    }
    for (var s = 0u; s < bend_count(row); s += 1u) {
        let bend = bend_at(row, s);
        force -= bend.stiffness * (x - position[bend.node].xyz);
    }
    return force;
}

// y, where the node would go without springs, and the matrix G of the node terms.
fn free(i: u32, row: Row) -> Inertial {
    let x = position[i];
    var node = inertial(i, x, velocity[i].xyz);
    if (node.inverse > 0.0 && HAS_BENDING) {
        var push = node.inverse * bending_force(i, x.xyz, row);
        if (HAS_DRAG) {
            push = solve_above_one(Symmetric(node.drag.diagonal + vec3f(1.0), node.drag.off), push);
        }
        node.ahead += push;
    }
    return node;
}

// Moves the node by u to x+, with v+ = u / h exp(-drag h).
fn end_free(i: u32, u: vec3f) {
    let x = position[i];
    if (x.w > 0.0) {
        velocity[i] = vec4f(u / world.step * surroundings(i).drag_factor, 0.0);
    }
    position[i] = vec4f(x.xyz + u, x.w);
}
