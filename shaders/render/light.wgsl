// The key light's shadow. Of the bodies: percentage-closer soft shadows (Fernando 2005), harder near the contact.
//!import render/body.wgsl
//!import render/shade.wgsl
//!import render/solids.wgsl

@group(2) @binding(0) var shadow_map: texture_depth_2d;
@group(2) @binding(1) var shadow_sampler: sampler_comparison;

// Points of a disc that fill it evenly (Vogel's spiral).
fn disc(k: u32, count: u32, turn: f32) -> vec2f {
    let r = sqrt((f32(k) + 0.5) / f32(count));
    let angle = f32(k) * 2.39996323 + turn;
    return r * vec2f(cos(angle), sin(angle));
}

// 1 if the key light reaches `p`, 0 if it does not. `n`: normal on the side of the light, zero if the surface itself
// casts no shadow. `solid`: the solid on which `p` lies.
fn key_light(p: vec3f, n: vec3f, pixel: vec2f, solid: u32) -> f32 {
    let light = solid_light(p, view.light.xyz, SOURCE, solid);
    if light <= 0.0 {
        return 0.0;
    }
    return light * body_light(p, n, pixel);
}

fn body_light(p: vec3f, n: vec3f, pixel: vec2f) -> f32 {
    let size = f32(textureDimensions(shadow_map).x);
    let slope = sqrt(max(0.0, 1.0 - pow(max(0.0, dot(n, view.light.xyz)), 2.0)));
    let q = map_position(p + n * (0.6 + 2.0 * slope) * 2.0 * body_sphere().w / size, view.light.xyz);
    let uv = q.xy * vec2f(0.5, -0.5) + 0.5;
    let turn = 6.2831853 * dither(pixel);
    let reach = clamp(SOURCE * q.z, 4.0 / size, 0.08);
    if max(abs(q.x), abs(q.y)) > 1.0 + 2.0 * reach {
        return 1.0; // Most of the ground: nothing hides the light there.
    }
    let filter_taps = u32(view.light.w);
    let search_taps = filter_taps / 3u + 1u;
    var depth = 0.0;
    var count = 0.0;
    for (var k = 0u; k < search_taps; k++) {
        let at = uv + reach * disc(k, search_taps, turn);
        let d = textureLoad(shadow_map, vec2i(clamp(at, vec2f(0.0), vec2f(0.9999)) * size), 0);
        let blocks = d < 1.0 && d < q.z - reach * 0.15;
        depth += select(0.0, d, blocks);
        count += select(0.0, 1.0, blocks);
    }
    // A thin blocker may lie between the taps: if none was found, the filter is as wide as the search.
    let wide = select(reach, SOURCE * (q.z - depth / max(count, 1.0)), count > 0.0);
    let width = clamp(wide, 1.6 / size, 0.08);
    var light = 0.0;
    for (var k = 0u; k < filter_taps; k++) {
        let at = uv + width * disc(k, filter_taps, turn);
        light += textureSampleCompareLevel(shadow_map, shadow_sampler, at, min(q.z - 0.15 * width, 1.0));
    }
    return light / f32(filter_taps);
}
