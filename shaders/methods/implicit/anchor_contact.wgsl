// The rows of contact between surfaces at an iterate, in `anchor`, which files that import this declare.
//!import core/symmetric.wgsl
//!import state/world.wgsl

// The first of them: a force [N], then two of its block of the matrix [N/m]; 0: there are none.
override ANCHOR_CONTACT: u32 = 0u;
// Whether there is one behind them with how much nodes that touch have sped up in the substep before [m/s^2]; w = 0: it did not touch.
override ADAPTS: bool = false;

fn contact_force(i: u32) -> vec3f {
    return anchor[ANCHOR_CONTACT * world.node_count + i].xyz;
}

fn contact_block(i: u32) -> Symmetric {
    let at = (ANCHOR_CONTACT + 1u) * world.node_count + i;
    return from_halves(anchor[at], anchor[at + world.node_count]);
}

// Whether the node is in a pair that pushes.
fn is_touching(i: u32) -> bool {
    if (ANCHOR_CONTACT == 0u) {
        return false;
    }
    return any(contact_block(i).diagonal > vec3f(0.0));
}

fn gained_at(i: u32) -> u32 {
    return (ANCHOR_CONTACT + 3u) * world.node_count + i;
}

// Whether it was in a pair that pushed at the end of the substep before.
fn has_touched(i: u32) -> bool {
    return ADAPTS && anchor[gained_at(i)].w > 0.0;
}
