// The network's own nodes and springs in the Newton matrix of newton-multigrid.
//!import shared/multigrid.wgsl
//!import shared/network.wgsl
//!import shared/newton.wgsl
//!import shared/world.wgsl

// z, and 1 / g without handles (0: pinned)
@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
// Row 0: y, and 1/g with g the scalar part of G (0: pinned). Rows 1, 2: B / (h g). Row 3: x_0, where there are
// dashpots.
@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;

fn drag_block(i: u32) -> Symmetric {
    let a = anchor[world.node_count + i];
    let b = anchor[2u * world.node_count + i];
    return Symmetric(a.xyz, vec3f(a.w, b.x, b.y));
}

// G of a node, given its scalar part.
fn own_ground(i: u32, g: f32) -> Symmetric {
    var block = Symmetric(vec3f(g), vec3f(0.0));
    if (HAS_DRAG) {
        block = sum(block, scaled(g, drag_block(i)));
    }
    return block;
}

// The stiffness S of the handles that pull a node: nothing for a pin.
fn pull_of(i: u32) -> f32 {
    let loose = position_in[i].w;
    return select(max(1.0 / anchor[i].w - 1.0 / loose, 0.0), 0.0, loose == 0.0);
}

// The vector of a spring at the substep's start.
fn frozen_vector(a: u32, b: u32) -> vec3f {
    return anchor[3u * world.node_count + a].xyz - anchor[3u * world.node_count + b].xyz;
}

// K of a spring from a to b, its dashpot included.
fn spring_block(a: u32, b: u32, link: Link) -> Symmetric {
    let e = position_in[a].xyz - position_in[b].xyz;
    let spring = matrix(stiffness_of(e, link.rest_length, link.stiffness, least_across(a)));
    if (!HAS_DASHPOTS) {
        return spring;
    }
    let n = extent(frozen_vector(a, b), link.rest_length).direction;
    return sum(spring, along_and_across(n, link.dashpot / world.step, 0.0));
}

// G as coarser levels see it, and the stiffness of springs and bending that end at a pin; nothing for a pin. `mark` is
// the part of a coarse correction that the node takes, negative where there are such springs (row 1 of work).
fn held_block(i: u32, mark: f32) -> Symmetric {
    if (mark == 0.0) {
        return NOTHING;
    }
    // Of a pull S, S k / (S + k) is left. Put together from its parts: a difference of large numbers would be noise.
    var block = Symmetric(vec3f(1.0 / position_in[i].w + abs(mark) * pull_of(i)), vec3f(0.0));
    if (HAS_DRAG) {
        block = sum(block, scaled(1.0 / anchor[i].w, drag_block(i)));
    }
    if (mark > 0.0) {
        return block;
    }
    // Of bending only what is positive: a negative kappa would take away what the node next to it adds.
    let row = row_of(i);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        if (position_in[link.node].w == 0.0) {
            block = sum(block, spring_block(i, link.node, link));
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
