//! Which springs are so stiff that their tension is better found as a multiplier: the augmented Lagrangian method,
//! M. Hestenes, "Multiplier and gradient methods", J. Optimization Theory and Applications 4, 1969,
//! <https://doi.org/10.1007/BF00927673>; M. Powell, "A method for nonlinear constraints in minimization problems", 1969.
//!
//! In one step of length h, springs of stiffness k pass on a pull over sqrt(k h^2 / m) springs. Let L be the number of springs
//! between the farthest node and what holds the body, and at least half the number across the body. (Where cloth is held in
//! many places the first number is small, but the step is not harder to solve.) If a pull goes much farther than L springs, a
//! still stiffer spring changes nothing but the difficulty of the step. Such a spring has the penalty sigma in place of k, and
//! a multiplier lambda for the rest of its tension:
//!
//! ```text
//! F = rho (l - r) + theta lambda,   lambda <- F,   rho = k sigma / (k + sigma),   theta = k / (k + sigma)
//! sigma = 0.9 L^2 m / h^2, three or nine times that where a spring carries far more mass than L nodes
//! ```
//!
//! At the fixed point F = k (l - r), for any sigma. With k infinite rho = sigma, theta = 1, and l = r at the fixed point. A
//! spring with infinite k always has a multiplier, because nothing else keeps its length.
//!
//! A spring that must not become longer than r + a always has one, too, the multiplier of this limit:
//!
//! ```text
//! F = k (l - r) + G,   G = max(0, lambda + sigma (l - r - a)),   lambda <- G
//! F = max(rho (l - r) + theta lambda, lambda + sigma (l - r - a)),   lambda <- F    where k is above sigma
//! ```
//!
//! The matrix has k + sigma along the spring, or sigma, whether it is at the limit or not: a matrix that changed there would
//! overshoot.

use std::collections::VecDeque;

use glam::DMat3;

use super::{Family, Model, Spring};

/// A body has multipliers if k h^2 / m of any of its springs is above this times L^2.
const STIFF: f64 = 5.0;
/// sigma h^2 / m over L^2. A larger value is better for the multipliers but worse for the cycle, whose coarse-grid
/// correction cannot bend springs that are stiff along themselves. With a third of this value swinging cloth takes half
/// as many iterations; but cloth that hangs by its corners, is dragged or is thrown keeps two to five times the strain.
const PENALTY: f64 = 0.9;
/// Most springs between neighbors per node on average; warp and weft are two. A mesh of triangles has three, which
/// constrain each other, and multipliers of all of them do not come to rest.
const MOST_LINKS: f64 = 2.5;
/// Least evenness of the directions of a solid's springs, on average.
const SOLID: f64 = 0.1;
/// Largest length of a link over that of the shortest beside it, if springs have no family.
const NEAR: f32 = 1.5;
/// Without multipliers, a body with k h^2 / m of this times L^2 falls about 5 % too slowly, and a stiffer one far more
/// slowly: the least stiffness of 0.003 k across its springs supports it as a membrane would.
const SLOW: f64 = 100.0;
/// The same if conjugate gradients multiply by the projected matrix itself.
const SLOW_WITH_TRUE_MATRIX: f64 = 500.0;
/// Factors on sigma, each for loads from this multiple of L on.
const LOADS: [f64; 3] = [1.0, 3.0, 9.0];

/// The penalty of each spring of a model, for one length of the step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Multipliers {
    /// sigma [N/m] of each spring, 0 if it has no multiplier; empty if no spring has one.
    penalty: Vec<f32>,
    /// The index in [`LOADS`] of each spring, from 1; 0: no multiplier.
    load: Vec<u8>,
    /// a of each spring \[m\], 0 without a limit of stretch; empty if no spring has one.
    limit: Vec<f32>,
    /// sigma of each copy of the scene without the factor [N/m]; 0: no multipliers. If several bodies have multipliers,
    /// the value of the first.
    base: Vec<f32>,
}

impl Multipliers {
    /// No multipliers.
    pub fn none() -> Self {
        Self::default()
    }

