// The rows of groups: the mean of P^T w of their members, each counted with its t. Nodes that do not move are left out.
//!import contact/groups/layout.wgsl
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

struct Row {
    nodes: array<u32, SIDE>,
    weights: array<f32, SIDE>,
    count: u32,
}

var<private> own_row: Row;
var<private> other_row: Row;

fn add_entry(row: ptr<private, Row>, node: u32, weight: f32) {
    var k = 0u;
    while (k < (*row).count && (*row).nodes[k] != node) {
        k += 1u;
    }
    if (k == SIDE) {
        // No row of a grid is as long. What does not fit goes to the entry that weighs most, so that the sum stays.
        k = 0u;
        for (var other = 1u; other < SIDE; other += 1u) {
            k = select(k, other, abs((*row).weights[other]) > abs((*row).weights[k]));
        }
    } else if (k == (*row).count) {
        (*row).nodes[k] = node;
        (*row).weights[k] = 0.0;
        (*row).count += 1u;
    }
    (*row).weights[k] += weight;
}

// P^T of one entry. `node`: of the finer level.
fn restrict_entry(row: ptr<private, Row>, node: u32, weight: f32) {
    if (weight == 0.0) {
        return;
    }
    for (var e = ways[group_level.entry_starts + node]; e < ways[group_level.entry_starts + node + 1u]; e += 1u) {
        let at = group_level.entries + 2u * e;
        add_entry(row, group_level.first + ways[at], weight * bitcast<f32>(ways[at + 1u]));
    }
}

fn part_that_moves(i: u32) -> f32 {
    return select(0.0, 1.0, position_in[i].w > 0.0);
}

// Of the first coarser level. Reads ways, ups, slots, presses; writes rows, counts. One thread per slot of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn make_first_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    let i = t / GROUP_SLOTS;
    if (i >= group_level.nodes) {
        return;
    }
    own_row.count = 0u;
    other_row.count = 0u;
    var total = 0.0;
    let first = ways[group_level.child_starts + i];
    let count = ways[group_level.child_starts + i + 1u] - first;
    // First those that touch: should a row be too long, what does not fit is of the others.
    for (var c = 0u; c < 2u * count; c += 1u) {
        let child = ways[group_level.children + first + c % count];
        let up = ups[child];
        for (var k = 0u; k < slot_count(up); k += 1u) {
            let s = SLOTS * child + k;
            let w = presses[PRESSES * s + PRESS_WEIGHTS];
            if (joined_slot(up, k) != t % GROUP_SLOTS || (w.w < 1.0) != (c >= count)) {
                continue;
            }
            let triangle = slots[s].triangle;
            total += w.w;
            restrict_entry(&own_row, child, w.w * part_that_moves(child));
            for (var n = 0u; n < 3u; n += 1u) {
                restrict_entry(&other_row, triangle[n], -w.w * w[n] * part_that_moves(triangle[n]));
            }
        }
    }
    store_rows(GROUP_SLOTS * group_level.first + t, total);
}

// Of any other. Reads ways, ups, partners, rows of the finer level; writes rows, counts. One thread per slot of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn make_rows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    let i = t / GROUP_SLOTS;
    if (i >= group_level.nodes) {
        return;
    }
    own_row.count = 0u;
    other_row.count = 0u;
    var total = 0.0;
    let first = ways[group_level.child_starts + i];
    let count = ways[group_level.child_starts + i + 1u] - first;
    for (var c = 0u; c < 2u * count; c += 1u) {
        let child = group_level.finer_first + ways[group_level.children + first + c % count];
        let up = ups[group_level.finest_nodes + child];
        for (var k = 0u; k < slot_count(up); k += 1u) {
            let s = GROUP_SLOTS * child + k;
            let weight = bitcast<f32>(partners[PARTNER * s + 3u]);
            if (joined_slot(up, k) != t % GROUP_SLOTS || (weight < 1.0) != (c >= count)) {
                continue;
            }
            total += weight;
            for (var n = 0u; n < SIDE; n += 1u) {
                let entry = own_rows[SIDE * s + n];
                if (entry.x == NO_NODE) {
                    break;
                }
                restrict_entry(&own_row, entry.x - group_level.finer_first, weight * bitcast<f32>(entry.y));
            }
            for (var n = 0u; n < SIDE; n += 1u) {
                let entry = other_rows[SIDE * s + n];
                if (entry.x == NO_NODE) {
                    break;
                }
                restrict_entry(&other_row, entry.x - group_level.finer_first, weight * bitcast<f32>(entry.y));
            }
        }
    }
    store_rows(GROUP_SLOTS * group_level.first + t, total);
}

// Where a surface lies on itself, both sides of a row may hold the same coarse node: it has one entry, on the own side.
fn merge_sides() {
    for (var n = 0u; n < own_row.count; n += 1u) {
        for (var k = 0u; k < other_row.count; k += 1u) {
            if (other_row.nodes[k] == own_row.nodes[n]) {
                own_row.weights[n] += other_row.weights[k];
                other_row.count -= 1u;
                other_row.nodes[k] = other_row.nodes[other_row.count];
                other_row.weights[k] = other_row.weights[other_row.count];
                break;
            }
        }
    }
}

fn store_rows(s: u32, total: f32) {
    merge_sides();
    for (var n = 0u; n < own_row.count; n += 1u) {
        own_rows[SIDE * s + n] = vec2u(own_row.nodes[n], bitcast<u32>(own_row.weights[n] / total));
        atomicAdd(&counts[own_row.nodes[n]], 1u);
    }
    if (own_row.count < SIDE) {
        own_rows[SIDE * s + own_row.count] = vec2u(NO_NODE, 0u);
    }
    for (var n = 0u; n < other_row.count; n += 1u) {
        other_rows[SIDE * s + n] = vec2u(other_row.nodes[n], bitcast<u32>(other_row.weights[n] / total));
        atomicAdd(&counts[other_row.nodes[n]], 1u);
    }
    if (other_row.count < SIDE) {
        other_rows[SIDE * s + other_row.count] = vec2u(NO_NODE, 0u);
    }
}
