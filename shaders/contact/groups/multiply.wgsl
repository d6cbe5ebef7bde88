// S w . e of each group, e an interpolated correction at the nodes of a level. Files that import this have
//     fn vector_at(node: u32) -> vec3f     of a node among those of all coarser levels
//!import contact/groups/listed.wgsl
//!import contact/groups/stored_stiffness.wgsl

@group(2) @binding(0) var<storage, read> ups: array<u32>;
@group(2) @binding(1) var<storage, read> own_rows: array<vec2u>;
@group(2) @binding(2) var<storage, read> other_rows: array<vec2u>;
@group(2) @binding(4) var<storage, read_write> group_products: array<vec4f>;   // and sum |w| / 2

// The own side, then the other.
fn row_entry(side: u32, at: u32) -> vec2u {
    if (side == 0u) {
        return own_rows[at];
    }
    return other_rows[at];
}

fn multiply_group(s: u32) {
    let stiffness = group_stiffness_of(s);
    var u = vec3f(0.0);
    if (stiffness.diagonal.x + stiffness.diagonal.y + stiffness.diagonal.z > 0.0) {
        for (var side = 0u; side < 2u; side += 1u) {
            let first = row_entry(side, SIDE * s);
            var is_there = first.x != NO_NODE;
            for (var k = 0u; is_there && k < SIDE; k += at_once()) {
                for (var n = 0u; n < at_once(); n += 1u) {
                    let entry = row_entry(side, SIDE * s + k + n);
                    is_there = is_there && entry.x != NO_NODE;
                    let weight = select(0.0, bitcast<f32>(entry.y), is_there);
                    u += weight * vector_at(select(first.x, entry.x, is_there));
                }
            }
        }
    }
    group_products[s] = vec4f(multiply(stiffness, u), group_products[s].w);
}
