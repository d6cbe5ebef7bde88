//! Contact on coarser levels: groups of pairs, each w w^T S with the mean w of its members.
//!
//! Contact couples two points of cloth on every level. Lumped into the diagonal it would hold sheets that fall together in
//! the air; left out, the coarse correction would be too large by the ratio of k and m / h^2. P^T w of every pair would be
//! exact, but those are as many as on the finest level. So
//!
//! ```text
//! every node has at most four slots, as on the finest level, for the pairs of the vertices that it stands for
//! a slot of node i goes to the parent of i: the heaviest entry of i's row of P
//!   there it joins the slot whose partner is nearest in the rest state, if within 3.1 s 2^l and of the same body;
//!   else it opens one; where there are four, it joins the nearest
//! w = sum t P^T w / sum t,   S = sum S,   t = sum t    over the members; w of a pair of edges over its first entry
//! t = 1 for a pair that touches at x_n or y, else 0.001
//! -w counts instead of w where it is nearer to the mean so far: w w^T is the same, and in a tight fold pairs of both sides meet
//! ```
//!
//! Groups and rows belong to the substep ([`Groups::renewed`] has other rows), S to the iteration. Nothing is lost. Pairs of
//! A's vertices with B's triangles and those of B's vertices with A's triangles stay apart. Of parents that are tied, as on
//! grids, it is the one with the heaviest entry of P on the next level, so that groups lie around nodes. Around the middles of
//! cells, one mean in each would not see neighbors that move against each other.
//!
//! Means matter: with the row of one pair in each group, or with fewer entries, the cycle diverges on networks, where P is not
//! quite the same on both sides. It has to agree there to second order, k being so much larger than m / h^2.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use super::search::{LAYER, SLOTS};
use super::{Contacts, Coupling, Surface, Touch};
use crate::hierarchy::{self, Hierarchy, Level};

/// t of a pair that does not touch \[1\].
const APART: f64 = 1e-3;

/// Nodes and weights.
pub type Row = Vec<(usize, f64)>;

/// The slots of one level.
#[derive(Clone, Debug, Default)]
struct Slots {
    /// The slot here of each slot of the finer level.
    up: Vec<usize>,
    /// w of each.
    rows: Vec<Row>,
}

/// The groups of a substep on all levels but the finest.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    levels: Vec<Slots>,
}

/// A slot while levels are made.
#[derive(Clone)]
struct Group {
    node: usize,
    row: Row,
    /// Mean rest position of the partners \[m\].
    partner: DVec3,
    body: usize,
    weight: f64,
}

impl Groups {
    /// Those of `contacts` on the levels of a hierarchy; nodes that do not move are left out.
    pub fn of(
        hierarchy: &Hierarchy,
        surface: &Surface,
        contacts: &Contacts,
        moves: impl Fn(usize) -> bool,
    ) -> Self {
        let touches = |s: usize| [&contacts.begin, &contacts.target].iter().any(|x| contacts.touches(s, x));
        let first = |s: usize| {
            let (slot, touch) = (&contacts.slots[s], contacts.touch(s, &contacts.begin));
            let others = slot.other_side().iter().zip(&touch.weights[1..]);
            let whole: f64 = others.clone().map(|(_, w)| -w).sum();
            Group {
                node: slot.vertex,
                partner: others.map(|(&i, w)| -w / whole * surface.rest[i]).sum(),
                row: moving(&touch, &moves),
                body: surface.body[slot.corners[0]],
                weight: if touches(s) { 1.0 } else { APART },
            }
        };
        let mut groups: Vec<Group> = (0..contacts.slots.len()).map(first).collect();
        let mut spacings = LAYER;
        let (mut levels, ways) = (Vec::new(), hierarchy.ways());
        for (l, level) in hierarchy.levels.iter().enumerate() {
            spacings *= 2.0;
            let parents = hierarchy::parents(&ways[l], ways.get(l + 1));
            let (next, up) = joined(level, &parents, &groups, |body| spacings * surface.spacings[body]);
            groups = next;
            levels.push(Slots { up, rows: groups.iter().map(|group| group.row.clone()).collect() });
        }
        Self { levels }
    }

