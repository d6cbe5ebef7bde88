// What all kernels of newton-multigrid share: the smoother's weight, and what the guard decided.
//!import shared/copies.wgsl

// Weight of a block Jacobi sweep.
const OMEGA: f32 = 0.8;

// Guard over the objective, one for each independent copy of the scene.
struct Control {
    least: vec2f,       // least t = across / along of a spring in even and in odd iterations
    phi: f32,           // objective at the start of the last iteration [J]
    rises: u32,         // iterations that began higher than the one before
    first: f32,         // objective at the start of the substep [J]
    padding: u32,
}

struct Iteration {
    index: u32,             // from zero in each substep
    is_first_momentum: u32, // whether no momentum was used before
    momentum: f32,          // beta of the next iteration (Nesterov)
    count: u32,             // iterations of the substep
}

@group(2) @binding(5) var<storage, read> control: array<Control>;
@group(3) @binding(0) var<uniform> this_iteration: Iteration;

fn least_across(i: u32) -> f32 {
    return control[copy_of(i)].least[this_iteration.index % 2u];
}
