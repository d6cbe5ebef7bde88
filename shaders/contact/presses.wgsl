// What `presses` holds of each slot, two vectors; `press_normals` holds a third: the normal, and the stiffness along it [N/m].
//!import contact/slots.wgsl

const PRESSES: u32 = 2u;
const PRESS_FORCE: u32 = 0u;        // force on the node [N], and a number of the method; later a product, stiffness times what a
                                    // vector has at the node more than at the triangle
const PRESS_WEIGHTS: u32 = 1u;      // weights of the corners [1], stiffness along the surface [N/m]
