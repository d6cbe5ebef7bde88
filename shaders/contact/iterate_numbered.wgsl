// What pairs know of iterates that are positions, where a uniform numbers iterations. Same functions as contact/iterate_swept.wgsl.
// `start`, `anchor`: those of contact/meet.wgsl.
//!import methods/implicit/moves.wgsl
//!import methods/newton_multigrid/control.wgsl

@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;     // z, h^2 / m

fn place_of(i: u32) -> vec3f {
    return position_in[i].xyz;
}

// How far node i is from where it began.
fn moved(i: u32) -> vec3f {
    return position_in[i].xyz - start[i].xyz;
}

// The same at y. Pins go where they are taken.
fn moved_alone(i: u32) -> vec3f {
    if (position_in[i].w == 0.0) {
        return moved(i);
    }
    return anchor[i].xyz - select(start[i].xyz, vec3f(0.0), KEEPS_MOVES);
}

// h^2 / m, or 0 for a pin.
fn yield_of(i: u32) -> f32 {
    return position_in[i].w;
}

fn iteration_index() -> u32 {
    return this_iteration.index;
}

fn is_over() -> bool {
    return is_converged();
}

// Whether pairs that have opened at an iterate keep stiffness.
const HOLDS_OPENED: bool = true;
