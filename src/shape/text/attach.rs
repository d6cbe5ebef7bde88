//! Links between islands: between the dot and the stem of an i, or between all glyphs of a line.

use glam::DVec2;

use super::mesh::TextMesh;

/// Which islands of a text are attached to each other by springs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Islands {
    /// The islands of one glyph.
    #[default]
    Glyph,
    /// The islands of one line, so that its glyphs are connected.
    Line,
    /// No islands.
    Free,
}

/// Nodes by which an island is held: the one nearest to the other island, and one on each side of it.
const HOLDS: usize = 3;
/// Largest distance of these behind the nearest, over the width of the smaller island.
const DEPTH: f64 = 0.35;

/// Pairs of nodes to be joined by springs: nine for each attached pair of islands, three nodes of one with three of the
/// other, so that the islands can neither turn nor shift relative to each other.
pub(super) fn links(mesh: &TextMesh, islands: Islands) -> Vec<[u32; 2]> {
    let group = |character: usize| match islands {
        Islands::Glyph => character,
        Islands::Line => mesh.lines[character],
        Islands::Free => usize::MAX,
    };
    if islands == Islands::Free {
        return Vec::new();
    }
    let border = border(mesh);
    let mut links = Vec::new();
    let characters: Vec<usize> = (0..mesh.glyphs.len()).filter(|&c| !mesh.glyphs[c].is_empty()).collect();
    for group in characters.chunk_by(|&a, &b| group(a) == group(b)) {
        // The islands, each as its nodes on the outline.
        let nodes = group.iter().flat_map(|&c| mesh.glyphs[c].clone()).filter(|&n| border[n as usize]);
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for node in nodes {
            match parts.last_mut() {
                Some(part) if mesh.islands[part[0] as usize] == mesh.islands[node as usize] => {
                    part.push(node)
                }
                _ => parts.push(vec![node]),
            }
        }
        for (a, b) in tree(mesh, &parts) {
            let (a, b) = (&parts[a], &parts[b]);
            let (from, to) = nearest(mesh, a, b);
            let across = (mesh.points[to as usize] - mesh.points[from as usize]).perp();
            let size = width(mesh, a, across).min(width(mesh, b, across));
            let holds = [holds(mesh, a, from, to, DEPTH * size), holds(mesh, b, to, from, DEPTH * size)];
            links.extend(holds[0].iter().flat_map(|&p| holds[1].iter().map(move |&q| [p, q])));
        }
    }
    links
}

/// Whether each node is on the outline: it has a side with only one triangle.
fn border(mesh: &TextMesh) -> Vec<bool> {
    let mut sides: Vec<[u32; 2]> =
        mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    sides.sort_unstable();
    let mut border = vec![false; mesh.points.len()];
    for &[a, b] in sides.iter().filter(|[a, b]| sides.binary_search(&[*b, *a]).is_err()) {
        border[a as usize] = true;
        border[b as usize] = true;
    }
    border
}

/// The minimum spanning tree of the parts.
fn tree(mesh: &TextMesh, parts: &[Vec<u32>]) -> Vec<(usize, usize)> {
    let gap = |a: usize, b: usize| {
        let (p, q) = nearest(mesh, &parts[a], &parts[b]);
        mesh.points[p as usize].distance_squared(mesh.points[q as usize])
    };
    // Two nodes are never nearer than the bounding boxes of their parts.
    let boxes: Vec<[DVec2; 2]> = parts.iter().map(|part| bounds(mesh, part)).collect();
    let least = |a: usize, b: usize| {
        let ([a, b], [c, d]) = (boxes[a], boxes[b]);
        (a - d).max(c - b).max(DVec2::ZERO).length_squared()
    };
    // Prim's algorithm: for each part outside the tree the nearest part inside, and its distance.
    let mut outside: Vec<(usize, usize, f64)> = (1..parts.len()).map(|i| (i, 0, gap(0, i))).collect();
    let mut pairs = Vec::new();
    while let Some(at) = (0..outside.len()).min_by(|&a, &b| outside[a].2.total_cmp(&outside[b].2)) {
        let (added, to, _) = outside.swap_remove(at);
        pairs.push((to, added));
        for (part, to, distance) in &mut outside {
            if least(added, *part) < *distance {
                let new = gap(added, *part);
                if new < *distance {
                    (*to, *distance) = (added, new);
                }
            }
        }
    }
    pairs
}

/// The corners of the bounding box of nodes.
fn bounds(mesh: &TextMesh, nodes: &[u32]) -> [DVec2; 2] {
    let points = || nodes.iter().map(|&n| mesh.points[n as usize]);
    [points().fold(DVec2::INFINITY, DVec2::min), points().fold(DVec2::NEG_INFINITY, DVec2::max)]
}

/// The two nodes nearest to each other.
fn nearest(mesh: &TextMesh, a: &[u32], b: &[u32]) -> (u32, u32) {
    let point = |n: u32| mesh.points[n as usize];
    let pairs = a.iter().flat_map(|&p| b.iter().map(move |&q| (p, q)));
    let distance = |&(p, q): &(u32, u32)| point(p).distance_squared(point(q));
    pairs.min_by(|x, y| distance(x).total_cmp(&distance(y))).expect("islands have nodes")
}

/// Extent of nodes along a direction.
fn width(mesh: &TextMesh, nodes: &[u32], direction: DVec2) -> f64 {
    let along = |n: &u32| mesh.points[*n as usize].dot(direction.normalize_or_zero());
    let (min, max) =
        nodes.iter().map(along).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    max - min
}

/// The node `at` and the farthest nodes on either side, seen from `from`, that are no deeper than `depth` behind it.
fn holds(mesh: &TextMesh, part: &[u32], at: u32, from: u32, depth: f64) -> Vec<u32> {
    let away = (mesh.points[at as usize] - mesh.points[from as usize]).normalize_or_zero();
    let seen = |n: &u32| mesh.points[*n as usize] - mesh.points[at as usize];
    let near = |n: &&u32| seen(n).dot(away) <= depth && seen(n).length() <= 3.0 * depth;
    let side = |n: &&u32| seen(n).dot(away.perp());
    let mut holds = vec![at];
    let candidates = || part.iter().filter(near);
    let ends = [
        candidates().min_by(|a, b| side(a).total_cmp(&side(b))),
        candidates().max_by(|a, b| side(a).total_cmp(&side(b))),
    ];
    holds.extend(ends.into_iter().flatten());
    holds.sort_unstable();
    holds.dedup();
    debug_assert!(holds.len() <= HOLDS);
    holds
}
