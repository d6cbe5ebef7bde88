//! Springs that keep their length or a limit of stretch, and a limit on their number.

use super::{Family, Model, ModelError};

/// Most inextensible springs per free node. The threads of a cloth have two. A node moves in three directions. Networks
/// that constrain nearly all of them are triangle meshes, which bend only along a few straight lines, and solids, which
/// do not move.
const MOST: f64 = 2.5;

impl Model {
    /// Whether any spring keeps its length under any force.
    pub fn has_inextensible(&self) -> bool {
        self.springs().iter().any(super::Spring::is_inextensible)
    }

    /// Whether any body has a limit of stretch.
    pub fn has_strain_limit(&self) -> bool {
        self.bodies().iter().any(|body| body.strain_limit.is_some())
    }

    /// The limit of stretch of each spring \[1\]; empty if no body has one.
    pub fn strain_limits(&self) -> Vec<Option<f32>> {
        if !self.has_strain_limit() {
            return Vec::new();
        }
        let mut limits = vec![None; self.springs().len()];
        for body in self.bodies() {
            for s in body.springs.clone().filter(|&s| self.springs()[s].family == Family::Structural) {
                limits[s] = body.strain_limit;
            }
        }
        limits
    }
}

/// Checks that connected inextensible springs leave their nodes room to move.
pub(super) fn check(model: &Model) -> Result<(), ModelError> {
    if !model.has_inextensible() {
        return Ok(());
    }
    let mut groups = Groups { above: (0..model.node_count() as u32).collect() };
    let springs = || model.springs().iter().filter(|s| s.is_inextensible());
    // A pin connects nothing, because it stays in its place.
    let free = |i: &u32| !model.pinned()[*i as usize];
    for [a, b] in springs().map(|s| s.nodes).filter(|nodes| nodes.iter().all(free)) {
        groups.join(a, b);
    }
    let mut counts = vec![(0usize, 0usize); model.node_count()];
    let mut is_held = vec![false; model.node_count()];
    for nodes in springs().map(|s| s.nodes) {
        let Some(i) = nodes.into_iter().find(free) else { continue };
        counts[groups.of(i) as usize].0 += 1;
        nodes.into_iter().filter(free).for_each(|i| is_held[i as usize] = true);
    }
    for i in (0..model.node_count()).filter(|&i| is_held[i]) {
        counts[groups.of(i as u32) as usize].1 += 1;
    }
    match (0..).zip(counts).find(|(_, (springs, free))| *springs as f64 > MOST * *free as f64) {
        None => Ok(()),
        Some((i, (springs, free))) => {
            Err(ModelError::Jammed { body: model.body_of(i).name.clone(), springs, free })
        }
    }
}

/// Groups of connected nodes: for each node the next one on the way to the representative of its group.
struct Groups {
    above: Vec<u32>,
}

impl Groups {
    fn of(&mut self, i: u32) -> u32 {
        let mut top = i;
        while self.above[top as usize] != top {
            top = self.above[top as usize];
        }
        let mut next = i;
        while self.above[next as usize] != top {
            next = std::mem::replace(&mut self.above[next as usize], top);
        }
        top
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.above[a as usize] = b;
    }
}
