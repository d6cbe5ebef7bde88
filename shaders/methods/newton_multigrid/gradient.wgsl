// Newton-multigrid, the beginning of an iteration. newton_multigrid/advance.wgsl describes the method.
//!import core/launch.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/newton_multigrid/contact_{alone|touching}.wgsl
//!import methods/newton_multigrid/held.wgsl
//!import methods/newton_multigrid/keep_{none|multipliers}.wgsl
//!import methods/newton_multigrid/work_write.wgsl

// The gradient, this node's part of phi, and the pre-smoothing from zero: e = OMEGA D^-1 g.
// In all iterations but the first, every multiplier is first set to the tension of its spring, and gradient and phi are
// those of the new multipliers. Both ends of a spring store the multiplier, with the same bits: it depends on the length of
// the spring alone. Reads position_in, anchor, the network; writes rows 0, CORRECTION and HELD of work, and multipliers. One
// thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gradient(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || is_converged()) {
        return;
    }
    if (is_augmented(i)) {
        begin_iteration(i, true);
    } else {
        begin_iteration(i, false);
    }
}

fn begin_iteration(i: u32, augmented: bool) {
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
        var multiplier = multiplier_of(row, s, augmented);
        if (augmented && s < MULTIPLIER_SLOTS && this_iteration.index > 0u) {
            // Between two pins that move apart the multiplier would grow without end.
            let is_any = z.w + other.w > 0.0;
            multiplier = select(0.0, advanced_multiplier(i, s, link, e, multiplier, least), is_any);
            keep_multiplier(row, s, multiplier);
        }
        let spring = stiffness_at(i, s, link, e, multiplier, least, augmented);
        slope += spring.tension * spring.direction;
        // Half of the energy: the other end counts the other half.
        phi += 0.25 * spring.tension * spring.stretch;
        diagonal = sum(diagonal, matrix(spring));
        is_held = is_held || (other.w == 0.0 && link.node != i);
        if (HAS_DASHPOTS) {
            let e_0 = frozen_vector(i, link.node);
            let n = extent(e_0, link.rest_length).direction;
            let c = link.dashpot / world.step;
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
    if (HAS_CONTACT) {
        let contact = work[WORK_CONTACT * world.node_count + i];
        slope -= contact.xyz;
        phi += contact.w;
    }
    if (y.w == 0.0) {
        work[i] = vec4f(0.0, 0.0, 0.0, phi);
        work[CORRECTION * world.node_count + i] = vec4f(vec3f(0.0), MARK_OF_PIN);
        return;
    }
    let ground = own_ground(i, 1.0 / y.w);
    var held = ground;
    var away = z.xyz - y.xyz;
    if (KEEPS_MOVES) {
        away = work[MOVES * world.node_count + i].xyz - y.xyz;
    }
    let pulled = multiply(ground, away);
    slope += pulled;
    phi += 0.5 * dot(pulled, away);
    if (HAS_CONTACT) {
        let at = (WORK_CONTACT + 1u) * world.node_count + i;
        held = sum(held, from_halves(work[at], work[at + world.node_count]));
    }
    let correction = OMEGA * solve(sum(diagonal, held), slope);
    work[i] = vec4f(slope, phi);
    let part = shared_part(i, diagonal);
    let mark = mark_of(part, is_held);
    work[CORRECTION * world.node_count + i] = vec4f(correction, mark);
    if (is_held && HELD > 0u) {
        let block = block_with_pins(i, mark, augmented);
        let at = HELD * world.node_count + i;
        work[at] = first_half(block);
        work[at + world.node_count] = second_half(block);
    }
}

// The multiplier of the spring in a slot of node i after one more step, for a spring of vector e.
fn advanced_multiplier(i: u32, slot: u32, link: Link, e: vec3f, multiplier: f32, least: f32) -> f32 {
    var own = link;
    own.penalty = penalty_of(i, slot, link);
    if (own.penalty == 0.0) {
        return 0.0;
    }
    return next_multiplier(own, augmented_stiffness_of(e, own, multiplier, least), multiplier);
}

// The part of a coarse-grid correction that a node takes. Where a handle pulls a node with stiffness S, and k is the average
// stiffness of its springs, the node follows the cloth around it by k / (S + k): handle and springs are then as stiff as the
// two in series. Handles on the neighbors hold the cloth around the node, so their S counts as part of k.
fn shared_part(i: u32, springs: Symmetric) -> f32 {
    let s = pull_of(i);
    if (s == 0.0) {
        return 1.0;
    }
    var k = (springs.diagonal.x + springs.diagonal.y + springs.diagonal.z) / 3.0;
    let row = row_of(i);
    for (var n = 0u; n < link_count(row); n += 1u) {
        let node = link_at(row, n).node;
        k += select(pull_of(node), 0.0, node == i);
    }
    return max(k / (s + k), LEAST_PART);
}

// Larger than 0, which marks a pin.
const LEAST_PART: f32 = 1e-30;
