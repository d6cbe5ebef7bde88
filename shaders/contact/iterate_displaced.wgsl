// What pairs know of iterates that are displacements, where `anchor` has positions. Same functions as contact/iterate_numbered.wgsl.
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read> position_in: array<vec4f>;     // z - x_n

// The number of the iteration, or of any later one.
override ITERATION: u32 = 0u;

fn place_of(i: u32) -> vec3f {
    return start[i].xyz + position_in[i].xyz;
}

// How far node i is from where it began.
fn moved(i: u32) -> vec3f {
    return position_in[i].xyz;
}

// The same at y. Pins go where they are taken.
fn moved_alone(i: u32) -> vec3f {
    if (start[i].w == 0.0) {
        return moved(i);
    }
    return anchor[i].xyz - start[i].xyz;
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
