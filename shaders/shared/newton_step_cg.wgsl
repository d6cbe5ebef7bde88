// Where an iteration goes from z: along what conjugate gradients came to, which is nothing at pins. Same function as
// newton_step_cycle.wgsl.
//!import shared/copies.wgsl
//!import shared/multigrid.wgsl
//!import shared/newton_nodes.wgsl
//!import shared/newton_work.wgsl

// From z, which may be any of what is stored of a node.
fn stepped(i: u32, z: vec3f) -> vec3f {
    let along = control[copy_of(i)].along;
    let e = work[TAKEN * world.node_count + i].xyz + along * work[DIRECTION * world.node_count + i].xyz;
    return z - e;
}
