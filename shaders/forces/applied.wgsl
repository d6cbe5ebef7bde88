// Forces on nodes other than springs, prepared by the kernels in forces/ once a substep or frame.
//!import core/symmetric.wgsl
//!import forces/applied_rows.wgsl
//!import state/surroundings.wgsl
//!import state/world.wgsl

// The pull on a free node, given its inverse mass. (The branch also tests the mass, which differs from node to
// node: Mesa's llvmpipe compiles a kernel anew for each dispatch if a branch depends on a uniform alone.)
fn pull(i: u32, inverse_mass: f32) -> vec4f {
    if (inverse_mass * f32(world.has_pulls) == 0.0) {
        return vec4f(0.0);
    }
    return applied[i];
}

fn push(i: u32) -> vec3f {
    return applied[APPLIED_PUSH * world.node_count + i].xyz;
}

fn drag_matrix(i: u32) -> Symmetric {
    let at = APPLIED_DRAG * world.node_count + i;
    return from_halves(applied[at], applied[at + world.node_count]);
}

fn surroundings(i: u32) -> Surroundings {
    if (!OWN_SURROUNDINGS) {
        return surroundings_of_all();
    }
    let at = surroundings_at(i);
    return surroundings_from(applied[at], applied[at + 1u], applied[at + 2u]);
}
