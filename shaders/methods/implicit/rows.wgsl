// The rows of `anchor`, node_count entries each, in methods that minimize implicit Euler's objective or treat springs as
// constraints. First the node terms, which `predict` writes once a substep; in methods that sweep those of contact and what nodes have gained are
// behind them (anchor_contact.wgsl). Row 0: y, and 1 / g with g the scalar part of G
// (0: pinned). implicit-euler, soft-constraint, and solvers that store displacements (moves.wgsl), have y - x_0 for y.

const ANCHOR_DRAG: u32 = 1u;    // B / (h g) in this row and the next, where anything drags
