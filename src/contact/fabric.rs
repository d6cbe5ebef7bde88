//! What the surfaces of bodies are like: thickness, stiffness of contact, friction.

use crate::gpu::twin;
use crate::model::{BodyRange, Model};

/// Thickness of a body that says nothing, as a part of its spacing.
const THICKNESS: f32 = 0.5;
/// Stiffness of contact, as a part of what the springs of a node add up to.
const STIFFNESS: f32 = 0.05;
/// Pairs are looked for within their thickness and this many spacings, as `REACH` in `shaders/contact/search.wgsl`.
const REACH: f32 = 1.5;
/// No body, of nodes that are no corner of a triangle.
const NONE: u32 = u32::MAX;

twin! {
    /// Host twin of WGSL `Skin`.
    pub struct Skin = "Skin" {
        pub rest: [f32; 3],
        pub body: u32,
    }
}

twin! {
    /// Host twin of WGSL `Fabric`.
    #[derive(Debug)]
    pub struct Fabric = "Fabric" {
        pub thickness: f32,
        pub stiffness: f32,
        pub friction: f32,
        pub spacing: f32,
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
                stiffness: STIFFNESS * median(own),
                friction: body.layer.friction,
                spacing: spacing(model, body),
            });
        }
        Self { skins, fabrics }
    }

    /// A distance that no pair that may touch exceeds \[m\].
    pub fn largest_reach(&self) -> f32 {
        self.fabrics.iter().map(|fabric| fabric.thickness + REACH * fabric.spacing).fold(0.0, f32::max)
    }
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
