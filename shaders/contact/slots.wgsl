// The pairs that soft contact looks at: each node of a surface has up to four slots, for the nearest triangle of each layer near it, then
// for hinges (touch_slot.wgsl), then for pairs of edges (crossing.wgsl).

const SLOTS: u32 = 4u;

struct Slot {
    triangle: vec3u,    // its corners; of a pair of edges the ends of the other one, and the second end of the node's own
    kind: u32,          // EMPTY; or where the node is, in three bits, and the thickness of the pair in the others
}

const EMPTY: u32 = 0u;
const HINGE: u32 = 0u;      // with a thickness: a hinge (touch_slot.wgsl)
const BEYOND: u32 = 1u;     // not above the triangle's face: its border is nearest
const ABOVE: u32 = 2u;      // on the side of its normal
const BELOW: u32 = 3u;
const EDGES_ABOVE: u32 = 4u;    // two edges, the node's own on the side of their cross product
const EDGES_BELOW: u32 = 5u;
const PLACES: u32 = 7u;

fn kind_of(place: u32, thickness: f32) -> u32 {
    return (bitcast<u32>(thickness) & ~PLACES) | place;
}

// The distance below which the pair pushes [m].
fn thickness_of(slot: Slot) -> f32 {
    return bitcast<f32>(slot.kind & ~PLACES);
}

// The side of the triangle or of the other edge that the node is on, 1 or -1; 0 where it is not above the face.
fn side_of(slot: Slot) -> f32 {
    let place = slot.kind & PLACES;
    let is_below = place == BELOW || place == EDGES_BELOW;
    return select(select(0.0, -1.0, is_below), 1.0, place == ABOVE || place == EDGES_ABOVE);
}

fn is_hinge(slot: Slot) -> bool {
    return slot.kind != EMPTY && (slot.kind & PLACES) == HINGE;
}

fn is_edges(slot: Slot) -> bool {
    return (slot.kind & PLACES) >= EDGES_ABOVE;
}
