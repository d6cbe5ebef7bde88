// The grid on the ground and on other planes.

const GROUND_COLOR: vec3f = vec3f(0.44, 0.435, 0.43);
const GRID_COLOR: vec3f = vec3f(0.22, 0.235, 0.255);

// Coverage of lines at a distance of one and of this `width`, averaged over the pixel.
fn lines(x: vec2f, width: f32, pixel: vec2f) -> f32 {
    let wide = max(vec2f(width), pixel);
    let d = abs(fract(x + 0.5) - 0.5);
    let cover = (1.0 - smoothstep(0.5 * wide, 0.5 * wide + pixel, d)) * min(vec2f(1.0), width / pixel);
    return max(cover.x, cover.y);
}

// Lines at a distance of one, every fifth darker.
fn grid_lines(x: vec2f) -> f32 {
    let pixel = fwidth(x) + 1e-6;
    return max(0.55 * lines(x, 0.012, pixel), lines(x / 5.0, 0.005, pixel / 5.0));
}
