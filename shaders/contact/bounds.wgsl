// Bounding boxes of things in motion: of where they are, and of how far they move. Pure.

struct Bounds {
    low: vec3f,         // of positions at the start [m]
    high: vec3f,
    least: vec3f,       // of displacements [m]
    most: vec3f,
}

const FAR: f32 = 1e30;
// Bounds of nothing: no others meet them.
const NO_BOUNDS: Bounds = Bounds(vec3f(FAR), vec3f(-FAR), vec3f(FAR), vec3f(-FAR));

fn around(bounds: Bounds, x: vec3f, d: vec3f) -> Bounds {
    return Bounds(min(bounds.low, x), max(bounds.high, x), min(bounds.least, d), max(bounds.most, d));
}

fn around_both(a: Bounds, b: Bounds) -> Bounds {
    return Bounds(min(a.low, b.low), max(a.high, b.high), min(a.least, b.least), max(a.most, b.most));
}

// Whether what is inside may come closer than `margin` to each other, while both move in straight lines. Only the motion of
// one against the other counts: what moves together never meets.
fn may_meet(a: Bounds, b: Bounds, margin: f32) -> bool {
    let below = a.low - b.high + min(a.least - b.most, vec3f(0.0));
    let above = a.high - b.low + max(a.most - b.least, vec3f(0.0));
    return all(below <= vec3f(margin)) && all(above >= vec3f(-margin));
}

fn first_third(bounds: Bounds) -> vec4f {
    return vec4f(bounds.low, bounds.high.x);
}

fn second_third(bounds: Bounds) -> vec4f {
    return vec4f(bounds.high.yz, bounds.least.xy);
}

fn third_third(bounds: Bounds) -> vec4f {
    return vec4f(bounds.least.z, bounds.most);
}

fn from_thirds(a: vec4f, b: vec4f, c: vec4f) -> Bounds {
    return Bounds(a.xyz, vec3f(a.w, b.xy), vec3f(b.zw, c.x), c.yzw);
}
