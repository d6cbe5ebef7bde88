//! Colorings of springs, in which no two springs of one color share a node, and colorings of nodes, in which neither
//! springs nor bending couple two nodes of one color. The nodes of a color can move at once, while neighbors stay.

use super::{Grid, GridLink, Model};

/// Nodes or springs sorted by color, and by index within a color.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    order: Vec<u32>,
    starts: Vec<u32>,
}

impl Coloring {
    /// A coloring of `model`'s nodes. On a regular grid, node (column c, row r) has the color
    /// (c + b r) mod m with the smallest m that works: 5 with all six kinds of springs, or with bending, which
    /// couples the same nodes. Other networks are colored greedily: in the order of the nodes, each gets the first
    /// color that no neighbor has. Each copy of a batch has the same colors as it would have alone.
    pub fn of(model: &Model) -> Self {
        match model.grid() {
            Some(grid) => {
                let links = |copy| grid.copy_links.get(copy as usize).unwrap_or(&grid.links);
                let of_copy = |copy| by_index(grid, links(copy), model.grid_bending(copy).is_some());
                Self::sorted(&(0..grid.copies).flat_map(of_copy).collect::<Vec<_>>())
            }
            None => Self::sorted(&greedy(model)),
        }
    }

    /// A greedy coloring of `model`'s springs, in which no two of one color share a node: in their order, each gets the
    /// first color that no spring at its ends has. Each copy of a batch has the same colors as it would have alone.
    pub fn of_springs(model: &Model) -> Self {
        let mut taken = vec![ColorSet::default(); model.node_count()];
        let color_of = |spring: &super::Spring| {
            let [a, b] = spring.nodes.map(|n| n as usize);
            let color = taken[a].first_free(&taken[b]);
            taken[a].insert(color);
            taken[b].insert(color);
            color
        };
        Self::sorted(&model.springs().iter().map(color_of).collect::<Vec<_>>())
    }

    /// Number of colors.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// All nodes or springs, color by color.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The range of `color` in [`Coloring::order`].
    pub fn range(&self, color: usize) -> std::ops::Range<usize> {
        self.starts[color] as usize..self.starts[color + 1] as usize
    }

    /// The nodes or springs of each color.
    pub fn classes(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.count()).map(|color| &self.order[self.range(color)])
    }

    /// A counting sort.
    fn sorted(color: &[u32]) -> Self {
        let count = color.iter().copied().max().map_or(0, |most| most as usize + 1);
        let mut starts = vec![0u32; count + 1];
        for &c in color {
            starts[c as usize + 1] += 1;
        }
        for c in 0..count {
            starts[c + 1] += starts[c];
        }
        let mut next = starts.clone();
        let mut order = vec![0u32; color.len()];
        for (node, &c) in color.iter().enumerate() {
            order[next[c as usize] as usize] = node as u32;
            next[c as usize] += 1;
        }
        Self { order, starts }
    }
}

/// A set of colors.
#[derive(Clone, Default)]
struct ColorSet {
    words: Vec<u64>,
}

impl ColorSet {
    /// The smallest color that neither set has.
    fn first_free(&self, other: &Self) -> u32 {
        let word = |set: &Self, i: usize| set.words.get(i).copied().unwrap_or(0);
        let mut i = 0;
        loop {
            let free = !(word(self, i) | word(other, i));
            if free != 0 {
                return 64 * i as u32 + free.trailing_zeros();
            }
            i += 1;
        }
    }

    fn insert(&mut self, color: u32) {
        let (word, bit) = (color as usize / 64, color % 64);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }
}

/// (c + b r) mod m of every node of a copy with these kinds of springs, `bent` or not.
fn by_index(grid: &Grid, links: &[GridLink], bent: bool) -> Vec<u32> {
    let is_used = |l: &&GridLink| bent || l.stiffness > 0.0 || l.dashpot > 0.0;
    let used = || links.iter().filter(is_used).map(|l| l.offset);
    let apart = |m: i32, b: i32| used().all(|[c, r]| (c + b * r).rem_euclid(m) != 0);
    let (mut m, mut b) = (1, 0);
    // The loop ends, because some linear function separates finitely many offsets.
    while !apart(m, b) {
        (m, b) = if b + 1 < m { (m, b + 1) } else { (m + 1, 0) };
    }
    let color = |row: u32, column: u32| (column + b as u32 * (row % m as u32)) % m as u32;
    (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |column| color(row, column))).collect()
}

