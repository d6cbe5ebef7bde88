// The node terms of an implicit method, for kernels that only read them.
//!import core/symmetric.wgsl
//!import methods/implicit/rows.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> anchor: array<vec4f>;

// The rows of contact between surfaces at an iterate: a force [N], and two of its block of the matrix [N/m]; 0: there are none.
override ANCHOR_CONTACT: u32 = 0u;

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

fn anchor_drag(i: u32) -> Symmetric {
    let at = ANCHOR_DRAG * world.node_count + i;
    return from_halves(anchor[at], anchor[at + world.node_count]);
}
