//! Prisms over the triangles of a text: their layers, springs, and the surface around them.
//!
//! The springs make an isotropic solid of prisms. They act along themselves, so the solid is Cauchy's, with
//! lambda = mu = E / 2.5 and Poisson's ratio 1/4 (as in a lattice). A prism of height c stands on a triangle of area A with
//! edges e_i of length l_i, opposite the angles t_i; L_i^2 = l_i^2 + c^2. A spring of stiffness k and rest vector r adds
//! k r r r r / |r|^2 to the prism's volume A c times C.
//!
//! ```text
//! both diagonals over e_i   k_i = mu cot(t_i) L_i^2 / (4 c)                     C_zzab = mu delta_ab, as sum cot(t_i) e_i e_i = 2 A
//! edge e_i                  8/3 mu A c / l_i^2 - 2 k_i l_i^2 / L_i^2            C_abcd, as the three directions add up to 3/8 of it
//! edge along z              mu A / (3 c) (3 - c^2 sum cot(t_i) / (2 A))         C_zzzz = 3 mu
//! ```
//!
//! The first and the last hold for every triangle. The second is exact on equilateral triangles; on others it is Van
//! Gelder's rule for the part in the plane. Each spring has the sum over its prisms, but not below zero: layers of half
//! to 1.1 spacings keep all springs above zero, except some edges of uneven triangles.

use glam::{DVec2, Vec3};

use super::mesh::TextMesh;
use crate::model::{Body, Family, Spring};
use crate::shape::{Damping, LatticeMaterial, RawSprings, ShapeError, Solid, surface};

/// Thickest layer, in spacings.
const THICKEST: f64 = 1.1;
/// Thinnest layer of a solid, in spacings.
const THINNEST: f64 = 0.5;

/// Stiffness of the springs over one layer of prisms [N/m], summed over the prisms around each.
struct Stiffness {
    /// Of each edge, at its bottom and top together.
    edge: Vec<f64>,
    /// Of each diagonal over an edge.
    diagonal: Vec<f64>,
    /// Of the edge along z at each node.
    upright: Vec<f64>,
    mass: Vec<f64>,
}

/// The order of the nodes: the nodes of a glyph are consecutive, layer by layer from the back.
struct Stack<'a> {
    mesh: &'a TextMesh,
    /// For each node, the first node of its glyph and the glyph's number of nodes.
    glyph: Vec<[u32; 2]>,
    layers: u32,
}

impl<'a> Stack<'a> {
    fn new(mesh: &'a TextMesh, layers: u32) -> Self {
        let mut glyph = vec![[0; 2]; mesh.points.len()];
        for nodes in &mesh.glyphs {
            nodes.clone().for_each(|n| glyph[n as usize] = [nodes.start, nodes.len() as u32]);
        }
        Self { mesh, glyph, layers }
    }

    /// The node over node `n` of the mesh at this level; level 0 is the back.
    fn node(&self, n: u32, level: u32) -> u32 {
        let [first, count] = self.glyph[n as usize];
        first * (self.layers + 1) + level * count + (n - first)
    }
}

