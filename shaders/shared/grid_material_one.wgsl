// Rest length, stiffness and dashpot of a slot, the same all over the grid. Stands for grid_material.wgsl.

fn grid_material(copy: u32, slot: u32) -> vec3f {
    let s = grid.slots[slot];
    return vec3f(s.rest_length, s.stiffness, s.dashpot);
}
