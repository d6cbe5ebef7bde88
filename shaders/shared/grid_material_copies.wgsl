// Rest length, stiffness and dashpot of a slot, of each copy of a batch. Stands for grid_material.wgsl.
// The two directions of a link, slots 2k and 2k + 1, are one entry.

@group(1) @binding(8) var<storage, read> copy_links: array<vec4f>;

fn grid_material(copy: u32, slot: u32) -> vec3f {
    return copy_links[copy * (LINKS / 2u) + slot / 2u].xyz;
}