/// The body before its placement, with its back at -thickness / 2.
pub(super) fn body(
    mesh: &TextMesh,
    links: &[[u32; 2]],
    thickness: f32,
    material: &LatticeMaterial,
) -> Result<Body, ShapeError> {
    let thick = f64::from(thickness);
    let layers = (thick / (THICKEST * mesh.spacing)).ceil();
    let count = (layers + 1.0) * mesh.points.len() as f64;
    if count > crate::model::MAX_NODES as f64 {
        let allowed =
            format!("too thick for the spacing: {count:.0} nodes; the most is {}", crate::model::MAX_NODES);
        return Err(ShapeError::new("thickness", thickness, allowed));
    }
    let height = thick / layers;
    if matches!(material, LatticeMaterial::Solid(_)) && height < THINNEST * mesh.spacing {
        let allowed = format!(
            "a solid must be at least half its spacing of {:.3e} m thick; take it thicker, or spacing = {:.3e}",
            mesh.spacing,
            2.0 * thick
        );
        return Err(ShapeError::new("thickness", thickness, allowed));
    }
    let stack = Stack::new(mesh, layers as u32);
    let sides = surface::sides(&mesh.triangles);
    let edges: Vec<&[surface::Side]> = sides.chunk_by(|a, b| a.nodes == b.nodes).collect();
    let stiffness = match material {
        LatticeMaterial::Solid(solid) => solid_stiffness(mesh, &edges, solid, height),
        LatticeMaterial::Raw(raw) => raw_stiffness(mesh, &edges, raw),
    };
    let mut body = Body { triangles: triangles(&stack, &edges), ..Body::default() };
    body.rest_position = vec![Vec3::ZERO; count as usize];
    body.mass = vec![0.0; count as usize];
    for (n, point) in mesh.points.iter().enumerate() {
        for level in 0..=stack.layers {
            let node = stack.node(n as u32, level) as usize;
            let z = height * f64::from(level) - thick / 2.0;
            body.rest_position[node] = point.extend(z).as_vec3();
            body.mass[node] = match material {
                LatticeMaterial::Solid(_) => (stiffness.mass[n] * stack.around(level)) as f32,
                LatticeMaterial::Raw(raw) => raw.node_mass,
            };
        }
    }
    springs(&mut body, &stack, &edges, &stiffness, links, material);
    body.glyphs =
        mesh.glyphs.iter().map(|g| g.start * (stack.layers + 1)..g.end * (stack.layers + 1)).collect();
    Ok(body)
}

impl Stack<'_> {
    /// Number of layers next to a level, over the two of an inner level.
    fn around(&self, level: u32) -> f64 {
        if level == 0 || level == self.layers { 0.5 } else { 1.0 }
    }
}

fn solid_stiffness(mesh: &TextMesh, edges: &[&[surface::Side]], solid: &Solid, height: f64) -> Stiffness {
    let mu = f64::from(solid.young) / 2.5;
    let point = |n: u32| mesh.points[n as usize];
    let mut stiffness = Stiffness {
        edge: Vec::with_capacity(edges.len()),
        diagonal: Vec::with_capacity(edges.len()),
        upright: vec![0.0; mesh.points.len()],
        mass: vec![0.0; mesh.points.len()],
    };
    for edge in edges {
        let [a, b] = edge[0].nodes.map(point);
        let square = a.distance_squared(b);
        let cotangents: f64 = edge.iter().map(|side| cotangent(point(side.opposite), a, b)).sum();
        let area: f64 = edge.iter().map(|side| area(mesh, side.triangle)).sum();
        let diagonal = (mu * cotangents * (square + height * height) / (4.0 * height)).max(0.0);
        let rest = 2.0 * diagonal * square / (square + height * height);
        stiffness.diagonal.push(diagonal);
        stiffness.edge.push((8.0 / 3.0 * mu * area * height / square - rest).max(0.0));
    }
    for (t, corners) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = corners.map(point);
        let area = area(mesh, t as u32);
        let cotangents = cotangent(a, b, c) + cotangent(b, c, a) + cotangent(c, a, b);
        let upright = mu * (area / height - height * cotangents / 6.0);
        for &n in corners {
            stiffness.upright[n as usize] += upright;
            stiffness.mass[n as usize] += f64::from(solid.density) * area * height / 3.0;
        }
    }
    stiffness.upright.iter_mut().for_each(|k| *k = k.max(0.0));
    stiffness
}

fn raw_stiffness(mesh: &TextMesh, edges: &[&[surface::Side]], raw: &RawSprings) -> Stiffness {
    Stiffness {
        edge: vec![raw.structural.into(); edges.len()],
        diagonal: vec![raw.shear.into(); edges.len()],
        upright: vec![raw.structural.into(); mesh.points.len()],
        mass: Vec::new(),
    }
}

fn cotangent(at: DVec2, a: DVec2, b: DVec2) -> f64 {
    (a - at).dot(b - at) / (a - at).perp_dot(b - at).abs()
}

fn area(mesh: &TextMesh, triangle: u32) -> f64 {
    let [a, b, c] = mesh.triangles[triangle as usize].map(|n| mesh.points[n as usize]);
    (b - a).perp_dot(c - a) / 2.0
}

