// An iteration of xpbd spring by spring, color by color (Gauss-Seidel). No two springs of a color share a node, so that
// none reads what another writes.
//!import core/launch.wgsl
//!import methods/xpbd/bindings.wgsl
//!import methods/xpbd/change.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read_write> iterate: array<vec4f>;

// Whether this is the first iteration, which begins with lambda = 0.
override IS_FIRST: bool = false;

// Reads springs, start, anchor; reads and writes iterate and lambda. One thread per spring of the color.
@compute @workgroup_size(WORKGROUP_SIZE)
fn relax(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= color.count) {
        return;
    }
    let s = order[color.first + t];
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
