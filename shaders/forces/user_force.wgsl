// The placeholder for scenes without a user force.

// Force [N] on a node at a position [m] with a velocity [m/s] and a mass [kg], at a time [s].
fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {
    return vec3f(0.0);
}
