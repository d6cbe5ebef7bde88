// The rows of pairs where a substep begins, for groups: the weights of the corners at x_n, and the weight t of the pair in a mean: 1
// where it touches at x_n or at y, else APART.
//!import contact/listed.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import contact/touch_slot.wgsl
//!import core/launch.wgsl
//!import methods/implicit/moves.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;     // first z; 0 in w for pins
@group(2) @binding(3) var<storage, read> start: array<vec4f>;           // x_n
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(5) var<storage, read_write> presses: array<vec4f>;
@group(2) @binding(6) var<storage, read> anchor: array<vec4f>;          // row 0: y, or y - x_n

const APART: f32 = 1e-3;

fn at_start(i: u32) -> vec3f {
    return start[i].xyz;
}

fn alone(i: u32) -> vec3f {
    if (position_in[i].w == 0.0) {
        return position_in[i].xyz;
    }
    return anchor[i].xyz + select(vec3f(0.0), start[i].xyz, KEEPS_MOVES);
}

// Reads the state and slots; writes presses. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn open_slots(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        let slot = slots[s];
        let t = slot.triangle;
        let x = at_start(v);
        let y = alone(v);
        let now = touch_slot(slot, v, at_start(t.x) - x, at_start(t.y) - x, at_start(t.z) - x);
        let then = touch_slot(slot, v, alone(t.x) - y, alone(t.y) - y, alone(t.z) - y);
        let touches = min(now.distance, then.distance) < thickness_of(slot);
        presses[PRESSES * s + PRESS_WEIGHTS] = vec4f(now.weights, select(APART, 1.0, touches));
    }
}
