// Fits the tree of triangles to where they are and how they move, and looks at how triangles are deformed.
// The tree is complete: node k has the children 2k and 2k + 1,
// the leaves are the last half. It is built once, from the shape at rest, and only refitted.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import core/launch.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(3) var<storage, read> moved: array<vec4f>;
@group(2) @binding(4) var<storage, read> means: array<vec4f>;
@group(2) @binding(5) var<storage, read_write> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> elements: array<Element>;
@group(2) @binding(7) var<storage, read> rests: array<vec4f>;
@group(2) @binding(8) var<storage, read_write> shapes: array<vec4f>;

// Before the solver nodes move as their velocities say, and triangles are looked at where they start; behind it nodes may also move
// as their neighbors do on average, and triangles are looked at where they go to.
override AT_END: bool = false;

struct Fit {
    count: u32,     // workgroups of a copy: nodes of the highest level that is fitted
    levels: u32,    // that a workgroup fits, one below the other
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

// Fits a leaf, and stores how its triangles are deformed: the mean of their gradients F, which take vectors of the plane at rest to
// those of now, and how far they are from it at most: in the first w within the plane of the mean, with what rounding may add, in the third
// w across it. Where a leaf is only bent, all of that is across.
fn fit_leaf(copy: u32, leaf: u32) -> Bounds {
    let first = first_element(copy) + leaf * LEAF;
    var bounds = NO_BOUNDS;
    var gradients: array<mat3x3f, LEAF>;
    var mean = mat3x3f();
    var side_b: vec3f;
    var side_c: vec3f;
    var spread = 0.0;
    var count = 0u;
    for (; count < LEAF; count += 1u) {
        let nodes = elements[first + count].nodes;
        if (nodes.x == NO_NODE) {
            break;
        }
        var at: mat3x3f;
        for (var c = 0u; c < 3u; c += 1u) {
            let i = nodes[c];
            at[c] = start[i].xyz;
            bounds = around(bounds, at[c], moved[i].xyz);
            if (AT_END) {
                bounds = around(bounds, at[c], means[i].xyz);
                at[c] += moved[i].xyz;
            }
        }
        let x = rests[nodes.x].xyz;
        let b = rests[nodes.y].xyz - x;
        let c = rests[nodes.z].xyz - x;
        side_b = b;
        side_c = c;
        // The gradients of what is 1 at one corner and 0 at the others.
        let n = cross(b, c);
        let of_b = cross(c, n) / dot(n, n);
        let of_c = cross(n, b) / dot(n, n);
        let to_b = at[1] - at[0];
        let to_c = at[2] - at[0];
        gradients[count] = mat3x3f(
            to_b * of_b.x + to_c * of_c.x, to_b * of_b.y + to_c * of_c.y, to_b * of_b.z + to_c * of_c.z);
        mean += gradients[count];
        spread = max(spread, ROUNDING * sum_of(abs(at[0])) * (length(of_b) + length(of_c)));
    }
    mean = (1.0 / f32(max(count, 1u))) * mean;
    let normal = normalize(cross(mean * side_b, mean * side_c));
    var within = 0.0;
    var across = 0.0;
    for (var k = 0u; k < count; k += 1u) {
        let apart = gradients[k] - mean;
        let out = normal * apart;
        let left = mat3x3f(apart[0] - out.x * normal, apart[1] - out.y * normal, apart[2] - out.z * normal);
        across = max(across, length(out));
        within = max(within, sqrt(dot(left[0], left[0]) + dot(left[1], left[1]) + dot(left[2], left[2])));
    }
    let place = 3u * (copy * LEAVES + leaf);
    shapes[place] = vec4f(mean[0], within + spread);
    shapes[place + 1u] = vec4f(mean[1], f32(count));
    shapes[place + 2u] = vec4f(mean[2], across);
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

// The boxes of the leaves and of the levels above them. One workgroup fits a node of the highest level and all below it.
// Reads start, moved, means, elements, rests; writes boxes, shapes.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fit_leaves(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let index = min(group.x + group.y * groups.x, fit.count * COPIES - 1u);
    let copy = index / fit.count;
    let top = fit.count + index % fit.count;
    let width = 1u << (fit.levels - 1u);
    var own = NO_BOUNDS;
    if (local < width) {
        own = fit_leaf(copy, top * width + local - LEAVES);
    }
    fit_up(local, first_box(copy), top, own);
}

// The boxes of levels above one that is fitted. One workgroup fits a node of the highest of them and all below it.
// Reads and writes boxes.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fit_levels(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let index = min(group.x + group.y * groups.x, fit.count * COPIES - 1u);
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
