//! The mesh of a whole text in its plane.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use glam::DVec2;
use rayon::prelude::*;
use skrifa::GlyphId;

use super::font::Font;
use super::glyph::{self, Glyph};
use super::layout::Placed;
use super::outline::{self, Island, Path};
use super::quality::MeshQuality;
use super::triangulate::Flat;
use crate::model::MAX_NODES;
use crate::shape::ShapeError;

/// Number of spacings, each half of the last, tried to find the one that the error suggests.
const HALVINGS: i32 = 3;
/// Largest relative error of the number of nodes, and the number of attempts.
const NEAR: f64 = 0.02;
const TRIALS: usize = 4;

/// A text in its plane: x to the right, y up, in meters.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMesh {
    /// Nodes \[m\].
    pub points: Vec<DVec2>,
    /// Triangles, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// Nodes of each character of the text, which are consecutive; empty for spaces and line breaks.
    pub glyphs: Vec<Range<u32>>,
    /// Line of each character, from the top.
    pub lines: Vec<usize>,
    /// The island that each node belongs to. No triangle joins two islands.
    pub islands: Vec<u32>,
    /// Target length of edges \[m\].
    pub spacing: f64,
    /// Quality of the triangles.
    pub quality: MeshQuality,
}

/// The outlines of the glyphs of a text, each once.
pub(super) struct Outlines<'a> {
    text: &'a str,
    placed: &'a [Placed],
    paths: BTreeMap<GlyphId, Path>,
}

impl<'a> Outlines<'a> {
    pub fn new(font: &Font, text: &'a str, placed: &'a [Placed]) -> Result<Self, ShapeError> {
        let mut paths = BTreeMap::new();
        for glyph in placed {
            if let Entry::Vacant(entry) = paths.entry(glyph.glyph) {
                entry.insert(font.path(glyph.glyph)?);
            }
        }
        Ok(Self { text, placed, paths })
    }

    /// Area and length of all outlines of the text, in fractions of the em.
    pub fn extent(&self) -> [f64; 2] {
        let sums = |path: &Path| {
            let islands = glyph::outline(path, 1.0);
            let contours = || islands.iter().flatten();
            [
                contours().map(|c| outline::area(c)).sum::<f64>(),
                contours().map(|c| outline::perimeter(c)).sum(),
            ]
        };
        let of: BTreeMap<GlyphId, [f64; 2]> = self.paths.iter().map(|(g, path)| (*g, sums(path))).collect();
        self.placed.iter().fold([0.0; 2], |[a, p], glyph| [a + of[&glyph.glyph][0], p + of[&glyph.glyph][1]])
    }

    /// The mesh with edges of about `spacing` em.
    pub fn mesh(&self, spacing: f64, size: f64) -> Result<TextMesh, ShapeError> {
        let paths: Vec<(&GlyphId, &Path)> = self.paths.iter().collect();
        let meshes: Vec<Option<Glyph>> = paths
            .par_iter()
            .map(|(_, path)| {
                Glyph::mesh(&glyph::outline(path, spacing), spacing).filter(|g| g.quality.bad == 0)
            })
            .collect();
        if let Some(i) = meshes.iter().position(Option::is_none) {
            return Err(self.too_coarse(*paths[i].0, spacing, size));
        }
        let meshes: BTreeMap<GlyphId, &Glyph> =
            paths.iter().zip(&meshes).filter_map(|((id, _), mesh)| Some((**id, mesh.as_ref()?))).collect();
        Ok(self.assemble(&meshes, spacing, size))
    }

