// Finds pairs of edges that may touch in the substep, in slots that the search and hinges have left empty.
//     distance of the lines at the start < D + min(REACH s, MARGIN s + twice how far they move against each other)
//     both parts s and t between 0 and 1, and an angle with a sine above CROSSING
//     both are ridges that point at each other: with n from the other edge to the own one, all triangles at the own one fall away along n,
//     those at the other against it
//     of one body only where it has come nearer than SQUEEZED r, r the distance at rest
// Shallow ridges keep a part of the thickness (fold.wgsl).
// Where a triangle at one of the edges comes nearer to the other one, theirs is not the least distance between the surfaces, and nodes and
// triangles hold them apart. So folds and borders have pairs, and smooth layers have none. Thickness and tangled nodes are as in
// search.wgsl.
// Of two edges the one with the lower ends has the pair, at the end that is nearer to where they cross. Where a node has more pairs than
// slots the nearest count, and then those with the lower ends.
//!import contact/crossing.wgsl
//!import contact/edge_list.wgsl
//!import contact/fold.wgsl
//!import contact/reach.wgsl
//!import contact/searching.wgsl
//!import contact/skins.wgsl
//!import contact/slots.wgsl
//!import contact/walk.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(1) var<storage, read> moved: array<vec4f>;               // twice what a node moves with its velocity
@group(2) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;  // slots of which a node is a corner
@group(2) @binding(4) var<storage, read_write> slots: array<Slot>;
@group(2) @binding(5) var<storage, read> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> elements: array<Element>;
@group(2) @binding(7) var<storage, read> edges: array<u32>;                 // edge_list.wgsl

// Far above PARALLEL: edges that turned that far in a substep would cross the other way round.
const CROSSING: f32 = 0.4;

struct Found {
    distance: f32,
    slot: Slot,
}

var<private> found: array<Found, SLOTS>;
var<private> count: u32;
// Slots that are left.
var<private> room: u32;
// The node's ridges: their numbers, other ends and where these are.
var<private> ridge_numbers: array<u32, MOST_EDGES>;
var<private> ridge_ends: array<u32, MOST_EDGES>;
var<private> ridge_places: array<vec3f, MOST_EDGES>;
var<private> ridge_count: u32;
// Their lowest end: they have no pair with an edge below.
var<private> lowest: u32;

// Reads start, moved, skins, edges, the tree; reads and writes slots and counts. One thread per node that searches.
@compute @workgroup_size(WORKGROUP_SIZE)
fn find_edges(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= searching_count()) {
        return;
    }
    let v = searching(place).x;
    if (edges[v] == 0u) {
        return;
    }
    var used = 0u;
    while (used < SLOTS && slots[SLOTS * v + used].kind != EMPTY) {
        used += 1u;
    }
    count = 0u;
    room = SLOTS - used;
    if (room > 0u) {
        collect(v, searching(place).y);
    }
    for (var k = 0u; k < count; k += 1u) {
        let slot = found[k].slot;
        slots[SLOTS * v + used + k] = slot;
        atomicAdd(&counts[slot.triangle.x], 1u);
        atomicAdd(&counts[slot.triangle.y], 1u);
        atomicAdd(&counts[slot.triangle.z], 1u);
    }
}

// Looks at all edges near those halves of a node's ridges that are nearer to it.
fn collect(v: u32, tile: u32) {
    let region = region_of_tile(tile);
    let x = start[v].xyz;
    var own = around(NO_BOUNDS, x, moved[v].xyz);
    lowest = v;
    ridge_count = 0u;
    for (var bits = edges[v]; bits != 0u; bits &= bits - 1u) {
        let k = firstTrailingBit(bits);
        let w = end_at(v, k);
        let place = start[w].xyz;
        own = around(own, 0.5 * (x + place), 0.5 * (moved[v].xyz + moved[w].xyz));
        lowest = min(lowest, w);
        ridge_numbers[ridge_count] = k;
        ridge_ends[ridge_count] = w;
        ridge_places[ridge_count] = place;
        ridge_count += 1u;
    }
    var walk = walk_around(tile);
    while (!walk.is_done) {
        find_leaves(&walk, own, region);
        // Bits of the triangles of these leaves, for each of their sides.
        var ridges = vec3u(0u);
        for (var k = 0u; k < walk.end * LEAF; k += 1u) {
            ridges |= sides_that_count(v, elements[number_of(&walk, k)]) << vec3u(k);
        }
        while (any(ridges != vec3u(0u))) {
            let side = select(select(2u, 1u, ridges.y != 0u), 0u, ridges.x != 0u);
            let k = firstTrailingBit(ridges[side]);
            ridges &= ridges - select(vec3u(0u), vec3u(1u), vec3u(side) == vec3u(0u, 1u, 2u));
            let nodes = elements[number_of(&walk, k)].nodes;
            look_at_side(v, own, nodes[side], nodes[(side + 1u) % 3u]);
        }
    }
}

// 1 for each side of a triangle that may be a ridge, and is the triangle's to look at.
fn sides_that_count(v: u32, element: Element) -> vec3u {
    let is_there = element.nodes.x != NO_NODE;
    let nodes = select(vec3u(v), element.nodes, is_there);
    let has_ridges = vec3<bool>(edges[nodes.x] != 0u, edges[nodes.y] != 0u, edges[nodes.z] != 0u);
    let counts = has_ridges & (nodes != vec3u(v));
    let both = counts & counts.yzx & (min(nodes, nodes.yzx) >= vec3u(lowest));
    return select(vec3u(0u), (vec3u(element.owned) >> vec3u(3u, 4u, 5u)) & vec3u(1u), both);
}

