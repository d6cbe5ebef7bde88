// A force on a node, frozen for a substep: f = push - B v.
//!import core/symmetric.wgsl

struct Drag {
    push: vec3f,        // [N]
    matrix: Symmetric,  // [N s/m]
}

fn both(a: Drag, b: Drag) -> Drag {
    return Drag(a.push + b.push, sum(a.matrix, b.matrix));
}
