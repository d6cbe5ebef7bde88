// What groups add to the matrix of a level at each node: the product with a vector, and the block of the smoother's diagonal, the sum
// of |w_i| S sum |w| / 2, so that twice the diagonal is above.
//!import contact/groups/layout.wgsl
//!import contact/groups/stored_stiffness.wgsl
//!import core/launch.wgsl
//!import methods/newton_multigrid/control.wgsl

@group(2) @binding(1) var<storage, read> own_rows: array<vec2u>;
@group(2) @binding(2) var<storage, read> other_rows: array<vec2u>;
@group(2) @binding(4) var<storage, read> group_products: array<vec4f>;     // S w . e; sum |w| / 2
@group(2) @binding(8) var<storage, read> row_starts: array<u32>;
@group(2) @binding(6) var<storage, read> row_entries: array<u32>;
// The rows of a level's vectors (grid/bindings.wgsl, mesh/bindings.wgsl).
@group(2) @binding(7) var<storage, read_write> nodes: array<vec4f>;

@group(3) @binding(1) var<uniform> group_level: GroupLevel;

// The rows of `nodes` that are written: product, and two of the block.
override LEVEL_CONTACT: u32 = 0u;

fn weight_at(entry: u32) -> f32 {
    let s = entry / 32u;
    let n = entry % 32u;
    if (n < SIDE) {
        return bitcast<f32>(own_rows[SIDE * s + n].y);
    }
    return bitcast<f32>(other_rows[SIDE * s + n - SIDE].y);
}

// Reads rows, group_stiffness, group_products; writes nodes. One thread per node of the level.
@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_groups(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= group_level.nodes || is_converged()) {
        return;
    }
    let node = group_level.first + i;
    var product = vec3f(0.0);
    var block = NOTHING;
    let end = row_starts[node + 1u];
    for (var k = row_starts[node]; k < end; k += at_once()) {
        for (var n = 0u; n < at_once(); n += 1u) {
            let is_there = k + n < end;
            let entry = row_entries[select(k, k + n, is_there)];
            let s = entry / 32u;
            let w = select(0.0, weight_at(entry), is_there);
            let found = group_products[s];
            let stiffness = group_stiffness_of(s);
            let part = abs(w) * found.w;
            product += w * found.xyz;
            block = sum(block, Symmetric(part * stiffness.diagonal, part * stiffness.off));
        }
    }
    let at = LEVEL_CONTACT * group_level.all_nodes + node;
    nodes[at] = vec4f(product, 0.0);
    nodes[at + group_level.all_nodes] = first_half(block);
    nodes[at + 2u * group_level.all_nodes] = second_half(block);
}
