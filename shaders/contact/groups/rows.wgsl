// The rows of groups: the mean of P^T w of their members, each counted with its t. Nodes that do not move are left out. -w counts
// instead of w where it is nearer to the mean so far: w w^T is the same, and in a tight fold pairs of both sides meet.
//!import contact/groups/layout.wgsl
//!import contact/groups/listed.wgsl
//!import contact/groups/row.wgsl
//!import contact/presses.wgsl
//!import core/launch.wgsl

@group(2) @binding(0) var<storage, read> ways: array<u32>;
@group(2) @binding(1) var<storage, read> ups: array<u32>;
@group(2) @binding(2) var<storage, read> partners: array<u32>;
@group(2) @binding(3) var<storage, read> position_in: array<vec4f>;     // 0 in w for pins
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(5) var<storage, read> presses: array<vec4f>;
// For each slot SIDE entries, or fewer and one of NO_NODE: a node among those of all coarser levels, and bits of its weight.
@group(2) @binding(6) var<storage, read_write> own_rows: array<vec2u>;
@group(2) @binding(7) var<storage, read_write> other_rows: array<vec2u>;
// Entries of each node.
@group(2) @binding(8) var<storage, read_write> counts: array<atomic<u32>>;

@group(3) @binding(1) var<uniform> group_level: GroupLevel;

// Adds P^T of one entry to a side of the member. `node`: of the finer level.
fn restrict_entry(side: ptr<private, Side>, node: u32, weight: f32) {
    if (weight == 0.0) {
        return;
    }
    for (var e = ways[group_level.entry_starts + node]; e < ways[group_level.entry_starts + node + 1u]; e += 1u) {
        let at = group_level.entries + 2u * e;
        add_entry(side, group_level.first + ways[at], weight * bitcast<f32>(ways[at + 1u]));
    }
}

fn part_that_moves(i: u32) -> f32 {
    return select(0.0, 1.0, position_in[i].w > 0.0);
}

// The members of a slot, one after the other: first those that touch, so that what does not fit into a row is of the others.
struct Members {
    slot: u32,          // of its node
    first: u32,         // in `ways`, of the node's children
    children: u32,
    at: u32,            // of two rounds through the children, and of their four slots
}

fn members_of(t: u32) -> Members {
    let i = t / GROUP_SLOTS;
    let slot = t % GROUP_SLOTS;
    let first = ways[group_level.child_starts + i];
    let count = ways[group_level.child_starts + i + 1u] - first;
    let is_used = slot < slot_count(ups[group_level.finest_nodes + group_level.first + i]);
    return Members(slot, group_level.children + first, select(0u, count, is_used), 0u);
}

fn is_at_end(members: Members) -> bool {
    return members.at >= 2u * members.children * GROUP_SLOTS;
}

// The child that it is at, of the finer level.
fn child_at(members: Members) -> u32 {
    return ways[members.first + members.at / GROUP_SLOTS % members.children];
}

// In the first round those with all of their weight, then the others.
fn is_due(members: Members, weight: f32) -> bool {
    return (weight < 1.0) == (members.at >= members.children * GROUP_SLOTS);
}

// Where it goes on from a child's slot that is not there, or that is in another slot.
fn next_of(at: u32, up: u32) -> u32 {
    return select(at + 1u, (at / GROUP_SLOTS + 1u) * GROUP_SLOTS, at % GROUP_SLOTS + 1u >= slot_count(up));
}

fn is_member(members: Members, up: u32) -> bool {
    let k = members.at % GROUP_SLOTS;
    return k < slot_count(up) && joined_slot(up, k) == members.slot;
}

