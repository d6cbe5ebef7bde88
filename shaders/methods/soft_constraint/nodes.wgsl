// Springs as soft constraints C = l - r (Servin, Lacoursiere, Melin 2006, averaging over [t_n, t_n + h]): with
// lambda = -(k <C> + c dC/dt), <C> = C + h/2 dC/dt, u = x+ - x_0 and y - x_0 where a node would go without springs,
//     (J G^-1 J^T + 1/q) lambda = -k C / q - J (y - x_0),   q = k/2 + c/h,   u = y - x_0 + G^-1 J^T lambda.
// An inextensible spring has 1/q = 0 and k/q = 1. J n-rows are those of x_0. Numbers of springs stand at both of their ends.
//!import core/symmetric.wgsl
//!import state/world.wgsl

// Rows of node_count entries. Row 0: y, and 1/g with g the scalar part of G (0: pinned). Rows 1, 2, where anything drags:
// B / (h g). Row 3: G^-1 J^T p. Row 4: the node's part of sums. Row 5: y - x_0.
@group(2) @binding(2) var<storage, read_write> anchor: array<vec4f>;

const MOVED: u32 = 3u;
const SUMS: u32 = 4u;
const AHEAD: u32 = 5u;

// G^-1 f of a node.
fn moved_by(i: u32, f: vec3f) -> vec3f {
    let push = anchor[i].w * f;
    if (!HAS_DRAG) {
        return push;
    }
    let a = anchor[world.node_count + i];
    let b = anchor[2u * world.node_count + i];
    return solve(Symmetric(a.xyz + vec3f(1.0), vec3f(a.w, b.x, b.y)), push);
}
