// Penalty of a collider with surface velocity u, for a node of mass m at distance d < 0 from it, normal n, with velocity
// r = v - u relative to it:
//     f = -k d n - c_n (r . n) n - c_t (r - (r . n) n),  k = stiffness m,  c_n = damping m,
//     c_t = friction load / max(|r_t|, slip speed): Coulomb's friction, load = -k d.
// Implicit solvers take d where the node is at the substep's end, d + h r+ . n: to B comes h k n n^T. They know a contact
// that the node will only run into in this substep; load is then at least about what stops it. Explicit ones have c_n
// only where the node approaches, and bound c_t, so that friction stops a node and never turns it. (For implicit ones c_n
// must not hang on the sign of r . n, which at rest is rounding.)
//!import shared/collider.wgsl
//!import shared/drag.wgsl
//!import shared/world.wgsl

// Whether the solver takes B and springs at the end of the substep.
override IS_IMPLICIT: bool = false;

fn contact(c: Collider, x: vec3f, v: vec3f, mass: f32) -> Drag {
    let h = world.step;
    let at = nearest_surface(c, x);
    let n = at.xyz;
    let d = at.w;
    let u = c.velocity + cross(c.spin, x - d * n - c.centre);
    let r = v - u;
    let along = dot(r, n);
    let ahead = select(d, d + h * min(along, 0.0), IS_IMPLICIT);
    if (ahead >= 0.0) {
        return Drag(vec3f(0.0), Symmetric(vec3f(0.0), vec3f(0.0)));
    }
    let k = c.stiffness * mass;
    let load = max(-k * d, -k * ahead / (1.0 + h * h * c.stiffness));
    var normal_drag = select(0.0, c.damping * mass, d < 0.0 && (IS_IMPLICIT || along < 0.0));
    var grip = c.friction * load / max(length(r - along * n), c.slip_speed);
    if (IS_IMPLICIT) {
        normal_drag += h * k;
    } else {
        grip = min(grip, 0.25 * mass / h);
    }
    let matrix = along_and_across(n, normal_drag, grip);
    return Drag(multiply(matrix, u) - k * d * n, matrix);
}
