// How fast surfaces come nearer to each other that may meet soon: how many spacings in a frame, the most of all pairs of parts.
// A part is a subtree of the tree, with a box around where its nodes are, and one around how far they move. Two parts count
// where these boxes, as they move on for AHEAD frames, come within reach of each other. Parts that are neighbors at rest come nearer by
// what shortens the way between their centers, since rotation of both brings nothing nearer; others by all of their motion,
// and at least by LEAST, as does what meets a collider.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import core/launch.wgsl
//!import state/moment.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read> boxes: array<vec4f>;   // as in patches.wgsl
// What was found where each of the last frames began, as bits [1].
@group(2) @binding(1) var<storage, read_write> closings: array<atomic<u32>>;
@group(2) @binding(2) var<storage, read> moment: Moment;

struct Slot {
    index: u32,     // where this frame's number goes
}

@group(3) @binding(1) var<uniform> slot: Slot;

// Leaves of a part, of trees that have as many.
const PART_LEAVES: u32 = 8u;
override COLLIDERS: u32 = 0u;
// What others come nearer at least: layers that touch need more than one substep however slow they are [1].
override LEAST: f32 = 0.0;
override FRAME: f32 = 0.0;          // [s]
override AHEAD: f32 = 0.0;          // frames
override LARGEST_REACH: f32 = 0.0;  // [m]

fn parts_of_copy() -> u32 {
    return LEAVES / min(PART_LEAVES, LEAVES);
}

struct Part {
    bounds: Bounds,     // displacements are those of a frame
    rest_low: vec3f,
    rest_high: vec3f,
    body: f32,
    spacing: f32,       // [m]
}

fn part_at(at: u32) -> Part {
    var bounds = from_thirds(boxes[3u * at], boxes[3u * at + 1u], boxes[3u * at + 2u]);
    let of_frame = FRAME / (QUICKER * world.step);
    bounds.least *= of_frame;
    bounds.most *= of_frame;
    let low = boxes[6u * LEAVES * COPIES + 2u * at];
    let high = boxes[6u * LEAVES * COPIES + 2u * at + 1u];
    return Part(bounds, low.xyz, high.xyz, low.w, high.w);
}

fn is_empty(part: Part) -> bool {
    return part.bounds.low.x > part.bounds.high.x;
}

// The same, as it moves on.
fn ahead(bounds: Bounds) -> Bounds {
    return Bounds(bounds.low, bounds.high, AHEAD * bounds.least, AHEAD * bounds.most);
}

// Whether two parts are of one body, and no farther from each other at rest than they are wide.
fn are_neighbors(a: Part, b: Part) -> bool {
    let between = max(max(a.rest_low - b.rest_high, b.rest_low - a.rest_high), vec3f(0.0));
    let width = max(length(a.rest_high - a.rest_low), length(b.rest_high - b.rest_low));
    return a.body == b.body && a.body >= 0.0 && length(between) <= width;
}

// In spacings.
fn closing_of(a: Part, b: Part) -> f32 {
    let way = 0.5 * (b.bounds.least + b.bounds.most - a.bounds.least - a.bounds.most);
    let spacing = min(a.spacing, b.spacing);
    if (are_neighbors(a, b)) {
        let apart = 0.5 * (b.bounds.low + b.bounds.high - a.bounds.low - a.bounds.high);
        return -dot(way, apart) / max(length(apart), 1e-30) / spacing;
    }
    return max(length(way) / spacing, LEAST);
}

// Whether a part may come within reach of a collider soon. What hits one may fold at once.
fn meets(part: Part, collider: Collider) -> bool {
    let center = 0.5 * (part.bounds.low + part.bounds.high);
    let surface = nearest_surface(collider, center);
    let of_collider = FRAME * (collider.velocity + cross(collider.spin, center - collider.center));
    let way = 0.5 * (part.bounds.least + part.bounds.most) - of_collider;
    let radius = 0.5 * length(part.bounds.high - part.bounds.low);
    return surface.w - radius - AHEAD * max(-dot(surface.xyz, way), 0.0) <= LARGEST_REACH;
}

// Reads boxes, moment; writes closings. One thread per part; it looks at those behind it.
@compute @workgroup_size(WORKGROUP_SIZE)
fn closing(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = thread_index(id, groups);
    let parts = parts_of_copy();
    if (thread >= parts * COPIES) {
        return;
    }
    let first = first_box(thread / parts);
    let node_of_own = parts + thread % parts;
    let own = part_at(first + node_of_own);
    if (is_empty(own)) {
        return;
    }
    let soon = ahead(own.bounds);
    var most = 0.0;
    for (var k = 0u; k < COLLIDERS; k += 1u) {
        if (meets(own, moment.colliders[k])) {
            most = LEAST;
        }
    }
    var node = next_node(node_of_own);
    while (node > 1u) {
        let other = part_at(first + node);
        if (is_empty(other) || !may_meet(soon, ahead(other.bounds), LARGEST_REACH)) {
            node = next_node(node);
        } else if (node < parts) {
            node = 2u * node;
        } else {
            most = max(most, closing_of(own, other));
            node = next_node(node);
        }
    }
    if (most > 0.0) {
        atomicMax(&closings[slot.index], bitcast<u32>(most));
    }
}
