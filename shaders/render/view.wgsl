// What every picture shader knows: the camera, the light, the colors and the body's bounds.

struct View {
    clip: mat4x4f,          // world to clip space; depth 1 at the near plane, 0 as far as it goes
    unproject: mat4x4f,     // clip space to directions of view
    eye: vec4f,             // homogeneous [m]; w is 0 without perspective
    light: vec4f,           // xyz: unit vector toward the key light; w: taps of its shadow
    front: vec4f,           // linear color of the front, to which the triangles' normals point
    back: vec4f,            // linear color of the other side
    node_count: u32,
    mode: u32,              // 0 surface, 1 springs, 2 nodes by stretch or contact
    encode: u32,            // 1 if the target does not encode sRGB itself
    families: u32,          // bit k: springs of family k are drawn
    ground: f32,            // height of the ground [m]
    grid: f32,              // distance of the ground's lines [m]
    thread: f32,            // width of a thread of the weave [m]
    stretch_scale: f32,     // stretch at the end of the color map
    pixel: f32,             // size of a pixel at distance one [m]
    ramp: array<vec4f, 16>, // the color map, linear
}

// Smallest and largest coordinates of the nodes [m]; high.w: largest stretch.
struct Bounds {
    low: vec4f,
    high: vec4f,
}

@group(0) @binding(0) var<uniform> view: View;

// The vector from a point to the eye [m]; without perspective the one from the camera's target for all points.
fn to_eye(p: vec3f) -> vec3f {
    return view.eye.xyz - view.eye.w * p;
}
