// The directions from which the sky's light is gathered, and the grid of ground points that receive it.

const AXES: u32 = 32u;        // each axis stands for two opposite directions
const TILES: u32 = 4u;        // an atlas holds TILES * TILES maps, one per axis
const TILE: u32 = 256u;       // texels along a side of a map
const GROUND_SIDE: u32 = 96u; // ground points along a side
const GROUND_REACH: f32 = 2.6; // half the side of the ground's square, in radii of the body

// Axis k of a Fibonacci spiral over the upper hemisphere (y is up).
fn sky_axis(k: u32) -> vec3f {
    let y = (f32(k) + 0.5) / f32(AXES);
    let angle = f32(k) * 2.39996323;
    let r = sqrt(1.0 - y * y);
    return vec3f(r * cos(angle), y, r * sin(angle));
}

// The fraction of the light from direction `d` that comes from the sky; the rest comes from the ground.
fn sky_share(d: vec3f) -> f32 {
    return smoothstep(-0.25, 0.35, d.y);
}
