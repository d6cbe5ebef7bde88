// Makes K of the first coarse level of a network, and G of the network itself, from the positions.
//!import shared/launch.wgsl
//!import shared/multigrid.wgsl
//!import shared/network.wgsl
//!import shared/network_levels.wgsl
//!import shared/world.wgsl

// Both ends of each spring, and bits of rest length and stiffness.
@group(1) @binding(6) var<storage, read> springs: array<vec4u>;
// Dashpot of each spring; one unused entry where there is none.
@group(1) @binding(7) var<storage, read> spring_dashpots: array<f32>;
@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;     // as in newton_multigrid.wgsl
@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;
@group(2) @binding(2) var<storage, read> work: array<vec4f>;
@group(3) @binding(1) var<uniform> level: NetworkLevel;

fn spring_block(a: u32, b: u32, rest_length: f32, k: f32, dashpot: f32) -> Symmetric {
    let e = position_in[a].xyz - position_in[b].xyz;
    let spring = matrix(stiffness_of(e, rest_length, k, least_across(a)));
    if (!HAS_DASHPOTS) {
        return spring;
    }
    let e_0 = anchor[3u * world.node_count + a].xyz - anchor[3u * world.node_count + b].xyz;
    let n = extent(e_0, rest_length).direction;
    return sum(spring, along_and_across(n, dashpot / world.step, 0.0));
}

// K of the network's spring s; nothing where it ends at a pin.
fn own_block(s: u32) -> Symmetric {
    let spring = springs[s];
    if (position_in[spring.x].w == 0.0 || position_in[spring.y].w == 0.0) {
        return NOTHING;
    }
    var dashpot = 0.0;
    if (HAS_DASHPOTS) {
        dashpot = spring_dashpots[s];
    }
    return spring_block(spring.x, spring.y, bitcast<f32>(spring.z), bitcast<f32>(spring.w), dashpot);
}

// Reads position_in, anchor; writes K of the level. One thread per coarse spring of the part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn coarsen_springs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = thread_index(id, groups);
    if (s >= level.part_count || is_converged()) {
        return;
    }
    var block = NOTHING;
    for (var k = rows[s]; k < rows[s + 1u]; k += 1u) {
        let entry = entries[k];
        block = sum(block, scaled(bitcast<f32>(entry.y), own_block(entry.x)));
    }
    store_block(level.stiffness, level.springs, level.part_first + s, block);
}

// G of the network's nodes, and of their springs and bending that end at a pin; nothing for a pin.
// Reads position_in, anchor, work, the network; writes the finest G. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn hold(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let mark = work[world.node_count + i].w;
    let g = abs(mark);
    var block = Symmetric(vec3f(g), vec3f(0.0));
    if (HAS_AIR) {
        let a = anchor[world.node_count + i];
        let b = anchor[2u * world.node_count + i];
        block = sum(block, scaled(g, Symmetric(a.xyz, vec3f(a.w, b.x, b.y))));
    }
    if (mark < 0.0) {
        let row = row_of(i);
        for (var s = 0u; s < link_count(row); s += 1u) {
            let link = link_at(row, s);
            if (position_in[link.node].w == 0.0) {
                block = sum(block, spring_block(i, link.node, link.rest_length, link.stiffness, link.dashpot));
            }
        }
        // A negative kappa would take away what the node next to it adds.
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            if (position_in[bend.node].w == 0.0) {
                block.diagonal += vec3f(max(bend.stiffness, 0.0));
            }
        }
    }
    store_block(0u, world.node_count, i, block);
}
