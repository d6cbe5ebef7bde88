//! Springs that keep their length, or a limit of stretch: which solvers hold them, and how many of them a network can
//! follow.

use super::{Family, Model, ModelError};
use crate::settings::SolverKind;

/// Inextensible springs for each free node, at most. Threads of a cloth have two. A node moves in three directions, and what
/// takes nearly all of them away leaves triangles, which bend along few straight lines, and solids, which do not move.
const MOST: f64 = 2.5;

/// A solver that cannot take a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotHeld {
    /// It does not keep the length of springs.
    #[error(
        "{}: {count} springs are inextensible (stiffness = inf), and {solver} cannot keep their length. Choose solver = {}, \
         or give a finite stiffness", .body.as_ref().map_or("[[attach]]".into(), |name| format!("body '{name}'")), names()
    )]
    Length {
        /// The solver.
        solver: SolverKind,
        /// The first body that has such springs; none where only attachments are.
        body: Option<String>,
        /// How many it has.
        count: usize,
    },
    /// It does not keep a limit of stretch.
    #[error(
        "body '{body}': it has a strain-limit, and {solver} cannot keep it. Choose solver = \"newton-multigrid\", or take the \
         limit away"
    )]
    Limit {
        /// The solver.
        solver: SolverKind,
        /// The first body that has one.
        body: String,
    },
}

fn names() -> String {
    let holds = SolverKind::ALL.into_iter().filter(|solver| solver.holds_lengths());
    let names: Vec<String> = holds.map(|solver| format!("\"{solver}\"")).collect();
    names.join(", ")
}

impl Model {
    /// Whether any spring keeps its length, whatever pulls.
    pub fn has_inextensible(&self) -> bool {
        self.springs().iter().any(super::Spring::is_inextensible)
    }

    /// Whether any body has a limit of stretch.
    pub fn has_strain_limit(&self) -> bool {
        self.bodies().iter().any(|body| body.strain_limit.is_some())
    }

    /// The limit of stretch of each spring \[1\]; nothing where no body has one.
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

    /// That `solver` keeps the length of springs that are inextensible, and limits of stretch.
    pub fn check_solver(&self, solver: SolverKind) -> Result<(), NotHeld> {
        if let Some(body) = self.bodies().iter().find(|body| body.strain_limit.is_some())
            && !solver.holds_limits()
        {
            return Err(NotHeld::Limit { solver, body: body.name.clone() });
        }
        if solver.holds_lengths() || !self.has_inextensible() {
            return Ok(());
        }
        let of_body = |body: &super::BodyRange| {
            let springs = &self.springs()[body.springs.clone()];
            let count = springs.iter().filter(|s| s.is_inextensible()).count();
            (count > 0).then(|| (Some(body.name.clone()), count))
        };
        let attached = || (None, self.attachments().filter(|s| s.is_inextensible()).count());
        let (body, count) = self.bodies().iter().find_map(of_body).unwrap_or_else(attached);
        Err(NotHeld::Length { solver, body, count })
    }
}

/// That inextensible springs which hang together leave their nodes room to move.
pub(super) fn check(model: &Model) -> Result<(), ModelError> {
    if !model.has_inextensible() {
        return Ok(());
    }
    let mut groups = Groups { above: (0..model.node_count() as u32).collect() };
    let springs = || model.springs().iter().filter(|s| s.is_inextensible());
    // A pin joins nothing: what one side does leaves it in its place.
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

/// Nodes that hang together: of each the next one on the way to the one that names its group.
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
