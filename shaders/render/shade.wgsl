// How light becomes color: the lights' colors, the fabric's reflection, tone mapping, encoding.
//!import render/view.wgsl

const KEY: vec3f = vec3f(1.22, 1.15, 1.05);
const SKY: vec3f = vec3f(0.46, 0.50, 0.57);
const BOUNCE: vec3f = vec3f(0.33, 0.31, 0.28);

// Color of the background in the direction `ray`: a studio backdrop, lightest at the horizon.
fn backdrop(ray: vec3f) -> vec3f {
    let up = clamp(ray.y, -1.0, 1.0);
    let low = vec3f(0.71, 0.725, 0.74);
    return mix(low, vec3f(0.33, 0.40, 0.49), smoothstep(-0.05, 0.6, up));
}

// Sheen of fibers that stand off the fabric: Estevez and Kulla 2017, with Neubelt's visibility.
fn sheen(nl: f32, nv: f32, nh: f32) -> f32 {
    let roughness = 0.42;
    let d = (2.0 + 1.0 / roughness) * pow(max(1.0 - nh * nh, 1e-4), 0.5 / roughness) / 6.2831853;
    return d / (4.0 * max(nl + nv - nl * nv, 1e-3));
}

// Light that a fabric of color `base` reflects and transmits toward `v`.
// `light`: 0 to 1 from the shadow; `near` and `far`: sky and ground light on this side and the other.
fn fabric(base: vec3f, n: vec3f, v: vec3f, light: f32, near: vec2f, far: vec2f) -> vec3f {
    let l = view.light.xyz;
    let nl = dot(n, l);
    let nv = clamp(abs(dot(n, v)), 0.02, 1.0);
    let sky = SKY * near.x + BOUNCE * near.y;
    // Fibers scatter light around the terminator, and dim light that falls on their tips.
    let wrap = 0.06;
    let front = max(0.0, (nl + wrap) / (1.0 + wrap)) * light;
    var color = base * (KEY * front + sky);
    // Light through the fabric from the other side is colored twice.
    let through = max(0.0, -nl) * light;
    color += base * sqrt(base) * 0.28 * (KEY * through + SKY * far.x + BOUNCE * far.y);
    // Where folds hide the sky, they reflect light of their own color instead.
    let hidden = max(0.0, 1.0 - near.x - near.y);
    color += base * base * 0.22 * hidden;
    let h = normalize(l + v);
    let fuzz = mix(vec3f(dot(base, vec3f(0.3333))), base, 0.6) * 1.1 + 0.04;
    color += fuzz * KEY * sheen(max(nl, 0.0), nv, clamp(dot(n, h), 0.0, 1.0)) * max(nl, 0.0) * light;
    color += fuzz * sky * pow(1.0 - nv, 3.0) * 0.7;
    return color;
}

// Rolls off bright colors toward white, as Khronos PBR neutral does, and does not change the rest, so
// that a color given by the user stays the same.
fn tone(color: vec3f) -> vec3f {
    let start = 0.70;
    let peak = max(color.x, max(color.y, color.z));
    if peak < start {
        return color;
    }
    let d = 1.0 - start;
    let mapped = 1.0 - d * d / (peak + d - start);
    return mix(color * mapped / peak, vec3f(mapped), 1.0 - 1.0 / (0.15 * (peak - mapped) + 1.0));
}

// A value in [0, 1) per pixel whose neighbors differ as much as possible (Jimenez 2014).
fn dither(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

// Encodes for a target that does not encode itself; dithered, so that soft gradients show no bands.
fn encode(color: vec3f, pixel: vec2f) -> vec4f {
    let c = clamp(color, vec3f(0.0), vec3f(1.0));
    let curve = select(1.055 * pow(c, vec3f(1.0 / 2.4)) - 0.055, 12.92 * c, c <= vec3f(0.0031308));
    let step = (dither(pixel) - 0.5) / 255.0;
    // If the target encodes, the step is scaled by the slope of the decoding curve.
    let slope = 2.2 * pow(max(c, vec3f(1e-4)), vec3f(0.55));
    return vec4f(select(c + step * slope, curve + step, view.encode == 1u), 1.0);
}

// Position `t` in [0, 1] of the color map.
fn ramp(t: f32) -> vec3f {
    let x = clamp(t, 0.0, 1.0) * 15.0;
    let k = min(u32(x), 14u);
    return mix(view.ramp[k].xyz, view.ramp[k + 1u].xyz, x - f32(k));
}
