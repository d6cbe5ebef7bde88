//! What the surfaces of bodies are like: thickness, stiffness of contact, friction.

use crate::gpu::twin;
use crate::model::{BodyRange, Model};

/// Thickness of a body that says nothing, as a part of its spacing.
const THICKNESS: f32 = 0.5;
/// Stiffness of a pair as a part of that of the cloth, as `PART_OF_CLOTH` in `shaders/contact/skins.wgsl`.
const PART_OF_CLOTH: f32 = 0.1;
/// Pairs are looked for within their thickness and this many spacings, as `REACH` in `shaders/contact/reach.wgsl`.
const REACH: f32 = 1.5;
/// The same while nodes move as their velocities say, as `MARGIN` there.
const MARGIN: f32 = 0.5;
/// Pairs of one body count below this part of their distance at rest, as `SQUEEZED` there.
pub const SQUEEZED: f32 = 0.6;
/// What rounding may add to a distance, as a factor.
const ROUNDED: f32 = 1.0001;
/// No body, of nodes that are no corner of a triangle.
const NONE: u32 = u32::MAX;

twin! {
    /// Host twin of WGSL `Skin`.
    pub struct Skin = "Skin" {
        pub rest: [f32; 3],
        pub body: u32,
    }
}

/// What a body's surface is like, as `Fabric` in `shaders/contact/skins.wgsl`.
#[derive(Clone, Copy, Debug)]
pub struct Fabric {
    /// \[m\].
    pub thickness: f32,
    /// kappa, half of what the springs of a node add up to [N/m].
    pub stiffness: f32,
    /// \[1\].
    pub friction: f32,
    /// \[m\].
    pub spacing: f32,
    /// Part of the thickness over which force begins \[1\].
    pub onset: f32,
    /// Stiffness of a pair [N/m]; 0: it follows from kappa.
    pub fixed: f32,
}

impl Fabric {
    /// Stiffness of a pair in touch where it is the same in all substeps [N/m].
    pub fn stiffness_of_pair(&self) -> f32 {
        if self.fixed > 0.0 { self.fixed } else { PART_OF_CLOTH * self.stiffness }
    }

    fn words(&self) -> [Skin; 2] {
        [
            Skin { rest: [self.thickness, self.stiffness, self.friction], body: self.spacing.to_bits() },
            Skin { rest: [self.onset, self.fixed, 0.0], body: 0 },
        ]
    }
}

/// Nodes and bodies of a model, as soft contact sees them.
pub struct Fabrics {
    /// Of each node.
    pub skins: Vec<Skin>,
    /// Of each body.
    pub fabrics: Vec<Fabric>,
}

impl Fabrics {
    /// Those of a model.
    pub fn of(model: &Model) -> Self {
        let mut skins: Vec<Skin> =
            model.rest_position().iter().map(|rest| Skin { rest: rest.to_array(), body: NONE }).collect();
        let mut stiffness = vec![0f32; model.node_count()];
        for spring in model.springs().iter().filter(|spring| spring.stiffness.is_finite()) {
            spring.nodes.iter().for_each(|&i| stiffness[i as usize] += spring.stiffness);
        }
        let mut fabrics = Vec::new();
        for (index, body) in model.bodies().iter().enumerate() {
            let triangles = &model.triangles()[body.triangles.clone()];
            if body.layer.touches {
                triangles.iter().flatten().for_each(|&i| skins[i as usize].body = index as u32);
            }
            let thickness = thickness(model, body);
            let own = stiffness[body.nodes.start as usize..body.nodes.end as usize].to_vec();
            fabrics.push(Fabric {
                thickness,
                stiffness: 0.5 * median(own),
                friction: body.layer.friction,
                spacing: spacing(model, body),
                onset: body.layer.onset,
                fixed: body.layer.stiffness.unwrap_or(0.0),
            });
        }
        Self { skins, fabrics }
    }

