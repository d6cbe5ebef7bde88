//! Finds the nodes of a handle from a point or a view ray.

use glam::Vec3;
use rayon::prelude::*;

use crate::model::Model;

/// A place at which to grab the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pick {
    /// The node nearest to this point \[m\].
    Point(Vec3),
    /// The first triangle that this ray hits; the node nearest to the ray if there are no triangles.
    Ray {
        /// Origin of the ray \[m\].
        origin: Vec3,
        /// Direction of the ray, of any length.
        direction: Vec3,
    },
    /// This node.
    Node(u32),
}

/// The point of the pick \[m\], and the node nearest to it. `None` if nothing is hit.
pub(super) fn locate(model: &Model, position: &[Vec3], pick: &Pick) -> Option<(Vec3, u32)> {
    match *pick {
        Pick::Node(node) => Some((*position.get(node as usize)?, node)),
        Pick::Point(point) => {
            let node = nearest(position, |p| p.distance_squared(point))?;
            Some((position[node as usize], node))
        }
        Pick::Ray { origin, direction } => {
            let direction = direction.try_normalize()?;
            if model.triangles().is_empty() {
                return nearest_to_ray(position, origin, direction);
            }
            let distance = model
                .triangles()
                .par_iter()
                .filter_map(|t| hit(origin, direction, t.map(|n| position[n as usize])))
                .min_by(f32::total_cmp)?;
            let point = origin + distance * direction;
            Some((point, nearest(position, |p| p.distance_squared(point))?))
        }
    }
}

fn nearest(position: &[Vec3], measure: impl Fn(Vec3) -> f32 + Sync) -> Option<u32> {
    let best = position
        .par_iter()
        .enumerate()
        .map(|(i, &p)| (measure(p), i as u32))
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    best.map(|b| b.1)
}

fn nearest_to_ray(position: &[Vec3], origin: Vec3, direction: Vec3) -> Option<(Vec3, u32)> {
    // By the angle at the eye, so that the node under the mouse is preferred to one that is only near the ray.
    let slope = |p: Vec3| {
        let along = (p - origin).dot(direction);
        let across = (p - origin - along * direction).length();
        if along > 0.0 { across / along } else { f32::INFINITY }
    };
    let node = nearest(position, slope)?;
    let p = position[node as usize];
    (slope(p) < 0.05).then_some((p, node))
}

/// Distance along the ray at which it hits a triangle from either side (Moeller and Trumbore 1997,
/// doi:10.1080/10867651.1997.10487468).
fn hit(origin: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = (origin - a) / determinant;
    let u = s.dot(p);
    let q = s.cross(ab);
    let v = direction.dot(q);
    let t = ac.dot(q);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0).then_some(t)
}

/// Nodes within `radius` of `center`, with a weight that falls smoothly from one to zero; always includes `node`.
pub(super) fn weights(position: &[Vec3], center: Vec3, radius: f32, node: u32) -> Vec<(u32, f32)> {
    let mut nodes: Vec<(u32, f32)> = position
        .par_iter()
        .enumerate()
        .filter_map(|(i, p)| {
            let q = p.distance_squared(center) / (radius * radius);
            (q < 1.0).then_some((i as u32, (1.0 - q) * (1.0 - q)))
        })
        .filter(|n| n.1 > 1e-4 && n.0 != node)
        .collect();
    nodes.push((node, 1.0));
    nodes
}
