// Whether anything is near a piece of the surface, beyond a region of its own: several threads of a workgroup divide a tree between them.
// `boxes` are those of the importing file.
//!import contact/bindings.wgsl
//!import contact/near.wgsl
//!import contact/patches.wgsl
//!import core/launch.wgsl
//!import core/width.wgsl

// Whether nodes are looked at where they go to, or where they start.
override AT_END: bool = false;

// Parts into which a tree is divided, of which all but those near the piece are soon done.
const MOST_PARTS: u32 = 256u;

// Of each piece of a workgroup.
var<workgroup> met: array<atomic<u32>, WORKGROUP_SIZE>;

// What `look` needs beside the region.
struct Piece {
    own: Bounds,
    margin: f32,    // at the end [m]
    first: u32,     // box of the copy's tree
    number: u32,    // in the workgroup
}

fn piece_of(at: u32, least_gap: f32, first: u32, number: u32) -> Piece {
    let own = bounds_at(at);
    let far = max(abs(own.low), abs(own.high)) + max(abs(own.least), abs(own.most));
    return Piece(own, least_gap + ROUNDING * sum_of(far), first, number);
}

// Notes in `met` whether anything outside a region is near a piece in it. Called by the `lookers` threads of the piece, with their numbers.
fn look(piece: Piece, region: Region, looker: u32, lookers: u32) {
    let parts = select(1u, min(MOST_PARTS, tree.leaves), lookers > 1u);
    // Parts that follow each other are near each other: they go to different threads.
    for (var part = looker; part < select(0u, parts, region.state >= FLAT); part += lookers) {
        if (is_met(parts + part, piece, region)) {
            atomicStore(&met[piece.number], 1u);
        }
    }
}

// As far as the tree below `top` tells. Ends early where another thread has found something.
fn is_met(top: u32, piece: Piece, region: Region) -> bool {
    let end = next_node(top);
    var node = top;
    var is_done = false;
    while (!is_done && atomicLoad(&met[piece.number]) == 0u) {
        let at = piece.first + node;
        let is_open = is_near(piece, bounds_at(at)) && !is_in_region(region, at);
        let is_leaf = node >= tree.leaves;
        if (is_open && is_leaf) {
            return true;
        }
        node = select(next_node(node), 2u * node, is_open && !is_leaf);
        is_done = node == end;
    }
    return false;
}

fn is_near(piece: Piece, other: Bounds) -> bool {
    if (AT_END) {
        return may_meet(piece.own, other, piece.margin);
    }
    return may_touch(piece.own, other);
}
