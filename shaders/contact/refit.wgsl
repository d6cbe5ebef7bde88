// Fits the tree of triangles to where they are and how they move, and looks at how triangles are deformed.
// The tree is complete: node k has the children 2k and 2k + 1,
// the leaves are the last half. It is built once, from the shape at rest, and only refitted.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import contact/leaf_nodes.wgsl
//!import core/launch.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(3) var<storage, read> moved: array<vec4f>;
@group(2) @binding(5) var<storage, read_write> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> leaf_nodes: array<u32>;
@group(2) @binding(7) var<storage, read> rests: array<vec4f>;
@group(2) @binding(8) var<storage, read_write> shapes: array<vec4f>;

// Before the solver nodes move as their velocities say, and triangles are looked at where they start; behind it, where they go to.
override AT_END: bool = false;

struct Fit {
    count: u32,     // workgroups of a copy: nodes of the highest level that is fitted
    levels: u32,    // that a workgroup fits, one below the other; with the leaves one more
}

@group(3) @binding(0) var<uniform> fit: Fit;

fn load(at: u32) -> Bounds {
    return from_thirds(boxes[3u * at], boxes[3u * at + 1u], boxes[3u * at + 2u]);
}

fn store(at: u32, bounds: Bounds) {
    boxes[3u * at] = first_third(bounds);
    boxes[3u * at + 1u] = second_third(bounds);
    boxes[3u * at + 2u] = third_third(bounds);
}

// A triangle, now and at rest; one that has an area at rest, until its corners are known.
struct Triangle {
    at: mat3x3f,
    rest: mat3x3f,
}

const NO_TRIANGLE: Triangle = Triangle(mat3x3f(), mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0));

// With a node where that is a corner of it: 1 to 3, or 0.
fn with_corner(triangle: Triangle, corner: u32, x: vec3f, rest: vec3f) -> Triangle {
    return Triangle(
        mat3x3f(
            select(triangle.at[0], x, corner == 1u),
            select(triangle.at[1], x, corner == 2u),
            select(triangle.at[2], x, corner == 3u)),
        mat3x3f(
            select(triangle.rest[0], rest, corner == 1u),
            select(triangle.rest[1], rest, corner == 2u),
            select(triangle.rest[2], rest, corner == 3u)));
}

struct Deformed {
    gradient: mat3x3f,
    rounding: f32,
}

fn deformed(triangle: Triangle) -> Deformed {
    let b = triangle.rest[1] - triangle.rest[0];
    let c = triangle.rest[2] - triangle.rest[0];
    // The gradients of what is 1 at one corner and 0 at the others.
    let n = cross(b, c);
    let of_b = cross(c, n) / dot(n, n);
    let of_c = cross(n, b) / dot(n, n);
    let to_b = triangle.at[1] - triangle.at[0];
    let to_c = triangle.at[2] - triangle.at[0];
    return Deformed(
        mat3x3f(to_b * of_b.x + to_c * of_c.x, to_b * of_b.y + to_c * of_c.y, to_b * of_b.z + to_c * of_c.z),
        ROUNDING * sum_of(abs(triangle.at[0])) * (length(of_b) + length(of_c)));
}

// How far a gradient is from the mean: within the plane of a normal, and across it.
fn apart(gradient: mat3x3f, mean: mat3x3f, normal: vec3f) -> vec2f {
    let all = gradient - mean;
    let out = normal * all;
    let left = mat3x3f(all[0] - out.x * normal, all[1] - out.y * normal, all[2] - out.z * normal);
    return vec2f(sqrt(dot(left[0], left[0]) + dot(left[1], left[1]) + dot(left[2], left[2])), length(out));
}

