// How far parts of the surface come nearer to colliders. `moment` is declared by the file that imports this.
//!import contact/bindings.wgsl
//!import contact/parts.wgsl
//!import state/moment.wgsl

override COLLIDERS: u32 = 0u;

// How far a part comes nearer to a collider in a frame [m], if it may come within its reach soon; else -1. What hits one may fold at once.
// Colliders are convex: all of the part is at least as far away as from the plane at the point that is nearest to its center.
fn way_to(part: Part, collider: Collider) -> f32 {
    let center = 0.5 * (part.bounds.low + part.bounds.high);
    let surface = nearest_surface(collider, center);
    let of_collider = FRAME * (collider.velocity + cross(collider.spin, center - collider.center));
    let way = 0.5 * (part.bounds.least + part.bounds.most) - of_collider;
    let nearer = max(-dot(surface.xyz, way), 0.0);
    let depth = min(radius_of(part), 0.5 * dot(abs(surface.xyz), part.bounds.high - part.bounds.low));
    return select(-1.0, nearer, surface.w - depth - AHEAD * nearer <= tree.largest_reach);
}

// The most of all colliders; -1 if it meets none.
fn way_to_any(part: Part) -> f32 {
    var most = -1.0;
    for (var k = 0u; k < COLLIDERS; k += 1u) {
        most = max(most, way_to(part, moment.colliders[k]));
    }
    return most;
}
