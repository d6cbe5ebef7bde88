// K of the first coarse level of a network, and G of the network itself, from the positions.
//!import core/launch.wgsl
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/held.wgsl
//!import methods/newton_multigrid/mesh/level.wgsl
//!import methods/newton_multigrid/work_read.wgsl

// K of the network's spring s; zero where it ends at a pin.
fn own_block(s: u32) -> Symmetric {
    let spring = springs[s];
    if (position_in[spring.x].w == 0.0 || position_in[spring.y].w == 0.0) {
        return NOTHING;
    }
    var dashpot = 0.0;
    if (HAS_DASHPOTS) {
        dashpot = spring_dashpots[s];
    }
    var link = Link(spring.y, bitcast<f32>(spring.z), bitcast<f32>(spring.w), dashpot, 0.0, 0.0, 0.0);
    if (is_augmented(spring.x)) {
        let place = springs[multiplier_places.springs + s];
        link.penalty = world.penalty_scale * bitcast<f32>(place.z);
        link.limit = bitcast<f32>(place.w);
        let multiplier = multiplier_at(place.x, place.y);
        return spring_block(spring.x, spring.y, 0u, link, multiplier, true);
    }
    return spring_block(spring.x, spring.y, 0u, link, 0.0, false);
}

// Reads position_in, anchor; writes K of the level. One thread per coarse spring of the part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn coarsen_springs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = thread_index(id, groups);
    if (s >= level.part_count || is_converged()) {
        return;
    }
    var block = NOTHING;
    let end = rows[s + 1u];
    for (var k = rows[s]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let entry = entry_at(k, k + n, end);
            block = sum(block, scaled(weight_of(entry), own_block(entry.words.x)));
        }
    }
    store_block(level.stiffness, level.springs, level.part_first + s, block);
}

// G of the network's nodes, which includes springs and bending that end at a pin; zero for a pin.
// Reads position_in, anchor, work, and the network where work has no rows HELD; writes the finest G. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn compute_ground(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    store_block(0u, world.node_count, i, ground_block_with_pins(i, work[CORRECTION * world.node_count + i].w));
}