// Fits a leaf, and stores how its triangles are deformed: the mean of their gradients F, which take vectors of the plane at rest to
// those of now, and how far they are from it at most: in the first w within the plane of the mean, with what rounding may add, in the third
// w across it. Where a leaf is only bent, all of that is across. Triangles that are not there repeat the first one.
fn fit_leaf(copy: u32, leaf: u32) -> Bounds {
    let own = leaf_of(copy, leaf);
    var bounds = NO_BOUNDS;
    var a = NO_TRIANGLE;
    var b = NO_TRIANGLE;
    var c = NO_TRIANGLE;
    var d = NO_TRIANGLE;
    for (var n = 0u; n < own.nodes; n += 1u) {
        let i = leaf_nodes[own.first + n];
        let corners = corners_at(own, n);
        let rest = rests[i].xyz;
        var x = start[i].xyz;
        bounds = around(bounds, x, moved[i].xyz);
        if (AT_END) {
            x += moved[i].xyz;
        }
        a = with_corner(a, corners & 3u, x, rest);
        b = with_corner(b, (corners >> 2u) & 3u, x, rest);
        c = with_corner(c, (corners >> 4u) & 3u, x, rest);
        d = with_corner(d, (corners >> 6u) & 3u, x, rest);
    }
    let of_a = deformed(a);
    let of_b = deformed(b);
    let of_c = deformed(c);
    let of_d = deformed(d);
    let count = f32(own.triangles);
    let sum = of_a.gradient + select(0.0, 1.0, count > 1.0) * of_b.gradient + select(0.0, 1.0, count > 2.0) * of_c.gradient
        + select(0.0, 1.0, count > 3.0) * of_d.gradient;
    let mean = (1.0 / max(count, 1.0)) * sum;
    let normal = normalize(cross(mean * (a.rest[1] - a.rest[0]), mean * (a.rest[2] - a.rest[0])));
    let furthest = max(
        max(apart(of_a.gradient, mean, normal), apart(of_b.gradient, mean, normal)),
        max(apart(of_c.gradient, mean, normal), apart(of_d.gradient, mean, normal)));
    let rounding = max(max(of_a.rounding, of_b.rounding), max(of_c.rounding, of_d.rounding));
    let place = 3u * (copy * tree.leaves + leaf);
    shapes[place] = vec4f(mean[0], furthest.x + rounding);
    shapes[place + 1u] = vec4f(mean[1], count);
    shapes[place + 2u] = vec4f(mean[2], furthest.y);
    return bounds;
}

// Boxes of the last level that was fitted, as far as it is the workgroup's.
var<workgroup> fitted: array<Bounds, WORKGROUP_SIZE>;

// The boxes of the levels above the lowest one, up to and including `top`, from those of the lowest level. Called by all threads.
fn fit_up(local: u32, first: u32, top: u32, lowest: Bounds) {
    var own = lowest;
    for (var width = 1u << (fit.levels - 1u); width > 0u; width /= 2u) {
        if (local < width) {
            fitted[local] = own;
            store(first + top * width + local, own);
        }
        workgroupBarrier();
        if (local < width / 2u) {
            own = around_both(fitted[2u * local], fitted[2u * local + 1u]);
        }
        workgroupBarrier();
    }
}

// The boxes of the leaves and of the levels above them. One workgroup fits a node of the highest level and all below it, a thread two leaves.
// Reads start, moved, leaf_nodes, rests; writes boxes, shapes.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fit_leaves(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let index = min(group.x + group.y * groups.x, fit.count * copies() - 1u);
    let copy = index / fit.count;
    let first = first_box(copy);
    let top = fit.count + index % fit.count;
    let width = 1u << (fit.levels - 1u);
    var own = NO_BOUNDS;
    if (local < width) {
        let leaves = 2u * (top * width + local);
        for (var node = leaves; node < leaves + 2u; node += 1u) {
            let leaf = fit_leaf(copy, node - tree.leaves);
            store(first + node, leaf);
            own = around_both(own, leaf);
        }
    }
    fit_up(local, first, top, own);
}

// The boxes of levels above one that is fitted. One workgroup fits a node of the highest of them and all below it.
// Reads and writes boxes.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fit_levels(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let index = min(group.x + group.y * groups.x, fit.count * copies() - 1u);
    let first = first_box(index / fit.count);
    let top = fit.count + index % fit.count;
    let width = 1u << (fit.levels - 1u);
    var own = NO_BOUNDS;
    if (local < width) {
        let node = top * width + local;
        own = around_both(load(first + 2u * node), load(first + 2u * node + 1u));
    }
    fit_up(local, first, top, own);
}
