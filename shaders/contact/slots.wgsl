// What soft contact knows of nodes and bodies, and the pairs that it looks at: each node of a surface has up to four slots, one for
// the nearest triangle of each layer near it.

const SLOTS: u32 = 4u;

struct Slot {
    triangle: vec3u,    // its corners
    kind: u32,          // EMPTY, or where the node is
}

const EMPTY: u32 = 0u;
const BEYOND: u32 = 1u;     // not above the triangle's face: its border is nearest
const ABOVE: u32 = 2u;      // on the side of its normal
const BELOW: u32 = 3u;

// A node: where it is at rest [m], and bits of the body that it belongs to, or NO_BODY where it is no corner of a triangle.
struct Skin {
    rest: vec3f,
    body: u32,
}

const NO_BODY: u32 = 0xffffffffu;

// What a body's surface is like.
struct Fabric {
    thickness: f32,     // [m]
    stiffness: f32,     // of a pair [N/m]
    friction: f32,      // [1]
    spacing: f32,       // s, of its nodes [m]
}

// Of a pair of bodies.
fn paired(a: Fabric, b: Fabric) -> Fabric {
    let k = 2.0 * a.stiffness * b.stiffness / max(a.stiffness + b.stiffness, 1e-30);
    return Fabric(
        0.5 * (a.thickness + b.thickness), k, sqrt(a.friction * b.friction), max(a.spacing, b.spacing));
}