    /// The multipliers that `model` needs in steps of `h` \[s\].
    pub fn of(model: &Model, h: f64) -> Self {
        let most = model.springs().iter().map(|s| s.stiffness).fold(0.0, f32::max);
        let limits = model.strain_limits();
        if f64::from(most) * h * h <= STIFF * lightest(model) && limits.is_empty() {
            return Self::none();
        }
        let links = Links::of(model);
        let network = Reach::of(model, &links);
        // sigma of each part without the factor, if it has a stiff spring.
        let unit: Vec<f64> = network.parts.iter().map(|part| part.unit(h)).collect();
        // Parts with all nodes pinned have no mass, and nothing to solve.
        let mut stiff = vec![false; unit.len()];
        for spring in model.springs() {
            if let Some(p) = network.part_of(spring.nodes) {
                stiff[p] |= unit[p] > 0.0 && f64::from(spring.stiffness) > STIFF * unit[p];
            }
        }
        let is_kept = |s: usize| {
            model.springs()[s].is_inextensible() || limits.get(s).is_some_and(|limit| limit.is_some())
        };
        let keeps: Vec<bool> = network.keeps(model, is_kept);
        // If bending is stiff, springs are no harder than the rest, and inertia does not determine how much a
        // multiplier moves; such bodies have conjugate gradients.
        for (body, _) in model.bodies.iter().zip(model.bodies_stiff_in_bending()).filter(|(_, stiff)| *stiff)
        {
            body.nodes.clone().for_each(|i| stiff[network.part[i as usize] as usize] = false);
        }
        if !stiff.contains(&true) && !keeps.contains(&true) {
            return Self::none();
        }
        network.leave_out_meshes(&links, &mut stiff);
        network.leave_out_solids(model, &mut stiff);
        if !stiff.contains(&true) && !keeps.contains(&true) {
            return Self::none();
        }
        let springs = model.springs().len();
        let mut all = Self { penalty: vec![0.0; springs], load: vec![0; springs], ..Self::default() };
        all.limit = (limits.iter().zip(model.springs()))
            .map(|(limit, spring)| limit.unwrap_or(0.0) * spring.rest_length)
            .collect();
        all.base = vec![0.0; model.copies() as usize];
        for (s, spring) in model.springs().iter().enumerate() {
            let has_any = |p: &usize| stiff[*p] || keeps[*p];
            let Some(p) = network.part_of(spring.nodes).filter(has_any) else { continue };
            // If all nodes are pinned, springs do nothing, so any number works.
            let base = if unit[p] > 0.0 { (PENALTY * unit[p]) as f32 } else { 1.0 };
            let of_copy = &mut all.base[model.copy_of(spring.nodes[0]) as usize];
            if *of_copy == 0.0 {
                *of_copy = base;
            }
            if is_kept(s) || stiff[p] && spring.stiffness > base {
                let load = network.load(spring.nodes) / f64::from(network.parts[p].hops.max(1));
                let step = LOADS.iter().rposition(|least| load >= *least).unwrap_or(0);
                all.load[s] = step as u8 + 1;
                all.penalty[s] = base * LOADS[step] as f32;
            }
        }
        all
    }

    /// Removes the multipliers of parts in which less than half of the springs have one. Ropes and cloths, whose
    /// springs have families, keep them, and so do parts with inextensible springs or limits of stretch, which need
    /// multipliers.
    pub fn leave_out_minorities(&mut self, model: &Model) {
        let network = Reach::of(model, &Links::of(model));
        let mut counts = vec![(0usize, 0usize, false); network.parts.len()];
        for (s, spring) in model.springs().iter().enumerate() {
            let Some(p) = network.part_of(spring.nodes) else { continue };
            let (springs, own, stays) = &mut counts[p];
            *springs += 1;
            *own += usize::from(self.load[s] > 0);
            let is_limited = self.limit.get(s).is_some_and(|limit| *limit > 0.0);
            *stays |= spring.family != Family::Raw || spring.is_inextensible() || is_limited;
        }
        let mut is_left = vec![false; self.base.len()];
        for (s, spring) in model.springs().iter().enumerate() {
            if self.load[s] == 0 {
                continue;
            }
            let (springs, own, stays) = network.part_of(spring.nodes).map_or((0, 0, true), |p| counts[p]);
            if stays || 2 * own >= springs {
                is_left[model.copy_of(spring.nodes[0]) as usize] = true;
            } else {
                (self.load[s], self.penalty[s]) = (0, 0.0);
            }
        }
        if !is_left.contains(&true) {
            *self = Self::none();
        }
        self.base.iter_mut().zip(is_left).filter(|(_, left)| !left).for_each(|(base, _)| *base = 0.0);
    }

