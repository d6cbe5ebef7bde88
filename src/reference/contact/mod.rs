//! Soft contact of cloth with cloth: vertices against triangles, and edges against edges.
//!
//! A vertex at z_v that is near a triangle (a, b, c) is pushed off ([`law`]) along n, and held back by friction ([`friction`]):
//!
//! ```text
//! gradient_i += w_i (k_t u - f n),   S = e n n^T + k_t (I - n n^T),   matrix += w w^T S,   w = (1, -b_1, -b_2, -b_3)
//! ```
//!
//! Which pairs there are ([`search`]), their sides, stiffness ([`stiffness`]) and what they keep belong to the substep. n, d,
//! w, f and k_t are those of each iterate ([`pair`]). On coarser levels pairs act in groups ([`coarse`]). The sum of the
//! gradient is zero, for so is the sum of w.
//!
//! Limits: soft, so that what moves by more than about half a spacing against the rest in a substep can pass through; no
//! folds that are less than sharp against each other; the search looks at all pairs.

pub mod burden;
pub mod closing;
pub mod coarse;
mod edges;
pub mod friction;
pub mod law;
mod memory;
mod nodes;
pub mod pair;
pub mod rigid;
pub mod search;
pub mod stiffness;
pub mod surface;

use glam::{DMat3, DVec3};

pub use coarse::Groups;
pub use law::Law;
pub use memory::Memory;
pub use nodes::AtNodes;
pub use pair::Touch;
pub use search::{Kind, Slot};
pub use surface::{Skin, Surface};

use super::forces::outer;
use super::objective::Objective;
use super::{Forces, State64};

/// One pair's or group's share of the matrix, w w^T S.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coupling {
    /// Nodes that move, and w.
    pub row: coarse::Row,
    /// Half the sum of |w|; on the finest level of pins, too.
    pub half: f64,
    /// S [N/m].
    pub stiffness: DMat3,
}

impl Coupling {
    /// One without pins.
    pub fn of(row: coarse::Row, stiffness: DMat3) -> Self {
        let half = 0.5 * row.iter().map(|(_, w)| w.abs()).sum::<f64>();
        Self { row, half, stiffness }
    }
}

/// All pairs of a substep.
#[derive(Clone, Debug)]
pub struct Contacts {
    /// The pairs, vertex by vertex.
    pub slots: Vec<Slot>,
    /// The law of each.
    pub laws: Vec<Law>,
    /// The slip that each has kept \[m\].
    pub kept: Vec<DVec3>,
    /// The load that each has kept \[N\].
    pub loads: Vec<f64>,
    /// x_n \[m\].
    pub begin: Vec<DVec3>,
    /// y \[m\], where nodes go alone.
    pub target: Vec<DVec3>,
    /// h^2 / m of each node [m/N]; zero where pinned.
    pub mobility: Vec<f64>,
    /// Least slip that friction is divided by \[m\].
    pub least_slip: f64,
    /// The number of the iteration.
    pub iteration: usize,
    /// Whether pairs that have opened at an iterate keep stiffness, in `newton-multigrid`.
    pub holds_opened: bool,
    /// Whether friction has a bound on f that is foreseen, too; not in `xpbd`, whose first iteration may be the last.
    pub foresees_load: bool,
    /// The body of each node.
    pub body: Vec<usize>,
}

/// How much more a pair gives, as its nodes have others ([`friction`]).
const SHARED: f64 = 1.5;
/// Least part of the thickness for the onset there \[1\].
const LEAST_ROOM: f64 = 0.001;

/// A pair that repels, or keeps stiffness.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    /// Its number.
    pub slot: usize,
    /// Its geometry.
    pub touch: Touch,
    /// f \[N\].
    pub force: f64,
    /// e [N/m].
    pub slope: f64,
    /// u \[m\].
    pub slip: DVec3,
    /// k_t [N/m].
    pub friction: f64,
}

impl Active {
    /// S [N/m].
    pub fn stiffness(&self) -> DMat3 {
        outer(self.touch.normal) * (self.slope - self.friction) + DMat3::IDENTITY * self.friction
    }

    /// Its gradient with respect to the vertex \[N\].
    pub fn pull(&self) -> DVec3 {
        self.friction * self.slip - self.force * self.touch.normal
    }
}

impl Contacts {
    /// The slots of the substep of `h` \[s\] from `state`.
    pub fn slots(
        forces: &Forces<'_>,
        h: f64,
        state: &State64,
        surface: &Surface,
        memory: &Memory,
    ) -> Vec<Slot> {
        let moves = |i: usize| forces.is_free(i);
        let ahead: Vec<DVec3> = state.velocity.iter().map(|v| 2.0 * h * *v).collect();
        search::slots(surface, &state.position, &ahead, &memory.slots)
            .into_iter()
            .filter(|slot| moves(slot.vertex) || slot.corners.into_iter().any(moves))
            .collect()
    }

