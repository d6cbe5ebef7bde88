//! Patches of the surface: subtrees of the tree, each with a region around it that is flat and convex at rest; and tiles, which are smaller.
//!
//! A region that is neither folded nor squeezed is injective as a whole (`shaders/contact/flatten.wgsl`), so that the features in it
//! need no comparison. That holds where the shape at rest is one convex piece of a plane inside the region's box (`planes.rs`).

use glam::Vec4;
use rayon::prelude::*;

use super::elements::{self, LEAF, Surface, corners};
use super::planes::{Box3, Rest};
use crate::method::contact as soft;
use crate::model::{BodyRange, Model};

/// Leaves of a patch and of a tile, as `PATCH_LEAVES` and `TILE_LEAVES` in `shaders/contact/patches.wgsl`, of trees that have as many.
const PATCH_LEAVES: u32 = 32;
const TILE_LEAVES: u32 = 4;
/// A region reaches beyond its patch by what its triangles may be apart at rest that lie within reach of each other, and this
/// many spacings, so that leaves are inside as a whole. That of a tile reaches as far as the leaves do that are within reach.
const LEAF_SIZE: f32 = 3.3;
/// How far leaves must reach into a tile's region to count, as a part of the spacing: more than rounding makes of those beside it.
const TOUCHES: f32 = 1e-3;

/// Bytes of the largest buffer of contact but for pairs: boxes of a model's trees, patches and tiles.
pub fn boxes_bytes(model: &Model) -> u64 {
    let leaves = elements::leaves(model).unwrap_or(0) as u64;
    let [patches, tiles] = [PATCH_LEAVES, TILE_LEAVES].map(|size| leaves.div_ceil(size.into()));
    // Six vectors for each leaf and four at rest, then those of patches and tiles.
    16 * u64::from(model.copies()) * (10 * leaves + 6 * patches + 8 * tiles)
}

/// What is known of the surface at rest.
pub struct Patches {
    /// Of each node of each copy's tree: a box around it at rest \[m\], as (low, body) and (high, least spacing),
    /// the spacing negative where a pin moves.
    pub rest_boxes: Vec<[Vec4; 2]>,
    /// Of each patch: the box of its region, as (low, 0) and (high, body), room for two
    /// vectors, and two unit vectors of the plane at rest.
    pub patches: Vec<[Vec4; 6]>,
    /// Of each tile: room for the region that counts, and the same as of patches.
    pub tiles: Vec<[Vec4; 8]>,
    /// Where each patch's leaves begin below, one more than patches; where each tile's begin, one more than tiles; then leaves that reach
    /// into regions. Those of a patch or tile without a region are none.
    pub regions: Vec<u32>,
    /// Of each node where it is at rest \[m\], and a tile with a triangle at it; a half more where not all triangles at it are in the
    /// regions of that tile and of its patch.
    pub rests: Vec<Vec4>,
}

/// Lists of leaves, one after the other.
struct Lists {
    starts: Vec<u32>,
    leaves: Vec<u32>,
}

impl Lists {
    fn new() -> Self {
        Self { starts: vec![0], leaves: Vec::new() }
    }

    fn push(&mut self, leaves: Vec<u32>) {
        self.leaves.extend(leaves);
        self.starts.push(self.leaves.len() as u32);
    }
}

/// The tree of a copy at rest, and how it is divided.
struct Tree<'a> {
    copy: usize,
    boxes: &'a [Box3],
    leaves: usize,
    /// Leaves of a patch, and of a tile.
    patch_leaves: usize,
    tile_leaves: usize,
}

/// A patch, the leaves that reach into its region, and the same of its tiles.
struct Patch {
    words: [Vec4; 6],
    leaves: Vec<u32>,
    tiles: Vec<([Vec4; 8], Vec<u32>)>,
}

