// The pairs of features that two triangles own: nodes and triangles, and edges. Pure.
//!import contact/bindings.wgsl

fn edge(element: Element, k: u32) -> vec2u {
    return vec2u(element.nodes[k], element.nodes[(k + 1u) % 3u]);
}

// A bit for each pair that is owned and shares no node.
fn pairs_between(own: Element, other: Element) -> u32 {
    // Which corners are corners of the other, too.
    let in_other = vec3<bool>(
        any(vec3u(own.nodes.x) == other.nodes), any(vec3u(own.nodes.y) == other.nodes), any(vec3u(own.nodes.z) == other.nodes));
    let in_own = vec3<bool>(
        any(vec3u(other.nodes.x) == own.nodes), any(vec3u(other.nodes.y) == own.nodes), any(vec3u(other.nodes.z) == own.nodes));
    var bits = (own.owned & 7u & ~mask_of(in_other)) | ((other.owned & 7u & ~mask_of(in_own)) << 3u);
    for (var a = 0u; a < 3u; a += 1u) {
        if ((own.owned >> (3u + a) & 1u) == 0u) {
            continue;
        }
        let p = edge(own, a);
        for (var b = 0u; b < 3u; b += 1u) {
            let q = edge(other, b);
            let is_apart = !any(p.xx == q) && !any(p.yy == q);
            bits |= select(0u, other.owned >> (3u + b) & 1u, is_apart) << (6u + 3u * a + b);
        }
    }
    return bits;
}

fn mask_of(flags: vec3<bool>) -> u32 {
    return u32(flags.x) | u32(flags.y) << 1u | u32(flags.z) << 2u;
}
