// What is summed over the nodes for a linear system.

// p . A p
const CURVATURE: u32 = 0u;
// r . z and |r|^2
const RESIDUAL_SLOPE: u32 = 1u;
// nothing and |b - A u|^2, of sweeps
const LEFT_OF_SWEEPS: u32 = 2u;

override TERM: u32 = 0u;