    /// The same groups with the rows of an iterate `z` \[m\], where t is 1 for a pair that touches there. Where pairs open and
    /// close within a substep, as in folds, later iterations do better with them.
    pub fn renewed(
        &self,
        hierarchy: &Hierarchy,
        contacts: &Contacts,
        z: &[DVec3],
        moves: impl Fn(usize) -> bool,
    ) -> Self {
        let first = |s: usize| {
            let weight = if contacts.touches(s, z) { 1.0 } else { APART };
            (moving(&contacts.touch(s, z), &moves), weight)
        };
        let mut finer: Vec<(Row, f64)> = (0..contacts.slots.len()).map(first).collect();
        let mut levels = Vec::new();
        for (level, slots) in hierarchy.levels.iter().zip(&self.levels) {
            let mut sums = vec![(Row::new(), 0.0); slots.rows.len()];
            for ((row, weight), &up) in finer.iter().zip(&slots.up) {
                let (mean, sum) = &mut sums[up];
                *sum += weight;
                *mean = mixed(mean, &turned(mean, restricted(level, row)), weight / *sum);
            }
            let rows = sums.iter().map(|(row, _)| row.clone()).collect();
            levels.push(Slots { up: slots.up.clone(), rows });
            finer = sums;
        }
        Self { levels }
    }

    /// The couplings of all coarser levels for S of each slot of the finest [N/m].
    pub fn couplings(&self, stiffness: Vec<DMat3>) -> Vec<Vec<Coupling>> {
        let mut finer = stiffness;
        let each = |slots: &Slots| {
            let mut sums = vec![DMat3::ZERO; slots.rows.len()];
            slots.up.iter().zip(&finer).for_each(|(&up, s)| sums[up] += *s);
            finer = sums;
            let touching = slots.rows.iter().zip(&finer).filter(|slot| *slot.1 != DMat3::ZERO);
            touching.map(|(row, s)| Coupling::of(row.clone(), *s)).collect()
        };
        self.levels.iter().map(each).collect()
    }
}

/// The groups of `level`, and the one that each of `finer` joins, if their partners are within `reach` of a body \[m\].
fn joined(
    level: &Level,
    parents: &[usize],
    finer: &[Group],
    reach: impl Fn(usize) -> f64,
) -> (Vec<Group>, Vec<usize>) {
    let mut at_node = vec![Vec::new(); level.nodes];
    let (mut groups, mut up): (Vec<Group>, Vec<usize>) = (Vec::new(), Vec::new());
    for group in finer {
        let node = parents[group.node];
        let here: &mut Vec<usize> = &mut at_node[node];
        let distance = |g: usize| match groups[g].body == group.body {
            true => groups[g].partner.distance(group.partner),
            false => f64::INFINITY,
        };
        let nearest = here.iter().copied().min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let joins = nearest.filter(|&g| distance(g) < reach(group.body) || here.len() == SLOTS);
        let row = restricted(level, &group.row);
        match joins {
            Some(g) => {
                groups[g].add(&row, group);
                up.push(g);
            }
            None => {
                here.push(groups.len());
                up.push(groups.len());
                groups.push(Group { node, row, ..group.clone() });
            }
        }
    }
    // By node, and at a node in the order in which they were opened: the next level goes through them in this order.
    let order: Vec<usize> = at_node.into_iter().flatten().collect();
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(to, &from)| place[from] = to);
    (order.into_iter().map(|g| groups[g].clone()).collect(), up.into_iter().map(|g| place[g]).collect())
}

impl Group {
    /// Takes the mean with `other`, whose row here is `row`.
    fn add(&mut self, row: &Row, other: &Group) {
        let share = other.weight / (self.weight + other.weight);
        self.row = mixed(&self.row, &turned(&self.row, row.clone()), share);
        self.partner = self.partner.lerp(other.partner, share);
        self.weight += other.weight;
    }
}

/// The entries of w of nodes that move.
fn moving(touch: &Touch, moves: &impl Fn(usize) -> bool) -> Row {
    let first = touch.weights[0];
    let entries = touch.nodes.into_iter().zip(touch.weights).filter(|(i, w)| *w != 0.0 && moves(*i));
    entries.map(|(i, w)| (i, w / first)).collect()
}

/// A row, or its negative where that is nearer to `mean`.
fn turned(mean: &Row, row: Row) -> Row {
    let in_mean: BTreeMap<usize, f64> = mean.iter().copied().collect();
    let agreement: f64 = row.iter().filter_map(|(i, w)| Some(w * in_mean.get(i)?)).sum();
    let sign = if agreement < 0.0 { -1.0 } else { 1.0 };
    row.into_iter().map(|(i, w)| (i, sign * w)).collect()
}

/// The mean of two rows with this share of the second \[1\].
fn mixed(one: &Row, other: &Row, share: f64) -> Row {
    let mut mean = BTreeMap::new();
    for (rows, share) in [(one, 1.0 - share), (other, share)] {
        rows.iter().for_each(|(i, w)| *mean.entry(*i).or_insert(0.0) += share * w);
    }
    mean.into_iter().collect()
}

/// P^T w.
pub fn restricted(level: &Level, row: &Row) -> Row {
    let mut sum = BTreeMap::new();
    for &(i, w) in row {
        for (c, p) in level.interpolation.row(i) {
            *sum.entry(c).or_insert(0.0) += w * f64::from(p);
        }
    }
    sum.into_iter().collect()
}
