// A proof for all triangles around a node at once: none of them crosses another in this substep, while their nodes take all of
// their motion.
//
// Seen along a fixed axis, all triangles stay turned to the viewer, and they surround the node once. They then cover a
// disk without overlap at the start; the number of times that they surround the node can change only when one of them is turned
// away. The normal of a triangle whose corners move in straight lines is quadratic in time: it lies within the triangle
// of its three Bernstein coefficients, so that it is enough to look at these. Where a region is not folded nothing more is needed.
//!import contact/bindings.wgsl
//!import contact/patches.wgsl
//!import core/launch.wgsl
//!import network/surface.wgsl
//!import state/world.wgsl

@group(2) @binding(2) var<storage, read_write> start: array<vec4f>;
@group(2) @binding(3) var<storage, read> moved: array<vec4f>;
// One bit a node: whether the triangles around it are a closed ring, all turned the same way.
@group(2) @binding(6) var<storage, read> rings: array<u32>;
@group(2) @binding(5) var<storage, read> boxes: array<vec4f>;
// In w a tile that the node is a corner in, and a half more where some of its triangles are not in the regions of that tile and of its patch.
@group(2) @binding(7) var<storage, read> rests: array<vec4f>;

// The cosine of the angle between axis and normals stays above this.
const LEAST_COSINE: f32 = 0.1;

// `rounding`: of n [m^2].
fn is_turned_to(axis: vec3f, n: vec3f, rounding: f32) -> bool {
    return dot(axis, n) > LEAST_COSINE * length(n) + rounding;
}

// Reads start, moved, the triangles around nodes; writes start.w. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn prove_stars(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    if ((rings[i / 32u] >> (i % 32u) & 1u) == 1u) {
        var is_proven = is_unfolded(i);
        if (!is_proven) {
            is_proven = is_open(i);
        }
        start[i].w += select(0.0, f32(STAR_IS_PROVEN), is_proven);
    }
}

// Whether all triangles around a node are in a region that is not folded.
fn is_unfolded(i: u32) -> bool {
    let tile = rests[i].w;
    return fract(tile) == 0.0 && region_of_tile(u32(tile)).state >= UNFOLDED;
}

fn is_open(i: u32) -> bool {
    let x = start[i].xyz;
    let d = moved[i].xyz;
    var axis = vec3f(0.0);
    for (var k = corner_start[i]; k < corner_start[i + 1u]; k += 1u) {
        let n = cross(start[corners[k].x].xyz - x, start[corners[k].y].xyz - x);
        let size = length(n);
        axis += select(vec3f(0.0), n / size, size > 0.0);
    }
    let length_of_axis = length(axis);
    if (!(length_of_axis > 0.0)) {
        return false;
    }
    axis /= length_of_axis;
    let first = start[corners[corner_start[i]].x].xyz - x;
    for (var k = corner_start[i]; k < corner_start[i + 1u]; k += 1u) {
        let u = start[corners[k].x].xyz - x;
        let v = start[corners[k].y].xyz - x;
        let du = moved[corners[k].x].xyz - d;
        let dv = moved[corners[k].y].xyz - d;
        let reach = length(u) + length(v) + length(du) + length(dv);
        let rounding = ROUNDING * reach * (reach + sum_of(abs(x) + abs(d)));
        let before = cross(u, v);
        let middle = before + 0.5 * (cross(u, dv) + cross(du, v));
        let after = cross(u + du, v + dv);
        if (!(is_turned_to(axis, before, rounding) && is_turned_to(axis, middle, rounding) && is_turned_to(axis, after, rounding))) {
            return false;
        }
        // No other triangle lies in the direction of the first one's first edge: they surround the node once.
        let touches_first = corners[k].x == corners[corner_start[i]].x || corners[k].y == corners[corner_start[i]].x;
        let before_first = dot(axis, cross(u, first)) >= -ROUNDING * length(u) * length(first);
        let behind_first = dot(axis, cross(first, v)) >= -ROUNDING * length(v) * length(first);
        if (!touches_first && before_first && behind_first) {
            return false;
        }
    }
    return true;
}
