// Fits the tree of triangles to where they are and how they move. The tree is complete: node k has the children 2k and 2k + 1,
// the leaves are the last half. It is built once, from the shape at rest, and only refitted.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import core/launch.wgsl

@group(2) @binding(2) var<storage, read> start: array<vec4f>;
@group(2) @binding(3) var<storage, read> moved: array<vec4f>;
@group(2) @binding(4) var<storage, read> means: array<vec4f>;
@group(2) @binding(5) var<storage, read_write> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> elements: array<Element>;

struct Fit {
    count: u32,     // threads of a copy: nodes of the highest level that is fitted
    levels: u32,    // that a thread fits, one below the other
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

fn leaf_bounds(copy: u32, leaf: u32) -> Bounds {
    var bounds = NO_BOUNDS;
    for (var k = 0u; k < LEAF; k += 1u) {
        let element = elements[first_element(copy) + leaf * LEAF + k];
        if (element.nodes.x == NO_NODE) {
            break;
        }
        for (var c = 0u; c < 3u; c += 1u) {
            let i = element.nodes[c];
            bounds = around(around(bounds, start[i].xyz, moved[i].xyz), start[i].xyz, means[i].xyz);
        }
    }
    return bounds;
}

// The box of a node from those of its children.
fn join(first: u32, node: u32) {
    store(first + node, around_both(load(first + 2u * node), load(first + 2u * node + 1u)));
}

// The boxes of `fit.levels` levels below and including one node from the level under them.
fn fit_up(first: u32, node: u32) {
    for (var depth = fit.levels; depth > 0u; depth -= 1u) {
        let width = 1u << (depth - 1u);
        for (var k = 0u; k < width; k += 1u) {
            join(first, node * width + k);
        }
    }
}

// The boxes of the leaves and of the levels above them. One thread fits a node of the highest level and all below it.
// Reads start, moved, means, elements; writes boxes.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fit_leaves(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let copy = index / fit.count;
    if (copy >= COPIES) {
        return;
    }
    let first = first_box(copy);
    let node = fit.count + index % fit.count;
    let width = 1u << fit.levels;
    for (var k = 0u; k < width; k += 1u) {
        let leaf = node * width + k;
        store(first + leaf, leaf_bounds(copy, leaf - LEAVES));
    }
    fit_up(first, node);
}

// The boxes of levels above one that is fitted. One thread fits a node of the highest of them and all below it.
// Reads and writes boxes.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fit_levels(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    let copy = index / fit.count;
    if (copy >= COPIES) {
        return;
    }
    fit_up(first_box(copy), fit.count + index % fit.count);
}
