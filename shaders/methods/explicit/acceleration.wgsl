// Shared by the explicit methods: the acceleration of a node.
//!import core/launch.wgsl
//!import forces/applied.wgsl
//!import methods/explicit/bindings.wgsl
//!import network/{grid|mesh}.wgsl

// f(x, v) / m + g. Springs: f_i = -[k (l - r) + c (v_i - v_j) . n] n; bending: -kappa (x_i - x_j).
// Not for pinned nodes.
fn acceleration(i: u32, x: vec4f, v: vec3f) -> vec3f {
    let around = surroundings(i);
    let row = row_of(i);
    var force = vec3f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = x.xyz - position_in[link.node].xyz;
        let spring = extent(e, link.rest_length);
        var tension = link.stiffness * (spring.length - link.rest_length);
        if (HAS_DASHPOTS) {
            tension += link.dashpot * dot(v - velocity_in[link.node].xyz, spring.direction);
        }
        force -= tension * spring.direction;
        if (HAS_BENDING) {
            force -= link.bend * e;
        }
    }
    if (HAS_BENDING) {
        for (var s = 0u; s < bend_count(row); s += 1u) {
            let bend = bend_at(row, s);
            force -= bend.stiffness * (x.xyz - position_in[bend.node].xyz);
        }
    }
    if (HAS_PUSH) {
        force += push(i);
    }
    if (CONTACT_ROW > 0u) {
        force += applied[CONTACT_ROW * world.node_count + i].xyz;
    }
    if (HAS_DRAG) {
        force -= multiply(drag_matrix(i), v);
    }
    let handles = pull(i, x.w);
    force += handles.w * (handles.xyz - x.xyz);
    return around.gravity - around.damping * v + x.w * (force - around.node_damping * v);
}