    fn assemble(&self, meshes: &BTreeMap<GlyphId, &Glyph>, spacing: f64, size: f64) -> TextMesh {
        let characters = self.text.chars().count();
        let mut mesh = TextMesh {
            points: Vec::new(),
            triangles: Vec::new(),
            glyphs: vec![0..0; characters],
            lines: self
                .text
                .chars()
                .scan(0, |line, c| Some(std::mem::replace(line, *line + usize::from(c == '\n'))))
                .collect(),
            islands: Vec::new(),
            spacing: spacing * size,
            quality: MeshQuality::EMPTY,
        };
        // A character may have several glyphs, such as a separate accent; nodes are in the order of the text.
        let mut placed: Vec<&Placed> = self.placed.iter().collect();
        placed.sort_by_key(|glyph| glyph.character);
        let mut islands = 0;
        for glyph in placed {
            let Glyph { flat: Flat { points, triangles }, island, quality } = meshes[&glyph.glyph];
            let first = mesh.points.len() as u32;
            mesh.points.extend(points.iter().map(|p| size * (*p + glyph.origin)));
            mesh.triangles.extend(triangles.iter().map(|t| t.map(|n| n + first)));
            mesh.islands.extend(island.iter().map(|i| i + islands));
            islands += island.iter().max().map_or(0, |i| i + 1);
            mesh.quality = mesh.quality.and(*quality, size);
            let nodes = &mut mesh.glyphs[glyph.character];
            *nodes = if nodes.start == nodes.end { first } else { nodes.start }..mesh.points.len() as u32;
        }
        mesh
    }

    /// The mesh with about this number of nodes.
    pub fn mesh_of(&self, nodes: u32, size: f64) -> Result<TextMesh, ShapeError> {
        let [area, perimeter] = self.extent();
        let wanted = f64::from(nodes);
        // Inside, each node has the area of two equilateral triangles; on the outline, half of that.
        let (inner, border) = (area / 0.75f64.sqrt(), perimeter / 2.0);
        // Meshes of words have about 3 % fewer nodes, because the lattice keeps its distance from the outline.
        let aim = 1.03 * wanted;
        let mut spacing = (border + (border * border + 4.0 * inner * aim).sqrt()) / (2.0 * aim);
        let mut best: Option<TextMesh> = None;
        for _ in 0..TRIALS {
            let mesh = self.mesh(spacing.min(1.0), size)?;
            let found = mesh.points.len() as f64;
            let miss = |mesh: &TextMesh| (mesh.points.len() as f64 / wanted - 1.0).abs();
            if best.as_ref().is_none_or(|best| miss(&mesh) < miss(best)) {
                best = Some(mesh);
            }
            if best.as_ref().is_some_and(|best| miss(best) < NEAR) || (spacing >= 1.0 && found > wanted) {
                break;
            }
            spacing *= (found / wanted).sqrt().clamp(0.5, 2.0);
        }
        let best = best.expect("tried at least once");
        if best.points.len() as f64 > 1.5 * wanted {
            let allowed = format!(
                "too few for this text: its outlines take {} or so; raise it, or shorten the text",
                best.points.len()
            );
            return Err(ShapeError::new("nodes", nodes, allowed));
        }
        Ok(best)
    }

    /// The error about a glyph, with a spacing that works for it.
    fn too_coarse(&self, id: GlyphId, spacing: f64, size: f64) -> ShapeError {
        let character = self.placed.iter().find(|g| g.glyph == id).map_or(0, |g| g.character);
        let c = self.text.chars().nth(character).unwrap_or(' ');
        let works = (1..=HALVINGS).map(|i| spacing * 0.5f64.powi(i)).find(|&spacing| {
            let islands: Vec<Island> = glyph::outline(&self.paths[&id], spacing);
            Glyph::mesh(&islands, spacing).is_some_and(|glyph| glyph.quality.bad == 0)
        });
        let allowed = match works {
            Some(works) => {
                format!("too coarse for glyph {character} ('{c}'); {:.3e} m works for it", works * size)
            }
            None => format!("glyph {character} ('{c}') of the font cannot be meshed; choose another font"),
        };
        ShapeError::new("spacing", format!("{:.3e}", spacing * size), allowed)
    }
}

/// Estimates the number of nodes of a mesh from the area and the length of the outlines, and checks it.
pub(super) fn check_count(
    [area, perimeter]: [f64; 2],
    spacing: f64,
    key_value: f32,
) -> Result<(), ShapeError> {
    let nodes = area / 0.75f64.sqrt() / (spacing * spacing) + perimeter / 2.0 / spacing;
    if nodes <= MAX_NODES as f64 {
        return Ok(());
    }
    Err(ShapeError::new(
        "spacing",
        key_value,
        format!("too fine: some {nodes:.0} nodes; the most is {MAX_NODES}"),
    ))
}
