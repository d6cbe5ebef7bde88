// Vectors of newton-multigrid on the network itself, row after row of node_count entries. Row 0: right side r of the
// cycle, at first the gradient; and the node's share of phi. Row 1: correction e, and the part of a coarse correction that the node takes,
// negative where a spring of it ends at a pin, 0 for pins. Row 2: what e leaves of r, by the same part, and the share
// of phi; behind a cycle in conjugate gradients what
// it came to. Row 3: x, where it differs from z. Rows 4, 5, 6: of conjugate gradients.
// Row MOVES, where KEEPS_MOVES: z - x_0; then row 3 is x - x_0, row 0 of anchor y - x_0 and its row 3 x_0.

@group(2) @binding(2) var<storage, read_write> work: array<vec4f>;

override MOVES: u32 = 0u;

const CORRECTION: u32 = 1u;
const LEFT: u32 = 2u;
const BEFORE: u32 = 3u;         // x before momentum
const TAKEN: u32 = 4u;          // p, the correction so far
const DIRECTION: u32 = 5u;      // d
const PRODUCT: u32 = 6u;        // A d
