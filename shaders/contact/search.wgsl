// Finds, for each node of a surface, the triangles that it may touch in the substep: of each layer near it the nearest one.
//     distance at the start < D + min(REACH s, MARGIN s + twice how far they move against each other with their velocities)
//     never triangles that hold the node
//     of its own body only where it has come nearer than SQUEEZED r, r the distance at rest
// Where r is below max(NEIGHBORS s, 1.5 D) the thickness is half of r at most: that keeps cells from being sheared flat, which the guard
// would then hold for good.
// Nearest first, and then by number, one is taken unless a corner of it lies within LAYER s, at rest, of a corner of one taken before,
// of the same body and on the same side of the node: in a valley a node has the nearest of both flanks, which would else push it from one
// to the other in turn. What is nearest is decided with a distance that is less by KEEPS D for the triangles of the substep before, and by
// as much where the node is above a face: near a saddle a node would else have one edge and another in turn. At most SLOTS are kept, the last one
// only if it overlaps where the substep begins, or is within PARTED of its thickness and was there before: a hinge or a pair of edges that touches
// would else come and go with what is merely near. What is dropped has no force, and is left to the guard.
// Tangled nodes and triangles with a tangled node are no pairs: each would push the other back to the side that it is on, and what
// crosses would never come free.
//!import contact/bindings.wgsl
//!import contact/choice.wgsl
//!import contact/reach.wgsl
//!import contact/searching.wgsl
//!import contact/skins.wgsl
//!import contact/slots.wgsl
//!import contact/touch.wgsl
//!import contact/walk.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(1) var<storage, read> moved: array<vec4f>;               // twice what a node moves with its velocity
@group(2) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;  // slots of which a node is a corner
@group(2) @binding(4) var<storage, read_write> slots: array<Slot>;
@group(2) @binding(5) var<storage, read> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> elements: array<Element>;

const KEEPS: f32 = 0.05;
const PARTED: f32 = 1.1;
// Weights down to minus this count as above the face, so that nodes that slide along an edge are above something. The slot of such a node is
// ABOVE if it was before, too. A node that has just slid over an edge is kept by the triangle that it had. That would else push it away from
// the edge, not along the normal, and the node would sink, though the surface goes on.
const BORDER: f32 = 0.01;

fn is_above(weights: vec3f) -> bool {
    return all(weights > vec3f(-BORDER));
}

// The node of a thread. It is read once, and compared with dozens of triangles.
struct Own {
    node: u32,
    is_tangled: bool,
    x: vec3f,
    moved: vec3f,
    skin: Skin,
    fabric: Fabric,
}

// The triangles that the node had in the substep before; NO_NODE, which no triangle has, where it had none.
var<private> before: array<vec3u, SLOTS>;
// Whether it was above their faces.
var<private> was_above: array<bool, SLOTS>;

// Of a triangle, whether the node had it in the substep before, and was above its face.
struct Had {
    it: bool,
    above: bool,
}

fn had(triangle: vec3u) -> Had {
    var found = Had(false, false);
    for (var k = 0u; k < SLOTS; k += 1u) {
        let is_it = all(before[k] == triangle);
        found = Had(found.it || is_it, found.above || (is_it && was_above[k]));
    }
    return found;
}

fn own_of(v: u32) -> Own {
    let skin = skins[v];
    return Own(v, is_tangled(v), start[v].xyz, moved[v].xyz, skin, fabric_of(skin.body));
}

// Reads start, skins, fabrics, the tree; reads and writes slots; writes counts. One thread per node that searches.
@compute @workgroup_size(WORKGROUP_SIZE)
fn search(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= searching_count()) {
        return;
    }
    let v = searching(place).x;
    let own = own_of(v);
    count = 0u;
    let region = region_of_tile(searching(place).y);
    if (region.state != ALONE) {
        for (var k = 0u; k < SLOTS; k += 1u) {
            let slot = slots[SLOTS * v + k];
            before[k] = select(vec3u(NO_NODE), slot.triangle, slot.kind != EMPTY && !is_hinge(slot) && !is_edges(slot));
            was_above[k] = side_of(slot) != 0.0;
        }
        collect(own, searching(place).y, region);
    }
    for (var k = 0u; k < SLOTS; k += 1u) {
        var slot = Slot(vec3u(0u), EMPTY);
        if (k < count && (k < SLOTS - 1u || overlaps(own, elements[numbers[k]].nodes))) {
            slot = slot_of(own, elements[numbers[k]].nodes);
            atomicAdd(&counts[slot.triangle.x], 1u);
            atomicAdd(&counts[slot.triangle.y], 1u);
            atomicAdd(&counts[slot.triangle.z], 1u);
        }
        slots[SLOTS * v + k] = slot;
    }
}

