//! A level's network for coarsening: positions, springs, and pinned nodes.

use std::collections::VecDeque;

use glam::Vec3;
use rayon::prelude::*;

/// How much longer the shorter sides of a network are than the way to the nearest neighbor where most of them are long
/// ones; of jittered meshes it is up to 1.65.
const UNEVEN: f32 = 1.8;

/// A spring as one of its ends sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Link {
    /// The other end.
    pub node: u32,
    /// The spring.
    pub spring: u32,
    /// Whether it acts between free nodes, not by way of pins only.
    pub live: bool,
}

/// Nodes at rest and who is joined to whom.
pub struct Graph<'a> {
    /// Rest position of each node \[m\].
    pub position: &'a [Vec3],
    /// Whether each node is pinned.
    pub pinned: &'a [bool],
    starts: Vec<u32>,
    links: Vec<Link>,
}

impl<'a> Graph<'a> {
    /// The graph of `springs`; `live` says of each whether it acts between free nodes.
    pub fn new(position: &'a [Vec3], pinned: &'a [bool], springs: &[[u32; 2]], live: &[bool]) -> Self {
        let n = position.len();
        let mut starts = vec![0u32; n + 1];
        for node in springs.iter().flatten() {
            starts[*node as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut links = vec![Link::default(); 2 * springs.len()];
        for ((s, &[a, b]), &live) in springs.iter().enumerate().zip(live) {
            for (from, node) in [(a, b), (b, a)] {
                links[next[from as usize] as usize] = Link { node, spring: s as u32, live };
                next[from as usize] += 1;
            }
        }
        Self { position, pinned, starts, links }
    }

    /// The springs at node `i`.
    pub fn links(&self, i: usize) -> &[Link] {
        &self.links[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The distance between neighbors \[m\]: the median of the shorter half of the distances along springs, those of zero
    /// left out. Where that is nearly twice the median distance of a node's nearest neighbor, it is that one: of thin
    /// triangles less than a quarter of the sides may be short.
    pub fn spacing(&self) -> f32 {
        let usual = self.lower_quartile();
        let nearest = |i: usize| {
            let to = |l: &Link| self.position[i].distance(self.position[l.node as usize]);
            self.links(i).iter().map(to).filter(|l| *l > 0.0).fold(f32::INFINITY, f32::min)
        };
        let mut nearest: Vec<f32> =
            (0..self.position.len()).into_par_iter().map(nearest).filter(|l| l.is_finite()).collect();
        if nearest.is_empty() {
            return usual;
        }
        let at = nearest.len() / 2;
        let nearest = *nearest.select_nth_unstable_by(at, f32::total_cmp).1;
        if usual > UNEVEN * nearest { nearest } else { usual }
    }

    /// Median of the shorter half of the distances along springs \[m\], those of zero left out.
    fn lower_quartile(&self) -> f32 {
        let lengths = |i: usize| {
            let to = move |l: &Link| self.position[i].distance(self.position[l.node as usize]);
            self.links(i).iter().filter(move |l| l.node as usize > i).map(to)
        };
        let mut lengths: Vec<f32> = (0..self.position.len()).flat_map(lengths).filter(|l| *l > 0.0).collect();
        if lengths.is_empty() {
            return 0.0;
        }
        let at = lengths.len() / 4;
        *lengths.select_nth_unstable_by(at, f32::total_cmp).1
    }
}

/// Memory for searches from many nodes one after the other.
pub struct Search {
    stamp: Vec<u32>,
    round: u32,
    queue: VecDeque<u32>,
}

impl Search {
    /// For graphs of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self { stamp: vec![0; nodes], round: 0, queue: VecDeque::new() }
    }

    /// Calls `visit` with every node that springs reach from `from` without leaving the sphere of
    /// `radius` \[m\] about it, `from` included, and its squared distance [m^2]; also with those just
    /// outside. From a free node it goes through free nodes only, but visits pinned ones beside them;
    /// from a pinned one it goes through pinned ones only.
    pub fn within(&mut self, graph: &Graph<'_>, from: u32, radius: f32, mut visit: impl FnMut(u32, f32)) {
        self.round += 1;
        let center = graph.position[from as usize];
        let is_free = !graph.pinned[from as usize];
        self.stamp[from as usize] = self.round;
        self.queue.push_back(from);
        visit(from, 0.0);
        while let Some(i) = self.queue.pop_front() {
            for link in graph.links(i as usize) {
                let j = link.node;
                let pinned = graph.pinned[j as usize];
                if self.stamp[j as usize] == self.round || !(pinned || (is_free && link.live)) {
                    continue;
                }
                self.stamp[j as usize] = self.round;
                let squared = graph.position[j as usize].distance_squared(center);
                if squared <= radius * radius && !(is_free && pinned) {
                    self.queue.push_back(j);
                }
                visit(j, squared);
            }
        }
    }
}
