// The coarser levels of any network. Each is a network of its own: every spring has a symmetric 3 x 3 stiffness K, every node
// a ground block G. Lists, made once (galerkin.rs), say which finer springs and nodes they sum, and with what weights.
//!import methods/implicit/stiffness.wgsl
//!import core/width.wgsl
//!import methods/newton_multigrid/mesh/bindings.wgsl

fn load_block(first: u32, count: u32, index: u32) -> Symmetric {
    let a = blocks[first + index];
    let b = blocks[first + count + index];
    let c = blocks[first + 2u * count + index];
    return Symmetric(vec3f(a, b.x), vec3f(b.y, c));
}

// Entry k of a row that ends before `end`. Behind its end `first` stands for it, and counts nothing: loops load as many entries as are
// loaded at once.
struct Entry {
    words: vec2u,
    is_there: bool,
}

fn entry_at(first: u32, k: u32, end: u32) -> Entry {
    let is_there = k < end;
    return Entry(entries[select(first, k, is_there)], is_there);
}

// The second word of an entry as a weight; 0 where there is none.
fn weight_of(entry: Entry) -> f32 {
    return select(0.0, bitcast<f32>(entry.words.y), entry.is_there);
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