/// The first color that no neighbor of smaller index has.
fn greedy(model: &Model) -> Vec<u32> {
    let n = model.node_count();
    // Only neighbors of smaller index: the others have no color yet.
    let pair = |s: &super::Spring| (s.nodes[0].min(s.nodes[1]), s.nodes[0].max(s.nodes[1]));
    let mut starts = vec![0usize; n + 1];
    for spring in model.springs() {
        starts[pair(spring).1 as usize + 1] += 1;
    }
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut neighbors = vec![0u32; model.springs().len()];
    for spring in model.springs() {
        let (small, large) = pair(spring);
        neighbors[next[large as usize]] = small;
        next[large as usize] += 1;
    }
    let bent = |i: usize| if model.has_bending() { model.bending_rows().row(i) } else { &[] };
    let mut color = vec![0u32; n];
    let mut taken_by = Vec::new(); // the last node for which each color was taken; node 0 takes none
    for i in 0..n {
        for &neighbor in &neighbors[starts[i]..starts[i + 1]] {
            taken_by[color[neighbor as usize] as usize] = i;
        }
        for &(neighbor, _) in bent(i).iter().take_while(|entry| (entry.0 as usize) < i) {
            taken_by[color[neighbor as usize] as usize] = i;
        }
        let free = taken_by.iter().position(|&node| node != i).unwrap_or(taken_by.len());
        if free == taken_by.len() {
            taken_by.push(0);
        }
        color[i] = free as u32;
    }
    color
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Body, Family, ModelBuilder, Spring};
    use crate::shape::{Cloth, ClothMaterial, RawSprings};

    fn sheet(columns: u32, rows: u32, shear: f32, flexion: f32) -> Body {
        let raw = RawSprings { structural: 1.0, shear, flexion, node_mass: 1.0, dashpot: 0.0 };
        let material = ClothMaterial::Raw(raw);
        let (corner, u, v) = (Vec3::ZERO, Vec3::X, Vec3::NEG_Y);
        Cloth { corner, u, v, columns, rows, material }.build().unwrap()
    }

    fn model(body: Body) -> Model {
        let mut builder = ModelBuilder::new();
        builder.add(body);
        builder.build().unwrap()
    }

    /// Checks that every node has one color, no spring joins two nodes of one color, and each color is sorted.
    fn assert_valid(model: &Model) -> usize {
        let coloring = Coloring::of(model);
        let mut color = vec![usize::MAX; model.node_count()];
        for (c, nodes) in coloring.classes().enumerate() {
            assert!(!nodes.is_empty() && nodes.is_sorted());
            nodes.iter().for_each(|&i| color[i as usize] = c);
        }
        assert_eq!(coloring.order().len(), model.node_count());
        assert!(color.iter().all(|&c| c < coloring.count()));
        for spring in model.springs() {
            let [a, b] = spring.nodes.map(|i| color[i as usize]);
            assert_ne!(a, b, "{spring:?}");
        }
        for i in (0..model.node_count()).filter(|_| model.has_bending()) {
            for &(j, _) in model.bending_rows().row(i) {
                assert_ne!(color[i], color[j as usize], "bending of {i} and {j}");
            }
        }
        coloring.count()
    }

    #[test]
    fn a_grid_takes_as_few_colors_as_its_springs_allow() {
        for (columns, rows) in [(2, 2), (7, 5), (3, 40), (16, 16)] {
            assert_eq!(assert_valid(&model(sheet(columns, rows, 0.0, 0.0))), 2);
            assert!(assert_valid(&model(sheet(columns, rows, 1.0, 0.0))) <= 4);
            assert!(assert_valid(&model(sheet(columns, rows, 1.0, 1.0))) <= 5);
        }
        assert_eq!(assert_valid(&model(sheet(16, 16, 1.0, 1.0))), 5);
    }

    #[test]
    fn nodes_coupled_by_bending_differ() {
        let bent = Body { bending: 1e-3, ..sheet(16, 13, 1.0, 0.0) };
        assert_eq!(assert_valid(&model(bent.clone())), 5);
        // Triangles couple the second neighbors along a diagonal as well.
        let count = assert_valid(&model(Body { grid: None, ..bent }));
        assert!((6..=24).contains(&count), "{count}");
    }

    #[test]
    fn any_network_is_colored_without_conflict() {
        let body = sheet(20, 17, 1.0, 1.0);
        assert!(assert_valid(&model(Body { grid: None, ..body.clone() })) <= 9);
        // A hub with many springs, doubled springs, a node without any.
        let mut hub = Body { grid: None, ..body };
        let join = |a: u32, b: u32| Spring {
            nodes: [a, b],
            rest_length: 1.0,
            stiffness: 1.0,
            dashpot: 0.0,
            family: Family::Raw,
        };
        hub.springs.extend((1..300).map(|i| join(i, 0)));
        hub.springs.extend((1..300).map(|i| join(0, i)));
        hub.springs.retain(|s| !s.nodes.contains(&339));
        assert_valid(&model(hub));
    }
}
