// A pair of a node and a triangle, of two edges, or a hinge, where it touches.
//
// A hinge is two triangles (v, p, q) and (b, q, p) with a common edge. Folded onto each other their sides cross, where neither v nor b is
// above the other triangle: nodes and triangles alone would let them. So v is kept from the point that is as far from the edge as itself, at
// the same height along it, in the plane of the other triangle. At rest
//     foot(v) + (h_v / h_b) (b - foot(b)),   foot(v) = p + t_v (q - p), h the heights over the edge
// whose weights are those of the rest state for good.
//!import contact/crossing.wgsl
//!import contact/skins.wgsl
//!import contact/slots.wgsl
//!import contact/touch.wgsl

// Of p, q and b.
fn weights_of_hinge(v: u32, hinge: vec3u) -> vec3f {
    let p = skins[hinge.x].rest;
    let edge = skins[hinge.y].rest - p;
    let to_v = skins[v].rest - p;
    let to_b = skins[hinge.z].rest - p;
    let along_v = dot(to_v, edge) / dot(edge, edge);
    let along_b = dot(to_b, edge) / dot(edge, edge);
    let part = length(to_v - along_v * edge) / length(to_b - along_b * edge);
    let q = along_v - part * along_b;
    return vec3f(1.0 - part - q, q, part);
}

// Corners relative to the node.
fn touch_slot(slot: Slot, v: u32, a: vec3f, b: vec3f, c: vec3f) -> Touch {
    if (is_hinge(slot)) {
        let weights = weights_of_hinge(v, slot.triangle);
        let away = -(weights.x * a + weights.y * b + weights.z * c);
        let distance = length(away);
        return Touch(select(vec3f(0.0), away / distance, distance > 0.0), distance, weights);
    }
    if (is_edges(slot)) {
        return touch_of_edges(a, b, c, side_of(slot));
    }
    return touch(a, b, c, side_of(slot));
}

// Numbers of the nodes on the own side, 0 behind the first unless it is an edge, and on the other one.
struct Sides {
    own: vec2f,
    other: vec3f,
}

fn sides_of(slot: Slot, node: f32, corners: vec3f) -> Sides {
    if (is_edges(slot)) {
        return Sides(vec2f(node, corners.z), vec3f(corners.xy, 0.0));
    }
    return Sides(vec2f(node, 0.0), corners);
}

// Sides of a hinge do not rub.
fn friction_of(slot: Slot, pair: Fabric) -> f32 {
    return select(pair.friction, 0.0, is_hinge(slot));
}
