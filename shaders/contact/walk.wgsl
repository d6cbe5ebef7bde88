// A walk through the tree of a copy, to the leaves near a node: some at a time, since a group of threads goes through code that one of them
// needs. So all of them walk, then look at what is in their leaves. `boxes` are those of the importing file.
//!import contact/near.wgsl
//!import contact/patches.wgsl

const MOST_LEAVES: u32 = 8u;

struct Walk {
    copy: u32,
    node: u32,
    is_done: bool,
    end: u32,       // of leaves
    leaves: array<u32, MOST_LEAVES>,
}

fn walk_through(copy: u32) -> Walk {
    return Walk(copy, 1u, false, 0u, array<u32, MOST_LEAVES>());
}

// Goes on to the next leaves near something in motion, but for those in a region that is flat.
fn find_leaves(walk: ptr<function, Walk>, own: Bounds, region: Region) {
    walk.end = 0u;
    // One of these.
    while (region.state >= FLAT && !walk.is_done && walk.end < MOST_LEAVES) {
        let at = first_box(walk.copy) + walk.node;
        go_on(walk, may_touch(own, bounds_at(at)) && !is_in_region(region, at));
    }
    while (region.state < FLAT && !walk.is_done && walk.end < MOST_LEAVES) {
        go_on(walk, may_touch(own, bounds_at(first_box(walk.copy) + walk.node)));
    }
}

fn go_on(walk: ptr<function, Walk>, is_near: bool) {
    let is_leaf = walk.node >= tree.leaves;
    if (is_near && is_leaf) {
        walk.leaves[walk.end] = walk.node - tree.leaves;
        walk.end += 1u;
    }
    walk.node = select(next_node(walk.node), 2u * walk.node, is_near && !is_leaf);
    walk.is_done = walk.node == 1u;
}

// The first triangle of a leaf, among all.
fn first_of_leaf(walk: ptr<function, Walk>, k: u32) -> u32 {
    return first_element(walk.copy) + walk.leaves[k] * LEAF;
}
