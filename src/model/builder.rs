//! Builds a [`Model`] from bodies and checks every number once.

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;

use super::bending::Bending;
use super::{
    Body, BodyRange, Collider, Load, Model, ModelError, MovingPin, Path, ScriptedHandle, Spring, Turn, check,
    inextensible,
};
use crate::state::State;

/// Largest stiffness of a handle [N/m]: products of three such numbers still fit into f32.
pub const MAX_PULL: f32 = 1e12;
/// Most nodes of a model: indices, offsets and row starts must fit 32 bits.
pub const MAX_NODES: usize = 50_000_000;

/// Collects bodies, pins and handles; [`ModelBuilder::build`] makes the model.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    pub(super) bodies: Vec<Body>,
    pub(super) attachments: Vec<Spring>,
    pub(super) moving_pins: Vec<MovingPin>,
    pub(super) handles: Vec<ScriptedHandle>,
    pub(super) loads: Vec<Load>,
    pub(super) colliders: Vec<Collider>,
    pub(super) node_count: usize,
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

    /// Joins two nodes of any bodies (indices of the model) by a spring, which belongs to none of them.
    pub fn attach(&mut self, spring: Spring) -> &mut Self {
        self.attachments.push(spring);
        self
    }

    /// Pins nodes (indices of the model) and moves them along `path`.
    pub fn pin_along(&mut self, nodes: Vec<u32>, path: Path) -> &mut Self {
        self.moving_pins.push(MovingPin { nodes, path, turn: None });
        self
    }

    /// Pins nodes (indices of the model), turns them and moves them along `path`.
    pub fn pin_turning(&mut self, nodes: Vec<u32>, path: Path, turn: Turn) -> &mut Self {
        self.moving_pins.push(MovingPin { nodes, path, turn: Some(turn) });
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

    /// Adds a collider.
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
            check::body(body)?;
        }
        check::attachments(&self)?;
        check::pins_and_handles(&self)?;
        check::loads_and_colliders(&self)?;
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
            [only] if self.attachments.is_empty() => only.grid.clone(),
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
            arranged: Default::default(),
            is_hard: Default::default(),
            moving_pins: self.moving_pins,
            handles: self.handles,
            loads: self.loads,
            colliders: self.colliders,
            initial: State::default(),
        };
        for body in self.bodies {
            append(&mut model, body);
        }
        model.springs.extend(self.attachments.into_iter().filter(acts));
        for pin in &model.moving_pins {
            for &node in &pin.nodes {
                let position = &mut model.initial.position[node as usize];
                *position = pin.at(*position, 0.0);
                model.initial.velocity[node as usize] = Vec3::ZERO;
            }
        }
        inextensible::check(&model)?;
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
    // Springs that exert no force are dropped, so that no kernel has to visit them. Springs between two
    // pins stay, because a pin can be released while the simulation runs.
    let mut springs = body.springs;
    if !springs.par_iter().all(acts) {
        springs.retain(acts);
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
        is_grid: body.grid.is_some(),
        strain_limit: body.strain_limit,
        layer: body.layer,
    });
}

/// Whether a spring exerts any force.
fn acts(spring: &Spring) -> bool {
    spring.stiffness > 0.0 || spring.dashpot > 0.0
}

fn clamp_index(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}
