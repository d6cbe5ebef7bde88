// The nodes of each leaf's triangles, each once, so that what is known of a node is read once. In `leaf_nodes` of the importing file a leaf
// has LEAF_WORDS: the nodes, the corners that each of them is, and how many nodes and triangles there are.
//!import contact/bindings.wgsl

const LEAF_NODES: u32 = 3u * LEAF;
const LEAF_WORDS: u32 = LEAF_NODES + 4u;

struct LeafNodes {
    first: u32,         // in `leaf_nodes`
    nodes: u32,
    triangles: u32,
}

fn leaf_of(copy: u32, leaf: u32) -> LeafNodes {
    let first = LEAF_WORDS * (copy * tree.leaves + leaf);
    let counts = leaf_nodes[first + LEAF_WORDS - 1u];
    return LeafNodes(first, counts & 0xffu, counts >> 8u);
}

// The corners that a node is: two bits for each triangle, 0 where it is none, else 1 to 3.
fn corners_at(leaf: LeafNodes, n: u32) -> u32 {
    return leaf_nodes[leaf.first + LEAF_NODES + n / 4u] >> (8u * (n % 4u));
}
