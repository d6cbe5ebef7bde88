// XPBD (Macklin, Mueller, Chentanez 2016) on springs, C = l - r, compliance 1 / k, with node matrices G = m / h^2 + .. in
// the place of masses, so that damping, air and handles act implicitly, and multipliers in newtons. With the dashpot's
// part of equation 26 and all of equation 18 multiplied by k,
//     d lambda = (-k C - c/h n . (e - e_0) - lambda) / ((k + c/h) (W_i + W_j) + 1),   x_i += G_i^-1 n d lambda,
// and d lambda = -C / (W_i + W_j) where the spring is inextensible.
// Iterates are displacements since the substep's start: in positions, f32 would lose what an iteration adds.
//!import methods/implicit/anchor.wgsl
//!import network/spring.wgsl

override RELAXATION: f32 = 1.0;

// d lambda of a spring with direction and length as they are, whose ends have moved apart by d since the substep's start,
// with what it has of lambda; W is that of both ends.
fn change_of(spring: Extent, d: vec3f, link: Link, lambda: f32, w: f32) -> f32 {
    if (is_inextensible(link.stiffness)) {
        // The limit: compliance 0.
        return -RELAXATION * (spring.length - link.rest_length) / w;
    }
    var left = -link.stiffness * (spring.length - link.rest_length) - lambda;
    var stiffness = link.stiffness;
    if (HAS_DASHPOTS) {
        let c = link.dashpot / world.step;
        left -= c * dot(spring.direction, d);
        stiffness += c;
    }
    return RELAXATION * left / (stiffness * w + 1.0);
}

// G^-1 f of a node.
fn moved_by(i: u32, f: vec3f) -> vec3f {
    let push = anchor[i].w * f;
    if (!HAS_DRAG) {
        return push;
    }
    let b = anchor_drag(i);
    return solve_above_one(Symmetric(b.diagonal + vec3f(1.0), b.off), push);
}
