// The product of the Newton matrix A = G + sum K + Q of the network with a vector, and the smoother's diagonal
// D = G + sum K + sum max(kappa, 0) over the node's springs and bending pairs. Twice the sum of max(kappa, 0) is above Q; the
// diagonal of Q would not be enough. Contact has its own kernels, which multiply the row beforehand.
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/contact_{alone|touching}.wgsl
//!import methods/newton_multigrid/nodes.wgsl
//!import methods/newton_multigrid/work_write.wgsl

struct Product {
    own: vec3f,             // e of the node itself
    product: vec3f,         // A e; zero at pins
    diagonal: Symmetric,    // D; zero for pins
}

// (A e)_i, for e in a row of work. A spring has at least the part `least` of its stiffness across itself.
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
    var product = multiply(diagonal, u);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let spring = stiffness_at(
            i, s, link, z.xyz - position_in[link.node].xyz, multiplier_of(row, s, augmented), least, augmented);
        let d = u - work[first + link.node].xyz;
        product += times(spring, d);
        diagonal = sum(diagonal, matrix(spring));
        if (HAS_DASHPOTS) {
            let n = extent(frozen_vector(i, link.node), link.rest_length).direction;
            let c = link.dashpot / world.step;
            product += c * dot(n, d) * n;
            diagonal = sum(diagonal, along_and_across(n, c, 0.0));
        }
        if (HAS_BENDING) {
            product += link.bend * d;
            diagonal.diagonal += vec3f(max(link.bend, 0.0));
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            product += bend.stiffness * (u - work[first + bend.node].xyz);
            diagonal.diagonal += vec3f(max(bend.stiffness, 0.0));
        }
    }
    if (HAS_CONTACT) {
        let at = WORK_CONTACT * world.node_count + i;
        product += work[at].xyz;
        diagonal = sum(
            diagonal, from_halves(work[at + world.node_count], work[at + 2u * world.node_count]));
    }
    return Product(u, product, diagonal);
}
