//! Puts bodies together into a [`Model`] and checks every number once.

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;

use super::bending::Bending;
use super::{
    Body, BodyRange, Collider, Load, MOST_COLLIDERS, MOST_LOADS, Model, MovingPin, Path, ScriptedHandle,
};
use crate::state::State;

/// Stiffest pull of a handle [N/m]: products of three such still fit into f32.
pub const MAX_PULL: f32 = 1e12;
/// Most nodes a model may have: indices, offsets and row starts must fit 32 bits.
pub const MAX_NODES: usize = 50_000_000;

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// No node at all.
    #[error("the model has no nodes; add at least one body")]
    Empty,
    /// More nodes than indices can hold.
    #[error("{count} nodes are too many; the most is {MAX_NODES}")]
    TooManyNodes {
        /// Nodes asked for.
        count: usize,
    },
    /// A batch of no copies.
    #[error("a batch needs at least one copy")]
    NoCopies,
    /// A copy of a batch with another number of nodes.
    #[error("copy {copy} has {found} nodes and copy 0 has {expected}; all copies of a batch have as many")]
    CopyNodes {
        /// The copy, from zero.
        copy: usize,
        /// Its nodes.
        found: usize,
        /// Those of copy 0.
        expected: usize,
    },
    /// Arrays of one body differ in length.
    #[error("body '{body}': {array} has {found} entries for {expected} nodes")]
    Length {
        /// The body's name.
        body: String,
        /// Which array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// The number of nodes.
        expected: usize,
    },
    /// A number that may not be what it is.
    #[error("body '{body}': {what} of {element} {index} is {value}; {allowed}")]
    Value {
        /// The body's name.
        body: String,
        /// Quantity.
        what: &'static str,
        /// "node", "spring", "triangle" or "grid link".
        element: &'static str,
        /// Its index in the body.
        index: usize,
        /// The value found.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// An index beyond the body's nodes.
    #[error("body '{body}': {element} {index} names node {node}, but the body has {count} nodes (0 to {})", .count.saturating_sub(1))]
    Index {
        /// The body's name.
        body: String,
        /// "spring", "triangle" or "pin".
        element: &'static str,
        /// Its index in the body.
        index: usize,
        /// The node named.
        node: u32,
        /// Nodes there are.
        count: usize,
    },
    /// A number of a collider that may not be what it is.
    #[error("collider {index}: {what} = {value}; it must be {allowed}")]
    Collider {
        /// Which collider, from zero.
        index: usize,
        /// Quantity.
        what: &'static str,
        /// The value found.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// More colliders or loads than the kernels have room for.
    #[error("{count} {what} are too many; the most is {most}")]
    TooMany {
        /// "colliders" or "loads".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// Copies of a batch with different colliders.
    #[error("copy {copy} has other colliders than copy 0; all copies of a batch share them")]
    CopyColliders {
        /// The copy, from zero.
        copy: usize,
    },
    /// A load that cannot be.
    #[error("load {index}: {message}")]
    Load {
        /// Which load, from zero.
        index: usize,
        /// What is wrong.
        message: String,
    },
    /// A node outside the plane of a planar model.
    #[error(
        "body '{body}': node {node} is at z = {z} m and node {first} at z = {plane} m; all must lie in one plane \
         z = const, for planar = true"
    )]
    OffPlane {
        /// The body's name.
        body: String,
        /// The node.
        node: usize,
        /// Where it is \[m\].
        z: f32,
        /// The first node of the plane.
        first: usize,
        /// Where that is \[m\].
        plane: f32,
    },
    /// A motion out of the plane of a planar model.
    #[error("body '{body}': {what} has z = {z}; it must be 0, for planar = true")]
    OutOfPlane {
        /// The body's name.
        body: String,
        /// What moves.
        what: String,
        /// Its z.
        z: f32,
    },
    /// A bending stiffness that the body cannot have.
    #[error("body '{body}': bending = {value} N m: {allowed}")]
    Bending {
        /// The body's name.
        body: String,
        /// The value found [N m].
        value: f32,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A spring or triangle that uses a node twice.
    #[error("body '{body}': {element} {index} uses node {node} twice")]
    Degenerate {
        /// The body's name.
        body: String,
        /// "spring" or "triangle".
        element: &'static str,
        /// Its index in the body.
        index: usize,
        /// The node.
        node: u32,
    },
}

/// Collects bodies, pins and handles; [`ModelBuilder::build`] makes the model.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    bodies: Vec<Body>,
    moving_pins: Vec<MovingPin>,
    handles: Vec<ScriptedHandle>,
    loads: Vec<Load>,
    colliders: Vec<Collider>,
    node_count: usize,
}

