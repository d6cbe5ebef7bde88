// Where an iteration goes from z: along what conjugate gradients came to, which is nothing at pins. Same function as
// newton_multigrid/step_cycle.wgsl.
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/nodes.wgsl
//!import methods/newton_multigrid/work_write.wgsl
//!import state/copies.wgsl

// From z, which may be any of what is stored of a node.
fn stepped(i: u32, z: vec3f) -> vec3f {
    let along = control[copy_of(i)].along;
    let e = work[TAKEN * world.node_count + i].xyz + along * work[DIRECTION * world.node_count + i].xyz;
    return z - e;
}
