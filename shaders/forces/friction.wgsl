// Coulomb's friction as a drag f = -c r+ on the tangential velocity r+ that a substep ends with: c = limit / |r+|, where limit
// is the friction coefficient times the normal force. If that would stop the slip, c stops all of it but `slip_speed`,
// or a thousandth of the slip that it could stop: with a larger c, f32 would have no digits left for anything else.
// c is needed before r+ is known. For a node without springs, |r+| = |r*| - h w limit, where r* is its velocity at the
// end without friction, and w its mobility (1 / m). With this c it stops where a block stops, and never reverses.
// Springs change r*, but the force of stiff springs does not stay as at the substep's start: they relax within the
// substep. So r+ is predicted with the force at the start, within bounds. It is no slower than without springs. It is
// no faster than the fastest of three velocities: without springs, with springs whose other ends stay, and the present
// slip. And it is no slower than most of the present slip: if springs drive the slip, a prediction near zero would hold
// the node, release it, and hold it again.

// Tangential velocities [m/s].
struct Slip {
    present: vec3f,     // at the substep's start
    alone: vec3f,       // at its end without friction and springs
    relaxed: vec3f,     // with springs that relax while neighbors stay
    pulled: vec3f,      // with the force that springs have at the start, and surfaces in touch
}

const KEPT: f32 = 0.8;
const SOFTNESS: f32 = 0.001;

// c [N s/m], with the mobility in 1/kg.
fn friction(limit: f32, slip: Slip, mobility: f32, slip_speed: f32) -> f32 {
    let stopped = world.step * mobility * limit;
    let present = length(slip.present);
    let least = max(max(length(slip.alone) - stopped, KEPT * present), max(slip_speed, SOFTNESS * stopped));
    let most = max(max(present, length(slip.relaxed) - stopped), least);
    return limit / clamp(length(slip.pulled) - stopped, least, most);
}
