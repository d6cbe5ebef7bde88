//! One body before it joins a model: plain data, filled by a shape generator or a file reader.

use std::ops::Range;

use glam::Vec3;

use super::grid::Grid;

/// The part a spring plays in the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Family {
    /// Between neighbors along rows and columns, or along the edges of a mesh.
    Structural,
    /// Along diagonals.
    Shear,
    /// Between every second node, or between the opposite corners of an interior edge.
    Flexion,
    /// From a raw network: the family is unknown.
    #[default]
    Raw,
}

impl Family {
    /// The name used in messages and files.
    pub fn name(self) -> &'static str {
        match self {
            Family::Structural => "structural",
            Family::Shear => "shear",
            Family::Flexion => "flexion",
            Family::Raw => "raw",
        }
    }
}

/// A spring between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The two nodes, different from each other.
    pub nodes: [u32; 2],
    /// Rest length \[m\]; may be zero.
    pub rest_length: f32,
    /// Stiffness [N/m]; infinite if the spring keeps its length.
    pub stiffness: f32,
    /// Dashpot along the spring [N s/m].
    pub dashpot: f32,
    /// Its family.
    pub family: Family,
}

impl Spring {
    /// Whether the spring keeps its length under any force.
    pub fn is_inextensible(&self) -> bool {
        self.stiffness == f32::INFINITY
    }
}

/// The stiffness of a spring in GPU memory [N/m]. WGSL may assume that no number is infinite, so 1e30 stands for
/// infinity: `is_inextensible` of `network/spring.wgsl` recognizes it, also after a border's factor. Shaders never
/// multiply anything with it.
pub fn stored_stiffness(stiffness: f32) -> f32 {
    stiffness.min(1e30)
}

/// Largest coefficient of friction \[1\].
pub const MOST_FRICTION: f32 = 10.0;

/// How the surface of a body touches others and itself, where contact is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Whether it touches anything.
    pub touches: bool,
    /// Distance that the middles of two layers keep \[m\], at most the diagonal of the body's bounding box at rest; half the median
    /// edge where `None`.
    pub thickness: Option<f32>,
    /// Coulomb's coefficient \[1\]; of two bodies their geometric mean counts.
    pub friction: f32,
    /// Stiffness of a pair in touch [N/m]; from springs, mass and step where `None`.
    pub stiffness: Option<f32>,
    /// The part of the thickness over which the force of a pair begins \[1\], below one half. With 0 it has a kink, where pairs
    /// open and close from iteration to iteration. Of `newton-multigrid` only.
    pub onset: f32,
}

impl Default for Layer {
    fn default() -> Self {
        Self { touches: true, thickness: None, friction: 0.3, stiffness: None, onset: 0.03 }
    }
}

/// A body: particles, springs and triangles, with indices that start at zero.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Name for messages and selections.
    pub name: String,
    /// Rest position of each node \[m\].
    pub rest_position: Vec<Vec3>,
    /// Initial position of each node \[m\]; the rest position where `None`.
    pub position: Option<Vec<Vec3>>,
    /// Initial velocity of each node [m/s]; zero where `None`.
    pub velocity: Option<Vec<Vec3>>,
    /// Mass of each node \[kg\].
    pub mass: Vec<f32>,
    /// Nodes pinned where they start.
    pub pinned: Vec<u32>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Triangles, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// Bending stiffness B of the surface [N m] (see [`super::GridBending`]); zero for none. It acts on
    /// the grid, or else on the triangles. Cloth is flat at rest, whatever its rest positions.
    pub bending: f32,
    /// Largest stretch of structural springs, as a fraction of their rest length; `None` for no limit. Only for ropes
    /// and grids.
    pub strain_limit: Option<f32>,
    /// How its surface touches.
    pub layer: Layer,
    /// Set if `springs` are exactly those of a regular grid.
    pub grid: Option<Grid>,
    /// The nodes of each character of a text, for selections.
    pub glyphs: Vec<Range<u32>>,
}

/// Lengths along x, y and z of the bounding box of the points \[m\].
pub fn extent(points: &[Vec3]) -> Vec3 {
    let (min, max) = points.iter().fold((Vec3::MAX, Vec3::MIN), |(min, max), p| (min.min(*p), max.max(*p)));
    if points.is_empty() { Vec3::ZERO } else { max - min }
}

impl Body {
    /// Sets the name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Also pins these nodes where they start.
    pub fn pin(mut self, nodes: impl IntoIterator<Item = u32>) -> Self {
        self.pinned.extend(nodes);
        self
    }

    /// Sets the initial velocity of all nodes [m/s].
    pub fn moving(self, velocity: Vec3) -> Self {
        let velocity = Some(vec![velocity; self.rest_position.len()]);
        Self { velocity, ..self }
    }

    /// Whether each node is a corner of a triangle. Triangles must have valid indices.
    pub fn on_surface(&self) -> Vec<bool> {
        let mut on_surface = vec![false; self.rest_position.len()];
        self.triangles.iter().flatten().for_each(|&node| on_surface[node as usize] = true);
        on_surface
    }
}
