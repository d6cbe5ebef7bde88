// An iteration of xpbd spring by spring, colour by colour (Gauss-Seidel). No two springs of a colour share a node, so that
// none reads what another writes.
//!import core/launch.wgsl
//!import methods/xpbd/change.wgsl
//!import state/world.wgsl

// A spring and its ends.
struct SpringData {
    nodes: vec2u,
    rest_length: f32,   // [m]
    stiffness: f32,     // [N/m]
    dashpot: f32,       // [N s/m]
    padding: u32,
}

// Where a colour's springs stand in `order`.
struct Colour {
    first: u32,
    count: u32,
}

@group(2) @binding(0) var<storage, read_write> iterate: array<vec4f>;       // u = x - x_0, and W
@group(2) @binding(1) var<storage, read> springs: array<SpringData>;
@group(2) @binding(3) var<storage, read> order: array<u32>;                 // springs, colour by colour
@group(2) @binding(4) var<storage, read> start: array<vec4f>;               // x_0, at the substep's start
@group(2) @binding(5) var<storage, read_write> lambda: array<f32>;          // [spring], -tension [N]
@group(3) @binding(0) var<uniform> colour: Colour;

// Whether this is the first iteration, which begins with lambda = 0.
override IS_FIRST: bool = false;

// Reads springs, start, anchor; reads and writes iterate and lambda. One thread per spring of the colour.
@compute @workgroup_size(WORKGROUP_SIZE)
fn relax(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= colour.count) {
        return;
    }
    let s = order[colour.first + t];
    let data = springs[s];
    let a = data.nodes.x;
    let b = data.nodes.y;
    let u_a = iterate[a];
    let u_b = iterate[b];
    if (u_a.w + u_b.w == 0.0) {
        return;
    }
    let d = u_a.xyz - u_b.xyz;
    let spring = extent(start[a].xyz - start[b].xyz + d, data.rest_length);
    var had = 0.0;
    if (!IS_FIRST) {
        had = lambda[s];
    }
    let link = Link(b, data.rest_length, data.stiffness, data.dashpot, 0.0, 0.0, 0.0);
    let change = change_of(spring, d, link, had, u_a.w + u_b.w);
    lambda[s] = had + change;
    iterate[a] = vec4f(u_a.xyz + moved_by(a, change * spring.direction), u_a.w);
    iterate[b] = vec4f(u_b.xyz - moved_by(b, change * spring.direction), u_b.w);
}
