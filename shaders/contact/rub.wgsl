// Friction of all pairs along the surface. In a matrix it is held slip, with
//     held = limit / max(|u|, |u*| - stopped, least)
// u the slip after h v, u* after what inertia and outer forces alone do, and `stopped` what the friction of all pairs at these nodes
// takes of it:
//     stopped = sum_i |w_i| L_i h^2 / m_i,   L_i the sum of |w_i| limit over all pairs at node i
// Where a pair slides, held times the slip at the end is then the limit itself, whether it slid before or begins to. The pair's own limit, taken
// for all pairs at its nodes, would not do: on uneven triangles some of them press less than others, and would slide.
// A pair that sticks, for which `least` is the largest of the three, keeps the force of the substep before, up to the limit:
// it comes to rest, instead of creeping. Then held makes up for what that lacks of the limit, in any direction: what springs drive is not known
// here, as it is on colliders (forces/friction.wgsl).
// As a force alone, friction is a spring with a dashpot, f no more than limit (P. A. Cundall, O. D. L. Strack, Geotechnique 29, 47 (1979),
// doi:10.1680/geot.1979.29.1.47):
//     f = kept - c u,   kept <- kept - STORED c u,   c = AT_ONCE limit / stopped
// With 1 for AT_ONCE the pairs of a node would take all of its slip. The spring takes over what drives it within some substeps: what sticks comes
// to rest here, too.
//!import contact/crossing.wgsl
//!import contact/listed.wgsl
//!import contact/presses.wgsl
//!import contact/tangents.wgsl
//!import core/across.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(2) var<storage, read> loads: array<f32>;         // L [N]
@group(2) @binding(3) var<storage, read> anchor: array<vec4f>;      // row 0: y - x_0, in a matrix
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(5) var<storage, read_write> presses: array<vec4f>;
@group(2) @binding(8) var<storage, read_write> press_normals: array<vec4f>;
@group(2) @binding(6) var<storage, read> first: array<vec4f>;       // displacement that the matrix begins from

override IN_MATRIX: bool = false;

// What a force alone takes of a slip in a substep, and what of that its spring keeps. Where all nodes stick, springs are stable with
// h^2 omega^2 < 4 - (2 - STORED) AT_ONCE with Verlet and symplectic Euler. Their recommended steps have 3.24 at most, pairs at all nodes included
// (stability.rs).
const AT_ONCE: f32 = 0.5;
const STORED: f32 = 0.5;
// Least slip that friction is divided by [m]: LEAST_SLIP for a force alone, where nothing yields; in a matrix SLIP_SPEED [m/s] times the step, and
// SHORTEST_SLIP at least, as f32 has no digits for less.
const LEAST_SLIP: f32 = 1e-10;
const SLIP_SPEED: f32 = 5e-5;
const SHORTEST_SLIP: f32 = 1e-7;
// Least part of the limit that held is made for.
const SPARE: f32 = 0.05;
const TINY: f32 = 1e-30;

fn within(force: vec3f, limit: f32) -> vec3f {
    return force * min(limit / max(length(force), TINY), 1.0);
}

fn stopped_by(i: u32) -> f32 {
    return loads[i] * position_in[i].w * world.step * world.step;
}

fn coasting(i: u32) -> vec3f {
    return world.step * velocity_in[i].xyz;
}

// Reads the state, loads, presses; writes presses, press_normals. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn rub(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        rub_on(s, v);
    }
}

fn rub_on(s: u32, v: u32) {
    let press = presses[PRESSES * s + PRESS_FORCE];
    let n = press_normals[NORMALS * s + PRESS_NORMAL].xyz;
    let stiffness = press_normals[NORMALS * s + PRESS_NORMAL].w;
    if (stiffness == 0.0) {
        return;
    }
    let w = presses[PRESSES * s + PRESS_WEIGHTS].xyz;
    let t = slots[s].triangle;
    let part = part_of_slot(slots[s], w);
    let slip = across(coasting(v) - w.x * coasting(t.x) - w.y * coasting(t.y) - w.z * coasting(t.z), n);
    let limit = press.w;
    let last = part * across(press_normals[NORMALS * s + PRESS_KEPT].xyz, n);
    let stopped = stopped_by(v) + dot(abs(w), vec3f(stopped_by(t.x), stopped_by(t.y), stopped_by(t.z)));
    var force = press.xyz;
    var held = 0.0;
    if (IN_MATRIX) {
        let alone = anchor[v].xyz - w.x * anchor[t.x].xyz - w.y * anchor[t.y].xyz - w.z * anchor[t.z].xyz;
        let begun = first[v].xyz - w.x * first[t.x].xyz - w.y * first[t.y].xyz - w.z * first[t.z].xyz;
        let least = max(SLIP_SPEED * world.step, SHORTEST_SLIP) / part;
        let expected = max(length(slip), length(across(alone, n)) - stopped);
        var kept = vec3f(0.0);
        held = limit / max(expected, least);
        if (expected <= least) {
            kept = within(last, limit);
            held = max(limit - length(kept), SPARE * limit) / least;
        }
        // The matrix begins from `first`, not from y.
        force += kept - stiffness * dot(begun - alone, n) * n - held * across(begun, n);
        let along = kept * tangents(n);
        let lack = press_normals[NORMALS * s + PRESS_KEPT].w;
        press_normals[NORMALS * s + PRESS_KEPT] = vec4f(vec3f(held, along) / part, lack);
    } else {
        let taken = AT_ONCE * limit / max(stopped, LEAST_SLIP / part) * slip;
        force += within(last - taken, limit);
        press_normals[NORMALS * s + PRESS_KEPT] = vec4f(within(last - STORED * taken, limit) / part, 0.0);
    }
    presses[PRESSES * s + PRESS_FORCE] = vec4f(force, 0.0);
    presses[PRESSES * s + PRESS_WEIGHTS].w = held;
}
