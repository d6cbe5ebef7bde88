//! The shared WGSL functions on random input against f64.

use crate::common::{Random, gpu};
use glam::{DMat3, DVec3, Vec4};
use taffeta::gpu::{Bindings, Buffer, Gpu, Kernel, Shader, Source, Usage, submit};
use taffeta::shaders;

const COUNT: usize = 4096;

/// Runs `body` for each i with `a[i]`, `b[i]`, `c[i]` at hand; it writes `result[i]`.
fn evaluate(gpu: &Gpu, import: &str, body: &str, inputs: [&[Vec4]; 3]) -> Vec<Vec4> {
    let text = format!(
        "//!import core/launch.wgsl\n//!import {import}\n\
         @group(0) @binding(0) var<storage, read> a: array<vec4f>;\n\
         @group(0) @binding(1) var<storage, read> b: array<vec4f>;\n\
         @group(0) @binding(2) var<storage, read> c: array<vec4f>;\n\
         @group(0) @binding(3) var<storage, read_write> result: array<vec4f>;\n\
         @compute @workgroup_size(WORKGROUP_SIZE) fn test(@builtin(global_invocation_id) id: vec3u) {{\n\
         let i = id.x;\n{body}\nif (b[i].w > 2.0) {{ result[i] = a[i] + c[i]; }}\n}}\n"
    );
    let mut library = shaders::LIBRARY.to_vec();
    library.push(("test.wgsl", text.leak()));
    let source = Source::compose(library.leak(), "test.wgsl", &[]).unwrap();
    let kernel = Kernel::new(gpu, &Shader::new(source, &[]).unwrap(), "test", &[]).unwrap();
    let upload = |label, data| Buffer::from_slice(gpu, label, data, Usage::empty()).unwrap();
    let result = Buffer::<Vec4>::zeroed(gpu, "result", COUNT, Usage::empty()).unwrap();
    let bindings = Bindings::new()
        .with("a", &upload("a", inputs[0]))
        .with("b", &upload("b", inputs[1]))
        .with("c", &upload("c", inputs[2]))
        .with("result", &result);
    let bound = kernel.bind(gpu, &bindings).unwrap();
    submit(gpu, "test", |pass| pass.dispatch(&bound, COUNT as u32));
    result.read(gpu).unwrap()
}

fn random(seed: u64) -> Vec<Vec4> {
    let mut random = Random(seed);
    (0..COUNT).map(|_| random.vector().extend(random.unit())).collect()
}

fn d(v: Vec4) -> DVec3 {
    v.truncate().as_dvec3()
}

/// The matrix of `Symmetric(diagonal, off)`, off = (yz, xz, xy).
fn symmetric(diagonal: DVec3, off: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(diagonal.x, off.z, off.y),
        DVec3::new(off.z, diagonal.y, off.x),
        DVec3::new(off.y, off.x, diagonal.z),
    )
}

#[test]
fn a_symmetric_matrix_multiplies_and_solves() {
    let gpu = gpu();
    let (a, b, c) = (random(1), random(2), random(3));
    let product = "result[i] = vec4f(multiply(Symmetric(a[i].xyz, b[i].xyz), c[i].xyz), 0.0);";
    let found = evaluate(&gpu, "core/symmetric.wgsl", product, [&a, &b, &c]);
    for i in 0..COUNT {
        let wanted = symmetric(d(a[i]), d(b[i])) * d(c[i]);
        assert!((d(found[i]) - wanted).length() < 1e-6, "product {i}: {} for {wanted}", found[i]);
    }
    // Positive definite: the diagonal outweighs the rest.
    let a: Vec<Vec4> = a.iter().map(|v| v.abs() + Vec4::splat(2.1)).collect();
    let solve = "result[i] = vec4f(solve(Symmetric(a[i].xyz, b[i].xyz), c[i].xyz), 0.0);";
    let found = evaluate(&gpu, "core/symmetric.wgsl", solve, [&a, &b, &c]);
    for i in 0..COUNT {
        let wanted = symmetric(d(a[i]), d(b[i])).inverse() * d(c[i]);
        assert!((d(found[i]) - wanted).length() < 3e-5, "solution {i}: {} for {wanted}", found[i]);
    }
}

