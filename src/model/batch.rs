//! Many independent copies of a scene as one model, which the same dispatches step.

use glam::Vec3;

use super::{BodyRange, Grid, MAX_NODES, Model, ModelError};

/// [`Model::stack`] copy by copy, so that not all copies are in memory at once.
pub struct Stack {
    model: Model,
    grids: Vec<Option<Grid>>,
    /// Nodes of a copy.
    nodes: usize,
    /// Numbers of moving pins, handles and loads of the first copy.
    own: [usize; 3],
    copies: usize,
}

impl Stack {
    /// Begins with the first of `count` copies.
    pub fn new(mut first: Model, count: usize) -> Result<Self, ModelError> {
        let nodes = first.node_count();
        let total = nodes.saturating_mul(count);
        if total > MAX_NODES {
            return Err(ModelError::TooManyNodes { count: total });
        }
        first.reserve(count);
        let grids = vec![first.grid.take()];
        let own = [first.moving_pins.len(), first.handles.len(), first.loads.len()];
        Ok(Self { model: first, grids, nodes, own, copies: 1 })
    }

    /// Adds the next copy.
    pub fn push(&mut self, mut next: Model) -> Result<(), ModelError> {
        let copy = self.copies;
        if next.node_count() != self.nodes {
            return Err(ModelError::CopyNodes { copy, found: next.node_count(), expected: self.nodes });
        }
        if next.colliders != self.model.colliders {
            return Err(ModelError::CopyColliders { copy });
        }
        self.grids.push(next.grid.take());
        self.model.append((copy * self.nodes) as u32, next, self.own);
        self.copies += 1;
        Ok(())
    }

    /// All copies so far as one model.
    pub fn finish(self) -> Model {
        let mut model = self.model;
        model.grid = stack_grids(self.grids);
        model.copies = self.copies as u32;
        // These would be the rows of the first copy alone.
        model.bending_rows = Default::default();
        model.arranged = Default::default();
        model.is_hard = Default::default();
        model
    }
}

impl Model {
    /// One model of several independent ones with the same number of nodes n. The nodes of copy c are
    /// `c * n .. (c + 1) * n`; springs, masses, starts, pins and paths may differ from copy to copy.
    ///
    /// Rectangular cloths of the same columns, rows and border keep their grid form. A handle that is the same in
    /// all copies stays one handle; other handles count once for each copy.
    pub fn stack(copies: Vec<Model>) -> Result<Model, ModelError> {
        let count = copies.len();
        let mut copies = copies.into_iter();
        let mut stack = Stack::new(copies.next().ok_or(ModelError::NoCopies)?, count)?;
        copies.try_for_each(|copy| stack.push(copy))?;
        Ok(stack.finish())
    }

    /// Adds a displacement \[m\] and a velocity [m/s] to the start of every node that is not pinned.
    pub fn disturb(&mut self, mut by: impl FnMut(u32) -> [Vec3; 2]) {
        self.arranged = Default::default();
        for i in 0..self.node_count() {
            let [displacement, velocity] = by(i as u32);
            if !self.pinned[i] {
                self.initial.position[i] += displacement;
                self.initial.velocity[i] += velocity;
            }
        }
    }

    fn reserve(&mut self, copies: usize) {
        fn more<T>(list: &mut Vec<T>, copies: usize) {
            list.reserve_exact(list.len() * (copies - 1));
        }
        more(&mut self.bodies, copies);
        more(&mut self.rest_position, copies);
        more(&mut self.mass, copies);
        more(&mut self.pinned, copies);
        more(&mut self.springs, copies);
        more(&mut self.triangles, copies);
        more(&mut self.initial.position, copies);
        more(&mut self.initial.velocity, copies);
    }

    /// Adds a copy whose first node becomes `first`. Copy 0 has the given numbers of paths, handles and loads.
    fn append(&mut self, first: u32, copy: Model, [paths, handles, loads]: [usize; 3]) {
        let (first_spring, first_triangle) = (self.springs.len(), self.triangles.len());
        self.bodies.extend(copy.bodies.into_iter().map(|b| BodyRange {
            name: b.name,
            nodes: b.nodes.start + first..b.nodes.end + first,
            springs: b.springs.start + first_spring..b.springs.end + first_spring,
            triangles: b.triangles.start + first_triangle..b.triangles.end + first_triangle,
            is_grid: b.is_grid,
            strain_limit: b.strain_limit,
            layer: b.layer,
        }));
        self.rest_position.extend(copy.rest_position);
        self.mass.extend(copy.mass);
        self.pinned.extend(copy.pinned);
        self.initial.position.extend(copy.initial.position);
        self.initial.velocity.extend(copy.initial.velocity);
        self.bending.extend(copy.bending.into_iter().map(|bending| bending.moved(first)));
        self.triangles.extend(copy.triangles.into_iter().map(|t| t.map(|n| n + first)));
        self.springs.extend(copy.springs.into_iter().map(|mut s| {
            s.nodes = s.nodes.map(|n| n + first);
            s
        }));

        // All or none, because the order of the groups decides which path a node follows.
        let mut pins = copy.moving_pins;
        pins.iter_mut().for_each(|pin| pin.nodes.iter_mut().for_each(|n| *n += first));
        let alike = pins.len() == paths
            && pins.iter().zip(&self.moving_pins).all(|(a, b)| a.path == b.path && a.turn == b.turn);
        if alike {
            self.moving_pins.iter_mut().zip(pins).for_each(|(a, b)| a.nodes.extend(b.nodes));
        } else {
            self.moving_pins.extend(pins);
        }
        let mut pulls = copy.handles;
        pulls.iter_mut().for_each(|pull| pull.nodes.iter_mut().for_each(|n| n.0 += first));
        let alike = pulls.len() == handles
            && pulls
                .iter()
                .zip(&self.handles)
                .all(|(a, b)| a.path == b.path && a.stiffness == b.stiffness && a.active == b.active);
        if alike {
            self.handles.iter_mut().zip(pulls).for_each(|(a, b)| a.nodes.extend(b.nodes));
        } else {
            self.handles.extend(pulls);
        }
        let mut forces = copy.loads;
        forces.iter_mut().for_each(|load| load.nodes.iter_mut().for_each(|n| *n += first));
        let alike = forces.len() == loads && forces.iter().zip(&self.loads).all(|(a, b)| a.push == b.push);
        if alike {
            self.loads.iter_mut().zip(forces).for_each(|(a, b)| a.nodes.extend(b.nodes));
        } else {
            self.loads.extend(forces);
        }
    }
}

