// Patches of the surface: subtrees of the tree, and a region around each, which is a box at rest. At rest the surface in a region that
// counts is one convex piece of a plane. Tiles are smaller patches, with smaller regions: they are looked at where their patch is folded, or
// near something. All of these have their place in `boxes`, which the file that imports this declares: first three vectors for each node of
// the trees (bounds.wgsl), then two that bound it at rest, then six for each patch: two of its region, two that flatten.wgsl has found, and
// two unit vectors of the plane at rest; then eight for each tile: two of the region that counts, its own or its patch's, and six as for
// patches. The w of the sixth of tile k is entry k of the list of tiles that something is near at the end of the substep,
// since the guard's kernels have no storage buffer to spare.
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl

// The box of a node of the trees, by its number among those of all copies.
fn bounds_at(at: u32) -> Bounds {
    return from_thirds(boxes[3u * at], boxes[3u * at + 1u], boxes[3u * at + 2u]);
}

// Leaves of a patch and of a tile, of trees that have as many.
const PATCH_LEAVES: u32 = 32u;
const TILE_LEAVES: u32 = 4u;

// What is known of a patch or tile in this substep.
const UNKNOWN: f32 = 0.0;
const UNFOLDED: f32 = 1.0;  // features in its region do not cross
const FLAT: f32 = 2.0;      // nor are they near each other; or, after the solver, they do not meet in the substep
const ALONE: f32 = 3.0;     // and none of others are near its own

// The body of what has no triangles.
const NOTHING: f32 = -2.0;

struct Region {
    low: vec3f,     // at rest [m]
    high: vec3f,
    state: f32,
    body: f32,
}

fn patch_leaves() -> u32 {
    return min(PATCH_LEAVES, tree.leaves);
}

fn patches_of_copy() -> u32 {
    return max(tree.leaves / PATCH_LEAVES, 1u);
}

fn place_of_region(index: u32) -> u32 {
    return 10u * tree.leaves * copies() + 6u * index;
}

fn tile_leaves() -> u32 {
    return min(TILE_LEAVES, tree.leaves);
}

fn tiles_of_copy() -> u32 {
    return max(tree.leaves / TILE_LEAVES, 1u);
}

fn place_of_tile(index: u32) -> u32 {
    return place_of_region(patches_of_copy() * copies()) + 8u * index;
}

// Where entry k of the list of tiles stands, in w.
fn place_of_listed_tile(k: u32) -> u32 {
    return place_of_tile(k) + 5u;
}

// Of a patch.
fn region_of(index: u32) -> Region {
    return region_at(place_of_region(index));
}

// Of a tile, or of the patch that it is in.
fn region_of_tile(index: u32) -> Region {
    return region_at(place_of_tile(index));
}

fn region_at(at: u32) -> Region {
    let low = boxes[at];
    let high = boxes[at + 1u];
    return Region(low.xyz, high.xyz, low.w, high.w);
}

// Whether a node of a tree has only triangles within a region. `at`: its number among those of all copies.
fn is_in_region(region: Region, at: u32) -> bool {
    let low = boxes[6u * tree.leaves * copies() + 2u * at];
    let high = boxes[6u * tree.leaves * copies() + 2u * at + 1u];
    return region.state >= FLAT && low.w == region.body && all(low.xyz >= region.low) && all(high.xyz <= region.high);
}
