//! The mesh of one glyph, in fractions of the em.

use super::outline::{Island, Path};
use super::quality::MeshQuality;
use super::resample;
use super::triangulate::{self, Flat};

/// Largest distance of flattened curves from the font's, as a fraction of the spacing.
const TOLERANCE: f64 = 1.0 / 40.0;
/// Largest such distance for any spacing, in fractions of the em.
const LARGEST_TOLERANCE: f64 = 1.0 / 500.0;
/// Number of attempts, each with more detail, if polygons cross or triangles are bad.
const ATTEMPTS: u32 = 6;

/// The triangles of a glyph.
#[derive(Clone)]
pub(super) struct Glyph {
    pub flat: Flat,
    /// The island that each node belongs to, from zero.
    pub island: Vec<u32>,
    pub quality: MeshQuality,
}

/// The islands of a glyph as fine polygons, for a mesh of this spacing.
pub(super) fn outline(path: &Path, spacing: f64) -> Vec<Island> {
    path.islands((TOLERANCE * spacing).min(LARGEST_TOLERANCE))
}

impl Glyph {
    /// Meshes islands; `None` if one cannot be meshed at this spacing.
    pub fn mesh(islands: &[Island], spacing: f64) -> Option<Self> {
        let mut glyph = Self { flat: Flat::default(), island: Vec::new(), quality: MeshQuality::EMPTY };
        for (number, fine) in islands.iter().enumerate() {
            let (flat, quality) = island(fine, spacing)?;
            let first = glyph.flat.points.len() as u32;
            glyph.island.extend(flat.points.iter().map(|_| number as u32));
            glyph.flat.points.extend(flat.points);
            glyph.flat.triangles.extend(flat.triangles.iter().map(|t| t.map(|n| n + first)));
            glyph.quality = glyph.quality.and(quality, 1.0);
        }
        Some(glyph)
    }
}

/// Meshes an island, with more and more of its detail until all triangles are good; otherwise returns the best mesh.
fn island(fine: &Island, spacing: f64) -> Option<(Flat, MeshQuality)> {
    let mut best: Option<(Flat, MeshQuality)> = None;
    for attempt in 0..ATTEMPTS {
        let coarse = resample::island(fine, spacing, 0.5f64.powi(attempt as i32));
        if !resample::is_sound(&coarse) {
            continue;
        }
        let Some(flat) = triangulate::island(&coarse, spacing) else { continue };
        let quality = MeshQuality::of(&flat);
        let is_good = quality.bad == 0;
        if quality.triangles > 0 && best.as_ref().is_none_or(|(_, best)| quality.bad < best.bad) {
            best = Some((flat, quality));
        }
        if is_good {
            break;
        }
    }
    best
}
