// The network's own nodes and springs in the Newton matrix of newton-multigrid.
//!import methods/implicit/stiffness.wgsl
//!import methods/newton_multigrid/bindings.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/ground.wgsl
//!import network/{grid|mesh}.wgsl
//!import state/world.wgsl

// z, and 1 / g without handles (0: pinned)
@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;

// The stiffness S of the handles that pull a node; 0 for a pin.
fn pull_of(i: u32) -> f32 {
    let loose = position_in[i].w;
    return select(max(1.0 / anchor[i].w - 1.0 / loose, 0.0), 0.0, loose == 0.0);
}

// sigma of the spring in a slot of node i; 0: it has no multiplier.
fn penalty_of(i: u32, slot: u32, link: Link) -> f32 {
    if (slot >= MULTIPLIER_SLOTS) {
        return 0.0;
    }
    if (!HAS_WORDS) {
        return world.penalty_scale * link.penalty;
    }
    // Two bits for each slot: none, or the factor on sigma.
    let word = bitcast<u32>(anchor[multiplier_places.words + i / 4u][i % 4u]);
    return vec4f(0.0, 1.0, 3.0, 9.0)[(word >> (2u * slot)) & 3u] * (world.penalty_scale * link.penalty);
}

// Whether springs of node i's copy have multipliers. Kernels branch on this before anything else, with the same code in both
// branches: a copy without multipliers then has the bits that it has alone.
fn is_augmented(i: u32) -> bool {
    if (MULTIPLIER_SLOTS == 0u) {
        return false;
    }
    return control[copy_of(i)].has_multipliers == 1u;
}

// The multiplier of the spring in a slot of a node; 0: it has none.
fn multiplier_of(row: Row, slot: u32, augmented: bool) -> f32 {
    if (!augmented || slot >= MULTIPLIER_SLOTS) {
        return 0.0;
    }
    return multiplier_at(quad_of(row, slot / 4u), slot % 4u);
}

// One of the four multipliers of a quad.
fn multiplier_at(quad: u32, part: u32) -> f32 {
    return anchor[multiplier_places.quads + quad][part];
}

// K of the spring in a slot of node i, of vector e; with the spring's multiplier where the copy is augmented.
fn stiffness_at(
    i: u32, slot: u32, link: Link, e: vec3f, multiplier: f32, least: f32, augmented: bool,
) -> Stiffness {
    if (augmented && slot < MULTIPLIER_SLOTS) {
        var own = link;
        own.penalty = penalty_of(i, slot, link);
        if (own.penalty > 0.0) {
            return augmented_stiffness_of(e, own, multiplier, max(least, LEAST_ACROSS));
        }
    }
    return stiffness_of(e, link.rest_length, link.stiffness, least);
}

// The vector of a spring at the substep's start.
fn frozen_vector(a: u32, b: u32) -> vec3f {
    return anchor[ORIGIN * world.node_count + a].xyz - anchor[ORIGIN * world.node_count + b].xyz;
}

// K of the spring in a slot of node a that ends at b, with its multiplier, its dashpot included.
fn spring_block(a: u32, b: u32, slot: u32, link: Link, multiplier: f32, augmented: bool) -> Symmetric {
    let e = position_in[a].xyz - position_in[b].xyz;
    let spring = matrix(stiffness_at(a, slot, link, e, multiplier, least_across(a), augmented));
    if (!HAS_DASHPOTS) {
        return spring;
    }
    let n = extent(frozen_vector(a, b), link.rest_length).direction;
    return sum(spring, along_and_across(n, link.dashpot / world.step, 0.0));
}
