// The edges of each node, in `edges` of the importing file: for each node bits of those that are ridges (ridges.wgsl); where a node's edges
// begin, one entry more than nodes; then of each the other end, and the third corners of its triangles.
//!import contact/bindings.wgsl
//!import state/world.wgsl

// Bits of a node. Edges beyond are no ridges.
const MOST_EDGES: u32 = 32u;

struct Edge {
    ends: vec2u,
    thirds: vec2u,      // NO_NODE in y where it is a border
}

fn edge_count(v: u32) -> u32 {
    return min(edges[world.node_count + v + 1u] - edges[world.node_count + v], MOST_EDGES);
}

fn place_of_edge(v: u32, k: u32) -> u32 {
    return 2u * world.node_count + 1u + 3u * (edges[world.node_count + v] + k);
}

// The other end of the edge with number k of those of node v.
fn end_at(v: u32, k: u32) -> u32 {
    return edges[place_of_edge(v, k)];
}

// The edge with number k of those of node v, from v.
fn edge_at(v: u32, k: u32) -> Edge {
    let at = place_of_edge(v, k);
    return Edge(vec2u(v, edges[at]), vec2u(edges[at + 1u], edges[at + 2u]));
}
