// The Newton matrix A = G + sum K + Q of the network times a vector, and what the smoother divides by:
// D = G + sum K + sum max(kappa, 0) of the node's springs and bending pairs (twice that is above Q; the diagonal of Q
// alone is not enough).
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/nodes.wgsl
//!import methods/newton_multigrid/work_write.wgsl

struct Product {
    own: vec3f,             // e of the node itself
    taken: vec3f,           // A e; zero at pins
    diagonal: Symmetric,    // D; nothing for pins
}

// Row i of A e, for e in a row of work, with at least `least` of a spring's stiffness across it.
fn product(i: u32, row_of_work: u32, least: f32) -> Product {
    if (is_augmented(i)) {
        return product_of(i, row_of_work, least, true);
    }
    return product_of(i, row_of_work, least, false);
}

fn product_of(i: u32, row_of_work: u32, least: f32, augmented: bool) -> Product {
    let z = position_in[i];
    let y = anchor[i];
    if (y.w == 0.0) {
        return Product(vec3f(0.0), vec3f(0.0), NOTHING);
    }
    let first = row_of_work * world.node_count;
    let u = work[first + i].xyz;
    let row = row_of(i);
    var diagonal = own_ground(i, 1.0 / y.w);
    var taken = multiply(diagonal, u);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let spring = stiffness_at(
            i, s, link, z.xyz - position_in[link.node].xyz, multiplier_of(row, s, augmented), least, augmented);
        let d = u - work[first + link.node].xyz;
        taken += times(spring, d);
        diagonal = sum(diagonal, matrix(spring));
        if (HAS_DASHPOTS) {
            let n = extent(frozen_vector(i, link.node), link.rest_length).direction;
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
            taken += bend.stiffness * (u - work[first + bend.node].xyz);
            diagonal.diagonal += vec3f(max(bend.stiffness, 0.0));
        }
    }
    return Product(u, taken, diagonal);
}
