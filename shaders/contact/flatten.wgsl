// Proves for whole regions of the surface (patches.wgsl) that their features do not meet.
//
// Let X be places at rest and x those of now, linear in each triangle with gradient F, and R a rotation of the plane at rest. Where
// (F e) . (R e) >= LEAST for all unit vectors e of that plane in all triangles of a region that is convex at rest,
//     (x(P) - x(Q)) . R (P - Q) >= LEAST |P - Q|^2
// for all points P and Q of it, by integration along the line from Q to P: no two are nearer than LEAST times their distance at
// rest. Both sides are linear in x, so what holds at the start and at the end of a motion, with the same R, holds in between.
//!import contact/around.wgsl
//!import contact/flatness.wgsl

@group(2) @binding(3) var<storage, read_write> guards: array<Guard>;
// Where the leaves begin that reach into each region, then those leaves.
@group(2) @binding(4) var<storage, read> regions: array<u32>;
@group(2) @binding(5) var<storage, read_write> boxes: array<vec4f>;
// How the triangles of each leaf are deformed (refit.wgsl).
@group(2) @binding(8) var<storage, read> shapes: array<vec4f>;

// LEAST for no crossing, and for no pair that may touch.
override UNFOLDED_WIDTH: f32 = 1.0;
override FLAT_WIDTH: f32 = 1.0;

const LANES: u32 = 8u;
var<workgroup> sums: array<mat2x3f, WORKGROUP_SIZE>;
var<workgroup> folded: atomic<u32>;
var<workgroup> squeezed: atomic<u32>;

// The sum over all threads of a group, which all call this.
fn group_sum(local: u32, value: mat2x3f) -> mat2x3f {
    sums[local] = value;
    workgroupBarrier();
    var total = mat2x3f();
    if (local < LANES) {
        for (var k = local; k < WORKGROUP_SIZE; k += LANES) {
            total += sums[k];
        }
    }
    workgroupBarrier();
    if (local < LANES) {
        sums[local] = total;
    }
    workgroupBarrier();
    total = mat2x3f();
    for (var k = 0u; k < LANES; k += 1u) {
        total += sums[k];
    }
    return total;
}

// R, by what it makes of the plane's two vectors: the rotation that is nearest to the mean of F over the leaves of a patch.
fn rotation_of(local: u32, first: u32, plane: mat2x3f) -> mat2x3f {
    var total = mat2x3f();
    for (var k = local; k < patch_leaves(); k += WORKGROUP_SIZE) {
        total += deformed_by_all(first + k, plane);
    }
    return nearest_rotation(group_sum(local, total));
}

// At the start, then at the end. Reads shapes, regions; reads and writes the patches in boxes. One workgroup per patch.
@compute @workgroup_size(WORKGROUP_SIZE)
fn flatten(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let index = min(group.x + group.y * groups.x, patches_of_copy() * copies() - 1u);
    let at = place_of_region(index);
    let plane = mat2x3f(boxes[at + 4u].xyz, boxes[at + 5u].xyz);
    let leaves = index / patches_of_copy() * tree.leaves;
    if (local == 0u) {
        let is_known = !AT_END || boxes[at].w >= UNFOLDED;
        atomicStore(&folded, select(1u, 0u, is_known && regions[index] < regions[index + 1u]));
        atomicStore(&squeezed, 0u);
    }
    var turned = mat2x3f(boxes[at + 2u].xyz, boxes[at + 3u].xyz);
    if (!AT_END) {
        turned = rotation_of(local, leaves + index % patches_of_copy() * patch_leaves(), plane);
    }
    workgroupBarrier();
    for (var k = regions[index] + local; k < regions[index + 1u] && atomicLoad(&folded) == 0u; k += WORKGROUP_SIZE) {
        let least = least_of(leaves + regions[k], plane, turned);
        if (!(least >= UNFOLDED_WIDTH)) {
            atomicStore(&folded, 1u);
        }
        if (!AT_END && !(least >= FLAT_WIDTH)) {
            atomicStore(&squeezed, 1u);
        }
    }
    workgroupBarrier();
    if (local == 0u) {
        let is_folded = atomicLoad(&folded) > 0u;
        boxes[at].w = select(select(FLAT, UNFOLDED, atomicLoad(&squeezed) > 0u), UNKNOWN, is_folded);
        if (!AT_END) {
            boxes[at + 2u] = vec4f(turned[0], 0.0);
            boxes[at + 3u] = vec4f(turned[1], 0.0);
        }
    }
}

// Threads that look around a patch.
fn looking() -> u32 {
    return select(1u, WORKGROUP_SIZE, IS_WIDE);
}

// Reads and writes boxes; reads guards. looking() threads per patch.
@compute @workgroup_size(WORKGROUP_SIZE)
fn look_around(
    @builtin(local_invocation_index) local: u32,
    @builtin(global_invocation_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let patches = patches_of_copy() * copies();
    let index = min(thread_index(id, groups) / looking(), patches - 1u);
    let number = local / looking();
    atomicStore(&met[local], 0u);
    workgroupBarrier();
    let region = region_of(index);
    let copy = index / patches_of_copy();
    let first = first_box(copy);
    let piece = piece_of(first + patches_of_copy() + index % patches_of_copy(), guards[copy].least_gap, first, number);
    look(piece, region, local % looking(), looking());
    workgroupBarrier();
    if (local % looking() == 0u && region.state >= FLAT && atomicLoad(&met[number]) == 0u) {
        boxes[place_of_region(index)].w = ALONE;
    }
}
