// One spring.

// Whether any spring has a dashpot.
override HAS_DASHPOTS: bool = false;

// Whether any body has a bending stiffness. Bending couples a node x to other nodes y by the linear force
// -kappa (x - y), with kappa of either sign. In grid form the other nodes are those of the links, and kappa is
// link.bend; in mesh form link.bend is zero, and there are separate pairs: bend_count, bend_at. A kernel adds
// up both. The majorant of a pair in a Jacobi sweep is max(kappa, 0).
override HAS_BENDING: bool = false;

// A spring as seen from one of its ends. An empty slot has stiffness and dashpot zero and names the node
// itself, so that loops need no branch.
struct Link {
    node: u32,          // the other end
    rest_length: f32,   // r [m]
    stiffness: f32,     // k [N/m]; see is_inextensible
    dashpot: f32,       // c [N s/m]
    bend: f32,          // kappa [N/m]
    penalty: f32,       // sigma, with multipliers [N/m]: see penalty_of
    limit: f32,         // a, its largest elongation beyond r [m]; 0: no limit
}

// Whether a spring of this stiffness keeps its length. 1e30 stands for infinity, which WGSL need not support, and a border may
// halve it: see stored_stiffness in body.rs.
fn is_inextensible(stiffness: f32) -> bool {
    return stiffness > 1e29;
}

// Number of the first slots of a node that may have a multiplier; 0 in methods without multipliers.
override MULTIPLIER_SLOTS: u32 = 0u;

// A pair that is coupled by bending, as seen from one of its ends.
struct Bend {
    node: u32,          // the other end
    stiffness: f32,     // kappa [N/m]
}

// Length l and direction n = e / l of e; n = 0 if l <= 1e-6 r, because it would only be rounding.
struct Extent {
    direction: vec3f,
    length: f32,
}

fn extent(e: vec3f, rest_length: f32) -> Extent {
    let squared = dot(e, e);
    let inverse = inverseSqrt(max(squared, 1e-30));
    let length = squared * inverse;
    return Extent(select(e * inverse, vec3f(0.0), length <= 1e-6 * rest_length), length);
}
