// What `presses` holds of each slot, two vectors, and `press_normals`, two more.
//!import contact/slots.wgsl

const PRESSES: u32 = 2u;
const PRESS_FORCE: u32 = 0u;        // force on the node [N]; before friction also its limit [N] (gather.wgsl), after it an energy [J]
                                    // where the method has one; later a product, stiffness times what a vector has at the node
                                    // more than at the triangle
const PRESS_WEIGHTS: u32 = 1u;      // weights of the corners [1], stiffness along the surface [N/m]

const NORMALS: u32 = 2u;
const PRESS_NORMAL: u32 = 0u;       // n, stiffness along it [N/m]
const PRESS_KEPT: u32 = 1u;         // what the pair has kept (kept.wgsl): a stretch [m], a load [N]; as a force alone and in a linear
                                    // system a force [N] instead of the stretch; in the system later stiffness along the surface [N/m]
                                    // and that force along two tangents (rub.wgsl)
