// Makes the groups of a level: each slot of the finer level joins one of the four of its parent.
//!import contact/crossing.wgsl
//!import contact/groups/extent.wgsl
//!import contact/groups/layout.wgsl
//!import contact/presses.wgsl
//!import contact/skins.wgsl
//!import core/launch_list.wgsl

@group(2) @binding(0) var<storage, read> ways: array<u32>;
@group(2) @binding(1) var<storage, read_write> ups: array<atomic<u32>>;
@group(2) @binding(2) var<storage, read_write> partners: array<u32>;
@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(5) var<storage, read> presses: array<vec4f>;

@group(3) @binding(1) var<uniform> group_level: GroupLevel;

struct Partner {
    place: vec3f,   // [m]
    weight: f32,    // t
    body: u32,
}

var<private> found: array<Partner, GROUP_SLOTS>;
var<private> count: u32;

// The slot that a partner joins.
fn join(partner: Partner) -> u32 {
    var nearest = 0u;
    var least = FAR;
    for (var k = 0u; k < count; k += 1u) {
        let apart = select(FAR, distance(found[k].place, partner.place), found[k].body == partner.body);
        if (apart < least) {
            least = apart;
            nearest = k;
        }
    }
    if (count < GROUP_SLOTS && least >= group_level.reach * fabric_of(partner.body).spacing) {
        found[count] = partner;
        count += 1u;
        return count - 1u;
    }
    let weight = found[nearest].weight + partner.weight;
    found[nearest].place = mix(found[nearest].place, partner.place, partner.weight / weight);
    found[nearest].weight = weight;
    return nearest;
}

const FAR: f32 = 1e30;

fn store_partners(node: u32) {
    for (var k = 0u; k < count; k += 1u) {
        let at = PARTNER * (GROUP_SLOTS * node + k);
        let place = bitcast<vec3u>(found[k].place);
        partners[at] = place.x;
        partners[at + 1u] = place.y;
        partners[at + 2u] = place.z;
        partners[at + 3u] = bitcast<u32>(found[k].weight);
        partners[at + 4u] = found[k].body;
    }
    atomicStore(&ups[group_level.finest_nodes + node], count << 8u);
}

fn partner_of_pair(s: u32) -> Partner {
    let t = slots[s].triangle;
    let w = presses[PRESSES * s + PRESS_WEIGHTS];
    // Of edges only the ends of the other one.
    let is_of_edges = is_edges(slots[s]);
    let last = select(w.z, 0.0, is_of_edges);
    let place = w.x * skins[t.x].rest + w.y * skins[t.y].rest + last * skins[t.z].rest;
    return Partner(select(1.0, part_of_node(w.xyz), is_of_edges) * place, w.w, skins[t.x].body);
}

fn partner_of_group(s: u32) -> Partner {
    let at = PARTNER * s;
    let place = bitcast<vec3f>(vec3u(partners[at], partners[at + 1u], partners[at + 2u]));
    return Partner(place, bitcast<f32>(partners[at + 3u]), partners[at + 4u]);
}

// In no fixed order; no result depends on it.
fn list(node: u32) {
    let k = atomicAdd(&ups[group_extent.list], 1u);
    atomicStore(&ups[group_extent.list + 1u + k], node);
    launch_thread(GROUP_SLOTS * k + GROUP_SLOTS - 1u);
}

// One thread.
@compute @workgroup_size(1)
fn begin_list() {
    atomicStore(&ups[group_extent.list], 0u);
    launch_none();
}

// Of the first coarser level. Reads ways, slots, presses; reads and writes ups; writes partners, launch. One thread per node of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn join_pairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= group_level.nodes) {
        return;
    }
    count = 0u;
    let end = ways[group_level.child_starts + i + 1u];
    var c = ways[group_level.child_starts + i];
    while (c < end) {
        // Most have no pair: a group of threads goes on together to those that have one.
        while (c < end && slots[SLOTS * ways[group_level.children + c]].kind == EMPTY) {
            atomicStore(&ups[ways[group_level.children + c]], 0u);
            c += 1u;
        }
        if (c < end) {
            let child = ways[group_level.children + c];
            var up = 0u;
            var k = 0u;
            for (; k < SLOTS && slots[SLOTS * child + k].kind != EMPTY; k += 1u) {
                up |= join(partner_of_pair(SLOTS * child + k)) << (2u * k);
            }
            atomicStore(&ups[child], up | (k << 8u));
            c += 1u;
        }
    }
    let before = slot_count(atomicLoad(&ups[group_level.finest_nodes + group_level.first + i]));
    if (max(count, before) > 0u) {
        list(i);
    }
    store_partners(group_level.first + i);
}

// Of any other. Reads ways; reads and writes ups, partners. One thread per node of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn join_groups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= group_level.nodes) {
        return;
    }
    count = 0u;
    for (var c = ways[group_level.child_starts + i]; c < ways[group_level.child_starts + i + 1u]; c += 1u) {
        let child = group_level.finer_first + ways[group_level.children + c];
        let own = slot_count(atomicLoad(&ups[group_level.finest_nodes + child]));
        var up = own << 8u;
        for (var k = 0u; k < own; k += 1u) {
            up |= join(partner_of_group(GROUP_SLOTS * child + k)) << (2u * k);
        }
        atomicStore(&ups[group_level.finest_nodes + child], up);
    }
    store_partners(group_level.first + i);
}