// P^T w of the pair in a slot of a node, times a factor.
fn restrict_pair(s: u32, child: u32, factor: f32) {
    let w = presses[PRESSES * s + PRESS_WEIGHTS];
    let triangle = slots[s].triangle;
    // The last of two edges is of the own side.
    let on_own = select(1u, 2u, is_edges(slots[s]));
    for (var n = 0u; n < on_own; n += 1u) {
        let node = select(triangle.z, child, n == 0u);
        restrict_entry(&member_own, node, factor * select(-w.z, 1.0, n == 0u) * part_that_moves(node));
    }
    for (var n = 0u; n < 4u - on_own; n += 1u) {
        let node = triangle[n];
        restrict_entry(&member_other, node, factor * -w[n] * part_that_moves(node));
    }
}

// P^T w of a slot of the finer level, times a factor.
fn restrict_group(s: u32, factor: f32) {
    for (var n = 0u; n < SIDE; n += 1u) {
        let entry = own_rows[SIDE * s + n];
        if (entry.x == NO_NODE) {
            break;
        }
        restrict_entry(&member_own, entry.x - group_level.finer_first, factor * bitcast<f32>(entry.y));
    }
    for (var n = 0u; n < SIDE; n += 1u) {
        let entry = other_rows[SIDE * s + n];
        if (entry.x == NO_NODE) {
            break;
        }
        restrict_entry(&member_other, entry.x - group_level.finer_first, factor * bitcast<f32>(entry.y));
    }
}

// Of the first coarser level. Reads ways, ups, slots, presses; writes rows, counts. One thread per slot of a listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn make_first_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = slot_of_thread(thread_index(id, groups));
    if (t / GROUP_SLOTS >= group_level.nodes) {
        return;
    }
    begin_row();
    var members = members_of(t);
    var all = 0.0;
    while (!is_at_end(members)) {
        var child = 0u;
        var s = 0u;
        var is_found = false;
        while (!is_found && !is_at_end(members)) {
            child = child_at(members);
            s = SLOTS * child + members.at % SLOTS;
            let up = ups[child];
            is_found = is_member(members, up) && is_due(members, presses[PRESSES * s + PRESS_WEIGHTS].w);
            members.at = next_of(members.at, up);
        }
        if (is_found) {
            let weight = presses[PRESSES * s + PRESS_WEIGHTS].w;
            all += weight;
            restrict_pair(s, child, weight);
            add_member();
        }
    }
    store_rows(GROUP_SLOTS * group_level.first + t, all);
}

// Of any other. Reads ways, ups, partners, rows of the finer level; writes rows, counts. One thread per slot of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn make_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t / GROUP_SLOTS >= group_level.nodes) {
        return;
    }
    begin_row();
    var members = members_of(t);
    var all = 0.0;
    while (!is_at_end(members)) {
        var s = 0u;
        var weight = 0.0;
        var is_found = false;
        while (!is_found && !is_at_end(members)) {
            let child = group_level.finer_first + child_at(members);
            s = GROUP_SLOTS * child + members.at % GROUP_SLOTS;
            let up = ups[group_level.finest_nodes + child];
            weight = bitcast<f32>(partners[PARTNER * s + 3u]);
            is_found = is_member(members, up) && is_due(members, weight);
            members.at = next_of(members.at, up);
        }
        if (is_found) {
            all += weight;
            restrict_group(s, weight);
            add_member();
        }
    }
    store_rows(GROUP_SLOTS * group_level.first + t, all);
}

// A side that is not full ends with NO_NODE.
fn store_rows(s: u32, all: f32) {
    merge_sides();
    for (var n = 0u; n < min(row_own.count + 1u, SIDE); n += 1u) {
        own_rows[SIDE * s + n] = counted_entry(&row_own, n, all);
    }
    for (var n = 0u; n < min(row_other.count + 1u, SIDE); n += 1u) {
        other_rows[SIDE * s + n] = counted_entry(&row_other, n, all);
    }
}

// An entry of the mean, which it counts for its node; or what stands behind the last.
fn counted_entry(side: ptr<private, Side>, n: u32, all: f32) -> vec2u {
    if (n == (*side).count) {
        return vec2u(NO_NODE, 0u);
    }
    let node = node_at(side, n);
    atomicAdd(&counts[node], 1u);
    return vec2u(node, bitcast<u32>(weight_at(side, n) / all));
}
