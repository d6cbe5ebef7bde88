// The rows of `anchor` that the methods share which minimize implicit Euler's objective or know springs as constraints,
// node_count entries each: node terms, written by `predict` once a substep. Row 0: y, and 1 / g with g the scalar part of G
// (0: pinned); of implicit-euler y - x_0 for y, and of what keeps displacements, too (moves.wgsl).

const ANCHOR_DRAG: u32 = 1u;    // B / (h g) in this row and the next, where anything drags
