// Which directions of the sky each node, each ground point and each point of a solid sees, and the light that reaches it so.
//
// Reads the maps of the axes drawn last, writes their 4-bit visibilities, sums over all directions.
// One thread per point. Irradiance of the front: E = (4 / N) sum V_d L_d max(0, n . d)
// over N directions that cover the sphere evenly, so that E = 1 under an open sky.
//!import core/launch.wgsl
//!import render/body.wgsl
//!import render/sky.wgsl
//!import render/solids.wgsl

@group(0) @binding(3) var<uniform> batch: vec4u; // first axis, number of axes (multiples of 4)
@group(0) @binding(4) var<storage, read> positions: array<vec4f>;
@group(0) @binding(5) var<storage, read> normals: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> visibility: array<u32>; // word w of point i at w * n + i
@group(0) @binding(7) var<storage, read_write> ambient: array<vec4f>;
@group(0) @binding(8) var atlas: texture_2d<f32>;

const CONE: f32 = 0.25; // half the angle that a direction stands for [rad]

// Visibility along the axis and against it, bilinear between four texels.
fn seen(tile: u32, axis: vec3f, p: vec3f, n: vec3f) -> vec2f {
    let texel = 2.0 / f32(TILE); // in radii of the body
    let side = select(-n, n, dot(n, axis) >= 0.0);
    let offset = 1.4 * texel * body_sphere().w;
    // One side of the fabric sees along the axis, the other against it.
    let ahead = map_position(p + offset * side, axis);
    let behind = map_position(p - offset * side, axis);
    return vec2f(lookup(tile, ahead.xy, 1.0 - ahead.z, 0u), lookup(tile, behind.xy, behind.z, 1u));
}

fn lookup(tile: u32, xy: vec2f, height: f32, channel: u32) -> f32 {
    if max(abs(xy.x), abs(xy.y)) > 0.99 {
        return 1.0;
    }
    let corner = vec2f(f32(tile % TILES), f32(TILES - 1u - tile / TILES));
    let place = ((xy * vec2f(0.5, -0.5) + 0.5) + corner) * f32(TILE) - 0.5;
    let low = vec2i(floor(place));
    let f = fract(place);
    let soft = 0.25 * f32(TILE); // the comparison blurs over four texels of depth
    var heights = vec4f(
        textureLoad(atlas, low, 0)[channel],
        textureLoad(atlas, low + vec2i(1, 0), 0)[channel],
        textureLoad(atlas, low + vec2i(0, 1), 0)[channel],
        textureLoad(atlas, low + vec2i(1, 1), 0)[channel],
    );
    let open = clamp((height - heights) * soft + 1.0, vec4f(0.0), vec4f(1.0));
    return mix(mix(open.x, open.y, f.x), mix(open.z, open.w, f.x), f.y);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    let ground = GROUND_SIDE * GROUND_SIDE;
    let face_points = SOLID_SIDE * SOLID_SIDE;
    let points = view.node_count + ground + 6u * face_points * solids.count;
    if i >= points {
        return;
    }
    var p: vec3f;
    var n = vec3f(0.0, 1.0, 0.0);
    var solid = NO_SOLID;
    // Pixels of the ground test the solids themselves, because the ground's points are too far apart.
    let is_ground = i >= view.node_count && i < view.node_count + ground;
    if i < view.node_count {
        p = positions[i].xyz;
        n = normals[i].xyz;
    } else if is_ground {
        let k = i - view.node_count;
        let cell = vec2f(f32(k % GROUND_SIDE), f32(k / GROUND_SIDE)) / f32(GROUND_SIDE - 1u);
        let sphere = body_sphere();
        let at = sphere.xz + (2.0 * cell - 1.0) * GROUND_REACH * sphere.w;
        p = vec3f(at.x, view.ground, at.y);
    } else {
        let k = i - view.node_count - ground;
        let face = k / face_points % 6u;
        let cell = vec2f(f32(k % SOLID_SIDE), f32(k / SOLID_SIDE % SOLID_SIDE)) / f32(SOLID_SIDE - 1u);
        solid = k / (6u * face_points);
        let s = solids.list[solid];
        let own = solid_point(s, face, 2.0 * cell - 1.0);
        p = s.center + rotated(s.rotation, own);
        n = rotated(s.rotation, solid_normal(s, face, own));
    }
    for (var k = batch.x; k < batch.x + batch.y; k += 4u) {
        var word = 0u;
        for (var j = 0u; j < 4u; j++) {
            let axis = sky_axis(k + j);
            var open = seen(k + j - batch.x, axis, p, n);
            if !is_ground {
                open *= vec2f(solid_light(p, axis, CONE, solid), solid_light(p, -axis, CONE, solid));
            }
            let level = vec2u(round(15.0 * open));
            word |= (level.x | (level.y << 4u)) << (8u * j);
        }
        visibility[(k / 4u) * points + i] = word;
    }
    var sum = vec4f(0.0);
    for (var k = 0u; k < AXES; k++) {
        let levels = visibility[(k / 4u) * points + i] >> (8u * (k % 4u));
        let d = sky_axis(k);
        let c = dot(n, d);
        let ahead = abs(c) * f32(levels & 15u) * vec2f(sky_share(d), 1.0 - sky_share(d));
        let behind = abs(c) * f32((levels >> 4u) & 15u) * vec2f(sky_share(-d), 1.0 - sky_share(-d));
        sum += select(vec4f(behind, ahead), vec4f(ahead, behind), c >= 0.0);
    }
    ambient[i] = sum * (4.0 / (15.0 * f32(2u * AXES)));
}
