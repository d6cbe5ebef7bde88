//! Triangulates a polygon with holes: a hexagonal lattice inside, and Delaunay refinement where triangles are bad.

use glam::DVec2;
use spade::{AngleLimit, ConstrainedDelaunayTriangulation, Point2, RefinementParameters, Triangulation};

use super::outline::Island;
use super::room::Room;
use super::smooth;

/// The least angle that the refinement aims at \[degrees\]; it is known to terminate below about 30 degrees.
const REFINED_ANGLE: f64 = 25.0;
/// Area of the largest triangle over the square of the spacing; an equilateral one has .43.
const LARGEST_AREA: f64 = 0.75;
/// Least distance of the lattice from the outline, in spacings.
const CLEARANCE: f64 = 0.6;
/// Least distance of the lattice from the outline after relaxation, in spacings.
const NEAREST: f64 = 0.45;
/// Rounds of relaxing the lattice before refinement.
const RELAXATIONS: usize = 3;

/// A mesh in the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Flat {
    pub points: Vec<DVec2>,
    /// Triangles, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
}

type Delaunay = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// Meshes an island whose polygons do not cross; `None` if the triangulation still fails.
pub(super) fn island(island: &Island, spacing: f64) -> Option<Flat> {
    let border: Vec<DVec2> = island.iter().flatten().copied().collect();
    let sides = sides(island);
    let room = Room::new(island, spacing);
    let mut inner = room.lattice(spacing, CLEARANCE * spacing);
    for _ in 0..RELAXATIONS {
        let mesh = delaunay(&border, &inner, &sides)?;
        let wishes = smooth::centers(&extract(&mesh, &room));
        for (point, wish) in inner.iter_mut().zip(&wishes[border.len()..]) {
            if room.is_clear(*wish, NEAREST * spacing) {
                *point = *wish;
            }
        }
    }
    let mut mesh = delaunay(&border, &inner, &sides)?;
    let parameters = RefinementParameters::new()
        .exclude_outer_faces(true)
        .with_angle_limit(AngleLimit::from_deg(REFINED_ANGLE))
        .with_max_allowed_area(LARGEST_AREA * spacing * spacing)
        .with_max_additional_vertices(20 * (border.len() + inner.len()) + 1000);
    mesh.refine(parameters);
    let mut flat = compact(extract(&mesh, &room));
    smooth::smooth(&mut flat);
    Some(flat)
}

/// Pairs of indices of the polygons' points.
fn sides(island: &Island) -> Vec<[usize; 2]> {
    let mut sides = Vec::new();
    let mut first = 0;
    for contour in island {
        let n = contour.len();
        sides.extend((0..n).map(|i| [first + i, first + (i + 1) % n]));
        first += n;
    }
    sides
}

fn delaunay(border: &[DVec2], inner: &[DVec2], sides: &[[usize; 2]]) -> Option<Delaunay> {
    let (min, max) =
        border.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), p| (a.min(*p), b.max(*p)));
    // A frame around everything. Without it, straight borders on the hull would get triangles of zero area when split.
    let size = max - min;
    let frame =
        [(-1.0, -1.0), (2.0, -1.0), (2.0, 2.0), (-1.0, 2.0)].map(|(x, y)| min + size * DVec2::new(x, y));
    let points: Vec<Point2<f64>> =
        border.iter().chain(inner).chain(&frame).map(|p| Point2::new(p.x, p.y)).collect();
    let count = points.len();
    let mut conflict = false;
    let mesh = Delaunay::try_bulk_load_cdt(points, sides.to_vec(), |_| conflict = true).ok()?;
    (!conflict && mesh.num_vertices() == count && mesh.num_constraints() == sides.len()).then_some(mesh)
}

/// The triangles inside the outline, and all points.
fn extract(mesh: &Delaunay, room: &Room) -> Flat {
    let points: Vec<DVec2> = mesh.vertices().map(|v| DVec2::new(v.position().x, v.position().y)).collect();
    let corners = mesh.inner_faces().map(|face| face.vertices().map(|v| v.index() as u32));
    let inside = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|n| points[n as usize]);
        room.is_inside((a + b + c) / 3.0)
    };
    let triangles = corners.filter(inside).collect();
    Flat { points, triangles }
}

/// Drops points without a triangle.
fn compact(flat: Flat) -> Flat {
    let mut number = vec![u32::MAX; flat.points.len()];
    flat.triangles.iter().flatten().for_each(|&n| number[n as usize] = 0);
    let mut points = Vec::new();
    for (point, number) in flat.points.iter().zip(&mut number).filter(|(_, number)| **number == 0) {
        *number = points.len() as u32;
        points.push(*point);
    }
    let triangles = flat.triangles.iter().map(|t| t.map(|n| number[n as usize])).collect();
    Flat { points, triangles }
}
