// Material of a grid's springs and bending, of each copy of a batch. Stands for network/material_{one|copies}.wgsl.

// Six entries a copy, by kind: rest length, stiffness, dashpot, and of the first two the copy's Grid.penalty and
// Grid.strain_limit. Where there is bending, behind them six more a copy: kappa of hinges and of cells, the factors on
// GridSlot.bend; and one more a copy: Grid.clamps, -1 for none.
@group(1) @binding(10) var<storage, read> copy_links: array<vec4f>;

const KINDS: u32 = 6u;

fn grid_material(copy: u32, s: GridSlot) -> vec3f {
    return copy_links[copy * KINDS + s.kind].xyz;
}

fn grid_bend(copy: u32, s: GridSlot) -> vec4f {
    return s.bend * copy_links[(COPIES + copy) * KINDS + s.kind].xxxy;
}

fn grid_clamps(copy: u32) -> vec4i {
    return vec4i(copy_links[2u * COPIES * KINDS + copy]);
}

fn grid_strain_limit(copy: u32) -> f32 {
    return copy_links[copy * KINDS + 1u].w;
}

fn grid_penalty(copy: u32) -> f32 {
    return copy_links[copy * KINDS].w;
}
