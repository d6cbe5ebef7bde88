// The stiffness of a pair in a method that minimizes [N/m]. Pure.
//     k_0 = mean over both sides of ELASTIC kappa + INERTIAL m / h^2
//     k   = max(k_0, min(lambda / (DEPTH D), mean of kappa))
// kappa and m of the coarser side are those in the area of a node of the finer one, (s / s_coarser)^2 of them: all nodes of a fine sheet around one of a
// coarse sheet have pairs with it, and share it. They do not where pins hold one side.
// The second term of k_0 stops layers within a substep, whatever they weigh. lambda is the force that the pair had lately: what is
// pressed harder becomes stiffer within some substeps, up to the cloth itself.
//!import contact/touch_slot.wgsl

// Least slip that friction is divided by, and the least length of a stretch that slides [m].
const LEAST_SLIP: f32 = 3e-6;
const ELASTIC: f32 = 0.005;
const INERTIAL: f32 = 30.0;
// How deep lambda should sink in, as a part of D.
const DEPTH: f32 = 0.1;

// From h^2 / m of the nodes of both sides, 0 for pins: only sides that move count. `load`: lambda.
fn stiffness_of_pair(yields: Sides, own: Fabric, other: Fabric, load: f32, thickness: f32) -> f32 {
    if (own.fixed > 0.0 || other.fixed > 0.0) {
        return max(own.fixed, other.fixed);
    }
    let is_free = vec3f(yields.other > vec3f(0.0));
    let count = sum_of_parts(is_free);
    let is_own_free = vec2f(yields.own > vec2f(0.0));
    let own_count = is_own_free.x + is_own_free.y;
    var elastic = 0.0;
    var inertial = 0.0;
    var sides = 0.0;
    if (own_count > 0.0) {
        let part = select(1.0, shared_part(other, own), count > 0.0);
        elastic += part * own.stiffness;
        inertial += part * dot(is_own_free, vec2f(1.0) / max(yields.own, vec2f(1e-30))) / own_count;
        sides += 1.0;
    }
    if (count > 0.0) {
        let part = select(1.0, shared_part(own, other), own_count > 0.0);
        elastic += part * other.stiffness;
        inertial += part * dot(is_free, vec3f(1.0) / max(yields.other, vec3f(1e-30))) / count;
        sides += 1.0;
    }
    sides = max(sides, 1.0);
    return max((ELASTIC * elastic + INERTIAL * inertial) / sides, min(load / (DEPTH * thickness), elastic / sides));
}

// What a node of one fabric has of a node of another one.
fn shared_part(one: Fabric, other: Fabric) -> f32 {
    let part = min(1.0, one.spacing / other.spacing);
    return part * part;
}

fn sum_of_parts(v: vec3f) -> f32 {
    return v.x + v.y + v.z;
}
