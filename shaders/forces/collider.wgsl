// Colliders: planes, and boxes with rounded edges. Spheres and capsules are such boxes, too.
//!import core/quaternion.wgsl

struct Collider {
    center: vec3f,          // [m]; of a plane a point of it
    is_plane: u32,
    rotation: vec4f,        // quaternion; the normal of a plane and the axis of a capsule are its own y
    half_size: vec3f,       // of the box before it is rounded [m]
    radius: f32,            // of edges, or height above the plane, including the thickness of cloth [m]
    velocity: vec3f,        // of the center [m/s]
    stiffness: f32,         // force per depth and mass of the node [1/s^2]
    spin: vec3f,            // [rad/s]
    friction: f32,          // Coulomb's coefficient
    damping: f32,           // force per velocity along the normal and mass [1/s]
    slip_speed: f32,        // a node that would slip more slowly sticks [m/s]
    padding: vec2f,
}

// Outward normal of the surface nearest to x, and the distance from it, negative inside.
fn nearest_surface(c: Collider, x: vec3f) -> vec4f {
    if (c.is_plane == 1u) {
        let normal = rotated(c.rotation, vec3f(0.0, 1.0, 0.0));
        return vec4f(normal, dot(normal, x - c.center) - c.radius);
    }
    let q = rotated(vec4f(-c.rotation.xyz, c.rotation.w), x - c.center);
    let away = q - clamp(q, -c.half_size, c.half_size);
    let apart = length(away);
    if (apart > 0.0) {
        return vec4f(rotated(c.rotation, away / apart), apart - c.radius);
    }
    // Inside the box before rounding: the way out is through the nearest face.
    let depth = c.half_size - abs(q);
    var axis = vec3f(0.0, 0.0, select(-1.0, 1.0, q.z >= 0.0));
    if (depth.x <= depth.y && depth.x <= depth.z) {
        axis = vec3f(select(-1.0, 1.0, q.x >= 0.0), 0.0, 0.0);
    } else if (depth.y <= depth.z) {
        axis = vec3f(0.0, select(-1.0, 1.0, q.y >= 0.0), 0.0);
    }
    return vec4f(rotated(c.rotation, axis), -min(depth.x, min(depth.y, depth.z)) - c.radius);
}