    /// Bodies of `model` that move in slow motion in steps of `h` \[s\], because their springs are stiff for the step
    /// and have no multipliers: index of the body, and the number of shorter steps per step that would be enough. With
    /// the `true_matrix` in the solver's conjugate gradients, only far stiffer bodies are slow.
    pub fn slow(model: &Model, h: f64, true_matrix: bool) -> Vec<(usize, u32)> {
        let bearable = if true_matrix { SLOW_WITH_TRUE_MATRIX } else { SLOW };
        let finite = model.springs().iter().map(|s| s.stiffness).filter(|k| k.is_finite());
        if f64::from(finite.fold(0.0, f32::max)) * h * h <= bearable * lightest(model) {
            return Vec::new();
        }
        let (links, multipliers) = (Links::of(model), Self::of(model, h));
        let network = Reach::of(model, &links);
        let mut bends = vec![true; network.parts.len()];
        network.leave_out_solids(model, &mut bends);
        let is_stiff = model.bodies_stiff_in_bending();
        let mut slow = Vec::new();
        for (b, body) in model.bodies.iter().enumerate() {
            let mut worst = 0.0f64;
            for s in body.springs.clone().filter(|&s| multipliers.penalty(s) == 0.0) {
                let spring = &model.springs()[s];
                let Some(p) = network.part_of(spring.nodes).filter(|&p| bends[p]) else { continue };
                let unit = network.parts[p].unit(h);
                if unit > 0.0 && spring.stiffness.is_finite() {
                    worst = worst.max(f64::from(spring.stiffness) / (bearable * unit));
                }
            }
            if worst > 1.0 && !is_stiff.get(b).copied().unwrap_or(false) {
                slow.push((b, worst.sqrt().ceil() as u32));
            }
        }
        slow
    }

    /// Whether no spring has one.
    pub fn is_empty(&self) -> bool {
        self.penalty.is_empty()
    }

    /// Number of springs that have one.
    pub fn count(&self) -> usize {
        self.load.iter().filter(|load| **load > 0).count()
    }

    /// sigma of spring `s` [N/m]; 0 if it has no multiplier.
    pub fn penalty(&self, s: usize) -> f32 {
        self.penalty.get(s).copied().unwrap_or(0.0)
    }

    /// Largest elongation of spring `s` beyond its rest length \[m\]; 0 if it has no limit.
    pub fn limit(&self, s: usize) -> f32 {
        self.limit.get(s).copied().unwrap_or(0.0)
    }

    /// Whether any spring has a limit of stretch.
    pub fn has_limits(&self) -> bool {
        !self.limit.is_empty()
    }

    /// The factor on the spring's sigma: 1, 2, 3 for 1, 3, 9; 0 if it has no multiplier.
    pub fn load(&self, s: usize) -> u8 {
        self.load.get(s).copied().unwrap_or(0)
    }

    /// sigma of a copy without any factor [N/m], if a copy is one body; 0 if it has no multipliers.
    pub fn base(&self, copy: u32) -> f32 {
        self.base.get(copy as usize).copied().unwrap_or(0.0)
    }

    /// Whether any spring of a copy has one.
    pub fn is_in(&self, copy: u32) -> bool {
        self.base(copy) > 0.0
    }
}

/// Distances of nodes from the nodes that hold them, counted in springs.
struct Reach {
    /// The part of the network that each node belongs to. A part consists of nodes joined by springs.
    part: Vec<u32>,
    /// Number of springs to the nearest held node; 0 if nothing holds the part.
    distance: Vec<u32>,
    parts: Vec<Part>,
    /// From `Part::first` on, by distance: number of nodes that a spring ending there carries.
    loads: Vec<f64>,
}

struct Part {
    /// L: the largest distance from a held node, and at least half of the distance across.
    hops: u32,
    /// Mean mass of its free nodes \[kg\].
    mean_mass: f64,
    /// Index of its first load.
    first: usize,
}

impl Part {
    /// L^2 m / h^2 [N/m], in steps of `h` \[s\].
    fn unit(&self, h: f64) -> f64 {
        self.mean_mass / (h * h) * f64::from(self.hops).powi(2).max(1.0)
    }
}

