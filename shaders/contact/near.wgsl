// Whether what is in two boxes may touch in a substep, as far as their boxes tell where it starts.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl

fn may_touch(a: Bounds, b: Bounds) -> bool {
    return are_within(a, b, tree.largest_reach) && may_meet(a, b, tree.largest_margin);
}

// Whether boxes are no farther from each other than `reach` where the substep starts.
fn are_within(a: Bounds, b: Bounds, reach: f32) -> bool {
    let aside = max(max(a.low - b.high, b.low - a.high), vec3f(0.0));
    return dot(aside, aside) <= reach * reach;
}
