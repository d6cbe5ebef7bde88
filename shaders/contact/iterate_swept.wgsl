// What pairs know of iterates that are stored as implicit/moves.wgsl says. Same functions as contact/iterate_numbered.wgsl.
//!import methods/implicit/moves.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;     // z or z - x_n

// Whether `anchor` has positions, though iterates are displacements.
override ANCHOR_IS_PLACE: bool = false;
// The number of the iteration, or of any later one.
override ITERATION: u32 = 0u;

fn place_of(i: u32) -> vec3f {
    return apart(position_in[i].xyz, start[i].xyz, vec3f(0.0));
}

// How far node i is from where it began.
fn moved(i: u32) -> vec3f {
    if (KEEPS_MOVES) {
        return position_in[i].xyz;
    }
    return position_in[i].xyz - start[i].xyz;
}

// The same at y. Pins go where they are taken.
fn moved_alone(i: u32) -> vec3f {
    if (start[i].w == 0.0) {
        return moved(i);
    }
    return anchor[i].xyz - select(vec3f(0.0), start[i].xyz, ANCHOR_IS_PLACE || !KEEPS_MOVES);
}

// h^2 / m, or 0 for a pin.
fn yield_of(i: u32) -> f32 {
    return start[i].w * world.step * world.step;
}

fn iteration_index() -> u32 {
    return ITERATION;
}

fn is_over() -> bool {
    return false;
}

// Whether pairs that have opened at an iterate keep stiffness. Only cycles carry them so far that it matters.
const HOLDS_OPENED: bool = false;
