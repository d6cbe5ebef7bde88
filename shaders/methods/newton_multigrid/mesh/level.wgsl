// The coarser levels of any network. Each is a network of its own: every spring has a symmetric 3 x 3 stiffness K, every node
// a ground block G. Lists, made once (galerkin.rs), say which finer springs and nodes they sum, and with what weights.
//!import methods/implicit/stiffness.wgsl
//!import methods/newton_multigrid/mesh/bindings.wgsl

fn load_block(first: u32, count: u32, index: u32) -> Symmetric {
    let a = blocks[first + index];
    let b = blocks[first + count + index];
    let c = blocks[first + 2u * count + index];
    return Symmetric(vec3f(a, b.x), vec3f(b.y, c));
}

fn level_bend(level: NetworkLevel, s: u32) -> f32 {
    if (!HAS_BENDING) {
        return 0.0;
    }
    return level_bends[level.bend + s];
}

fn store_block(first: u32, count: u32, index: u32, m: Symmetric) {
    blocks[first + index] = m.diagonal.xy;
    blocks[first + count + index] = vec2f(m.diagonal.z, m.off.x);
    blocks[first + 2u * count + index] = m.off.yz;
}
