// Parts of the surface: subtrees of the tree, each of one body, with a box around where its nodes are, and one around how far they move in
// a frame. `boxes` is declared by the file that imports this, as in patches.wgsl.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import contact/patches.wgsl
//!import state/world.wgsl

// The body of a subtree of several.
const MIXED: f32 = -1.0;
// Leaves of a part, of trees that have as many; fewer where it would have several bodies.
const PART_LEAVES: u32 = 8u;
// How much larger than at rest a part may be.
const WIDER: f32 = 1.2;
// How often counts what comes near a pin with a path; once while none moves.
override DRIVEN: f32 = 1.0;
override FRAME: f32 = 0.0;      // [s]
override AHEAD: f32 = 0.0;      // frames

fn parts_of_copy() -> u32 {
    return max(tree.leaves / PART_LEAVES, 1u);
}

struct Part {
    bounds: Bounds,     // displacements are those of a frame
    rest_low: vec3f,
    rest_high: vec3f,
    body: f32,
    spacing: f32,       // [m]
    counts: f32,        // how many times
}

fn part_at(at: u32) -> Part {
    var bounds = bounds_at(at);
    let of_frame = FRAME / (QUICKER * world.step);
    bounds.least *= of_frame;
    bounds.most *= of_frame;
    let low = boxes[6u * tree.leaves * copies() + 2u * at];
    let high = boxes[6u * tree.leaves * copies() + 2u * at + 1u];
    return Part(bounds, low.xyz, high.xyz, low.w, abs(high.w), select(1.0, DRIVEN, high.w < 0.0));
}

fn is_empty(part: Part) -> bool {
    return part.bounds.low.x > part.bounds.high.x;
}

// Whether a node of the tree is no part yet. Bodies are looked at one by one.
fn is_to_be_parted(node: u32, part: Part) -> bool {
    return node < parts_of_copy() || (part.body == MIXED && node < tree.leaves);
}

// Bounds of a frame, as they are over AHEAD frames.
fn ahead(bounds: Bounds) -> Bounds {
    return Bounds(bounds.low, bounds.high, AHEAD * bounds.least, AHEAD * bounds.most);
}

// Whether two parts are of one body, and so near at rest that balls around them nearly touch.
fn are_neighbors(a: Part, b: Part) -> bool {
    let apart = 0.5 * (b.rest_low + b.rest_high - a.rest_low - a.rest_high);
    return a.body == b.body && length(apart) <= largest_radius(a) + largest_radius(b) + 2.0 * tree.largest_reach;
}

// Of a ball around a part that is not stretched much.
fn largest_radius(part: Part) -> f32 {
    return WIDER * 0.5 * length(part.rest_high - part.rest_low);
}

// Of a ball around a part as it is. A box is large where the part is aslant.
fn radius_of(part: Part) -> f32 {
    return min(0.5 * length(part.bounds.high - part.bounds.low), largest_radius(part));
}