/// The mass of the lightest free node \[kg\].
fn lightest(model: &Model) -> f64 {
    let free = (0..model.node_count()).filter(|&i| !model.pinned()[i]);
    f64::from(free.map(|i| model.mass()[i]).fold(f32::INFINITY, f32::min))
}

impl Reach {
    fn of(model: &Model, links: &Links) -> Self {
        let n = model.node_count();
        let mut held = model.pinned().to_vec();
        for (node, _) in model.handles().iter().flat_map(|handle| &handle.nodes) {
            held[*node as usize] = true;
        }
        let mut all =
            Self { part: vec![u32::MAX; n], distance: vec![0; n], parts: Vec::new(), loads: Vec::new() };
        let mut nodes = Vec::new();
        for start in 0..n {
            if all.part[start] != u32::MAX {
                continue;
            }
            let number = all.parts.len() as u32;
            links.collect(start, &mut all.part, number, &mut nodes);
            let part = all.measure(model, links, &held, &nodes);
            all.parts.push(part);
        }
        all
    }

    /// Distances, mean mass and loads of the part that consists of `nodes`.
    fn measure(&mut self, model: &Model, links: &Links, held: &[bool], nodes: &[u32]) -> Part {
        let first = self.loads.len();
        let free: Vec<f64> = (nodes.iter().map(|&i| i as usize))
            .filter(|&i| !model.pinned()[i])
            .map(|i| f64::from(model.mass()[i]))
            .collect();
        let mean_mass = free.iter().sum::<f64>() / free.len().max(1) as f64;
        // Go to the farthest node twice: the second path is nearly as long as any.
        let (_, far) = links.spread(&[nodes[0]], nodes, &mut self.distance);
        let (across, _) = links.spread(&[far], nodes, &mut self.distance);
        let half = across.div_ceil(2);
        let sources: Vec<u32> = nodes.iter().copied().filter(|&i| held[i as usize]).collect();
        if sources.is_empty() {
            nodes.iter().for_each(|&i| self.distance[i as usize] = 0);
            return Part { hops: half, mean_mass, first };
        }
        let (hops, _) = links.spread(&sources, nodes, &mut self.distance);
        let levels = hops as usize + 1;
        let (mut behind, mut across) = (vec![0.0; levels + 1], vec![0.0; levels]);
        for &i in nodes {
            let d = self.distance[i as usize] as usize;
            behind[d] += 1.0;
            // Each node counts the springs that lead to it from the level before.
            let nearer = |j: &&u32| (self.distance[**j as usize] as usize) + 1 == d;
            across[d] += links.of_node(i).iter().filter(nearer).count() as f64;
        }
        for d in (0..levels).rev() {
            behind[d] += behind[d + 1];
        }
        self.loads.extend(behind.iter().zip(&across).map(|(behind, across)| behind / f64::max(*across, 1.0)));
        Part { hops: hops.max(half), mean_mass, first }
    }

    /// Excludes parts that have more springs between neighbors than the threads of a cloth.
    fn leave_out_meshes(&self, links: &Links, stiff: &mut [bool]) {
        let mut counts = vec![(0usize, 0usize); stiff.len()];
        for (i, part) in (0..).zip(&self.part) {
            let (ends, nodes) = &mut counts[*part as usize];
            *ends += links.of_node(i).len();
            *nodes += 1;
        }
        for (stiff, (ends, nodes)) in stiff.iter_mut().zip(counts) {
            *stiff &= 0.5 * ends as f64 <= MOST_LINKS * nodes as f64;
        }
    }

