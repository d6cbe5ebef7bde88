// What a pair did in a substep. Pure.

struct Outcome {
    touches: bool,
    normal: vec3f,
    force: f32,         // along it [N]
    friction: vec3f,    // [N]
    stretch: vec3f,     // what it keeps (kept.wgsl)
    load: f32,
}

fn no_outcome() -> Outcome {
    return Outcome(false, vec3f(0.0), 0.0, vec3f(0.0), vec3f(0.0), 0.0);
}
