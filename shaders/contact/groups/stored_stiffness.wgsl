// S of each group: three words, (xx, yy), (zz, yz), (xz, xy).
//!import core/symmetric.wgsl

@group(2) @binding(3) var<storage, read_write> group_stiffness: array<vec2f>;

fn group_stiffness_of(s: u32) -> Symmetric {
    let a = group_stiffness[3u * s];
    let b = group_stiffness[3u * s + 1u];
    return Symmetric(vec3f(a, b.x), vec3f(b.y, group_stiffness[3u * s + 2u]));
}

fn put_group_stiffness(s: u32, m: Symmetric) {
    group_stiffness[3u * s] = m.diagonal.xy;
    group_stiffness[3u * s + 1u] = vec2f(m.diagonal.z, m.off.x);
    group_stiffness[3u * s + 2u] = m.off.yz;
}
