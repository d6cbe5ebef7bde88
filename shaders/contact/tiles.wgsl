// Proves for tiles (patches.wgsl) what flatten.wgsl proves for patches, where a patch is folded or something is near it. A tile is small: in
// a wrinkled sheet most patches are folded, and few tiles are. At the start of a substep the corners of tiles that something is near
// are marked: no other node can touch anything.
//!import contact/around.wgsl
//!import contact/flatness.wgsl
//!import core/launch_list.wgsl

@group(2) @binding(3) var<storage, read_write> guards: array<Guard>;
// Behind those of patches: where the leaves begin that reach into each tile's region, then those leaves.
@group(2) @binding(4) var<storage, read> regions: array<u32>;
@group(2) @binding(5) var<storage, read_write> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> elements: array<Element>;
@group(2) @binding(7) var<storage, read_write> marks: array<atomic<u32>>;   // of each node, not 0 where it is marked
@group(2) @binding(8) var<storage, read> shapes: array<vec4f>;

override UNFOLDED_WIDTH: f32 = 1.0;
override FLAT_WIDTH: f32 = 1.0;

fn tile_count() -> u32 {
    return tiles_of_copy() * copies();
}

fn patch_of_tile(index: u32) -> u32 {
    return index / (patch_leaves() / tile_leaves());
}

// Looks whether the own region of a tile is folded or squeezed. That of its patch, which is larger, has been looked at.
// Reads shapes, regions; reads and writes boxes. One thread per tile.
@compute @workgroup_size(WORKGROUP_SIZE)
fn fold_tiles(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = thread_index(id, groups);
    if (index >= tile_count()) {
        return;
    }
    let at = place_of_tile(index);
    let plane = mat2x3f(boxes[at + 6u].xyz, boxes[at + 7u].xyz);
    let copy = index / tiles_of_copy();
    let list = patches_of_copy() * copies() + 1u + index;
    let is_known = !AT_END || boxes[at + 2u].w >= UNFOLDED;
    let is_asked = is_known && region_of(patch_of_tile(index)).state < FLAT;
    var turned = mat2x3f(boxes[at + 4u].xyz, boxes[at + 5u].xyz);
    if (!AT_END) {
        // Of the whole region: beside a fold that is between both sides.
        var total = mat2x3f();
        for (var k = regions[list]; k < select(regions[list], regions[list + 1u], is_asked); k += 1u) {
            total += deformed_by_all(copy * tree.leaves + regions[k], plane);
        }
        turned = nearest_rotation(total);
    }
    var is_folded = !(is_asked && regions[list] < regions[list + 1u]);
    var is_squeezed = false;
    for (var k = regions[list]; k < regions[list + 1u] && !is_folded; k += 1u) {
        let least = least_of(copy * tree.leaves + regions[k], plane, turned);
        is_folded = !(least >= UNFOLDED_WIDTH);
        is_squeezed = is_squeezed || !(AT_END || least >= FLAT_WIDTH);
    }
    boxes[at + 2u].w = select(select(FLAT, UNFOLDED, is_squeezed), UNKNOWN, is_folded);
    if (!AT_END) {
        boxes[at + 4u] = vec4f(turned[0], 0.0);
        boxes[at + 5u] = vec4f(turned[1], 0.0);
    }
}

// Threads that look around a tile.
fn looking() -> u32 {
    return select(1u, 8u, IS_WIDE);
}

// Adds a tile to the list of those that something may be near, in no fixed order; no result depends on it.
fn list(index: u32) {
    let k = atomicAdd(&guards[0].listed, 1u);
    boxes[place_of_listed_tile(k)].w = f32(index);
    launch_thread(tile_leaves() * k + tile_leaves() - 1u);
}

// Chooses the region that counts for each tile, and looks whether anything else is near the tile: at the start it marks nodes, at the end it
// lists tiles. Reads guards, elements; reads and writes boxes; writes marks, launch. looking() threads per tile.
@compute @workgroup_size(WORKGROUP_SIZE)
fn look_closer(
    @builtin(local_invocation_index) local: u32,
    @builtin(global_invocation_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let tile = thread_index(id, groups) / looking();
    // Surplus threads look at the last one, too, so that all of them come to the barriers.
    let is_there = tile < tile_count();
    let index = min(tile, tile_count() - 1u);
    let number = local / looking();
    let looker = local % looking();
    atomicStore(&met[local], 0u);
    workgroupBarrier();
    let at = place_of_tile(index);
    let of_patch = region_of(patch_of_tile(index));
    let own = region_at(at + 2u);
    var region = of_patch;
    if (own.state > of_patch.state) {
        region = own;
    }
    let is_asked = region.state == FLAT;
    if (is_asked) {
        let copy = index / tiles_of_copy();
        let first = first_box(copy);
        let place = first + tiles_of_copy() + index % tiles_of_copy();
        look(piece_of(place, guards[copy].least_gap, first, number), region, looker, looking());
    }
    workgroupBarrier();
    if (own.body == NOTHING || (is_asked && atomicLoad(&met[number]) == 0u)) {
        region.state = ALONE;
    }
    // All threads of the tile have read it.
    if (is_there && looker == 0u) {
        boxes[at] = vec4f(region.low, region.state);
        boxes[at + 1u] = vec4f(region.high, region.body);
        if (AT_END && region.state != ALONE) {
            list(index);
        }
    }
    let marked = select(0u, tile_leaves() * LEAF, is_there && !AT_END && region.state != ALONE);
    for (var k = looker; k < marked; k += looking()) {
        let nodes = elements[index * tile_leaves() * LEAF + k].nodes;
        if (nodes.x != NO_NODE) {
            atomicStore(&marks[nodes.x], 1u);
            atomicStore(&marks[nodes.y], 1u);
            atomicStore(&marks[nodes.z], 1u);
        }
    }
}
