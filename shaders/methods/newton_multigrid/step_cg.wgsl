// The step of an iteration: the solution u of conjugate gradients, the last u += alpha p included. It is 0 at pins. Same
// function as newton_multigrid/step_cycle.wgsl.
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/control.wgsl
//!import methods/newton_multigrid/nodes.wgsl
//!import methods/newton_multigrid/work_write.wgsl
//!import state/copies.wgsl

// The next x. z is what is stored of the node, a position or a move.
fn stepped(i: u32, z: vec3f) -> vec3f {
    let alpha = control[copy_of(i)].alpha;
    let e = work[SOLUTION * world.node_count + i].xyz + alpha * work[DIRECTION * world.node_count + i].xyz;
    return z - e;
}