impl Patch {
    /// The one of this number in a copy, where nodes of each body within reach of each other are so far apart at rest \[m\].
    fn new(rest: &Rest<'_>, tree: &Tree<'_>, within: &[f32], patch: usize) -> Self {
        let &Tree { copy, boxes, leaves, patch_leaves, tile_leaves } = tree;
        let of_patch = boxes[leaves / patch_leaves + patch];
        let of_body = of_patch.body as usize;
        let [within, spacing] =
            [within, &rest.spacings[..]].map(|all| all.get(of_body).copied().unwrap_or(0.0));
        let region = of_patch.widened(within + LEAF_SIZE * spacing);
        let found = rest.region(copy, boxes, &region);
        let touches = TOUCHES * spacing;
        let first = copy * leaves + patch * patch_leaves;
        let tile = |tile: usize| {
            let of_tile = boxes[(leaves + patch * patch_leaves) / tile_leaves + tile];
            let own = rest.whole_leaves(boxes, &of_tile.widened(within), touches);
            let is_part = !found.is_empty() && region.contains(own.low) && region.contains(own.high);
            let listed = match is_part {
                // A part of a convex piece that is in a convex box is convex.
                true => rest.leaves_of_part(boxes, &own, touches),
                false => rest.region(copy, boxes, &own),
            };
            let [low, high, room, more, u, v] = rest.words(first + tile * tile_leaves, &own);
            ([Vec4::ZERO, Vec4::ZERO, low, high, room, more, u, v], listed)
        };
        let tiles = (0..patch_leaves / tile_leaves).map(tile).collect();
        Self { words: rest.words(first, &region), leaves: found, tiles }
    }
}

impl Patches {
    /// Those of a model's surface.
    pub fn new(model: &Model, surface: &Surface) -> Self {
        let leaves = surface.leaves as usize;
        let copies = surface.elements.len() / (leaves * LEAF);
        let [patch_leaves, tile_leaves] =
            [PATCH_LEAVES, TILE_LEAVES].map(|most| most.min(surface.leaves) as usize);
        let rest = Rest::new(model, surface);
        let within: Vec<f32> = model.bodies().iter().map(|body| within_reach(model, body)).collect();
        let mut all = Self {
            rest_boxes: Vec::with_capacity(2 * leaves * copies),
            patches: Vec::new(),
            tiles: Vec::new(),
            regions: Vec::new(),
            rests: model.rest_position().iter().map(|x| x.extend(0.0)).collect(),
        };
        let (mut of_patches, mut of_tiles) = (Lists::new(), Lists::new());
        let tiles_of_patch = patch_leaves / tile_leaves;
        for copy in 0..copies {
            let boxes = rest.boxes(copy);
            let tree = Tree { copy, boxes: &boxes, leaves, patch_leaves, tile_leaves };
            let found: Vec<Patch> = (0..leaves / patch_leaves)
                .into_par_iter()
                .map(|patch| Patch::new(&rest, &tree, &within, patch))
                .collect();
            for patch in found {
                all.patches.push(patch.words);
                of_patches.push(patch.leaves);
                for (words, leaves) in patch.tiles {
                    all.tiles.push(words);
                    of_tiles.push(leaves);
                }
            }
            all.rest_boxes.extend(boxes.iter().map(Box3::words));
        }
        for (tile, elements) in surface.elements.chunks(tile_leaves * LEAF).enumerate() {
            let nodes = elements.iter().filter_map(corners).flatten();
            nodes.for_each(|i| all.rests[i as usize].w = tile as f32);
        }
        all.mark_stars(surface, tiles_of_patch);
        let head = (of_patches.starts.len() + of_tiles.starts.len()) as u32;
        let behind = head + of_patches.leaves.len() as u32;
        let starts = of_patches.starts.iter().map(|start| start + head);
        let starts = starts.chain(of_tiles.starts.iter().map(|start| start + behind));
        all.regions = starts.chain(of_patches.leaves).chain(of_tiles.leaves).collect();
        all
    }