fn springs(
    body: &mut Body,
    stack: &Stack,
    edges: &[&[surface::Side]],
    stiffness: &Stiffness,
    links: &[[u32; 2]],
    material: &LatticeMaterial,
) {
    let (damping, flexion, is_solid) = match material {
        LatticeMaterial::Solid(solid) => (Damping::Time(solid.damping_time), 0.0, true),
        LatticeMaterial::Raw(raw) => (Damping::Dashpot(raw.dashpot), f64::from(raw.flexion), false),
    };
    let position = &body.rest_position;
    let springs = &mut body.springs;
    let mut add = |nodes: [u32; 2], stiffness: f64, family: Family| {
        let stiffness = stiffness as f32;
        if stiffness > 0.0 {
            let [a, b] = nodes.map(|n| position[n as usize]);
            let (rest_length, dashpot) = (a.distance(b), damping.dashpot(stiffness));
            springs.push(Spring { nodes, rest_length, stiffness, dashpot, family });
        }
    };
    let levels = stack.layers + 1;
    let part = |level: u32| if is_solid { stack.around(level) } else { 1.0 };
    for (edge, stiffness) in edges.iter().zip(&stiffness.edge) {
        let [a, b] = edge[0].nodes;
        for level in 0..levels {
            let nodes = [stack.node(a, level), stack.node(b, level)];
            add(nodes, stiffness * part(level), Family::Structural);
        }
    }
    // The average stiffness of the edges, so that attachments are the same at any resolution.
    let mean = stiffness.edge.iter().sum::<f64>() / stiffness.edge.len() as f64;
    for &[a, b] in links {
        for level in 0..levels {
            add([stack.node(a, level), stack.node(b, level)], mean * part(level), Family::Structural);
        }
    }
    for n in 0..stack.mesh.points.len() as u32 {
        for level in 0..stack.layers {
            let nodes = [stack.node(n, level), stack.node(n, level + 1)];
            add(nodes, stiffness.upright[n as usize], Family::Structural);
        }
    }
    let across = edges.iter().map(|edge| edge[0].nodes).zip(stiffness.diagonal.iter().copied());
    // Links get diagonals, too, which alone keep islands from shifting along z.
    for ([a, b], stiffness) in across.chain(links.iter().map(|link| (*link, mean / 2.0))) {
        for level in 0..stack.layers {
            add([stack.node(a, level), stack.node(b, level + 1)], stiffness, Family::Shear);
            add([stack.node(a, level + 1), stack.node(b, level)], stiffness, Family::Shear);
        }
    }
    for edge in edges {
        if let [a, b] = edge {
            for level in 0..levels {
                let nodes = [stack.node(a.opposite, level), stack.node(b.opposite, level)];
                add(nodes, flexion, Family::Flexion);
            }
        }
    }
    for n in 0..stack.mesh.points.len() as u32 {
        for level in 2..levels {
            add([stack.node(n, level - 2), stack.node(n, level)], flexion, Family::Flexion);
        }
    }
}

/// The surface, facing outward: front, back, and two triangles for each side of a prism on the outline.
fn triangles(stack: &Stack, edges: &[&[surface::Side]]) -> Vec<[u32; 3]> {
    let top = stack.layers;
    let mut triangles: Vec<[u32; 3]> =
        stack.mesh.triangles.iter().map(|t| t.map(|n| stack.node(n, top))).collect();
    triangles.extend(stack.mesh.triangles.iter().map(|&[a, b, c]| [a, c, b].map(|n| stack.node(n, 0))));
    for edge in edges.iter().filter(|edge| edge.len() == 1) {
        // In the direction of its triangle's border: outside is to the right.
        let t = stack.mesh.triangles[edge[0].triangle as usize];
        let at = t.iter().position(|&n| n == edge[0].opposite).unwrap_or(0);
        let [a, b] = [t[(at + 1) % 3], t[(at + 2) % 3]];
        for level in 0..stack.layers {
            let [p, q, r, s] =
                [(a, level), (b, level), (b, level + 1), (a, level + 1)].map(|(n, l)| stack.node(n, l));
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    triangles
}
