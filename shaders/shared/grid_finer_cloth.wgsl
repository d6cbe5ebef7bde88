// The finer level as `coarsen` sees it: the cloth itself, its stiffness taken from the positions. Same functions
// as grid_finer_level.wgsl.
//!import shared/grid_levels.wgsl
//!import shared/multigrid.wgsl
//!import shared/network_grid.wgsl
//!import shared/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;     // as in newton_multigrid.wgsl
@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;
@group(2) @binding(2) var<storage, read> work: array<vec4f>;

fn finer_base(level: Level, copy: u32) -> u32 {
    return copy * level.finer_columns * level.finer_rows;
}

// Stiffness of the spring of a family that starts at a node; nothing where it ends at a pin.
fn finer_block(level: Level, family: u32, base: u32, at: vec2i) -> Symmetric {
    let end = at + offset_of(family);
    if (!is_inside(at, grid.columns, grid.rows) || !is_inside(end, grid.columns, grid.rows)) {
        return NOTHING;
    }
    let a = index_at(base, at, grid.columns);
    let b = index_at(base, end, grid.columns);
    let x_a = position_in[a];
    let x_b = position_in[b];
    if (x_a.w == 0.0 || x_b.w == 0.0) {
        return NOTHING;
    }
    return link_block(a, b, x_a.xyz - x_b.xyz, family_link(a, at, family));
}

fn link_block(a: u32, b: u32, e: vec3f, link: Link) -> Symmetric {
    let spring = matrix(stiffness_of(e, link.rest_length, link.stiffness, least_across(a)));
    if (!HAS_DASHPOTS) {
        return spring;
    }
    let e_0 = anchor[3u * world.node_count + a].xyz - anchor[3u * world.node_count + b].xyz;
    let n = extent(e_0, link.rest_length).direction;
    return sum(spring, along_and_across(n, link.dashpot / world.step, 0.0));
}

// G and the stiffness of the springs and of bending that end at a pin; nothing for a pin.
fn finer_ground(level: Level, base: u32, at: vec2i) -> Symmetric {
    let i = index_at(base, at, grid.columns);
    let mark = work[world.node_count + i].w;
    let g = abs(mark);
    var block = Symmetric(vec3f(g), vec3f(0.0));
    if (HAS_AIR) {
        let a = anchor[world.node_count + i];
        let b = anchor[2u * world.node_count + i];
        block = sum(block, scaled(g, Symmetric(a.xyz, vec3f(a.w, b.x, b.y))));
    }
    if (mark < 0.0) {
        let x = position_in[i].xyz;
        let row = row_of(i);
        for (var s = 0u; s < link_count(row); s += 1u) {
            let link = link_at(row, s);
            let other = position_in[link.node];
            if (other.w == 0.0) {
                block = sum(block, link_block(i, link.node, x - other.xyz, link));
                // A negative kappa would take away what the node next to it adds.
                block.diagonal += vec3f(max(link.bend, 0.0));
            }
        }
    }
    return block;
}

fn finer_residual(level: Level, base: u32, at: vec2i) -> vec4f {
    return work[2u * world.node_count + index_at(base, at, grid.columns)];
}
