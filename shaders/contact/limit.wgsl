// The limit of friction of all pairs in a matrix, mu f. The normal force at the end is guessed from what is left of that at y once all pairs at the
// nodes have given way, and what this lacked lately (outcome_system.wgsl):
//     f = max(f_y / (1 + yielded) + lack, 0),   yielded = sum_i |w_i| K_i h^2 / m_i,   K_i the stiffness of all pairs at node i
//!import contact/crossing.wgsl
//!import contact/kept.wgsl
//!import contact/listed.wgsl
//!import contact/presses.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(2) var<storage, read> loads: array<f32>;         // K [N/m]
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(5) var<storage, read_write> presses: array<vec4f>;
@group(2) @binding(8) var<storage, read_write> press_normals: array<vec4f>;

fn yielded_by(i: u32) -> f32 {
    return loads[i] * position_in[i].w * world.step * world.step;
}

// Reads positions, loads, slots; reads and writes presses, press_normals. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn limit(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        limit_of(s, v);
    }
}

fn limit_of(s: u32, v: u32) {
    let press = presses[PRESSES * s + PRESS_FORCE];
    if (press_normals[NORMALS * s + PRESS_NORMAL].w == 0.0) {
        presses[PRESSES * s + PRESS_FORCE].w = 0.0;
        return;
    }
    let w = presses[PRESSES * s + PRESS_WEIGHTS].xyz;
    let t = slots[s].triangle;
    let part = part_of_slot(slots[s], w);
    let yielded = part * (yielded_by(v) + dot(abs(w), vec3f(yielded_by(t.x), yielded_by(t.y), yielded_by(t.z))));
    let guess = dot(press.xyz, press_normals[NORMALS * s + PRESS_NORMAL].xyz) / (1.0 + yielded);
    let normal_force = max(guess + part * press_normals[NORMALS * s + PRESS_KEPT].w, 0.0);
    presses[PRESSES * s + PRESS_FORCE].w = press.w * normal_force;
    // lack - GROWTH (guess + lack); outcome_system.wgsl adds GROWTH f.
    press_normals[NORMALS * s + PRESS_KEPT].w = mix(press_normals[NORMALS * s + PRESS_KEPT].w, -guess / part, GROWTH);
}
