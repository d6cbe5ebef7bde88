// The pairs that soft contact looks at: each node of a surface has up to four slots, one for
// the nearest triangle of each layer near it.

const SLOTS: u32 = 4u;

struct Slot {
    triangle: vec3u,    // its corners
    kind: u32,          // EMPTY; or where the node is, in two bits, and the thickness of the pair in the others
}

const EMPTY: u32 = 0u;
const HINGE: u32 = 0u;      // with a thickness: a hinge (touch_slot.wgsl)
const BEYOND: u32 = 1u;     // not above the triangle's face: its border is nearest
const ABOVE: u32 = 2u;      // on the side of its normal
const BELOW: u32 = 3u;

fn kind_of(place: u32, thickness: f32) -> u32 {
    return (bitcast<u32>(thickness) & 0xfffffffcu) | place;
}

// The distance below which the pair pushes [m].
fn thickness_of(slot: Slot) -> f32 {
    return bitcast<f32>(slot.kind & 0xfffffffcu);
}

// The side of the triangle that the node is on, 1 or -1; 0 where it is not above the face.
fn side_of(slot: Slot) -> f32 {
    let place = slot.kind & 3u;
    return select(select(0.0, -1.0, place == BELOW), 1.0, place == ABOVE);
}

fn is_hinge(slot: Slot) -> bool {
    return slot.kind != EMPTY && (slot.kind & 3u) == HINGE;
}
