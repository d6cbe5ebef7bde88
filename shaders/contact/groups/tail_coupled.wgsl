// Contact in the tail. Same functions as contact/groups/tail_clear.wgsl. Files that import this have
//     fn vector_at(node: u32) -> vec3f     of a node among those of all coarser levels
//!import contact/groups/tail_layout.wgsl
//!import core/dense.wgsl
//!import core/symmetric.wgsl
//!import methods/newton_multigrid/contact_{alone|touching}.wgsl

fn tail_stiffness(s: u32) -> Symmetric {
    let at = place_of_stiffness(s);
    let diagonal = vec3u(tail_groups[at], tail_groups[at + 1u], tail_groups[at + 2u]);
    let off = vec3u(tail_groups[at + 3u], tail_groups[at + 4u], tail_groups[at + 5u]);
    return Symmetric(bitcast<vec3f>(diagonal), bitcast<vec3f>(off));
}

fn tail_weight(entry: u32) -> f32 {
    return bitcast<f32>(tail_groups[place_of_row(entry / 32u, entry % 32u) + 1u]);
}

// More than 0 where anything touches of what a thread looks at, in slots of `count` nodes from `first` on.
fn contact_at(first: u32, count: u32, local: u32) -> f32 {
    var total = 0.0;
    for (var t = local; t < GROUP_SLOTS * count; t += DENSE_SIZE) {
        let stiffness = tail_stiffness(GROUP_SLOTS * (first - TAIL_FIRST) + t).diagonal;
        total += stiffness.x + stiffness.y + stiffness.z;
    }
    return total;
}

// S w . e of all slots of `count` nodes from `first` on. Called by all threads of a workgroup.
fn multiply_contact(first: u32, count: u32, local: u32) {
    for (var t = local; t < GROUP_SLOTS * count; t += DENSE_SIZE) {
        let s = GROUP_SLOTS * (first - TAIL_FIRST) + t;
        let stiffness = tail_stiffness(s);
        var product = vec3f(0.0);
        if (stiffness.diagonal.x + stiffness.diagonal.y + stiffness.diagonal.z > 0.0) {
            var u = vec3f(0.0);
            var n = 0u;
            while (n < 2u * SIDE) {
                let at = place_of_row(s, n);
                if (tail_groups[at] == NO_NODE) {
                    n = select(2u * SIDE, SIDE, n < SIDE);
                    continue;
                }
                u += bitcast<f32>(tail_groups[at + 1u]) * vector_at(TAIL_FIRST + tail_groups[at]);
                n += 1u;
            }
            product = multiply(stiffness, u);
        }
        let bits = bitcast<vec3u>(product);
        let at = place_of_product(s);
        tail_groups[at] = bits.x;
        tail_groups[at + 1u] = bits.y;
        tail_groups[at + 2u] = bits.z;
    }
    storageBarrier();
}

fn contact_product(stride: u32, node: u32) -> vec3f {
    let own = node - TAIL_FIRST;
    var product = vec3f(0.0);
    for (var k = tail_groups[place_of_start(own)]; k < tail_groups[place_of_start(own + 1u)]; k += 1u) {
        let entry = tail_groups[place_of_entry(k)];
        let at = place_of_product(entry / 32u);
        let found = bitcast<vec3f>(vec3u(tail_groups[at], tail_groups[at + 1u], tail_groups[at + 2u]));
        product += tail_weight(entry) * found;
    }
    return product;
}

// Adds w w^T S to one row of the dense matrix, up to its diagonal; `node` is that of the row, and nodes before it have the rows before.
fn add_contact(row: u32, node: u32) {
    let own = node - TAIL_FIRST;
    for (var k = tail_groups[place_of_start(own)]; k < tail_groups[place_of_start(own + 1u)]; k += 1u) {
        let entry = tail_groups[place_of_entry(k)];
        let s = entry / 32u;
        let stiffness = full(tail_stiffness(s));
        let w = tail_weight(entry);
        var n = 0u;
        while (n < 2u * SIDE) {
            let at = place_of_row(s, n);
            if (tail_groups[at] == NO_NODE) {
                n = select(2u * SIDE, SIDE, n < SIDE);
                continue;
            }
            let other = tail_groups[at];
            if (other <= own) {
                let column = row - (own - other);
                let both = w * bitcast<f32>(tail_groups[at + 1u]);
                set_dense(row, column, get_dense(row, column) + both * stiffness);
            }
            n += 1u;
        }
    }
}