impl ModelBuilder {
    /// An empty model.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body; returns the indices that its nodes get in the model.
    pub fn add(&mut self, body: Body) -> Range<u32> {
        let first = self.node_count;
        self.node_count += body.rest_position.len();
        self.bodies.push(body);
        clamp_index(first)..clamp_index(self.node_count)
    }

    /// Pins nodes (indices of the model) and moves them along `path`.
    pub fn pin_along(&mut self, nodes: Vec<u32>, path: Path) -> &mut Self {
        self.moving_pins.push(MovingPin { nodes, path });
        self
    }

    /// Adds a soft pin or scripted drag (indices of the model).
    pub fn handle(&mut self, handle: ScriptedHandle) -> &mut Self {
        self.handles.push(handle);
        self
    }

    /// Adds a force on nodes (indices of the model).
    pub fn load(&mut self, load: Load) -> &mut Self {
        self.loads.push(load);
        self
    }

    /// Adds something to run into.
    pub fn collide(&mut self, collider: Collider) -> &mut Self {
        self.colliders.push(collider);
        self
    }

    /// Checks everything and builds the model.
    pub fn build(self) -> Result<Model, ModelError> {
        if self.node_count == 0 {
            return Err(ModelError::Empty);
        }
        if self.node_count > MAX_NODES {
            return Err(ModelError::TooManyNodes { count: self.node_count });
        }
        for body in &self.bodies {
            check_body(body)?;
        }
        check_pins_and_handles(&self)?;
        check_loads_and_colliders(&self)?;
        self.assemble()
    }

    fn assemble(self) -> Result<Model, ModelError> {
        let pinned = self.pinned();
        let mut bending = Vec::new();
        let mut first = 0;
        for body in &self.bodies {
            let count = body.rest_position.len();
            let found = Bending::of(body, first as u32, &pinned[first..first + count]);
            bending.extend(found.map_err(|allowed| {
                let (body, value) = (body.name.clone(), body.bending);
                ModelError::Bending { body, value, allowed }
            })?);
            first += count;
        }
        let grid = match &self.bodies[..] {
            [only] => only.grid.clone(),
            _ => None,
        };
        let mut model = Model {
            bodies: Vec::new(),
            rest_position: Vec::with_capacity(self.node_count),
            mass: Vec::with_capacity(self.node_count),
            pinned,
            springs: Vec::new(),
            triangles: Vec::new(),
            grid,
            copies: 1,
            bending,
            bending_rows: Default::default(),
            moving_pins: self.moving_pins,
            handles: self.handles,
            loads: self.loads,
            colliders: self.colliders,
            initial: State::default(),
        };
        for body in self.bodies {
            append(&mut model, body);
        }
        for pin in &model.moving_pins {
            for &node in &pin.nodes {
                model.initial.position[node as usize] += pin.path.at(0.0);
                model.initial.velocity[node as usize] = Vec3::ZERO;
            }
        }
        Ok(model)
    }

    /// Whether each node is pinned, in place or along a path.
    fn pinned(&self) -> Vec<bool> {
        let mut pinned = vec![false; self.node_count];
        let mut first = 0;
        for body in &self.bodies {
            body.pinned.iter().for_each(|&node| pinned[first + node as usize] = true);
            first += body.rest_position.len();
        }
        for pin in &self.moving_pins {
            pin.nodes.iter().for_each(|&node| pinned[node as usize] = true);
        }
        pinned
    }
}

