// Penalty of a collider with surface velocity u, for a node of mass m at distance d from it (negative inside), normal n, with
// velocity r = v - u relative to it:
//     f = F n + kept - c_t (r+ - (r+ . n) n),  F = -k d+ - c_n (r+ . n),  k = stiffness m,  c_n = damping m where d < 0, else 0
// (m with what lies on the node where that is much: forces/contact.wgsl),
// where kept and c_t are Coulomb's friction (forces/friction.wgsl) with the limit friction F.
// Implicit solvers use d+ = d + h r+ . n and r+ at the substep's end, which adds (h k + c_n) n n^T to B. Friction needs
// F before the substep is solved. F, and whether there is contact at all, follow from the velocity r* of the node at
// the end without contact: r+ . n = r* . n + h w F, where w is the node's mobility along n. Contact that begins within
// the substep counts, and contact never pulls. (c_n must not depend on the sign of r . n, which at rest is rounding.)
// Explicit solvers use d+ = d and r+ = r, c_n only if the node approaches, and friction as its force over the substep,
// because they know the forces of springs in it.
//!import core/across.wgsl
//!import forces/collider.wgsl
//!import forces/drag.wgsl
//!import forces/friction.wgsl
//!import state/world.wgsl

// Whether the solver evaluates B and springs at the end of the substep.
override IS_IMPLICIT: bool = false;

// A node in a substep, without its contact.
struct Motion {
    x: vec3f,           // at the start [m]
    present: vec3f,     // velocity at the start [m/s]
    alone: vec3f,       // at the end, without springs [m/s]
    relaxed: vec3f,     // with springs that relax while neighbors stay [m/s]
    pulled: vec3f,      // with the force that springs have at the start, and surfaces in touch [m/s]
    mass: f32,          // [kg]
    held: f32,          // mass that stiffness and damping count [kg]
    borne: f32,         // of the surfaces that lie on the node, where that is much; else 0 [kg]
    pressed: vec3f,     // what lasts of the force of surfaces in touch in the substep before [N]
    arriving: vec3f,    // velocity by what arrives, where the node bears it [m/s]
    block_part: f32,    // its own of the mass of the node and what arrives, where both go on as one [1]
    mobility: f32,      // change of the velocity at the end per impulse [1/kg]
    drag: Symmetric,    // divided by 1 + this, if anything drags
}

// A surface that a node may touch.
struct Touch {
    normal: vec3f,
    distance: f32,      // [m]
    velocity: vec3f,    // of the surface, its way in the substep over the step [m/s]
}

fn touch(c: Collider, x: vec3f) -> Touch {
    let at = nearest_surface(c, x);
    return Touch(at.xyz, at.w, c.velocity + turning(c, x - at.w * at.xyz - c.center));
}

// The velocity of a point of a collider at p from its center: on the chord of its way, since the tangent would lead outward. Where it turns by
// more than a radian nothing sticks, and the tangent has the direction of friction.
fn turning(c: Collider, p: vec3f) -> vec3f {
    let rate = length(c.spin);
    let half = 0.5 * rate * world.step;
    let along = cross(c.spin, p);
    if (half > 0.5) {
        return along;
    }
    let inward = rate * across(p, c.spin / max(rate, TINY));
    return (cos(half) * along - sin(half) * inward) * (sin(half) / max(half, TINY));
}

// The change of the velocity at the end by an impulse p, while springs hold the node. `held` is their stiffness over the
// scalar part of G.
fn given(motion: Motion, p: vec3f, held: f32) -> vec3f {
    if (!HAS_AIR || !IS_IMPLICIT) {
        return motion.mobility / (1.0 + held) * p;
    }
    return motion.mobility * solve(Symmetric(motion.drag.diagonal + vec3f(1.0 + held), motion.drag.off), p);
}

// The normal force of an implicit substep: F = (pressed - held r* . n) / softened.
struct Normal {
    pressed: f32,       // -k d [N]
    damper: f32,        // c_n [N s/m]
    held: f32,          // h k + c_n [N s/m]
    softened: f32,
}

fn normal_of(c: Collider, at: Touch, motion: Motion) -> Normal {
    let k = c.stiffness * motion.held;
    let damper = select(0.0, c.damping * motion.held, at.distance < 0.0);
    let held = world.step * k + damper;
    let w = dot(at.normal, given(motion, at.normal, 0.0));
    return Normal(-k * at.distance, damper, held, 1.0 + world.step * w * held);
}

