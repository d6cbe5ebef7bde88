// Pairs of surfaces in touch as constraints, all at once behind each iteration over springs, from the force F and the stiffness S that each
// has at the iterate (contact/meet.wgsl):
//     d lambda = (F - lambda) / (1 + S / e sum_i |w_i| W_i K_i),   x_i += G_i^-1 w_i d lambda,
// along the normal and across it, e the stiffness along it and K_i the sum of |w_i| e over all pairs at a node. These sums are those of the
// rows of the pairs' matrix, so that pairs that move together do not go too far. lambda pushes, and across the normal it is mu times that
// at most: F, the force before nodes have given way, is many times as large. Of a pair that has opened since it pushed, F pulls with the stiffness
// that it had, by the gap: so much of lambda goes as closes it. It is a force on the node, with its reaction on the corners: momentum is kept.
//!import contact/crossing.wgsl
//!import contact/listed.wgsl
//!import contact/pressed.wgsl
//!import contact/touch_slot.wgsl
//!import core/launch.wgsl
//!import methods/xpbd/change.wgsl

@group(2) @binding(0) var<storage, read_write> iterate: array<vec4f>;
@group(2) @binding(1) var<storage, read> loads: array<f32>;                 // K [N/m]
@group(2) @binding(3) var<storage, read_write> pair_lambda: array<vec4f>;   // [N], and e where it touched last [N/m], of each slot
@group(2) @binding(8) var<storage, read> press_normals: array<vec4f>;

// Whether this is the first visit, which begins with lambda = 0.
override IS_FIRST: bool = false;

fn yielded_by(i: u32) -> f32 {
    return loads[i] * anchor[i].w;
}

// 1 / g of the corners of a triangle.
fn mobility_of(triangle: vec3u) -> vec3f {
    return vec3f(anchor[triangle.x].w, anchor[triangle.y].w, anchor[triangle.z].w);
}

// What of a force pushes along n, and across it mu times that at most.
fn limit(force: vec3f, n: vec3f, mu: f32) -> vec3f {
    let push = max(dot(force, n), 0.0);
    let across = force - dot(force, n) * n;
    return push * n + min(1.0, mu * push / max(length(across), 1e-30)) * across;
}

// Leaves in presses what lambda changes by. Reads anchor, loads, slots, skins, press_normals; reads and writes presses, pair_lambda. One thread per
// listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn relax_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        let w = presses[PRESSES * s + PRESS_WEIGHTS];
        let t = slots[s].triangle;
        let part = part_of_slot(slots[s], w.xyz);
        let yielded = part * (yielded_by(v) + dot(abs(w.xyz), vec3f(yielded_by(t.x), yielded_by(t.y), yielded_by(t.z))));
        let normal = press_normals[NORMALS * s + PRESS_NORMAL];
        let across = select(1.0, w.w / normal.w, normal.w > 0.0);
        var had = vec4f(0.0);
        if (!IS_FIRST) {
            had = pair_lambda[s];
        }
        let press = presses[PRESSES * s + PRESS_FORCE];
        let touches = normal.w > 0.0;
        let e = select(had.w, normal.w / (part * part), touches);
        // K does not have the stiffness of a pair that has opened.
        let own = select(part * part * e * (anchor[v].w + dot(w.xyz * w.xyz, mobility_of(t))), 0.0, touches);
        let force = select(-e * press.w * normal.xyz, press.xyz / part, touches);
        let left = force - had.xyz;
        let along = dot(left, normal.xyz) * normal.xyz;
        let free = had.xyz + along / (1.0 + yielded + own) + (left - along) / (1.0 + across * (yielded + own));
        let fabric = paired(fabric_of(skins[v].body), fabric_of(skins[t.x].body));
        let limited = limit(free, normal.xyz, friction_of(slots[s], fabric));
        pair_lambda[s] = vec4f(limited, e);
        presses[PRESSES * s + PRESS_FORCE] = vec4f(part * (limited - had.xyz), 0.0);
    }
}

// Moves nodes by that. Reads anchor, slots, presses, rows; reads and writes iterate. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn move_apart(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let i = listed(place);
    let u = iterate[i];
    iterate[i] = vec4f(u.xyz + moved_by(i, sum_of_presses(i)), u.w);
}
