// The terms of implicit Euler's objective that belong to single nodes (inertia, viscous damping, handles, air, colliders, loads):
//     1/2 (x - y)^T G (x - y),  G = (m/h^2 + (a m + d)/h + K) I + B/h,
// with every coefficient frozen at the substep's start.
//!import core/symmetric.wgsl
//!import forces/applied.wgsl
//!import state/world.wgsl

struct Inertial {
    ahead: vec3f,       // y - x_0, y the minimizer [m]
    inverse: f32,       // 1 / g, g the scalar part of G; 0: pinned [m/N]
    loose: f32,         // the same without handles
    drag: Symmetric,    // B / (h g)
}

fn inertial(i: u32, x: vec4f, v: vec3f) -> Inertial {
    let h = world.step;
    let coasting = h * v;
    var node = Inertial(coasting, 0.0, 0.0, Symmetric(vec3f(0.0), vec3f(0.0)));
    if (x.w > 0.0) {
        let around = surroundings(i);
        let handles = pull(i, x.w);
        let mobility = x.w * h * h;
        let viscous = 1.0 + h * (around.damping + x.w * around.node_damping);
        let scale = viscous + mobility * handles.w;
        node.inverse = mobility / scale;
        node.loose = mobility / viscous;
        node.ahead = (coasting + h * h * around.gravity + mobility * handles.w * (handles.xyz - x.xyz)) / scale;
        if (HAS_PUSH) {
            node.ahead += node.inverse * push(i);
        }
        if (HAS_DRAG) {
            let drag = drag_matrix(i);
            node.drag = Symmetric(drag.diagonal * (node.inverse / h), drag.off * (node.inverse / h));
            node.ahead = solve_above_one(Symmetric(node.drag.diagonal + vec3f(1.0), node.drag.off), node.ahead);
        }
    }
    return node;
}

// From x_0 to the start vector of the iteration.
fn first_move(node: Inertial, x: vec4f, v: vec3f) -> vec3f {
    if (world.start == 1u) {
        return world.step * v;
    } else if (world.start == 2u && x.w > 0.0) {
        return vec3f(0.0);
    }
    return node.ahead;
}
