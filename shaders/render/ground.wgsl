// The ground: receives the shadow, darkens under the body, carries a grid, fades into the background.
//!import render/body.wgsl
//!import render/grid.wgsl
//!import render/light.wgsl
//!import render/nodes.wgsl
//!import render/shade.wgsl
//!import render/sky.wgsl

struct Point {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
}

@vertex
fn ground_vertex(@builtin(vertex_index) k: u32) -> Point {
    let sphere = body_sphere();
    // Counter-clockwise seen from above, so that the ground does not hide the body from below.
    let which = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[k];
    let corner = vec2f(f32(which >> 1u), f32(which & 1u)) * 2.0 - 1.0;
    let at = sphere.xz + corner * 60.0 * max(sphere.w, solids.reach);
    let p = vec3f(at.x, view.ground, at.y);
    return Point(view.clip * vec4f(p, 1.0), p);
}

// Sky and ground light at a ground point, bilinear between the gathered points.
fn ground_ambient(at: vec2f, sphere: vec4f) -> f32 {
    let side = f32(GROUND_SIDE - 1u);
    let place = ((at - sphere.xz) / (GROUND_REACH * sphere.w) * 0.5 + 0.5) * side;
    let inside = clamp(place, vec2f(0.0), vec2f(side - 0.001));
    let cell = vec2u(inside);
    let f = inside - vec2f(cell);
    let first = view.node_count + cell.y * GROUND_SIDE + cell.x;
    let near = mix(ambient[first].x, ambient[first + 1u].x, f.x);
    let far = mix(ambient[first + GROUND_SIDE].x, ambient[first + GROUND_SIDE + 1u].x, f.x);
    let border = max(abs(at.x - sphere.x), abs(at.y - sphere.z)) / (GROUND_REACH * sphere.w);
    return mix(mix(near, far, f.y), 1.0, smoothstep(0.7, 1.0, border));
}

@fragment
fn ground_fragment(in: Point) -> @location(0) vec4f {
    // If the ground is a collider, the grid moves with it.
    let along = solids.ground.zw;
    let own = (in.position.xz - solids.ground.xy) * mat2x2f(along, vec2f(-along.y, along.x));
    let sphere = body_sphere();
    let up = vec3f(0.0, 1.0, 0.0);
    let light = key_light(in.position, up, in.clip.xy, NO_SOLID);
    let open = ground_ambient(in.position.xz, sphere) * solid_sky(in.position, up);
    let far = length(in.position.xz - sphere.xz) / max(sphere.w, solids.reach);
    let grid = grid_lines(own / view.grid) * (1.0 - smoothstep(1.5, 9.0, far));
    let base = mix(GROUND_COLOR, GRID_COLOR, 0.75 * grid);
    let color = base * (KEY * view.light.y * light + SKY * open);
    let ray = -normalize(to_eye(in.position));
    return encode(tone(mix(color, backdrop(ray), smoothstep(2.0, 16.0, far))), in.clip.xy);
}
