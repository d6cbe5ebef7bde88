// What a pair of a node and a triangle tells colliders where a substep begins: how near both are, and what stops in the substep where one side lies still.
// Files that import this declare `start` (x, 1 / m), `velocity_in` and `slots`.
//!import contact/skins.wgsl
//!import contact/touch_slot.wgsl
//!import core/across.wgsl
//!import state/world.wgsl

struct Bearing {
    near: f32,          // 1 where the pair touches now or after h v, 0 from two thicknesses on [1]
    weights: vec3f,     // |w| of the corners
    normal: vec3f,      // from the triangle to the node
    stops: f32,         // what the pair takes of the speed at which both sides approach, as layers stop within a substep [m/s]
    slip: vec3f,        // of the node along the triangle [m/s]
    friction: f32,      // [1]
}

const NO_BEARING = Bearing(0.0, vec3f(0.0), vec3f(0.0), 0.0, vec3f(0.0), 0.0);

fn after(i: u32, time: f32) -> vec3f {
    return start[i].xyz + time * velocity_in[i].xyz;
}

fn touch_after(s: u32, time: f32) -> Touch {
    let v = s / SLOTS;
    let t = slots[s].triangle;
    let x = after(v, time);
    return touch_slot(slots[s], v, after(t.x, time) - x, after(t.y, time) - x, after(t.z, time) - x);
}

// Of hinges and pairs of edges nothing.
fn bearing_of(s: u32) -> Bearing {
    let slot = slots[s];
    if (is_hinge(slot) || is_edges(slot)) {
        return NO_BEARING;
    }
    let v = s / SLOTS;
    let t = slot.triangle;
    let now = touch_after(s, 0.0);
    let later = touch_after(s, world.step).distance;
    let thickness = thickness_of(slot);
    let w = now.weights;
    let against = velocity_in[v].xyz - w.x * velocity_in[t.x].xyz - w.y * velocity_in[t.y].xyz - w.z * velocity_in[t.z].xyz;
    let approach = max(-dot(against, now.normal), 0.0);
    return Bearing(
        clamp(2.0 - min(now.distance, later) / thickness, 0.0, 1.0),
        abs(w),
        now.normal,
        clamp((thickness - later) / world.step, 0.0, approach),
        across(against, now.normal),
        paired(fabric_of(skins[v].body), fabric_of(skins[t.x].body)).friction);
}