    /// The pairs of the substep of `h` \[s\] from `state`, whose objective without contact is `objective`.
    pub fn of(
        forces: &Forces<'_>,
        h: f64,
        state: &State64,
        surface: &Surface,
        objective: &Objective<'_>,
        memory: &Memory,
    ) -> Self {
        let x = &state.position;
        let moves = |i: usize| forces.is_free(i);
        let slots = Self::slots(forces, h, state, surface, memory);
        let mut elastic = vec![0.0; x.len()];
        for (s, spring) in forces.model.springs().iter().enumerate() {
            spring.nodes.iter().for_each(|&i| elastic[i as usize] += 0.5 * objective.along(s));
        }
        // Of each body the median, which is that of its inner nodes.
        for body in forces.model.bodies() {
            let own = &mut elastic[body.nodes.start as usize..body.nodes.end as usize];
            own.fill(surface::median(&mut own.to_vec()));
        }
        let kept = memory.of(surface, &slots);
        let side = |nodes: &[usize]| {
            let moving: Vec<usize> = nodes.iter().copied().filter(|&i| moves(i)).collect();
            let mean =
                |of: &dyn Fn(usize) -> f64| moving.iter().map(|&i| of(i)).sum::<f64>() / moving.len() as f64;
            (!moving.is_empty()).then(|| (mean(&|i| elastic[i]), mean(&|i| forces.mass(i) / (h * h))))
        };
        let law = |(slot, (_, load)): (&Slot, &(DVec3, f64))| {
            let rubs = if matches!(slot.kind, Kind::Hinge(_)) { 0.0 } else { 1.0 };
            let friction = rubs * surface.between(slot.vertex, slot.corners[0]).friction;
            let thickness = slot.thickness;
            let [own, other] = match slot.kind {
                Kind::Edges => [side(&[slot.vertex, slot.corners[2]]), side(slot.other_side())],
                _ => [side(&[slot.vertex]), side(&slot.corners)],
            };
            let shared = |side: Option<(f64, f64)>, part: f64| side.map(|(a, b)| (part * a, part * b));
            let [i, j] = [slot.vertex, slot.corners[0]];
            let sides = match own.is_some() && other.is_some() {
                true => [shared(own, surface.share(j, i)), shared(other, surface.share(i, j))],
                false => [own, other],
            };
            let stiffness = stiffness::stiffness(sides, *load, thickness);
            Law { thickness, stiffness, friction, onset: law::ONSET }
        };
        let laws = slots.iter().zip(&kept).map(law).collect();
        let alone = |i: usize| if moves(i) { objective.target()[i] } else { x[i] + h * state.velocity[i] };
        let mobility = |i: usize| if moves(i) { h * h / forces.mass(i) } else { 0.0 };
        Self {
            slots,
            laws,
            kept: kept.iter().map(|(slip, _)| *slip).collect(),
            loads: kept.into_iter().map(|(_, load)| load).collect(),
            begin: x.clone(),
            target: (0..x.len()).map(alone).collect(),
            mobility: (0..x.len()).map(mobility).collect(),
            least_slip: friction::LEAST_SLIP,
            iteration: 0,
            holds_opened: false,
            foresees_load: true,
            body: surface.body.clone(),
        }
    }

    /// The geometry of pair `s` at `z` \[m\].
    pub fn touch(&self, s: usize, z: &[DVec3]) -> Touch {
        Touch::at(z, &self.slots[s])
    }

    /// Whether pair `s` repels at `z` \[m\].
    pub fn touches(&self, s: usize, z: &[DVec3]) -> bool {
        self.touch(s, z).distance < self.laws[s].thickness
    }

    /// The pairs that repel at `z` \[m\], or keep stiffness there.
    pub fn active(&self, z: &[DVec3]) -> Vec<Active> {
        let touches: Vec<Touch> = (0..self.slots.len()).map(|s| self.touch(s, z)).collect();
        let limits: Vec<f64> = touches.iter().enumerate().map(|(s, touch)| self.limit(s, touch, z)).collect();
        let mut at_nodes = vec![0.0; z.len()];
        for (touch, limit) in touches.iter().zip(&limits) {
            touch.nodes.iter().zip(touch.weights).for_each(|(&i, w)| at_nodes[i] += w.abs() * limit);
        }
        let each = |(s, touch): (usize, &Touch)| self.response(s, *touch, z, limits[s], &at_nodes);
        touches.iter().enumerate().filter_map(each).collect()
    }

    /// What pair `s` does at `z` \[m\]; `limit` is its mu f, and `at_nodes` are L_i \[N\].
    fn response(&self, s: usize, touch: Touch, z: &[DVec3], limit: f64, at_nodes: &[f64]) -> Option<Active> {
        let law = &self.laws[s];
        let law::Response { force, slope, .. } = law.at(touch.distance);
        if force == 0.0 {
            let slope = if self.holds_opened { self.opened(s, &touch, z) } else { 0.0 };
            let opened = Active { slot: s, touch, force, slope, slip: DVec3::ZERO, friction: 0.0 };
            return (slope > 0.0).then_some(opened);
        }
        let before = touch.of(&self.begin) - self.kept[s];
        let tangential = |u: DVec3| u - u.dot(touch.normal) * touch.normal;
        let [slip, alone] = [z, &self.target].map(|x| tangential(touch.of(x) - before));
        let stopped = |(&i, w): (&usize, f64)| w.abs() * at_nodes[i] * self.mobility[i];
        let stopped: f64 = touch.nodes.iter().zip(touch.weights).map(stopped).sum();
        let foreseen = alone.length() - stopped;
        let foreseen = if self.iteration < friction::FORESEEN { foreseen } else { 0.0 };
        let lengths = [slip.length(), foreseen.max(self.least_slip)];
        let friction = friction::stiffness(limit, lengths, law.stiffness);
        Some(Active { slot: s, touch, force, slope, slip, friction })
    }

