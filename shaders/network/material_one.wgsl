// Material of a grid's springs and bending, the same all over the grid. Stands for network/material_{one|copies}.wgsl.

fn grid_material(copy: u32, s: GridSlot) -> vec3f {
    return vec3f(s.rest_length, s.stiffness, s.dashpot);
}

// As GridSlot.bend.
fn grid_bend(copy: u32, s: GridSlot) -> vec4f {
    return s.bend;
}

// As Grid.clamps.
fn grid_clamps(copy: u32) -> vec4i {
    return vec4i(grid.clamps);
}

// As Grid.strain_limit.
fn grid_strain_limit(copy: u32) -> f32 {
    return grid.strain_limit.x;
}

// As Grid.penalty.
fn grid_penalty(copy: u32) -> f32 {
    return grid.penalty;
}
