// A walk through the tree of a copy, to the leaves near a node: some at a time, since a group of threads goes through code that one of them
// needs. So all of them walk, then look at what is in their leaves. `boxes` are those of the importing file.
//!import contact/near.wgsl
//!import contact/patches.wgsl

const MOST_LEAVES: u32 = 8u;
// What looks at their triangles has a bit for each.
const_assert MOST_LEAVES * LEAF <= 32u;

struct Walk {
    copy: u32,
    tile: u32,      // the one of the cloth's node, as a node of the tree
    node: u32,      // of the tree
    is_done: bool,
    end: u32,       // of leaves
    leaves: array<u32, MOST_LEAVES>,
}

// `tile`: of a node, among those of all copies.
fn walk_around(tile: u32) -> Walk {
    let tiles = tiles_of_copy();
    return Walk(tile / tiles, tiles + tile % tiles, 1u, false, 0u, array<u32, MOST_LEAVES>());
}

// Goes on to the next leaves near something in motion, but for those in a region that is flat.
fn find_leaves(walk: ptr<function, Walk>, own: Bounds, region: Region) {
    walk.end = 0u;
    // One of these.
    while (region.state >= FLAT && !walk.is_done && walk.end < MOST_LEAVES) {
        go_down(walk);
        let at = first_box(walk.copy) + walk.node;
        go_on(walk, may_touch(own, bounds_at(at)) && !is_in_region(region, at));
    }
    while (region.state < FLAT && !walk.is_done && walk.end < MOST_LEAVES) {
        go_down(walk);
        go_on(walk, may_touch(own, bounds_at(first_box(walk.copy) + walk.node)));
    }
}

// What holds the tile is near the node, and is not read: goes down to the left from there, to what does not hold the tile, or is it. Where all of
// it lies in the flat region, what is below does, too. This leaves no leaf out and adds none: each is tested itself.
fn go_down(walk: ptr<function, Walk>) {
    // Of what holds the tile; they count nowhere else.
    let levels = countLeadingZeros(walk.node) - countLeadingZeros(walk.tile);
    let way = walk.tile ^ (walk.node << (levels & 31u));    // to the tile, a bit for each level: 1 leads to the right
    let holds_tile = walk.node < walk.tile && way >> (levels & 31u) == 0u;
    let lefts = levels - (32u - countLeadingZeros(way));    // steps that the way begins with
    walk.node <<= select(0u, min(levels, lefts + 1u), holds_tile);
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

// Of a triangle of the leaves, among all.
fn number_of(walk: ptr<function, Walk>, k: u32) -> u32 {
    return first_element(walk.copy) + walk.leaves[k / LEAF] * LEAF + k % LEAF;
}