    /// mu f \[N\] of pair `s` at `z` \[m\], with the bound on f that friction foresees.
    fn limit(&self, s: usize, touch: &Touch, z: &[DVec3]) -> f64 {
        let law = &self.laws[s];
        let force = law.at(touch.distance).force;
        if self.iteration >= friction::FORESEEN || !self.foresees_load {
            return law.friction * force;
        }
        let overlap =
            |x: &[DVec3]| law.thickness - touch.distance + touch.normal.dot(touch.of(z) - touch.of(x));
        let [began, alone] = [&self.begin, &self.target].map(|x| overlap(x));
        let had = law.at(law.thickness - began).force;
        let lasting = if self.loads[s] > 0.0 { had.min(self.loads[s]) } else { had };
        let stopped = (alone.max(0.0) - began.max(0.0)).max(0.0);
        let gives: f64 = touch.nodes.iter().zip(touch.weights).map(|(&i, w)| w * w * self.mobility[i]).sum();
        law.friction * force.min(lasting + law.stiffness / (1.0 + SHARED * law.stiffness * gives) * stopped)
    }

    /// The stiffness [N/m] of a pair that is open at `z` \[m\]: with its gap g, the onset r (at least .001 of the thickness) and o, by how much it closes from z
    /// to y, k / 30 (o / (g + r) - 1), from 0 to k. k / 30 is the stiffness of inertia, or more: by inertia it closes by no more than g + r, to where the onset ends. A step that carries pairs too far would else be followed by one that knows
    /// of none. Springs decide about edges and about parts of one body, which have none.
    fn opened(&self, s: usize, touch: &Touch, z: &[DVec3]) -> f64 {
        let Slot { kind, vertex, corners, .. } = &self.slots[s];
        if *kind == Kind::Edges || self.body[*vertex] == self.body[corners[0]] {
            return 0.0;
        }
        let law = &self.laws[s];
        let closes = touch.normal.dot(touch.of(z) - touch.of(&self.target));
        let room = touch.distance - law.thickness + law.onset.max(LEAST_ROOM) * law.thickness;
        (law.stiffness / stiffness::INERTIAL * (closes / room - 1.0)).clamp(0.0, law.stiffness)
    }

    /// Energy of the normal forces \[J\] at `z` \[m\].
    pub fn energy(&self, z: &[DVec3]) -> f64 {
        self.laws.iter().enumerate().map(|(s, law)| law.at(self.touch(s, z).distance).energy).sum()
    }

    /// Adds the gradient at `z` \[m\] to `gradient` \[N\].
    pub fn add_gradient(&self, z: &[DVec3], gradient: &mut [DVec3]) {
        for active in self.active(z) {
            for (i, w) in active.touch.nodes.into_iter().zip(active.touch.weights) {
                gradient[i] += w * active.pull();
            }
        }
    }

    /// What pairs do to each node \[N\] at `z` \[m\], the end of the substep.
    pub fn forces(&self, z: &[DVec3]) -> Vec<DVec3> {
        let mut gradient = vec![DVec3::ZERO; z.len()];
        Self { iteration: friction::FORESEEN, ..self.clone() }.add_gradient(z, &mut gradient);
        gradient.into_iter().map(|gradient| -gradient).collect()
    }

    /// The matrix at `z` \[m\] on the finest level and on those of `groups`. Nodes that do not move are left out.
    pub fn couplings(
        &self,
        groups: &Groups,
        z: &[DVec3],
        moves: impl Fn(usize) -> bool,
    ) -> Vec<Vec<Coupling>> {
        let active = self.active(z);
        let fine = |active: &Active| {
            let entries = active.touch.nodes.into_iter().zip(active.touch.weights);
            let row = entries.filter(|(i, w)| *w != 0.0 && moves(*i)).collect();
            let half = 0.5 * active.touch.weights.iter().map(|w| w.abs()).sum::<f64>();
            Coupling { row, half, stiffness: active.stiffness() }
        };
        let mut levels = vec![active.iter().map(fine).collect()];
        let mut stiffness = vec![DMat3::ZERO; self.slots.len()];
        // Rows of groups begin with 1.
        let of_row = |active: &Active| active.touch.weights[0].powi(2) * active.stiffness();
        active.iter().for_each(|active| stiffness[active.slot] = of_row(active));
        levels.extend(groups.couplings(stiffness));
        levels
    }
}

#[cfg(test)]
mod tests;
