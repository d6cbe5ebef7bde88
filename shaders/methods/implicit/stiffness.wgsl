// The projected second derivative of a spring's energy (Baraff and Witkin 1998, projected where compressed).
//!import core/symmetric.wgsl
//!import network/spring.wgsl

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
    // A spring without direction has the same stiffness in all directions: K = k I.
    let has_direction = spring.length > 1e-6 * rest_length;
    let t = select(1.0, max(least, stretch / max(spring.length, 1e-30)), has_direction);
    return Stiffness(spring.direction, k, k * t, k * stretch, stretch);
}

// The same of a spring with a multiplier lambda and penalty sigma: F = rho (l - r) + theta lambda stands for its tension,
// rho = k sigma / (k + sigma), theta = k / (k + sigma), which are sigma and 1 where the spring is inextensible; see
// src/model/multipliers.rs. It adds half of tension times stretch to phi, which is no true energy: with multipliers phi need not
// fall.
// Beyond r by its limit a it pulls with lambda + sigma (l - r - a), if that is more; of a soft spring, which has no
// multiplier but for that, so much more.
fn augmented_stiffness_of(e: vec3f, link: Link, multiplier: f32, least: f32) -> Stiffness {
    let spring = extent(e, link.rest_length);
    let stretch = spring.length - link.rest_length;
    let theta = theta_of(link);
    var along = link.penalty * theta;
    var tension = along * stretch + theta * multiplier;
    if (link.limit > 0.0) {
        // The stiffness is that at the limit even below the limit: a stiffness that changed there would overshoot.
        let beyond = multiplier + link.penalty * (stretch - link.limit);
        if (is_soft(link)) {
            along = link.stiffness + link.penalty;
            tension = link.stiffness * stretch + max(beyond, 0.0);
        } else {
            along = link.penalty;
            tension = max(tension, beyond);
        }
    }
    let has_direction = spring.length > 1e-6 * link.rest_length;
    let across = select(along, max(least * along, tension / max(spring.length, 1e-30)), has_direction);
    return Stiffness(spring.direction, along, across, tension, stretch);
}

fn theta_of(link: Link) -> f32 {
    return select(link.stiffness / (link.stiffness + link.penalty), 1.0, is_inextensible(link.stiffness));
}

// rho, or k of a soft spring, which has a multiplier for its limit alone.
fn rho_of(link: Link) -> f32 {
    if (link.penalty == 0.0 || (link.limit > 0.0 && is_soft(link))) {
        return link.stiffness;
    }
    return link.penalty * theta_of(link);
}

// The largest push of a multiplier, over sigma r. A multiplier that pushed harder would make cloth buckle back and forth.
const MOST_PUSH: f32 = 0.1;
// Most that it pulls, over sigma r, while F and lambda differ by more than CALM rho r: a spring that would have to be
// shorter than nothing to be at ease overshoots.
const MOST_PULL: f32 = 1.0;
const CALM: f32 = 0.1;

// Whether lambda of a spring with a limit is what comes to k (l - r), not all of its tension.
fn is_soft(link: Link) -> bool {
    return link.stiffness <= link.penalty;
}

// lambda <- F, or what it is beyond k (l - r), for a spring as `augmented_stiffness_of` found it.
fn next_multiplier(link: Link, s: Stiffness, multiplier: f32) -> f32 {
    let most = link.penalty * link.rest_length;
    var pull = s.tension;
    if (link.limit > 0.0 && is_soft(link)) {
        pull = max(multiplier + link.penalty * (s.stretch - link.limit), 0.0);
    }
    let is_calm = abs(pull - multiplier) <= CALM * s.along * link.rest_length;
    return max(-MOST_PUSH * most, select(min(pull, MOST_PULL * most), pull, is_calm));
}

fn times(s: Stiffness, u: vec3f) -> vec3f {
    return s.across * u + (s.along - s.across) * dot(s.direction, u) * s.direction;
}

fn matrix(s: Stiffness) -> Symmetric {
    // Without a direction n = 0, and the matrix is across I = k I.
    return along_and_across(s.direction, s.along, s.across);
}
