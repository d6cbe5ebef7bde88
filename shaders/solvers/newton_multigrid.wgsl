// Newton-multigrid, the fine level. An iteration is x <- z - e, e one V(1,1) cycle of the projected Newton
// matrix A = G + sum K at z applied to the gradient g of
//     phi(x) = 1/2 (x - y)^T G (x - y) + sum k/2 (l - r)^2 + sum c/(2h) (n_0 . (e - e_0))^2 + x^T Q x / 2,
// Q bending; G, y and n_0 as in local_global.wgsl. `gradient` and `residual` descend; coarser levels then add their part to
// the correction; `advance` smooths once more and takes the step. The smoother is block Jacobi,
// e <- e + OMEGA D^-1 (g - A e), D = G + sum K + sum max(kappa, 0) of the node's springs and bending pairs (twice
// that is above Q; the diagonal of Q alone is not enough).
//!import shared/launch.wgsl
//!import shared/network.wgsl
//!import shared/newton.wgsl
//!import shared/multigrid.wgsl
//!import shared/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;     // z, and w = 1 / m (0: pinned)
// Row 0: y, and 1/g with g the scalar part of G (0: pinned). Rows 1, 2: B / (h g). Row 3: x_0, where there are
// dashpots.
@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;
// Row 0: gradient, and this node's share of phi. Row 1: correction e, and g, negative where a spring of the node
// ends at a pin. Row 2: residual g - A e, and the share of phi. Row 3: x, where it differs from z.
@group(2) @binding(2) var<storage, read_write> work: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> position_out: array<vec4f>;  // the next z

fn air_block(i: u32) -> Symmetric {
    let a = anchor[world.node_count + i];
    let b = anchor[2u * world.node_count + i];
    return Symmetric(a.xyz, vec3f(a.w, b.x, b.y));
}

// G u, in units of g.
fn ground(i: u32, u: vec3f) -> vec3f {
    if (HAS_AIR) {
        return u + multiply(air_block(i), u);
    }
    return u;
}

fn ground_block(i: u32, g: f32) -> Symmetric {
    var block = Symmetric(vec3f(g), vec3f(0.0));
    if (HAS_AIR) {
        block = sum(block, scaled(g, air_block(i)));
    }
    return block;
}

fn frozen_direction(i: u32, link: Link) -> vec3f {
    let e_0 = anchor[3u * world.node_count + i].xyz - anchor[3u * world.node_count + link.node].xyz;
    return extent(e_0, link.rest_length).direction;
}

// The gradient, this node's part of phi, and the first sweep from zero: e = OMEGA D^-1 g.
// Reads position_in, anchor, the network; writes rows 0 and 1 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gradient(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let z = position_in[i];
    let y = anchor[i];
    let least = least_across(i);
    let row = row_of(i);
    var slope = vec3f(0.0);
    var phi = 0.0;
    var diagonal = NOTHING;
    var is_held = false;
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let other = position_in[link.node];
        let e = z.xyz - other.xyz;
        let spring = stiffness_of(e, link.rest_length, link.stiffness, least);
        slope += spring.tension * spring.direction;
        phi += 0.25 * spring.tension * spring.stretch;
        diagonal = sum(diagonal, matrix(spring));
        is_held = is_held || (other.w == 0.0 && link.node != i);
        if (HAS_DASHPOTS) {
            let n = frozen_direction(i, link);
            let c = link.dashpot / world.step;
            let e_0 = anchor[3u * world.node_count + i].xyz - anchor[3u * world.node_count + link.node].xyz;
            let gap = dot(n, e - e_0);
            slope += c * gap * n;
            phi += 0.25 * c * gap * gap;
            diagonal = sum(diagonal, along_and_across(n, c, 0.0));
        }
        if (HAS_BENDING) {
            slope += link.bend * e;
            phi += 0.25 * link.bend * dot(e, e);
            diagonal.diagonal += vec3f(max(link.bend, 0.0));
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            let other = position_in[bend.node];
            let e = z.xyz - other.xyz;
            slope += bend.stiffness * e;
            phi += 0.25 * bend.stiffness * dot(e, e);
            diagonal.diagonal += vec3f(max(bend.stiffness, 0.0));
            is_held = is_held || (other.w == 0.0 && bend.node != i);
        }
    }
    if (y.w == 0.0) {
        work[i] = vec4f(0.0, 0.0, 0.0, phi);
        work[world.node_count + i] = vec4f(0.0);
        return;
    }
    let g = 1.0 / y.w;
    let pulled = g * ground(i, z.xyz - y.xyz);
    slope += pulled;
    phi += 0.5 * dot(pulled, z.xyz - y.xyz);
    let e = OMEGA * solve(sum(diagonal, ground_block(i, g)), slope);
    work[i] = vec4f(slope, phi);
    work[world.node_count + i] = vec4f(e, select(g, -g, is_held));
}

