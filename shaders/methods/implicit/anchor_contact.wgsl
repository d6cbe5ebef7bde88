// The rows of contact between surfaces at an iterate, in `anchor`, which files that import this declare. Row 0 has 1 / g (rows.wgsl).
//!import core/symmetric.wgsl
//!import state/world.wgsl

// The first of them: a force [N], then two of its block of the matrix [N/m]; 0: there are none.
override ANCHOR_CONTACT: u32 = 0u;
// Whether there is one behind them with how much nodes that touch have sped up in the substep before [m/s^2], and in w one of the following.
override ADAPTS: bool = false;

const APART: f32 = -1.0;    // it did not touch
const UNKNOWN: f32 = 0.0;   // there was none before
const MET: f32 = 0.5;       // there was none before; where it coasts pairs push it, with the force that stands here [N] (settle.wgsl)
const TOUCHED: f32 = 1.0;

fn contact_force(i: u32) -> vec3f {
    return anchor[ANCHOR_CONTACT * world.node_count + i].xyz;
}

fn contact_block(i: u32) -> Symmetric {
    let at = (ANCHOR_CONTACT + 1u) * world.node_count + i;
    return from_halves(anchor[at], anchor[at + world.node_count]);
}

// Part of g from which pairs hold a node: where an edge or a triangle only touches with its other nodes, rounding decides whether it is zero.
const LEAST_HOLD: f32 = 1e-3;

// Whether pairs that push hold the node.
fn is_touching(i: u32) -> bool {
    if (ANCHOR_CONTACT == 0u) {
        return false;
    }
    return any(anchor[i].w * contact_block(i).diagonal > vec3f(LEAST_HOLD));
}

fn gained_at(i: u32) -> u32 {
    return (ANCHOR_CONTACT + 3u) * world.node_count + i;
}

// Whether it was in a pair that pushed at the end of the substep before.
fn has_touched(i: u32) -> bool {
    return ADAPTS && anchor[gained_at(i)].w == TOUCHED;
}