    /// Nodes, then bodies, as `skins` in WGSL.
    pub fn words(&self) -> Vec<Skin> {
        self.skins.iter().copied().chain(self.fabrics.iter().flat_map(Fabric::words)).collect()
    }
}

/// Distances that no pair of a model's surfaces exceeds that may touch \[m\]: where it starts, and while nodes move as their
/// velocities say. A pair has the mean of two thicknesses, and the larger spacing. With what rounding may do: copies of a batch, which share these
/// distances, find the same pairs as alone.
pub fn largest_reach(model: &Model) -> [f32; 2] {
    let bodies = model.bodies().iter().filter(|body| body.touches());
    let layers: Vec<[f32; 2]> = bodies.map(|body| [thickness(model, body), spacing(model, body)]).collect();
    let thickest = layers.iter().map(|[thickness, _]| *thickness).fold(0.0, f32::max);
    [reach as fn(f32, f32) -> f32, still_reach].map(|reach| {
        let with_thickest = |&[thickness, spacing]: &[f32; 2]| reach(0.5 * (thickness + thickest), spacing);
        ROUNDED * layers.iter().map(with_thickest).fold(0.0, f32::max)
    })
}

/// The distance within which pairs are looked for \[m\], from a thickness and a spacing \[m\].
fn reach(thickness: f32, spacing: f32) -> f32 {
    thickness + REACH * spacing
}

/// The same of pairs that do not move against each other \[m\].
pub fn still_reach(thickness: f32, spacing: f32) -> f32 {
    thickness + MARGIN * spacing
}

/// Stiffness of contact of each body with itself [N/m], in methods that have the same in all substeps: a part of what the
/// springs of a node add up to, or the body's own.
pub fn stiffness(model: &Model) -> Vec<f32> {
    Fabrics::of(model).fabrics.iter().map(Fabric::stiffness_of_pair).collect()
}

/// Thickness of a body's surface \[m\].
pub fn thickness(model: &Model, body: &BodyRange) -> f32 {
    body.layer.thickness.unwrap_or_else(|| THICKNESS * spacing(model, body))
}

/// Median length at rest of the edges of a body's triangles \[m\]; 0 if it has none.
pub fn spacing(model: &Model, body: &BodyRange) -> f32 {
    median(edges(model, &model.triangles()[body.triangles.clone()]))
}

fn edges(model: &Model, triangles: &[[u32; 3]]) -> Vec<f32> {
    let rest = model.rest_position();
    let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    edges.map(|[a, b]| rest[a as usize].distance(rest[b as usize])).collect()
}

fn median(mut values: Vec<f32>) -> f32 {
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        _ => *values.select_nth_unstable_by(middle, f32::total_cmp).1,
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::ModelBuilder;
    use crate::shape::Cloth;

    #[test]
    fn a_thick_and_a_coarse_body_reach_farther_than_either_alone() {
        let sheet = |columns, thickness| {
            let mut body = Cloth::new([columns, columns], Vec3::X, Vec3::Z).build().unwrap();
            body.layer.thickness = Some(thickness);
            body
        };
        let mut builder = ModelBuilder::new();
        for (columns, thickness) in [(11, 0.2), (6, 0.02), (21, 0.1)] {
            builder.add(sheet(columns, thickness));
        }
        let model = builder.build().unwrap();
        let fabrics = Fabrics::of(&model).fabrics;
        let pairs = fabrics.iter().flat_map(|a| fabrics.iter().map(move |b| (a, b)));
        let of_pair = pairs.map(|(a, b)| reach(0.5 * (a.thickness + b.thickness), a.spacing.max(b.spacing)));
        let [most, still] = largest_reach(&model);
        let expected = of_pair.fold(0.0, f32::max);
        assert!((most / expected - ROUNDED).abs() < 1e-6 && still < most, "{most} {still} {expected}");
        let alone = fabrics.iter().map(|a| reach(a.thickness, a.spacing)).fold(0.0, f32::max);
        assert!(most > 1.05 * alone, "{most} {alone}");
    }
}