// The residual g - A e after the first sweep.
// Reads position_in, anchor, rows 0 and 1 of work, the network; writes row 2 of work. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn residual(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    let slope = work[i];
    let left = remaining(i, slope.xyz);
    work[2u * world.node_count + i] = vec4f(left.residual, slope.w);
}

struct Remaining {
    residual: vec3f,        // g - A e; zero at pins
    correction: vec3f,      // e
    diagonal: Symmetric,    // D
}

// What is left of the gradient `slope` of node i under the correction as it is.
fn remaining(i: u32, slope: vec3f) -> Remaining {
    let z = position_in[i];
    let y = anchor[i];
    if (y.w == 0.0) {
        return Remaining(vec3f(0.0), vec3f(0.0), NOTHING);
    }
    let u = work[world.node_count + i].xyz;
    let g = 1.0 / y.w;
    let least = least_across(i);
    let row = row_of(i);
    var taken = g * ground(i, u);
    var diagonal = ground_block(i, g);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let spring = stiffness_of(
            z.xyz - position_in[link.node].xyz, link.rest_length, link.stiffness, least);
        let d = u - work[world.node_count + link.node].xyz;
        taken += times(spring, d);
        diagonal = sum(diagonal, matrix(spring));
        if (HAS_DASHPOTS) {
            let n = frozen_direction(i, link);
            let c = link.dashpot / world.step;
            taken += c * dot(n, d) * n;
            diagonal = sum(diagonal, along_and_across(n, c, 0.0));
        }
        if (HAS_BENDING) {
            taken += link.bend * d;
            diagonal.diagonal += vec3f(max(link.bend, 0.0));
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            taken += bend.stiffness * (u - work[world.node_count + bend.node].xyz);
            diagonal.diagonal += vec3f(max(bend.stiffness, 0.0));
        }
    }
    return Remaining(slope - taken, u, diagonal);
}

// Whether the substep's last iteration has been done: the converged one still takes its step.
fn is_over() -> bool {
    if (!USE_TOLERANCE) {
        return false;
    }
    return control[0].last < this_iteration.index;
}

// x = z - e with e smoothed once more.
fn stepped(i: u32) -> vec3f {
    let left = remaining(i, work[i].xyz);
    if (position_in[i].w == 0.0) {
        return position_in[i].xyz;
    }
    return position_in[i].xyz - left.correction - OMEGA * solve(left.diagonal, left.residual);
}

// The last sweep and the step, where the next iteration starts from x itself.
// Reads position_in, anchor, rows 0 and 1 of work, the network; writes position_out. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn advance(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count && !is_over()) {
        position_out[i] = vec4f(stepped(i), position_in[i].w);
    }
}

// The same with momentum: the next z is x + beta (x - x of the iteration before).
// Reads and writes row 3 of work, too.
@compute @workgroup_size(WORKGROUP_SIZE)
fn advance_with_momentum(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_over()) {
        return;
    }
    let x = stepped(i);
    // Before there was any momentum z was x.
    let before = select(work[3u * world.node_count + i].xyz, position_in[i].xyz, this_iteration.is_first_momentum == 1u);
    // What a converged iteration ends at is x itself.
    let momentum = select(this_iteration.momentum, 0.0, is_converged());
    position_out[i] = vec4f(x + momentum * (x - before), position_in[i].w);
    work[3u * world.node_count + i] = vec4f(x, 0.0);
}
