// Material of a grid's springs and bending, of each copy of a batch. Stands for network/material_{one|copies}.wgsl.

// Six entries for each copy, by kind: rest length, stiffness, dashpot, and in the first two the copy's Grid.penalty and
// Grid.strain_limit. With bending, six more for each copy follow: kappa of hinges and of cells, the factors on
// GridSlot.bend; then one more for each copy: Grid.clamps, -1 for none.
@group(1) @binding(10) var<storage, read> copy_links: array<vec4f>;

const KINDS: u32 = 6u;

fn grid_material(copy: u32, s: GridSlot) -> vec3f {
    return copy_links[copy * KINDS + s.kind].xyz;
}

fn grid_bend(copy: u32, s: GridSlot) -> vec4f {
    return s.bend * copy_links[(copies() + copy) * KINDS + s.kind].xxxy;
}

fn grid_clamps(copy: u32) -> vec4i {
    return vec4i(copy_links[2u * copies() * KINDS + copy]);
}

fn grid_strain_limit(copy: u32) -> f32 {
    return copy_links[copy * KINDS + 1u].w;
}

fn grid_penalty(copy: u32) -> f32 {
    return copy_links[copy * KINDS].w;
}
