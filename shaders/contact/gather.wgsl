// The sums of all pairs at each node: of its own slots, then of those in which it is a corner, always in the same order.
//!import contact/crossing.wgsl
//!import contact/listed.wgsl
//!import contact/pressed.wgsl
//!import contact/presses.wgsl
//!import contact/runs_{always|until_converged}.wgsl
//!import core/launch.wgsl
//!import core/symmetric.wgsl
//!import forces/applied_rows.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read_write> applied_out: array<vec4f>;
@group(2) @binding(8) var<storage, read> press_normals: array<vec4f>;
@group(2) @binding(1) var<storage, read_write> loads: array<f32>;
// Vectors of a linear system.
@group(2) @binding(3) var<storage, read_write> work: array<vec4f>;

// The row of `work` that a product is of, and that it is written to.
override FROM: u32 = 0u;
override CONTACT_PRODUCT: u32 = 0u;
override IN_MATRIX: bool = false;
// Rows of contact.
override ROWS: u32 = 1u;

// What of its force the node of a slot takes: its row is divided by that.
fn part_at(s: u32) -> f32 {
    return part_of_slot(slots[s], presses[PRESSES * s + PRESS_WEIGHTS].xyz);
}

// The stiffness of all pairs in touch along their normals. Reads slots, presses, rows; writes loads. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_loads(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let i = listed(place);
    var load = 0.0;
    for (var k = 0u; k < SLOTS; k += 1u) {
        let s = SLOTS * i + k;
        if (is_empty(s)) {
            break;
        }
        load += press_normals[NORMALS * s + PRESS_NORMAL].w / part_at(s);
    }
    for (var k = row_starts[i]; k < row_starts[i + 1u]; k += 1u) {
        let s = slot_of_entry(k);
        load += abs(weight_of_entry(k)) * press_normals[NORMALS * s + PRESS_NORMAL].w / part_at(s);
    }
    loads[i] = load;
}

// L_i [N]: the sum of |w_i| times the limit of friction of all pairs. Reads slots, presses, rows; writes loads. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_limits(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_done()) {
        return;
    }
    let i = listed(place);
    var limit = 0.0;
    for (var s = SLOTS * i; s < SLOTS * (i + 1u) && !is_empty(s); s += 1u) {
        limit += presses[PRESSES * s + PRESS_FORCE].w;
    }
    for (var k = row_starts[i]; k < row_starts[i + 1u]; k += 1u) {
        limit += abs(weight_of_entry(k)) * presses[PRESSES * slot_of_entry(k) + PRESS_FORCE].w;
    }
    loads[i] = limit;
}

// Forces and the sum of the pairs' fourth number, which is their energy in methods that minimize one; and the block of the matrix: of a corner with the sum of a row's absolute values, so that twice the block is above.
// Reads slots, presses, rows; writes rows of applied. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_presses(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_done()) {
        return;
    }
    let i = listed(place);
    var energy = 0.0;
    var force = vec3f(0.0);
    var block = Symmetric(vec3f(0.0), vec3f(0.0));
    for (var k = 0u; k < SLOTS; k += 1u) {
        let s = SLOTS * i + k;
        if (is_empty(s)) {
            break;
        }
        let press = presses[PRESSES * s + PRESS_FORCE];
        force += press.xyz;
        energy += press.w;
        if (IN_MATRIX) {
            block = sum(block, stiffness_of_slot(s, 1.0));
        }
    }
    for (var k = row_starts[i]; k < row_starts[i + 1u]; k += 1u) {
        let s = slot_of_entry(k);
        force -= weight_of_entry(k) * presses[PRESSES * s + PRESS_FORCE].xyz;
        if (IN_MATRIX) {
            block = sum(block, stiffness_of_slot(s, abs(weight_of_entry(k))));
        }
    }
    applied_out[CONTACT_ROW * world.node_count + i] = vec4f(force, energy);
    if (IN_MATRIX) {
        applied_out[(CONTACT_ROW + 1u) * world.node_count + i] = first_half(block);
        applied_out[(CONTACT_ROW + 2u) * world.node_count + i] = second_half(block);
    }
}

// With half the sum of |w|, which is 1 above the face.
fn stiffness_of_slot(s: u32, part: f32) -> Symmetric {
    let normal = press_normals[NORMALS * s + PRESS_NORMAL];
    let weights = presses[PRESSES * s + PRESS_WEIGHTS];
    let whole = part * 0.5 * (1.0 + abs(weights.x) + abs(weights.y) + abs(weights.z));
    return along_and_across(normal.xyz, whole * normal.w, whole * weights.w);
}

// S w . u of each slot, u in row FROM. Reads slots, presses, work; writes presses. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn multiply_slots(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_done()) {
        return;
    }
    let v = listed(place);
    let first = FROM * world.node_count;
    for (var s = SLOTS * v; s < SLOTS * (v + 1u); s += 1u) {
        if (is_empty(s)) {
            break;
        }
        let weights = presses[PRESSES * s + PRESS_WEIGHTS];
        let triangle = slots[s].triangle;
        let u = work[first + v].xyz - weights.x * work[first + triangle.x].xyz
            - weights.y * work[first + triangle.y].xyz - weights.z * work[first + triangle.z].xyz;
        let normal = press_normals[NORMALS * s + PRESS_NORMAL];
        let product = weights.w * u + (normal.w - weights.w) * dot(normal.xyz, u) * normal.xyz;
        presses[PRESSES * s + PRESS_FORCE] = vec4f(product, 0.0);
    }
}

// The product at each node. Reads slots, presses, rows; writes row CONTACT_PRODUCT of work. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_product(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count() || is_done()) {
        return;
    }
    let i = listed(place);
    work[CONTACT_PRODUCT * world.node_count + i] = vec4f(sum_of_presses(i), 0.0);
}

// Makes the rows of listed nodes zero, as those of all others are. Writes rows of applied. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn clear_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place < listed_count()) {
        for (var row = CONTACT_ROW; row < CONTACT_ROW + ROWS; row += 1u) {
            applied_out[row * world.node_count + listed(place)] = vec4f(0.0);
        }
    }
}
