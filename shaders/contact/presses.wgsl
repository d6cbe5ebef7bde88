// What `presses` holds of each slot, four vectors.
//!import contact/slots.wgsl

const PRESSES: u32 = 4u;
const PRESS_FORCE: u32 = 0u;        // force on the node [N], friction [1]
const PRESS_WEIGHTS: u32 = 1u;      // weights of the corners [1], stiffness along the surface [N/m]
const PRESS_NORMAL: u32 = 2u;       // normal, stiffness along it [N/m]
const PRESS_PRODUCT: u32 = 3u;      // stiffness times what a vector has at the node more than at the triangle
