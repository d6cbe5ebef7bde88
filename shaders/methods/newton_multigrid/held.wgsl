// The ground block G of a node as coarser levels see it, which includes springs and bending that end at a pin.
//!import methods/newton_multigrid/nodes.wgsl

// What of it has nothing to do with springs; `mark` is the node's.
fn block_apart_from_pins(i: u32, mark: f32) -> Symmetric {
    // A handle of stiffness S counts as S k / (S + k). This is summed from its parts: a difference of large numbers would
    // lose all digits.
    var block = Symmetric(vec3f(1.0 / position_in[i].w + part_of(mark) * pull_of(i)), vec3f(0.0));
    if (HAS_DRAG) {
        block = sum(block, scaled(1.0 / anchor[i].w, drag_block(i)));
    }
    return block;
}

// All of it, for a node that is no pin.
fn block_with_pins(i: u32, mark: f32, augmented: bool) -> Symmetric {
    var block = block_apart_from_pins(i, mark);
    // Only positive kappa: a negative one would cancel what the node next to the pin adds.
    let row = row_of(i);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        if (position_in[link.node].w == 0.0) {
            block = sum(block, spring_block(i, link.node, s, link, multiplier_of(row, s, augmented), augmented));
            block.diagonal += vec3f(max(link.bend, 0.0));
        }
    }
    for (var s = 0u; s < bend_count(row); s += 1u) {
        let bend = bend_at(row, s);
        if (position_in[bend.node].w == 0.0) {
            block.diagonal += vec3f(max(bend.stiffness, 0.0));
        }
    }
    return block;
}

// The block of a node in an iteration that has begun; zero for a pin. Where it depends on springs, `gradient` has stored it: there each
// thread has one node, and the few that go through their springs again are not in the way of a sum over nodes.
fn ground_block_with_pins(i: u32, mark: f32) -> Symmetric {
    if (is_pin(mark)) {
        return NOTHING;
    }
    if (is_apart_from_pins(mark)) {
        return block_apart_from_pins(i, mark);
    }
    if (HELD == 0u) {
        if (is_augmented(i)) {
            return block_with_pins(i, mark, true);
        }
        return block_with_pins(i, mark, false);
    }
    let at = HELD * world.node_count + i;
    return from_halves(work[at], work[at + world.node_count]);
}
