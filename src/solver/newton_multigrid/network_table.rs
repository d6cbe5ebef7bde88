//! The coarser levels of a network as the kernels read them: lists end to end, and where each begins.

use bytemuck::{Pod, Zeroable};

use crate::gpu::HostStruct;
use crate::hierarchy::{Hierarchy, Level, Rows};

/// Most nodes of all levels, and of the first of them, that one workgroup visits.
const TAIL: [usize; 2] = [630, 490];

/// Host twin of WGSL `NetworkLevel`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct NetworkLevel {
    /// Nodes of the level.
    pub nodes: u32,
    /// Springs of the level.
    pub springs: u32,
    first: u32,
    stride: u32,
    stiffness: u32,
    ground: u32,
    /// Nodes of the level before.
    pub finer_nodes: u32,
    finer_springs: u32,
    finer_first: u32,
    finer_stiffness: u32,
    finer_ground: u32,
    gather: u32,
    restriction: u32,
    interpolation: u32,
    links: u32,
    padding: u32,
}

/// Layout of [`NetworkLevel`], compared with WGSL when a shader loads.
pub const NETWORK_LEVEL_STRUCT: HostStruct = HostStruct {
    name: "NetworkLevel",
    size: size_of::<NetworkLevel>(),
    fields: &[
        ("nodes", std::mem::offset_of!(NetworkLevel, nodes)),
        ("springs", std::mem::offset_of!(NetworkLevel, springs)),
        ("first", std::mem::offset_of!(NetworkLevel, first)),
        ("stride", std::mem::offset_of!(NetworkLevel, stride)),
        ("stiffness", std::mem::offset_of!(NetworkLevel, stiffness)),
        ("ground", std::mem::offset_of!(NetworkLevel, ground)),
        ("finer_nodes", std::mem::offset_of!(NetworkLevel, finer_nodes)),
        ("finer_springs", std::mem::offset_of!(NetworkLevel, finer_springs)),
        ("finer_first", std::mem::offset_of!(NetworkLevel, finer_first)),
        ("finer_stiffness", std::mem::offset_of!(NetworkLevel, finer_stiffness)),
        ("finer_ground", std::mem::offset_of!(NetworkLevel, finer_ground)),
        ("gather", std::mem::offset_of!(NetworkLevel, gather)),
        ("restriction", std::mem::offset_of!(NetworkLevel, restriction)),
        ("interpolation", std::mem::offset_of!(NetworkLevel, interpolation)),
        ("links", std::mem::offset_of!(NetworkLevel, links)),
        ("padding", std::mem::offset_of!(NetworkLevel, padding)),
    ],
};

/// All coarser levels of a network.
#[derive(Clone, Debug, Default)]
pub struct NetworkTable {
    /// From fine to coarse.
    pub levels: Vec<NetworkLevel>,
    /// The first level of the tail: from here on one workgroup does everything.
    pub tail: usize,
    /// Nodes of all levels.
    pub nodes: usize,
    /// Words of all stiffness and ground blocks.
    pub words: usize,
    /// Where each row of `entries` begins.
    pub rows: Vec<u32>,
    /// Index, and bits of a weight or a second index.
    pub entries: Vec<[u32; 2]>,
}

impl NetworkTable {
    /// The levels under a network of `nodes` nodes.
    pub fn new(nodes: usize, hierarchy: &Hierarchy) -> Self {
        let mut table = Self { words: 3 * nodes, ..Self::default() };
        for level in &hierarchy.levels {
            let finer = table.levels.last().copied();
            let own = NetworkLevel {
                nodes: level.nodes as u32,
                springs: level.springs.len() as u32,
                first: table.nodes as u32,
                stiffness: table.words as u32,
                ground: (table.words + 3 * level.springs.len()) as u32,
                finer_nodes: finer.map_or(nodes as u32, |f| f.nodes),
                finer_springs: finer.map_or(0, |f| f.springs),
                finer_first: finer.map_or(0, |f| f.first),
                finer_stiffness: finer.map_or(0, |f| f.stiffness),
                finer_ground: finer.map_or(0, |f| f.ground),
                gather: table.add(&level.gather),
                restriction: table.add(&level.restriction),
                interpolation: table.add(&level.interpolation),
                links: table.add_links(level),
                ..NetworkLevel::default()
            };
            table.nodes += level.nodes;
            table.words += 3 * (level.springs.len() + level.nodes);
            table.levels.push(own);
        }
        for level in &mut table.levels {
            level.stride = table.nodes as u32;
        }
        let after = |l: usize| table.levels[l..].iter().map(|l| l.nodes as usize).sum::<usize>();
        let last = table.levels.len().saturating_sub(1);
        table.tail = (0..last)
            .find(|&l| after(l) <= TAIL[0] && table.levels[l].nodes as usize <= TAIL[1])
            .unwrap_or(last);
        table
    }

    /// Adds rows of (index, weight); returns where they begin.
    fn add(&mut self, rows: &Rows) -> u32 {
        let (first, before) = (self.rows.len() as u32, self.entries.len() as u32);
        self.rows.extend(rows.starts.iter().map(|start| start + before));
        let weights = rows.weights.iter().map(|w| w.to_bits());
        self.entries.extend(rows.indices.iter().zip(weights).map(|(index, weight)| [*index, weight]));
        first
    }

    /// Adds a row per node of (other node, spring); returns where they begin.
    fn add_links(&mut self, level: &Level) -> u32 {
        let mut starts = vec![0u32; level.nodes + 1];
        for node in level.springs.iter().flatten() {
            starts[*node as usize + 1] += 1;
        }
        for i in 0..level.nodes {
            starts[i + 1] += starts[i];
        }
        let (first, before) = (self.rows.len() as u32, self.entries.len());
        self.rows.extend(starts.iter().map(|start| start + before as u32));
        self.entries.resize(before + 2 * level.springs.len(), [0; 2]);
        for (s, &[a, b]) in level.springs.iter().enumerate() {
            for (from, to) in [(a, b), (b, a)] {
                let next = &mut starts[from as usize];
                self.entries[before + *next as usize] = [to, s as u32];
                *next += 1;
            }
        }
        first
    }
}
