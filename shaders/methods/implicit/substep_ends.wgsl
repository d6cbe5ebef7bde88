// Beginning and end of a substep of the solvers that minimize implicit Euler's objective.
//!import forces/applied_in.wgsl
//!import methods/implicit/bindings.wgsl
//!import methods/implicit/inertial.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/implicit/set_anchor.wgsl

@group(2) @binding(2) var<storage, read_write> anchor: array<vec4f>;        // rows.wgsl
@group(2) @binding(3) var<storage, read_write> iterate: array<vec4f>;       // first or last x (or u) of the iteration

// Stores y, the matrix G of the node terms, and the start vector.
fn begin_node(i: u32) -> Inertial {
    let x = position[i];
    let node = inertial(i, x, velocity[i].xyz);
    set_anchor(i, kept(x.xyz, node.ahead), node);
    iterate[i] = vec4f(kept(x.xyz, first_move(node, x, velocity[i].xyz)), x.w);
    return node;
}

// Moves the node to x+, with v+ = (x+ - x_0) / h exp(-drag h).
fn end_node(i: u32, next: vec3f) {
    let x = position[i];
    if (KEEPS_MOVES) {
        if (x.w > 0.0) {
            velocity[i] = vec4f(next / world.step * surroundings(i).drag_factor, 0.0);
        }
        position[i] = vec4f(x.xyz + next, x.w);
        return;
    }
    if (x.w > 0.0) {
        velocity[i] = vec4f((next - x.xyz) / world.step * surroundings(i).drag_factor, 0.0);
    }
    position[i] = vec4f(next, x.w);
}
