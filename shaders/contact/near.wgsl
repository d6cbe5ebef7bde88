// Whether what is in two boxes may touch in a substep, as far as their boxes tell where it starts.
//!import contact/bounds.wgsl

// Distances that no pair that may touch exceeds [m]: where the substep starts, and while nodes move as their velocities say.
override LARGEST_REACH: f32 = 0.0;
override LARGEST_MARGIN: f32 = 0.0;

fn may_touch(a: Bounds, b: Bounds) -> bool {
    return are_within(a, b, LARGEST_REACH) && may_meet(a, b, LARGEST_MARGIN);
}

// Whether boxes are no farther from each other than `reach` where the substep starts.
fn are_within(a: Bounds, b: Bounds, reach: f32) -> bool {
    let aside = max(max(a.low - b.high, b.low - a.high), vec3f(0.0));
    return dot(aside, aside) <= reach * reach;
}
