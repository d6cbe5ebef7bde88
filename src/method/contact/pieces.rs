//! Parts of a network that springs join, and which of them press on each other: `shaders/contact/pieces.wgsl`.

use super::soft::{STRUCTS, Soft};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Indirect, Pass, Usage, twin};
use crate::method::Setup;
use crate::model::Model;

/// Most nodes of a stretch: what one workgroup adds up.
const STRETCH: usize = 256;

twin! {
    /// Host twin of WGSL `PieceCounts`.
    pub struct PieceCounts = "PieceCounts" {
        pieces: u32,
        stretches: u32,
    }
}

/// The pieces of a model.
#[derive(Debug, Default, PartialEq)]
struct Table {
    /// The piece of each node.
    pieces: Vec<u32>,
    /// The nodes, piece by piece.
    nodes: Vec<u32>,
    /// Piece, the first in `nodes`, and number of nodes.
    stretches: Vec<[u32; 3]>,
    /// The first node of each piece.
    first_nodes: Vec<u32>,
    /// Its first stretch.
    first_stretches: Vec<u32>,
}

impl Table {
    fn of(model: &Model) -> Self {
        let mut parent: Vec<u32> = (0..model.node_count() as u32).collect();
        for spring in model.springs() {
            let [a, b] = spring.nodes.map(|i| root(&mut parent, i));
            // The least node of a piece is its root, so pieces are numbered by their first nodes.
            parent[a.max(b) as usize] = a.min(b);
        }
        let mut table = Self::default();
        let mut of_root = vec![0; model.node_count()];
        let mut members: Vec<Vec<u32>> = Vec::new();
        for i in 0..model.node_count() as u32 {
            let root = root(&mut parent, i);
            if root == i {
                of_root[i as usize] = members.len() as u32;
                table.first_nodes.push(i);
                members.push(Vec::new());
            }
            let piece = of_root[root as usize];
            table.pieces.push(piece);
            members[piece as usize].push(i);
        }
        for (piece, nodes) in members.iter().enumerate() {
            table.first_stretches.push(table.stretches.len() as u32);
            for part in nodes.chunks(STRETCH) {
                table.stretches.push([piece as u32, table.nodes.len() as u32, part.len() as u32]);
                table.nodes.extend(part);
            }
        }
        table
    }

    /// As `pieces` in WGSL.
    fn words(&self) -> Vec<u32> {
        let stretches = self.stretches.iter().flatten();
        let firsts = self.first_nodes.iter().chain(&self.first_stretches);
        self.pieces.iter().chain(&self.nodes).chain(stretches).chain(firsts).copied().collect()
    }
}

fn root(parent: &mut [u32], node: u32) -> u32 {
    let mut root = node;
    while parent[root as usize] != root {
        // Halves the path for the next time.
        parent[root as usize] = parent[parent[root as usize] as usize];
        root = parent[root as usize];
    }
    root
}

/// The kernels that join pieces to clusters, and what they leave.
pub struct Pieces {
    separate: Bound,
    join: Bound,
    /// Number of pieces.
    pub count: u32,
    /// Number of stretches of their nodes.
    pub stretches: u32,
    bindings: Bindings,
    listed: Indirect,
}

impl Pieces {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>, soft: &Soft) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let table = Table::of(setup.model);
        let count = table.first_nodes.len();
        let counts = PieceCounts { pieces: count as u32, stretches: table.stretches.len() as u32 };
        let bindings = Bindings::new()
            .with("piece_counts", &Buffer::from_slice(gpu, "piece_counts", &[counts], Usage::UNIFORM)?)
            .with("labels", &Buffer::<u32>::zeroed(gpu, "labels", 2 * count, Usage::empty())?)
            .with("pieces", &Buffer::from_slice(gpu, "pieces", &table.words(), Usage::empty())?);
        let shader = setup.shader("contact/pieces.wgsl", &[STRUCTS[0], &PieceCounts::TWIN])?;
        let all = soft.bindings().clone().and(&bindings);
        let bound = |entry| setup.kernel(&shader, entry)?.bind(gpu, &all);
        Ok(Self {
            separate: bound("separate")?,
            join: bound("join")?,
            count: counts.pieces,
            stretches: counts.stretches,
            bindings,
            listed: soft.listed().clone(),
        })
    }

    /// The buffers `labels`, `pieces` and `piece_counts`.
    pub fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// Records which pieces press on each other, once the pairs of an iterate are known.
    pub fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.separate, self.count);
        pass.dispatch_indirect(&self.join, &self.listed);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Family, ModelBuilder, Spring};
    use crate::shape::Cloth;

    fn two_cloths(joined: bool) -> Model {
        let mut builder = ModelBuilder::new();
        let cloth = Cloth::new([20, 15], Vec3::X, Vec3::Z);
        let [one, other] = [(); 2].map(|()| builder.add(cloth.build().unwrap()));
        if joined {
            builder.attach(Spring {
                nodes: [one.start, other.end - 1],
                rest_length: 1.0,
                stiffness: 1.0,
                dashpot: 0.0,
                family: Family::Raw,
            });
        }
        builder.build().unwrap()
    }

    #[test]
    fn a_piece_is_what_springs_join() {
        let table = Table::of(&two_cloths(false));
        assert_eq!(table.first_nodes, [0, 300]);
        assert_eq!(table.stretches, [[0, 0, 256], [0, 256, 44], [1, 300, 256], [1, 556, 44]]);
        assert_eq!(table.nodes, (0..600).collect::<Vec<_>>());
        assert_eq!(table.pieces[299..301], [0, 1]);

        let joined = Table::of(&two_cloths(true));
        assert_eq!(joined.first_nodes, [0]);
        assert_eq!(joined.stretches, [[0, 0, 256], [0, 256, 256], [0, 512, 88]]);
    }
}
