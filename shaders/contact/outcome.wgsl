// What a pair did in a substep. Pure.

struct Outcome {
    touches: bool,
    normal: vec3f,
    force: f32,         // along it [N]
    held: f32,          // by friction: a force for each meter of slip [N/m]
    slip: vec3f,        // [m]
    stretch: vec3f,     // what it keeps (kept.wgsl)
    load: f32,
}

fn no_outcome() -> Outcome {
    return Outcome(false, vec3f(0.0), 0.0, 0.0, vec3f(0.0), vec3f(0.0), 0.0);
}