fn append(model: &mut Model, body: Body) {
    let first = model.mass.len() as u32;
    let (first_spring, first_triangle) = (model.springs.len(), model.triangles.len());
    let count = body.rest_position.len();
    model.initial.velocity.extend(body.velocity.unwrap_or_else(|| vec![Vec3::ZERO; count]));
    model.initial.position.extend(body.position.as_deref().unwrap_or(&body.rest_position));
    model.rest_position.extend(body.rest_position);
    model.mass.extend(body.mass);
    for node in body.pinned {
        model.initial.velocity[(first + node) as usize] = Vec3::ZERO;
    }
    // Springs that exert no force are dropped here, so that no kernel has to visit them. Springs
    // between two pins stay: a pin can be released while the simulation runs.
    let mut springs = body.springs;
    if springs.par_iter().any(|s| s.stiffness == 0.0 && s.dashpot == 0.0) {
        springs.retain(|s| s.stiffness > 0.0 || s.dashpot > 0.0);
    }
    if first > 0 {
        springs.par_iter_mut().for_each(|s| s.nodes = s.nodes.map(|n| n + first));
    }
    if model.springs.is_empty() {
        model.springs = springs;
    } else {
        model.springs.extend(springs);
    }
    model.triangles.extend(body.triangles.into_iter().map(|t| t.map(|n| n + first)));
    model.bodies.push(BodyRange {
        name: body.name,
        nodes: first..first + count as u32,
        springs: first_spring..model.springs.len(),
        triangles: first_triangle..model.triangles.len(),
    });
}

fn clamp_index(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

fn check_body(body: &Body) -> Result<(), ModelError> {
    let count = body.rest_position.len();
    let length = |array: &'static str, found: usize| {
        if found == count {
            return Ok(());
        }
        Err(ModelError::Length { body: body.name.clone(), array, found, expected: count })
    };
    length("mass", body.mass.len())?;
    length("position", body.position.as_ref().map_or(count, Vec::len))?;
    length("velocity", body.velocity.as_ref().map_or(count, Vec::len))?;

    let finite = |what, points: &[Vec3]| match points.par_iter().position_first(|p| !p.is_finite()) {
        None => Ok(()),
        Some(i) => Err(value(body, what, "node", i, points[i], "it must be finite")),
    };
    finite("rest position", &body.rest_position)?;
    finite("position", body.position.as_deref().unwrap_or(&[]))?;
    finite("velocity", body.velocity.as_deref().unwrap_or(&[]))?;
    // The inverse must be a normal number too.
    // (GPUs may flush a subnormal one to zero, which means pinned).
    let mass_ok = |m: f32| m.is_finite() && m > 0.0 && (1.0 / m).is_normal();
    if let Some(i) = body.mass.par_iter().position_first(|&m| !mass_ok(m)) {
        let allowed = "it must be a positive, finite number of kg (pin a node to hold it)";
        return Err(value(body, "mass", "node", i, body.mass[i], allowed));
    }
    check_springs(body, count)?;
    check_triangles(body, count)?;
    check_grid(body, count)?;
    match body.pinned.iter().position(|&n| n as usize >= count) {
        None => Ok(()),
        Some(index) => Err(index_error(body, "pin", index, body.pinned[index], count)),
    }
}

fn check_springs(body: &Body, count: usize) -> Result<(), ModelError> {
    let number_ok = |x: f32| x.is_finite() && x >= 0.0;
    let ok = |s: &super::Spring| {
        (s.nodes[0] as usize) < count
            && (s.nodes[1] as usize) < count
            && s.nodes[0] != s.nodes[1]
            && number_ok(s.rest_length)
            && number_ok(s.stiffness)
            && number_ok(s.dashpot)
    };
    let Some(index) = body.springs.par_iter().position_first(|s| !ok(s)) else {
        return Ok(());
    };
    let s = &body.springs[index];
    if let Some(&node) = s.nodes.iter().find(|&&n| n as usize >= count) {
        return Err(index_error(body, "spring", index, node, count));
    }
    if s.nodes[0] == s.nodes[1] {
        let (body, node) = (body.name.clone(), s.nodes[0]);
        return Err(ModelError::Degenerate { body, element: "spring", index, node });
    }
    let allowed = "it must be finite and not negative";
    let (what, number) = if !number_ok(s.rest_length) {
        ("rest length", s.rest_length)
    } else if !number_ok(s.stiffness) {
        ("stiffness", s.stiffness)
    } else {
        ("dashpot", s.dashpot)
    };
    Err(value(body, what, "spring", index, number, allowed))
}

