// Coulomb's friction as a drag f = -c r+ on the tangential velocity r+ that a substep ends with: c = limit / |r+|, where limit
// is the friction coefficient times the normal force. If that would stop the slip, c stops all of it but `slip_speed`,
// or a thousandth of the slip that it could stop: with a larger c, f32 would have no digits left for anything else. The node sticks.
// c is needed before r+ is known. For a node without springs, |r+| = |r*| - h w limit, where r* is its velocity at the
// end without friction, and w its mobility (1 / m). With this c it stops where a block stops, and never reverses.
// Springs change r*, but the force of stiff springs does not stay as at the substep's start: they relax within the
// substep. So r+ is predicted with the force at the start, within bounds. It is no slower than without springs. It is
// no faster than the fastest of three velocities: without springs, with springs whose other ends stay, and the present
// slip. And it is no slower than most of the present slip: if springs drive the slip, a prediction near zero would hold
// the node, release it, and hold it again.
// Where many times its own mass lies on the node, springs and surfaces in touch pull it with forces that are large for it, and not known as well. "Without
// springs" is then a block of both: friction changes its slip by `own_part` of h w limit. What arrives in the substep is in all r*, and w is
// that of the block where both go on as one.
//
// Where it sticks, implicit methods have f = kept - c r+ with the force at the end of the substep before, no more than limit. So a
// node that is held by less comes to rest, instead of creeping. c makes up for what `kept` lacks of limit, as far as it is against the slip
// that springs drive, and needed. Where that slip turns from one substep to the next, the sum may exceed the limit in this one.

// Tangential velocities [m/s].
struct Slip {
    present: vec3f,     // at the substep's start
    alone: vec3f,       // at its end without friction and springs
    relaxed: vec3f,     // with springs that relax while neighbors stay
    pulled: vec3f,      // with the force that springs have at the start, and surfaces in touch
}

// Of the present slip, at least.
const REMAINING: f32 = 0.8;
// Sticking, of what friction could stop, at least.
const SOFTNESS: f32 = 0.001;
// Least part of limit that c is made for where it sticks.
const SPARE: f32 = 0.05;
const TINY: f32 = 1e-30;

struct Friction {
    kept: vec3f,        // [N]
    drag: f32,          // c [N s/m]
}

// With the mobility in 1/kg, the node's own part of its mass and that of what lies on it, and the force at the end of the substep before in N.
fn friction(limit: f32, slip: Slip, mobility: f32, own_part: f32, slip_speed: f32, last: vec3f) -> Friction {
    let stopped = world.step * mobility * limit;
    let present = length(slip.present);
    let sticking = max(slip_speed, SOFTNESS * stopped);
    let least = max(max(length(slip.alone) - own_part * stopped, REMAINING * present), sticking);
    let most = max(max(present, length(slip.relaxed) - stopped), least);
    let pulled = length(slip.pulled);
    let expected = clamp(pulled - stopped, least, most);
    if (expected > sticking) {
        return Friction(vec3f(0.0), limit / expected);
    }
    let kept = last * min(limit / max(length(last), TINY), 1.0);
    let against = -dot(kept, slip.pulled) / max(pulled, TINY);
    let needed = pulled / (world.step * mobility);
    return Friction(kept, (limit - clamp(against, 0.0, min(needed, (1.0 - SPARE) * limit))) / sticking);
}
