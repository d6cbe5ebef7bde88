// What nodes take of their motion in a round of the guard (guard.wgsl, which has the buffers), and which of them look for others.
//!import contact/bindings.wgsl

fn part_taken(w: f32) -> f32 {
    return select(w, -1.0 - w, w < 0.0);
}

fn is_changed(i: u32) -> bool {
    return moved[i].w < 0.0;
}

// Whether a later round looks at what a node meets.
fn is_asking(i: u32) -> bool {
    if (round.index == LAST_LOOK) {
        return !is_free(start[i].w) && any(moved[i].xyz != vec3f(0.0));
    }
    return is_changed(i);
}

fn any_asking(element: Element) -> bool {
    return is_asking(element.nodes.x) || is_asking(element.nodes.y) || is_asking(element.nodes.z);
}