#[test]
fn a_stiff_matrix_solves_to_what_it_is_known_to() {
    // Random directions with stiffnesses 1, 1 to 1e3 and 1e3 to 1e6, as at a node of stiff cloth. The residual
    // of a backward stable solution is a few roundings of |m| |x|.
    let gpu = gpu();
    let (mut a, mut b, c) = (random(9), random(10), random(11));
    for i in 0..COUNT {
        let (n, t) = (d(a[i]).normalize(), d(b[i]).cross(d(a[i])).normalize());
        let (stiff, medium) = (1e3 * 1e3f64.powf(a[i].w.into()), 1e3f64.powf(b[i].w.into()));
        let at = |p: usize, q: usize| stiff * n[p] * n[q] + medium * t[p] * t[q];
        a[i] = Vec4::new(at(0, 0) as f32, at(1, 1) as f32, at(2, 2) as f32, 0.0) + Vec4::ONE;
        b[i] = Vec4::new(at(1, 2) as f32, at(0, 2) as f32, at(0, 1) as f32, 0.0);
    }
    let solve = "result[i] = vec4f(solve_above_one(Symmetric(a[i].xyz, b[i].xyz), c[i].xyz), 0.0);";
    let found = evaluate(&gpu, "core/symmetric.wgsl", solve, [&a, &b, &c]);
    for i in 0..COUNT {
        let m = symmetric(d(a[i]), d(b[i]));
        let size = m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        let left = (m * d(found[i]) - d(c[i])).length();
        let allowed = 2e-6 * size * d(found[i]).length() + 1e-6;
        assert!(left < allowed, "solution {i}: {left} left of {m}, {allowed} allowed");
    }
}

#[test]
fn a_tensor_along_and_across_a_direction() {
    let gpu = gpu();
    let (a, b, c) = (random(4), random(5), random(6));
    let body =
        "result[i] = vec4f(multiply(along_and_across(normalize(a[i].xyz), b[i].w, c[i].w), c[i].xyz), 0.0);";
    let found = evaluate(&gpu, "core/symmetric.wgsl", body, [&a, &b, &c]);
    for i in 0..COUNT {
        let n = d(a[i]).normalize();
        let (along, across) = (f64::from(b[i].w), f64::from(c[i].w));
        let v = d(c[i]);
        let wanted = along * n.dot(v) * n + across * (v - n.dot(v) * n);
        assert!((d(found[i]) - wanted).length() < 2e-6, "{i}: {} for {wanted}", found[i]);
    }
}

#[test]
fn a_spring_vector_has_its_length_and_direction_or_none() {
    let gpu = gpu();
    let mut a = random(7);
    // Lengths from far below to far above the rest length, which is one; the first is zero.
    for (i, v) in a.iter_mut().enumerate() {
        *v *= 10f32.powi(i as i32 % 13 - 9);
    }
    a[0] = Vec4::ZERO;
    let b = random(8);
    let body = "let s = extent(a[i].xyz, 1.0); result[i] = vec4f(s.direction, s.length);";
    let found = evaluate(&gpu, "network/spring.wgsl", body, [&a, &b, &b]);
    for i in 0..COUNT {
        let (e, l) = (d(a[i]), d(a[i]).length());
        // Where the length is at the bound itself rounding decides.
        if (l - 1e-6).abs() < 1e-12 {
            continue;
        }
        let wanted = if l <= 1e-6 { DVec3::ZERO } else { e / l };
        assert!((d(found[i]) - wanted).length() < 1e-6, "direction {i} of {e}: {}", found[i]);
        assert!((f64::from(found[i].w) - l).abs() < 1e-6 * l + 1e-15, "length {i} of {e}: {}", found[i].w);
    }
}
