// What the iterations of a minimizing solver store for a node: its position x; or its displacement u = x - x_0, where a
// substep is so short that positions in f32 cannot hold h^2 g.

override KEEPS_MOVES: bool = false;

// What is stored of a node at x_0 that has moved by u.
fn kept(x_0: vec3f, u: vec3f) -> vec3f {
    if (KEEPS_MOVES) {
        return u;
    }
    return x_0 + u;
}

// The vector between two nodes from the difference of what is stored of them.
fn apart(between: vec3f, x_0: vec3f, other_x_0: vec3f) -> vec3f {
    if (KEEPS_MOVES) {
        return x_0 - other_x_0 + between;
    }
    return between;
}
