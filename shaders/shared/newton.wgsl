// The projected second derivative of a spring's energy (Baraff and Witkin 1998, projected where compressed).
//!import shared/math.wgsl
//!import shared/spring.wgsl

// K = along n n^T + across (I - n n^T), for a spring of vector e.
struct Stiffness {
    direction: vec3f,   // n
    along: f32,         // k [N/m]
    across: f32,        // k t, t = max(least, 1 - r / l) [N/m]
    tension: f32,       // k (l - r) [N]
    stretch: f32,       // l - r [m]
}

fn stiffness_of(e: vec3f, rest_length: f32, k: f32, least: f32) -> Stiffness {
    let spring = extent(e, rest_length);
    let stretch = spring.length - rest_length;
    // A spring without direction pulls alike in all of them: K = k I.
    let has_direction = spring.length > 1e-6 * rest_length;
    let t = select(1.0, max(least, stretch / max(spring.length, 1e-30)), has_direction);
    return Stiffness(spring.direction, k, k * t, k * stretch, stretch);
}

fn times(s: Stiffness, u: vec3f) -> vec3f {
    return s.across * u + (s.along - s.across) * dot(s.direction, u) * s.direction;
}

fn matrix(s: Stiffness) -> Symmetric {
    // Without a direction n = 0, and all that is left is across I = k I.
    return along_and_across(s.direction, s.along, s.across);
}

fn scaled(a: f32, m: Symmetric) -> Symmetric {
    return Symmetric(a * m.diagonal, a * m.off);
}

const NOTHING = Symmetric(vec3f(0.0), vec3f(0.0));
