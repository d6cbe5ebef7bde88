// What a pair keeps from one substep to the next.
//!import contact/slots.wgsl

struct Kept {
    stretch: vec3f,     // of friction's spring, u [m]; as a force alone and in a linear system its force on the node's side [N]
    load: f32,          // lambda [N]; in a linear system what its guess of the normal force lacks; as a force alone 0
    triangle: vec3u,
    kind: u32,          // NOT_KEPT, of a PAIR, of a hinge or of edges
}

// What the newest substep counts in lambda.
const GROWTH: f32 = 0.3;

const NOT_KEPT: u32 = 0u;
const PAIR: u32 = 1u;
const CROSSING_EDGES: u32 = 3u;

fn kind_to_keep(slot: Slot) -> u32 {
    return select(select(PAIR, PAIR + 1u, is_hinge(slot)), CROSSING_EDGES, is_edges(slot));
}