/// The numbers that the grid form uses in place of the springs.
fn check_grid(body: &Body, count: usize) -> Result<(), ModelError> {
    let Some(grid) = &body.grid else { return Ok(()) };
    let found = grid.columns as usize * grid.rows as usize;
    if found != count {
        return Err(ModelError::Length { body: body.name.clone(), array: "grid", found, expected: count });
    }
    let ok = |x: f32| x.is_finite() && x >= 0.0;
    for (index, link) in grid.links.iter().enumerate() {
        let numbers = [link.rest_length, link.stiffness, link.dashpot, grid.border_factor];
        if let Some(&bad) = numbers.iter().find(|x| !ok(**x)) {
            let allowed = "rest length, stiffness, dashpot and border factor are finite and not negative";
            return Err(value(body, "a number", "grid link", index, bad, allowed));
        }
    }
    Ok(())
}

fn check_triangles(body: &Body, count: usize) -> Result<(), ModelError> {
    for (index, t) in body.triangles.iter().enumerate() {
        if let Some(&node) = t.iter().find(|&&n| n as usize >= count) {
            return Err(index_error(body, "triangle", index, node, count));
        }
        if t[0] == t[1] || t[1] == t[2] || t[0] == t[2] {
            let node = if t[0] == t[1] { t[0] } else { t[2] };
            let body = body.name.clone();
            return Err(ModelError::Degenerate { body, element: "triangle", index, node });
        }
    }
    Ok(())
}

fn check_loads_and_colliders(builder: &ModelBuilder) -> Result<(), ModelError> {
    let few = |what, count: usize, most| match count > most {
        true => Err(ModelError::TooMany { what, count, most }),
        false => Ok(()),
    };
    few("colliders", builder.colliders.len(), MOST_COLLIDERS)?;
    few("loads", builder.loads.len(), MOST_LOADS)?;
    for (index, load) in builder.loads.iter().enumerate() {
        if let Some(node) = load.nodes.iter().find(|&&node| node as usize >= builder.node_count) {
            let message = format!("it names node {node}, but the model has {} nodes", builder.node_count);
            return Err(ModelError::Load { index, message });
        }
    }
    builder.colliders.iter().enumerate().try_for_each(|(index, collider)| collider.check(index))
}

fn check_pins_and_handles(builder: &ModelBuilder) -> Result<(), ModelError> {
    let count = builder.node_count;
    let index_error = |element, index, node| {
        let body = "model".to_owned();
        Err(ModelError::Index { body, element, index, node, count })
    };
    for (index, pin) in builder.moving_pins.iter().enumerate() {
        if let Some(&node) = pin.nodes.iter().find(|&&n| n as usize >= count) {
            return index_error("moving pin", index, node);
        }
    }
    for (index, handle) in builder.handles.iter().enumerate() {
        if let Some(&(node, _)) = handle.nodes.iter().find(|n| n.0 as usize >= count) {
            return index_error("handle", index, node);
        }
        let stiffness_ok = (0.0..=MAX_PULL).contains(&handle.stiffness);
        let bad_weight = handle.nodes.iter().map(|n| n.1).find(|w| !(*w > 0.0 && *w <= 1.0));
        if !stiffness_ok || bad_weight.is_some() {
            return Err(ModelError::Value {
                body: "model".into(),
                what: if stiffness_ok { "weight" } else { "stiffness" },
                element: "handle",
                index,
                value: bad_weight.filter(|_| stiffness_ok).unwrap_or(handle.stiffness).to_string(),
                allowed: "a stiffness lies between 0 and 1e12 N/m, a weight in (0, 1]",
            });
        }
    }
    Ok(())
}

fn value(
    body: &Body,
    what: &'static str,
    element: &'static str,
    index: usize,
    value: impl std::fmt::Display,
    allowed: &'static str,
) -> ModelError {
    ModelError::Value { body: body.name.clone(), what, element, index, value: value.to_string(), allowed }
}

fn index_error(body: &Body, element: &'static str, index: usize, node: u32, count: usize) -> ModelError {
    ModelError::Index { body: body.name.clone(), element, index, node, count }
}
