// Whether what is in two boxes may touch in a substep, as far as their boxes tell where it starts.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl

// No pair that counts is left out, whichever way it moves (reach.wgsl): what is found must not depend on boxes, nor on the bodies of other copies.
fn may_touch(a: Bounds, b: Bounds) -> bool {
    return are_within(a, b, min(tree.largest_reach, tree.largest_margin + against(a, b)));
}

// How far they move against each other, at most [m].
fn against(a: Bounds, b: Bounds) -> f32 {
    return length(max(abs(a.most - b.least), abs(b.most - a.least)));
}

// Whether boxes are no farther from each other than `reach` where the substep starts.
fn are_within(a: Bounds, b: Bounds, reach: f32) -> bool {
    let aside = max(max(a.low - b.high, b.low - a.high), vec3f(0.0));
    return dot(aside, aside) <= reach * reach;
}
