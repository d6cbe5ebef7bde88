// A walk through the tree of a copy, to the leaves near a node: some at a time, since a group of threads goes through code that one of them
// needs. So all of them walk, then look at what is in their leaves. `boxes` are those of the importing file.
//!import contact/bounds.wgsl
//!import contact/patches.wgsl

// A distance that no pair exceeds [m].
override LARGEST_REACH: f32 = 0.0;
// The same while nodes move as their velocities say.
override LARGEST_MARGIN: f32 = 0.0;

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
        go_on(walk, is_near(own, at) && !is_in_region(region, at));
    }
    while (region.state < FLAT && !walk.is_done && walk.end < MOST_LEAVES) {
        go_on(walk, is_near(own, first_box(walk.copy) + walk.node));
    }
}

fn is_near(own: Bounds, at: u32) -> bool {
    let box = from_thirds(boxes[3u * at], boxes[3u * at + 1u], boxes[3u * at + 2u]);
    return are_within(own, box.low, box.high, LARGEST_REACH) && may_meet(own, box, LARGEST_MARGIN);
}

// Whether boxes are nearer to each other than `reach` where the substep starts.
fn are_within(own: Bounds, low: vec3f, high: vec3f, reach: f32) -> bool {
    let aside = max(max(low - own.high, own.low - high), vec3f(0.0));
    return dot(aside, aside) < reach * reach;
}

fn go_on(walk: ptr<function, Walk>, is_near: bool) {
    let is_leaf = walk.node >= LEAVES;
    if (is_near && is_leaf) {
        walk.leaves[walk.end] = walk.node - LEAVES;
        walk.end += 1u;
    }
    walk.node = select(next_node(walk.node), 2u * walk.node, is_near && !is_leaf);
    walk.is_done = walk.node == 1u;
}

// The first triangle of a leaf, among all.
fn first_of_leaf(walk: ptr<function, Walk>, k: u32) -> u32 {
    return first_element(walk.copy) + walk.leaves[k] * LEAF;
}