// Chooses triangles for a node. None in its region is squeezed where that is flat.
fn collect(own: Own, tile: u32, region: Region) {
    let bounds = around(NO_BOUNDS, own.x, own.moved);
    var walk = walk_around(tile);
    var candidates = 0u;    // a bit for each triangle of the leaves
    while (!walk.is_done || candidates != 0u) {
        if (candidates == 0u) {
            find_leaves(&walk, bounds, region);
            for (var k = 0u; k < walk.end * LEAF; k += 1u) {
                candidates |= select(0u, 1u << k, may_count(own, elements[number_of(&walk, k)].nodes));
            }
        }
        while (candidates != 0u && count < ROOM) {
            add_if_it_counts(own, number_of(&walk, firstTrailingBit(candidates)));
            candidates &= candidates - 1u;
        }
        if (count == ROOM || (walk.is_done && candidates == 0u)) {
            choose();
        }
    }
}

// Whether a triangle may count, as far as a box around it tells. The node itself stands for a triangle that does not: loads that
// depend on no condition are on their way together.
fn may_count(own: Own, nodes: vec3u) -> bool {
    let is_other = nodes.x != NO_NODE && all(nodes != vec3u(own.node));
    let triangle = select(vec3u(own.node), nodes, is_other);
    let a = start[triangle.x].xyz;
    let b = start[triangle.y].xyz;
    let c = start[triangle.z].xyz;
    let aside = max(max(min(min(a, b), c) - own.x, own.x - max(max(a, b), c)), vec3f(0.0));
    let first = skins[triangle.x];
    let to_a = first.rest - own.skin.rest;
    let to_b = skins[triangle.y].rest - own.skin.rest;
    let to_c = skins[triangle.z].rest - own.skin.rest;
    // With what rounding may do.
    let squeezed = 1.0001 * SQUEEZED * SQUEEZED * min(min(dot(to_a, to_a), dot(to_b, to_b)), dot(to_c, to_c));
    let most = tree.largest_reach * tree.largest_reach;
    return is_other && dot(aside, aside) <= select(most, min(most, squeezed), own.skin.body == first.body);
}

// Adds a triangle to those of which slots are chosen, if it counts.
fn add_if_it_counts(own: Own, number: u32) {
    let triangle = elements[number].nodes;
    let a = start[triangle.x].xyz - own.x;
    let b = start[triangle.y].xyz - own.x;
    let c = start[triangle.z].xyz - own.x;
    let weights = weights_of_nearest(a, b, c);
    let nearest = weights.x * a + weights.y * b + weights.z * c;
    let distance = length(nearest);
    let moves = length(
        own.moved - weights.x * moved[triangle.x].xyz - weights.y * moved[triangle.y].xyz - weights.z * moved[triangle.z].xyz);
    let body = skins[triangle.x].body;
    let fabric = paired(own.fabric, fabric_of(body));
    if (!(distance < fabric.thickness + reach_beyond(fabric, moves))) {
        return;
    }
    if (own.skin.body == body && distance > SQUEEZED * rest_distance(own.skin.rest, triangle)) {
        return;
    }
    if (own.is_tangled && (is_tangled(triangle.x) || is_tangled(triangle.y) || is_tangled(triangle.z))) {
        return;
    }
    let favors = select(0.0, 1.0, is_above(weights_of_plane(a, b, c))) + select(0.0, 1.0, had(triangle).it);
    distances[count] = distance - favors * KEEPS * fabric.thickness;
    numbers[count] = number;
    toward[count] = pack4x8snorm(vec4f(select(vec3f(0.0), nearest / distance, distance > 0.0), 0.0));
    count += 1u;
}

fn slot_of(own: Own, triangle: vec3u) -> Slot {
    let thickness = thickness_to(own, triangle);
    let a = start[triangle.x].xyz - own.x;
    let b = start[triangle.y].xyz - own.x;
    let c = start[triangle.z].xyz - own.x;
    var kind = BEYOND;
    let weights = weights_of_plane(a, b, c);
    if (is_inside(weights) || (had(triangle).above && is_above(weights))) {
        kind = select(BELOW, ABOVE, dot(cross(b - a, c - a), a) <= 0.0);
    }
    return Slot(triangle, kind_of(kind, thickness));
}

fn thickness_to(own: Own, triangle: vec3u) -> f32 {
    let body = skins[triangle.x].body;
    let fabric = paired(own.fabric, fabric_of(body));
    if (own.skin.body == body) {
        return thickness_within(fabric, rest_distance(own.skin.rest, triangle));
    }
    return fabric.thickness;
}

fn overlaps(own: Own, triangle: vec3u) -> bool {
    let a = start[triangle.x].xyz - own.x;
    let b = start[triangle.y].xyz - own.x;
    let c = start[triangle.z].xyz - own.x;
    let weights = weights_of_nearest(a, b, c);
    let distance = length(weights.x * a + weights.y * b + weights.z * c);
    return distance < select(1.0, PARTED, had(triangle).it) * thickness_to(own, triangle);
}

fn is_tangled(i: u32) -> bool {
    return is_of(start[i].w, TANGLED);
}

fn rest_distance(rest: vec3f, triangle: vec3u) -> f32 {
    let a = skins[triangle.x].rest - rest;
    let b = skins[triangle.y].rest - rest;
    let c = skins[triangle.z].rest - rest;
    let weights = weights_of_nearest(a, b, c);
    return length(weights.x * a + weights.y * b + weights.z * c);
}
