// The buffers of contact, and the meaning of their rows.
//!import state/copies.wgsl

// Triangles of a leaf of the tree.
const LEAF: u32 = 4u;

// What kernels know of a scene. It is no constant, so that they need not be compiled anew for each.
struct Tree {
    leaves: u32,            // of the tree of a copy, a power of two
    // Distances that no pair that may touch exceeds [m]: where the substep starts, and while nodes move as their velocities say.
    largest_reach: f32,
    largest_margin: f32,
}

@group(0) @binding(1) var<uniform> tree: Tree;

// How much farther than with its velocity a node may move in a substep: at its start the tree is fitted to that.
const QUICKER: f32 = 2.0;
// Rounds in which the guard holds nodes back. After the last one, where all free nodes of a copy take the same part of their motion, it looks
// once more at what pins may run over.
const ROUNDS: u32 = 8u;
const LAST_LOOK: u32 = ROUNDS + 1u;

// A triangle. Every node and every edge of the surface is owned by one triangle: bits 0 to 2 of `owned` are the nodes, bits 3
// to 5 the edges behind them. Leaves that are not full end with NO_NODE.
struct Element {
    nodes: vec3u,
    owned: u32,
}

const NO_NODE: u32 = 0xffffffffu;

// What the guard of a copy has done.
struct Guard {
    unproven: array<atomic<u32>, 16>,   // pairs without a witness, by round
    whole: atomic<u32>,     // the part of all motion that is proven to be safe, as bits
    cut: atomic<u32>,       // nodes that were held back, of all substeps together
    stopped: u32,           // substeps in which all nodes were held back alike
    substeps: u32,
    forced: atomic<u32>,    // pairs that pins may have driven through each other, of all substeps together
    least_gap: f32,         // that is kept, where there was as much [m]
    listed: atomic<u32>,    // in the first copy: tiles of all copies that are folded or near something at the end of the substep
    yielding: atomic<u32>,  // the most that a yielding node is from where the solver wants it, along any axis, as bits [m]
}

// What start.w says of a node: the sum of these.
const FREE: u32 = 1u;           // it is no pin
const STAR_IS_PROVEN: u32 = 2u; // the triangles around it do not cross each other in this substep
const YIELDED: u32 = 8u;        // it moves as its neighbors do on average
const TANGLED: u32 = 4u;        // it was part of a crossing when the state was set, or since pins may have forced one

fn is_of(kind: f32, what: u32) -> bool {
    return (u32(kind) & what) != 0u;
}

fn is_free(kind: f32) -> bool {
    return is_of(kind, FREE);
}

// What rounding may do to a gap at the end of a substep, as a part of the size of the coordinates: 16 units in the last place.
// Positions are rounded once, what leads to a gap about ten times.
const ROUNDING: f32 = 1.9e-6;
// The same for a gap at the start, as a part of the size of the pair and its motion.
const ROUNDING_OF_PAIR: f32 = 1e-6;

fn sum_of(v: vec3f) -> f32 {
    return v.x + v.y + v.z;
}

// The nodes of a copy are in a tree of its own.
fn first_element(copy: u32) -> u32 {
    return copy * tree.leaves * LEAF;
}

fn first_box(copy: u32) -> u32 {
    return copy * 2u * tree.leaves;
}

// The node of a tree that is visited after `node` if its children are left out, or 1 if there is none.
fn next_node(node: u32) -> u32 {
    let next = node + 1u;
    return next >> countTrailingZeros(next);
}