fn load_of(normal: Normal, at: Touch, v: vec3f) -> f32 {
    return (normal.pressed - normal.held * dot(v - at.velocity, at.normal)) / normal.softened;
}

// Whether the node may be in contact in this substep, for any forces of springs. In implicit solvers this includes a
// node outside that would arrive without springs.
fn is_near(c: Collider, at: Touch, motion: Motion) -> bool {
    if (at.distance < 0.0 || !IS_IMPLICIT) {
        return at.distance < 0.0;
    }
    return load_of(normal_of(c, at, motion), at, motion.alone) > 0.0;
}

// What acts on a node that touches, and the part of it that is friction.
struct Contact {
    drag: Drag,
    friction: Friction,
    touches: bool,
}

// Friction at the end of the substep before, of implicit solvers.
struct LastFriction {
    force: vec3f,       // [N]
    slip: vec3f,        // [m/s]
}

fn contact(c: Collider, at: Touch, motion: Motion, last: LastFriction) -> Contact {
    let n = at.normal;
    let present = motion.present - at.velocity;
    let pulled = motion.pulled + motion.arriving - at.velocity;
    let slip = across(pulled, n);
    let w = motion.block_part * mobility_along(motion, slip);
    if (!IS_IMPLICIT) {
        let damper = c.damping * min(dot(present, n), 0.0);
        let force = motion.mass * (-c.stiffness * at.distance - damper);
        let along = friction(c.friction * force, Slip(vec3f(0.0), slip, slip, slip), w, 1.0, c.slip_speed, vec3f(0.0));
        let held = along.drag / (1.0 + world.step * w * along.drag);
        return Contact(Drag(force * n - held * slip, NO_DRAG), along, true);
    }
    let normal = normal_of(c, at, motion);
    let alone = load_of(normal, at, motion.alone);
    let with_springs = load_of(normal, at, motion.pulled);
    // Springs may lift a node off a surface on which it would fall, or hold it on one that it would leave.
    if (select(max(alone, with_springs), min(alone, with_springs), at.distance >= 0.0) <= 0.0) {
        return Contact(Drag(vec3f(0.0), NO_DRAG), Friction(vec3f(0.0), 0.0), false);
    }
    // As with slip: between the present value and the values without springs and with relaxed springs.
    let had = normal.pressed - normal.damper * dot(present, n);
    let relaxed = load_of(normal, at, motion.relaxed);
    // What arrives does not decide whether there is contact: what hangs in the air, or lies on something else, does not stop it here.
    let more = load_of(normal, at, motion.alone + motion.arriving) - alone;
    let least = min(min(alone, relaxed) + more, had);
    let load = max(clamp(with_springs + more, least, max(max(alone, relaxed) + more, had)), 0.0);
    let slips = Slip(
        across(last.slip, n), across(motion.alone + motion.arriving - at.velocity, n),
        across(motion.relaxed + motion.arriving - at.velocity, n), slip);
    let along = friction(c.friction * load, slips, w, own_part(motion, n), c.slip_speed, across(last.force, n));
    let matrix = along_and_across(n, normal.held, along.drag);
    return Contact(Drag(multiply(matrix, at.velocity) + normal.pressed * n + along.kept, matrix), along, true);
}

// The node's part of its mass and that of what lies on it, as far as that presses: its force over what the node falls with, without springs. Beside what
// arrives, which the mobility counts.
fn own_part(motion: Motion, n: vec3f) -> f32 {
    let weight = max(-dot(motion.pressed, n), 0.0);
    let falling = max(dot(motion.present - motion.alone, n), 0.0) / world.step;
    let part = motion.mass / (motion.mass + min(motion.borne, weight / max(falling, TINY)));
    return min(part / motion.block_part, 1.0);
}

const NO_DRAG = Symmetric(vec3f(0.0), vec3f(0.0));

// The mobility along the direction of v, or along any direction if v is zero.
fn mobility_along(motion: Motion, v: vec3f) -> f32 {
    let squared = dot(v, v);
    if (squared == 0.0) {
        return motion.mobility;
    }
    return dot(v, given(motion, v, 0.0)) / squared;
}