    /// Marks nodes with triangles that are not in the regions of their tile and of its patch, of which each has so many tiles.
    fn mark_stars(&mut self, surface: &Surface, tiles: usize) {
        // What has no triangles has no star.
        let mut is_outside = vec![true; self.rests.len()];
        let nodes = surface.elements.iter().filter_map(corners).flatten();
        nodes.for_each(|i| is_outside[i as usize] = false);
        for triangle in surface.elements.iter().filter_map(corners) {
            for node in triangle.map(|i| i as usize) {
                let tile = self.rests[node].w as usize;
                let [of_tile, of_patch] = [&self.tiles[tile][2..4], &self.patches[tile / tiles][..2]];
                let is_inside = |i: u32| {
                    let x = self.rests[i as usize].truncate();
                    [of_tile, of_patch].iter().all(|region| {
                        x.cmpge(region[0].truncate()).all() && x.cmple(region[1].truncate()).all()
                    })
                };
                is_outside[node] |= !triangle.into_iter().all(is_inside);
            }
        }
        self.rests.iter_mut().zip(is_outside).filter(|star| star.1).for_each(|(rest, _)| rest.w += 0.5);
    }

    /// What the buffer of boxes begins with: room for those of a substep, then boxes at rest, then patches, then tiles.
    pub fn boxes(&self) -> Vec<Vec4> {
        let room = vec![Vec4::ZERO; 3 * self.rest_boxes.len()];
        let rest = self.rest_boxes.iter().flatten();
        let regions = self.patches.iter().flatten().chain(self.tiles.iter().flatten());
        room.into_iter().chain(rest.chain(regions).copied()).collect()
    }
}

