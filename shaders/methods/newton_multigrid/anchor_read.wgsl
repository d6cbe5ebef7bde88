// Node terms of newton-multigrid and its multipliers, as most kernels see them. Same declaration as
// newton_multigrid/anchor_write.wgsl.

// Row 0: y, and 1/g with g the scalar part of G (0: pinned). Rows 1, 2: B / (h g). Row 3: x_0, where there are
// dashpots or KEEPS_MOVES. Behind them multipliers: see newton_multigrid/nodes.wgsl.
@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;
