// What is summed over the nodes for a linear system.

// p . A p
const CURVATURE: u32 = 0u;
// r . z and |r|^2
const RESIDUAL_PRODUCTS: u32 = 1u;
// 0 and |b - A u|^2, of sweeps
const SWEEP_RESIDUAL: u32 = 2u;

override TERM: u32 = 0u;