    /// Excludes solids, which cannot bend without stretching, because the springs around their nodes point in all
    /// directions. Stiffness does not make them harder to solve, and the multipliers of so many springs constrain each
    /// other.
    fn leave_out_solids(&self, model: &Model, stiff: &mut [bool]) {
        // For each node the sum of n n^T over its springs at rest.
        let mut spread = vec![DMat3::ZERO; model.node_count()];
        for nodes in model.springs().iter().map(|s| s.nodes) {
            let [a, b] = nodes.map(|i| model.rest_position()[i as usize].as_dvec3());
            let n = (a - b).normalize_or_zero();
            for i in nodes {
                spread[i as usize] += DMat3::from_cols(n * n.x, n * n.y, n * n.z);
            }
        }
        // 1 if the springs are spread evenly over all directions, 0 if they lie in a plane.
        let evenness = |m: &DMat3| {
            let third = (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0;
            if third > 0.0 { m.determinant() / third.powi(3) } else { 0.0 }
        };
        let mut sums = vec![(0.0, 0u32); stiff.len()];
        for (m, part) in spread.iter().zip(&self.part) {
            let (sum, count) = &mut sums[*part as usize];
            *sum += evenness(m);
            *count += 1;
        }
        for (stiff, (sum, count)) in stiff.iter_mut().zip(sums) {
            *stiff &= sum < SOLID * f64::from(count);
        }
    }

    /// Whether each part has a spring for which `is_kept` is true, such as one that keeps its length or a limit.
    fn keeps(&self, model: &Model, is_kept: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut keeps = vec![false; self.parts.len()];
        for s in (0..model.springs().len()).filter(|&s| is_kept(s)) {
            self.part_of(model.springs()[s].nodes).into_iter().for_each(|p| keeps[p] = true);
        }
        keeps
    }

    /// The part that a spring belongs to.
    fn part_of(&self, nodes: [u32; 2]) -> Option<usize> {
        let [a, b] = nodes.map(|i| self.part[i as usize]);
        (a == b).then_some(a as usize)
    }

    /// Number of nodes that a spring of a part carries: the nodes farther from the held ones, divided among all springs
    /// at its distance.
    fn load(&self, nodes: [u32; 2]) -> f64 {
        let first = self.parts[self.part[nodes[0] as usize] as usize].first;
        let distance = nodes.map(|i| self.distance[i as usize]).into_iter().max().unwrap_or(0);
        self.loads.get(first + distance.max(1) as usize).copied().filter(|_| distance > 0).unwrap_or(0.0)
    }
}

/// The neighbors of each node through springs between neighbors of the network.
struct Links {
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl Links {
    fn of(model: &Model) -> Self {
        // Diagonals and springs that skip a node would make paths look short. If springs have no family, links are the
        // springs that are not much longer than the shortest at either end.
        let mut shortest = vec![f32::INFINITY; model.node_count()];
        for spring in model.springs() {
            for i in spring.nodes {
                shortest[i as usize] = shortest[i as usize].min(spring.rest_length);
            }
        }
        // An inextensible spring passes on any pull.
        let is_link = |s: &&Spring| match s.family {
            _ if s.is_inextensible() => true,
            Family::Structural => true,
            Family::Raw => s.nodes.iter().any(|&i| s.rest_length <= NEAR * shortest[i as usize]),
            Family::Shear | Family::Flexion => false,
        };
        let only = model.springs().iter().any(|s| is_link(&s));
        let springs = || model.springs().iter().filter(|s| !only || is_link(s)).map(|s| s.nodes);
        let mut starts = vec![0u32; model.node_count() + 1];
        for node in springs().flatten() {
            starts[node as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut others = vec![0; starts[starts.len() - 1] as usize];
        for [a, b] in springs() {
            for (from, to) in [(a, b), (b, a)] {
                others[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Self { starts, others }
    }

    fn of_node(&self, i: u32) -> &[u32] {
        &self.others[self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize]
    }

    /// Gives all nodes reachable from `start` the number of a part, and lists them.
    fn collect(&self, start: usize, part: &mut [u32], number: u32, nodes: &mut Vec<u32>) {
        nodes.clear();
        nodes.push(start as u32);
        part[start] = number;
        let mut next = 0;
        while next < nodes.len() {
            for &j in self.of_node(nodes[next]) {
                if part[j as usize] == u32::MAX {
                    part[j as usize] = number;
                    nodes.push(j);
                }
            }
            next += 1;
        }
    }

    /// Distances of `nodes` from `sources` by breadth-first search; the largest, and a node that has it.
    fn spread(&self, sources: &[u32], nodes: &[u32], distance: &mut [u32]) -> (u32, u32) {
        nodes.iter().for_each(|&i| distance[i as usize] = u32::MAX);
        let mut queue: VecDeque<u32> = sources.iter().copied().collect();
        sources.iter().for_each(|&i| distance[i as usize] = 0);
        let mut last = sources[0];
        while let Some(i) = queue.pop_front() {
            last = i;
            for &j in self.of_node(i) {
                if distance[j as usize] == u32::MAX {
                    distance[j as usize] = distance[i as usize] + 1;
                    queue.push_back(j);
                }
            }
        }
        (distance[last as usize], last)
    }
}
