// Contact in the tail. Same functions as contact/groups/tail_clear.wgsl. Files that import this have
//     fn vector_at(node: u32) -> vec3f     of a node among those of all coarser levels
//!import contact/groups/extent.wgsl
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

// Whether anything in the tail touches.
var<private> is_coupled: bool;
var<workgroup> touching: atomic<u32>;

// Whether anything touches in slots of `count` nodes from `first` on. Called by all threads of a workgroup, for the tail's first
// level, before what follows: groups of the levels behind it are made of its groups.
fn find_contact(first: u32, count: u32, local: u32) -> bool {
    if (local == 0u) {
        atomicStore(&touching, 0u);
    }
    workgroupBarrier();
    var is_found = false;
    for (var t = local; t < GROUP_SLOTS * count; t += DENSE_SIZE) {
        let stiffness = tail_stiffness(GROUP_SLOTS * (first - group_extent.tail_first) + t).diagonal;
        // What is not a number is no reason to leave contact out.
        is_found = is_found || !(stiffness.x + stiffness.y + stiffness.z <= 0.0);
    }
    if (is_found) {
        atomicStore(&touching, 1u);
    }
    workgroupBarrier();
    is_coupled = atomicLoad(&touching) == 1u;
    return is_coupled;
}

// Adds w . e of one side of a slot's row.
fn with_side_of_row(s: u32, side: u32, before: vec3f) -> vec3f {
    let first = tail_groups[place_of_row(s, side)];
    var u = before;
    var is_there = first != NO_NODE;
    for (var k = 0u; is_there && k < SIDE; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let at = place_of_row(s, side + k + n);
            let node = tail_groups[at];
            is_there = is_there && node != NO_NODE;
            let weight = select(0.0, bitcast<f32>(tail_groups[at + 1u]), is_there);
            u += weight * vector_at(group_extent.tail_first + select(first, node, is_there));
        }
    }
    return u;
}

// S w . e of all slots of `count` nodes from `first` on. Called by all threads of a workgroup.
fn multiply_contact(first: u32, count: u32, local: u32) {
    for (var t = local; t < select(0u, GROUP_SLOTS * count, is_coupled); t += DENSE_SIZE) {
        let s = GROUP_SLOTS * (first - group_extent.tail_first) + t;
        let stiffness = tail_stiffness(s);
        var product = vec3f(0.0);
        if (stiffness.diagonal.x + stiffness.diagonal.y + stiffness.diagonal.z > 0.0) {
            // The sides nearly cancel each other: the second is added to the first term by term, so that what is rounded gets small.
            product = multiply(stiffness, with_side_of_row(s, SIDE, with_side_of_row(s, 0u, vec3f(0.0))));
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
    var product = vec3f(0.0);
    if (!is_coupled) {
        return product;
    }
    let own = node - group_extent.tail_first;
    let end = tail_groups[place_of_start(own + 1u)];
    for (var k = tail_groups[place_of_start(own)]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let is_there = k + n < end;
            let entry = tail_groups[place_of_entry(select(k, k + n, is_there))];
            let at = place_of_product(entry / 32u);
            let found = bitcast<vec3f>(vec3u(tail_groups[at], tail_groups[at + 1u], tail_groups[at + 2u]));
            product += select(0.0, tail_weight(entry), is_there) * found;
        }
    }
    return product;
}

// Adds w w^T S to one row of the dense matrix, up to its diagonal; `node` is that of the row, and nodes before it have the rows before.
fn add_contact(row: u32, node: u32) {
    let own = node - group_extent.tail_first;
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
