// Finds, for each node of a surface, the triangles that it may touch in the substep: of each layer near it the nearest one.
//     distance at the start < D + REACH s
//     never triangles that hold the node
// Neighbors of its own body, at a rest distance r below max(NEIGHBORS s, 1.5 D), count where they have come nearer than SQUEEZED r,
// with a thickness of half of r at most: that keeps cells from being sheared flat, which the guard would then hold for good.
// Nearest first, and then by number, one is taken unless a corner of it lies within LAYER s, at rest, of a corner of one taken before,
// of the same body. At most SLOTS are kept: what is dropped has no force, and is left to the guard.
// Tangled nodes and triangles with a tangled node are no pairs: each would push the other back to the side that it is on, and what
// crosses would never come free.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import contact/skins.wgsl
//!import contact/slots.wgsl
//!import contact/touch.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;  // slots of which a node is a corner
@group(2) @binding(4) var<storage, read_write> slots: array<Slot>;
@group(2) @binding(5) var<storage, read> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> elements: array<Element>;

// A distance that no pair exceeds [m].
override LARGEST_REACH: f32 = 0.0;
const REACH: f32 = 1.5;
const NEIGHBORS: f32 = 1.9;
const LAYER: f32 = 3.1;
const SQUEEZED: f32 = 0.75;

struct Found {
    distance: f32,
    number: u32,        // of its element
    slot: Slot,
}

// Reads start, skins, fabrics, the tree; writes slots, counts. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn search(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = thread_index(id, groups);
    if (v >= world.node_count) {
        return;
    }
    var kept = 0u;
    if (skins[v].body != NO_BODY) {
        for (; kept < SLOTS; kept += 1u) {
            let found = nearest(v, kept);
            if (found.slot.kind == EMPTY) {
                break;
            }
            slots[SLOTS * v + kept] = found.slot;
            atomicAdd(&counts[found.slot.triangle.x], 1u);
            atomicAdd(&counts[found.slot.triangle.y], 1u);
            atomicAdd(&counts[found.slot.triangle.z], 1u);
        }
    }
    for (; kept < SLOTS; kept += 1u) {
        slots[SLOTS * v + kept] = Slot(vec3u(0u), EMPTY);
    }
}

// The nearest triangle of a layer that none of the first `kept` slots is of.
fn nearest(v: u32, kept: u32) -> Found {
    let copy = copy_of(v);
    let x = start[v].xyz;
    var best = Found(LARGEST_REACH, 0u, Slot(vec3u(0u), EMPTY));
    var node = 1u;
    loop {
        let at = 3u * (first_box(copy) + node);
        let box = from_thirds(boxes[at], boxes[at + 1u], boxes[at + 2u]);
        let aside = max(max(box.low - x, x - box.high), vec3f(0.0));
        if (dot(aside, aside) > best.distance * best.distance) {
            node = next_node(node);
        } else if (node < LEAVES) {
            node = 2u * node;
        } else {
            for (var k = 0u; k < LEAF; k += 1u) {
                let number = first_element(copy) + (node - LEAVES) * LEAF + k;
                let element = elements[number];
                if (element.nodes.x == NO_NODE) {
                    break;
                }
                if (!any(element.nodes == vec3u(v))) {
                    best = nearer(best, v, x, kept, number, element.nodes);
                }
            }
            node = next_node(node);
        }
        if (node == 1u) {
            break;
        }
    }
    return best;
}

fn nearer(best: Found, v: u32, x: vec3f, kept: u32, number: u32, triangle: vec3u) -> Found {
    let a = start[triangle.x].xyz - x;
    let b = start[triangle.y].xyz - x;
    let c = start[triangle.z].xyz - x;
    let weights = weights_of_nearest(a, b, c);
    let point = weights.x * a + weights.y * b + weights.z * c;
    let distance = length(point);
    let own = skins[v];
    let other = skins[triangle.x];
    let fabric = paired(fabric_of(own.body), fabric_of(other.body));
    let apart = max(NEIGHBORS * fabric.spacing, 1.5 * fabric.thickness);
    if (!(distance < fabric.thickness + REACH * fabric.spacing) || distance > best.distance
        || (distance == best.distance && number > best.number)) {
        return best;
    }
    var thickness = fabric.thickness;
    if (own.body == other.body) {
        let rest = rest_distance(own.rest, triangle);
        if (rest < apart) {
            thickness = min(thickness, 0.5 * rest);
            if (distance > SQUEEZED * rest) {
                return best;
            }
        }
    }
    if (is_tangled(v) && (is_tangled(triangle.x) || is_tangled(triangle.y) || is_tangled(triangle.z))) {
        return best;
    }
    for (var k = 0u; k < kept; k += 1u) {
        if (is_same_layer(slots[SLOTS * v + k].triangle, triangle)) {
            return best;
        }
    }
    var kind = BEYOND;
    if (is_inside(weights_of_plane(a, b, c))) {
        kind = select(BELOW, ABOVE, dot(cross(b - a, c - a), a) <= 0.0);
    }
    return Found(distance, number, Slot(triangle, kind_of(kind, thickness)));
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

fn is_same_layer(one: vec3u, other: vec3u) -> bool {
    if (skins[one.x].body != skins[other.x].body) {
        return false;
    }
    let layer = LAYER * fabric_of(skins[one.x].body).spacing;
    for (var i = 0u; i < 3u; i += 1u) {
        for (var j = 0u; j < 3u; j += 1u) {
            let apart = skins[one[i]].rest - skins[other[j]].rest;
            if (dot(apart, apart) < layer * layer) {
                return true;
            }
        }
    }
    return false;
}
