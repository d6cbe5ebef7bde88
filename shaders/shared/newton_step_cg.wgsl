// The step of an iteration: what conjugate gradients came to. Same function as newton_step_cycle.wgsl.
//!import shared/copies.wgsl
//!import shared/multigrid.wgsl
//!import shared/newton_work.wgsl

fn correction_of(i: u32) -> vec3f {
    let along = control[copy_of(i)].along;
    return work[TAKEN * world.node_count + i].xyz + along * work[DIRECTION * world.node_count + i].xyz;
}