/// One grid of all copies, if every copy has one of the same shape.
fn stack_grids(grids: Vec<Option<Grid>>) -> Option<Grid> {
    let grids: Vec<Grid> = grids.into_iter().collect::<Option<_>>()?;
    let first = grids.first()?;
    let alike = |g: &Grid| {
        (g.columns, g.rows, g.border_factor) == (first.columns, first.rows, first.border_factor)
            && g.copies == 1
            && g.links.iter().zip(&first.links).all(|(a, b)| a.offset == b.offset)
    };
    if !grids.iter().all(alike) {
        return None;
    }
    let copies = grids.len() as u32;
    let copy_links = if copies > 1 { grids.iter().map(|g| g.links).collect() } else { Vec::new() };
    Some(Grid { copies, copy_links, ..first.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, ModelBuilder, Path, ScriptedHandle, Spring};

    /// Two nodes, one pinned along a path, one pulled by a handle.
    fn pair(stiffness: f32, end: f32) -> Model {
        let spring =
            Spring { nodes: [0, 1], rest_length: 1.0, stiffness, dashpot: 0.0, family: Default::default() };
        let body = Body {
            name: "pair".into(),
            rest_position: vec![Vec3::ZERO, Vec3::X],
            mass: vec![1.0; 2],
            springs: vec![spring],
            ..Body::default()
        };
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let path = Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::X * end)]).unwrap();
        builder.pin_along(vec![0], path.clone());
        let active = 0.0..f64::INFINITY;
        builder.handle(ScriptedHandle { nodes: vec![(1, 1.0)], stiffness: 3.0, path, active });
        builder.build().unwrap()
    }

    #[test]
    fn copies_stand_one_behind_the_other() {
        let model = Model::stack(vec![pair(1.0, 1.0), pair(2.0, 1.0), pair(3.0, 2.0)]).unwrap();
        assert_eq!((model.copies(), model.node_count(), model.nodes_per_copy()), (3, 6, 2));
        let springs: Vec<_> = model.springs().iter().map(|s| (s.nodes, s.stiffness)).collect();
        assert_eq!(springs, [([0, 1], 1.0), ([2, 3], 2.0), ([4, 5], 3.0)]);
        assert_eq!(model.pinned(), [true, false, true, false, true, false]);
        let pins: Vec<_> = model.moving_pins().iter().map(|p| p.nodes.clone()).collect();
        assert_eq!(pins, [vec![0, 2], vec![4]]);
        let handles: Vec<_> = model.handles().iter().map(|h| h.nodes.clone()).collect();
        assert_eq!(handles, [vec![(1, 1.0), (3, 1.0)], vec![(5, 1.0)]]);
        assert_eq!((model.body_of(5).nodes.clone(), model.copy_of(5)), (4..6, 2));
        assert_eq!(model.body_of(3).springs, 1..2);
    }

    #[test]
    fn copies_must_have_as_many_nodes() {
        let mut builder = ModelBuilder::new();
        builder.add(Body { rest_position: vec![Vec3::ZERO], mass: vec![1.0], ..Body::default() });
        let error = Model::stack(vec![pair(1.0, 1.0), builder.build().unwrap()]).unwrap_err();
        assert_eq!(error, ModelError::CopyNodes { copy: 1, found: 1, expected: 2 });
        assert_eq!(Model::stack(Vec::new()).unwrap_err(), ModelError::NoCopies);
    }

    #[test]
    fn a_disturbance_leaves_pins_alone() {
        let mut model = pair(1.0, 1.0);
        model.disturb(|i| [Vec3::Y * (i + 1) as f32, Vec3::Z]);
        assert_eq!(model.initial_state().position, [Vec3::ZERO, Vec3::new(1.0, 2.0, 0.0)]);
        assert_eq!(model.initial_state().velocity, [Vec3::ZERO, Vec3::Z]);
    }
}
