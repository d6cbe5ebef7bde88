// A linear system A u = b over the nodes, u = 0 at pins.
//!import core/symmetric.wgsl
//!import methods/linear/bindings.wgsl
//!import methods/linear/control.wgsl
//!import state/world.wgsl

// The row that holds the product of contact between surfaces; 0: there is none.
override CONTACT_PRODUCT: u32 = 0u;

fn vector(row: u32, i: u32) -> vec3f {
    return work[row * world.node_count + i].xyz;
}

fn store(row: u32, i: u32, u: vec3f) {
    work[row * world.node_count + i] = vec4f(u, 0.0);
}

// (P^-1 r)_i.
fn preconditioned(i: u32, r: vec3f) -> vec3f {
    return multiply(Symmetric(vector(INVERSE, i), vector(INVERSE + 1u, i)), r);
}

// Begins a system: the right-hand side b and the preconditioner's block P, with `inverse` = 1 / g for a g such that
// P >= g I.
fn begin_system(i: u32, b: vec3f, p: Symmetric, inverse: f32) {
    let scaled = Symmetric(inverse * p.diagonal, inverse * p.off);
    let x = inverse * solve_above_one(scaled, vec3f(1.0, 0.0, 0.0));
    let y = inverse * solve_above_one(scaled, vec3f(0.0, 1.0, 0.0));
    let z = inverse * solve_above_one(scaled, vec3f(0.0, 0.0, 1.0));
    let block = Symmetric(vec3f(x.x, y.y, z.z), vec3f(y.z, x.z, x.y));
    store(INVERSE, i, block.diagonal);
    store(INVERSE + 1u, i, block.off);
    store(RESIDUAL, i, b);
    store(SOLUTION, i, vec3f(0.0));
    let first = multiply(block, b);
    store(DIRECTION, i, first);
    store(PRODUCT, i, first);
}

// A pin does not move.
fn begin_pin(i: u32) {
    for (var row = 0u; row <= INVERSE + 1u; row += 1u) {
        store(row, i, vec3f(0.0));
    }
}
