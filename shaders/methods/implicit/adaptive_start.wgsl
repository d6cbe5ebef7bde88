// The start of nodes that touch, in methods that sweep over nodes. From y, far too few iterations bring stiff cloth back to what it lies on, or
// friction to what it has slid. So a node that has touched starts from where it gets if it speeds up as in the substep before, but by no more than outer
// forces alone would have it ("adaptive initialization" of A. Chen, Z. Liu, Y. Yang, C. Yuksel, "Vertex Block Descent", ACM TOG 43(4), 2024,
// doi:10.1145/3658179). Where nothing is known of a substep before, all nodes coast until it is known what holds them (settle.wgsl).
//!import methods/implicit/anchor_contact.wgsl
//!import methods/implicit/substep_ends.wgsl

// Begins node i, and moves the start vector of one that has touched.
fn begin_adaptively(i: u32) {
    let node = begin_node(i);
    if (!ADAPTS) {
        return;
    }
    let before = anchor[gained_at(i)];
    let x = position[i];
    if (before.w >= UNKNOWN && x.w > 0.0) {
        let coasting = world.step * velocity[i].xyz;
        let speeding = limited(world.step * world.step * before.xyz, node.ahead - coasting);
        iterate[i] = vec4f(kept(x.xyz, coasting + speeding), x.w);
    }
}

// v, no longer than `most`; nothing where it points against it.
fn limited(v: vec3f, most: vec3f) -> vec3f {
    if (dot(v, most) <= 0.0) {
        return vec3f(0.0);
    }
    return v * min(1.0, length(most) / length(v));
}

// Ends node i at `next`, and keeps how much it has sped up.
fn end_adaptively(i: u32, next: vec3f) {
    if (ADAPTS) {
        let h = world.step;
        let moved = next - select(position[i].xyz, vec3f(0.0), KEEPS_MOVES);
        anchor[gained_at(i)] = vec4f((moved - h * velocity[i].xyz) / (h * h), select(APART, TOUCHED, is_touching(i)));
    }
    end_node(i, next);
}