// The ends of a side in either order.
fn look_at_side(v: u32, own: Bounds, one: u32, other_one: u32) {
    let p = min(one, other_one);
    let q = max(one, other_one);
    let at_p = start[p].xyz;
    let at_q = start[q].xyz;
    let other = around(around(NO_BOUNDS, at_p, moved[p].xyz), at_q, moved[q].xyz);
    if (may_touch(own, other)) {
        look_at_edge(v, vec2u(p, q), at_p, at_q);
    }
}

// The other one leads from its lower end.
fn look_at_edge(v: u32, other: vec2u, a: vec3f, b: vec3f) {
    let x = start[v].xyz;
    var crossing = 0u;
    for (var k = 0u; k < ridge_count; k += 1u) {
        let w = ridge_ends[k];
        let has_pair = min(v, w) < other.x || (min(v, w) == other.x && max(v, w) < other.y);
        let is_apart = w != other.x && w != other.y;
        crossing |= select(0u, 1u << k, has_pair && is_apart && lines_cross(x, ridge_places[k], v < w, a, b).is_owned);
    }
    if (crossing == 0u) {
        return;
    }
    var ridges = edges[other.x];
    while (ridges != 0u && end_at(other.x, firstTrailingBit(ridges)) != other.y) {
        ridges &= ridges - 1u;
    }
    if (ridges == 0u) {
        return;
    }
    for (; crossing != 0u; crossing &= crossing - 1u) {
        add_if_it_counts(v, edge_at(v, ridge_numbers[firstTrailingBit(crossing)]), edge_at(other.x, firstTrailingBit(ridges)));
    }
}

// The edge from v to w and another one.
struct Lines {
    parts: vec2f,
    apart: vec3f,       // from the other one [m]
    is_owned: bool,     // they cross, nearer to v than to w
}

// Of the edge from v to w, and the one from a to b. From the lower end, so that both ends of the edge see the same.
fn lines_cross(v: vec3f, w: vec3f, is_lower: bool, a: vec3f, b: vec3f) -> Lines {
    let begin = select(w, v, is_lower);
    let along = select(v, w, is_lower) - begin;
    let to_a = a - begin;
    let across = b - a;
    let parts = parts_of_lines(along, to_a, across);
    let is_crossing = parts.z > CROSSING * CROSSING && all(parts.xy > vec2f(0.0)) && all(parts.xy < vec2f(1.0));
    return Lines(parts.xy, parts.x * along - to_a - parts.y * across, is_crossing && (parts.x <= 0.5) == is_lower);
}

// `own` is from the node.
fn add_if_it_counts(v: u32, own: Edge, other: Edge) {
    let w = own.ends.y;
    let p = other.ends.x;
    let q = other.ends.y;
    let lines = lines_cross(start[v].xyz, start[w].xyz, v < w, start[p].xyz, start[q].xyz);
    let distance = length(lines.apart);
    let moves = length(
        mix(moved[min(v, w)].xyz, moved[max(v, w)].xyz, lines.parts.x) - mix(moved[p].xyz, moved[q].xyz, lines.parts.y));
    let fabric = paired(fabric_of(skins[v].body), fabric_of(skins[p].body));
    if (!(distance < fabric.thickness + reach_beyond(fabric, moves)) || (is_tangled(own) && is_tangled(other))) {
        return;
    }
    var thickness = fabric.thickness;
    if (skins[v].body == skins[p].body) {
        let rest = distance_of_edges(skins[v].rest, skins[w].rest, skins[p].rest, skins[q].rest);
        if (distance > SQUEEZED * rest) {
            return;
        }
        thickness = thickness_within(fabric, rest);
    }
    let normal = normalize(cross(start[w].xyz - start[v].xyz, start[q].xyz - start[p].xyz));
    let is_above = dot(normal, lines.apart) >= 0.0;
    let n = select(-normal, normal, is_above);
    let sharpness = min(sharpness_of(own, n), sharpness_of(other, -n));
    if (sharpness >= BLUNT) {
        let kind = kind_of(select(EDGES_BELOW, EDGES_ABOVE, is_above), part_kept(sharpness) * thickness);
        insert(Found(distance, Slot(vec3u(p, q, w), kind)));
    }
}

// By how much all triangles at an edge fall away from what is behind it along n.
fn sharpness_of(edge: Edge, n: vec3f) -> f32 {
    let x = start[edge.ends.x].xyz;
    let along = start[edge.ends.y].xyz - x;
    let one = sharpness(along, start[edge.thirds.x].xyz - x, n);
    if (edge.thirds.y == NO_NODE) {
        return one;
    }
    return min(one, sharpness(along, start[edge.thirds.y].xyz - x, n));
}

fn is_tangled(edge: Edge) -> bool {
    return is_of(start[edge.ends.x].w, TANGLED) || is_of(start[edge.ends.y].w, TANGLED);
}

fn insert(pair: Found) {
    var at = count;
    while (at > 0u && is_before(pair, found[at - 1u])) {
        if (at < room) {
            found[at] = found[at - 1u];
        }
        at -= 1u;
    }
    if (at < room) {
        found[at] = pair;
        count = min(count + 1u, room);
    }
}

fn is_before(one: Found, other: Found) -> bool {
    let a = one.slot.triangle;
    let b = other.slot.triangle;
    if (one.distance != other.distance) {
        return one.distance < other.distance;
    }
    if (a.x != b.x) {
        return a.x < b.x;
    }
    return select(a.z < b.z, a.y < b.y, a.y != b.y);
}
