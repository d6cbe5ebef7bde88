// Springs as soft constraints C = l - r (Servin, Lacoursiere, Melin 2006, averaging over [t_n, t_n + h]): with
// lambda = -(k <C> + c dC/dt), <C> = C + h/2 dC/dt, u = x+ - x_0, and y - x_0 the move of a node without springs,
//     (J G^-1 J^T + 1/q) lambda = -k C / q - J (y - x_0),   q = k/2 + c/h,   u = y - x_0 + G^-1 J^T lambda.
// An inextensible spring has 1/q = 0 and k/q = 1. J is taken at x_0. Both ends of a spring store its values.
//!import core/symmetric.wgsl
//!import methods/implicit/rows.wgsl
//!import methods/soft_constraint/bindings.wgsl
//!import state/world.wgsl

// G^-1 f of a node.
fn moved_by(i: u32, f: vec3f) -> vec3f {
    let push = anchor[i].w * f;
    if (!HAS_DRAG) {
        return push;
    }
    let at = ANCHOR_DRAG * world.node_count + i;
    let b = from_halves(anchor[at], anchor[at + world.node_count]);
    return solve_above_one(Symmetric(b.diagonal + vec3f(1.0), b.off), push);
}