/// In a region without squeezed cells, pairs within reach of each other are no farther apart at rest \[m\], while they hardly move against
/// each other.
fn within_reach(model: &Model, body: &BodyRange) -> f32 {
    soft::still_reach(soft::thickness(model, body), soft::spacing(model, body)) / soft::SQUEEZED
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::elements::NONE;
    use super::*;
    use crate::model::{Body, Model, ModelBuilder};

    /// A sheet of n x n cells of size 1, without those that `is_hole` names, bent by `to`.
    fn sheet(n: u32, is_hole: impl Fn(u32, u32) -> bool, to: impl Fn(Vec3) -> Vec3) -> Model {
        let at = |x: u32, z: u32| x + (n + 1) * z;
        let mut triangles = Vec::new();
        for (x, z) in (0..n * n).map(|k| (k % n, k / n)).filter(|&(x, z)| !is_hole(x, z)) {
            triangles.push([at(x, z), at(x, z + 1), at(x + 1, z)]);
            triangles.push([at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]);
        }
        let places =
            (0..(n + 1) * (n + 1)).map(|k| Vec3::new((k % (n + 1)) as f32, 0.0, (k / (n + 1)) as f32));
        let body = Body {
            rest_position: places.map(to).collect(),
            mass: vec![1.0; ((n + 1) * (n + 1)) as usize],
            triangles,
            ..Body::default()
        };
        Model::of(body).unwrap()
    }

    /// Patches with a region, and all that have triangles.
    fn counts(model: &Model) -> [usize; 2] {
        let surface = Surface::new(model).unwrap();
        let patches = Patches::new(model, &surface);
        let of_patch = PATCH_LEAVES.min(surface.leaves) as usize * LEAF;
        let filled = surface.elements.chunks(of_patch).filter(|e| e.iter().any(|e| corners(e).is_some()));
        let starts = &patches.regions[..=patches.patches.len()];
        [starts.windows(2).filter(|pair| pair[1] > pair[0]).count(), filled.count()]
    }

    #[test]
    fn boxes_take_as_many_bytes_as_are_asked_for() {
        for n in [1, 3, 40] {
            let model = sheet(n, |_, _| false, |x| x);
            let surface = Surface::new(&model).unwrap();
            let boxes = Patches::new(&model, &surface).boxes();
            assert_eq!(size_of_val(&boxes[..]) as u64, boxes_bytes(&model), "{n}");
        }
    }

    #[test]
    fn leaves_within_reach_of_a_tile_are_inside_of_its_region_as_a_whole() {
        let model = sheet(40, |_, _| false, |x| x);
        let surface = Surface::new(&model).unwrap();
        let all = Patches::new(&model, &surface);
        let [patches, leaves] = [all.patches.len(), surface.leaves as usize];
        let reach = within_reach(&model, &model.bodies()[0]) - 2.0 * TOUCHES;
        let corners_of = |words: &[Vec4]| [words[0], words[1]].map(|v| v.truncate());
        let [mut tiles, mut inside] = [0, 0];
        for tile in 0..all.tiles.len() {
            if surface.elements[tile * TILE_LEAVES as usize * LEAF][0] == NONE {
                continue;
            }
            tiles += 1;
            let starts = &all.regions[patches + 1 + tile..patches + 3 + tile];
            let listed = &all.regions[starts[0] as usize..starts[1] as usize];
            let [low, high] = corners_of(&all.tiles[tile][2..]);
            let own = corners_of(&all.rest_boxes[leaves / TILE_LEAVES as usize + tile]);
            for leaf in 0..leaves {
                let [a, b] = corners_of(&all.rest_boxes[leaves + leaf]);
                let is_in_reach = a.cmple(own[1] + reach).all() && b.cmpge(own[0] - reach).all();
                if is_in_reach {
                    assert!(a.cmpge(low).all() && b.cmple(high).all(), "leaf {leaf} of tile {tile}");
                    assert!(listed.contains(&(leaf as u32)), "leaf {leaf} of tile {tile}");
                    inside += 1;
                }
            }
            assert!(listed.len() < 80, "{} leaves", listed.len());
        }
        assert!(tiles > 90 && inside > 10 * tiles, "{inside} leaves of {tiles} tiles");
    }

    #[test]
    fn stars_of_nodes_without_a_mark_are_in_their_regions() {
        let model = sheet(40, |x, z| x == 20 && z == 20, |x| x);
        let surface = Surface::new(&model).unwrap();
        let all = Patches::new(&model, &surface);
        let of_patch = all.tiles.len() / all.patches.len();
        let is_marked = |node: u32| all.rests[node as usize].w.fract() > 0.0;
        let mut inside = 0;
        for triangle in surface.elements.iter().filter_map(corners) {
            for node in triangle.into_iter().filter(|&node| !is_marked(node)) {
                let tile = all.rests[node as usize].w as usize;
                for region in [&all.tiles[tile][2..4], &all.patches[tile / of_patch][..2]] {
                    let is_in = |i: u32| {
                        let x = all.rests[i as usize].truncate();
                        x.cmpge(region[0].truncate()).all() && x.cmple(region[1].truncate()).all()
                    };
                    assert!(triangle.into_iter().all(is_in), "node {node}");
                }
                inside += 1;
            }
        }
        assert!(inside > 8000, "{inside} corners");
    }

    #[test]
    fn regions_are_convex_pieces_of_a_plane() {
        let is_whole = |_: u32, _: u32| false;
        let [with, all] = counts(&sheet(40, is_whole, |x| x));
        assert!(with == all && all > 20, "{with} of {all}");
        let tilted = |x: Vec3| glam::Quat::from_rotation_z(0.7) * glam::Quat::from_rotation_x(0.4) * x;
        assert_eq!(counts(&sheet(40, is_whole, tilted)), [all, all]);
        // Around a hole, along a slit and on a curved body there are none.
        let [with, all] = counts(&sheet(40, |x, z| x == 20 && z == 20, |x| x));
        assert!(with < all && with > all / 2, "{with} of {all}");
        let [with, all] = counts(&sheet(40, |x, z| x == 20 && z < 39, |x| x));
        assert!(with < all - 5 && with > 0, "{with} of {all}");
        // Other bodies are another matter.
        let mut builder = ModelBuilder::new();
        for above in [0.0, 0.2] {
            let whole = sheet(40, is_whole, |x| x + above * Vec3::Y);
            builder.add(Body {
                rest_position: whole.rest_position().to_vec(),
                mass: vec![1.0; whole.node_count()],
                triangles: whole.triangles().to_vec(),
                ..Body::default()
            });
        }
        let [with, all] = counts(&builder.build().unwrap());
        assert!(with == all && all > 40, "{with} of {all}");
        let wavy = |x: Vec3| x + 0.2 * x.x.sin() * Vec3::Y;
        assert_eq!(counts(&sheet(40, is_whole, wavy))[0], 0);
    }
}
