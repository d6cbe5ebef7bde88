// Where an iteration goes from z: along what conjugate gradients came to, which is nothing at pins. Same function as
// newton_step_cycle.wgsl.
//!import shared/copies.wgsl
//!import shared/multigrid.wgsl
//!import shared/newton_nodes.wgsl
//!import shared/newton_work.wgsl

fn stepped(i: u32) -> vec3f {
    let along = control[copy_of(i)].along;
    let e = work[TAKEN * world.node_count + i].xyz + along * work[DIRECTION * world.node_count + i].xyz;
    return position_in[i].xyz - e;
}
