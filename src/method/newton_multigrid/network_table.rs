//! The coarser levels of a network as the kernels read them: lists end to end, and where each begins.

use std::ops::Range;

use crate::gpu::{HostStruct, twin};
use crate::hierarchy::{Hierarchy, Level, Rows};
use crate::numbers::{FIRST_NODES, TAIL_NODES};

twin! {
    /// Host twin of WGSL `NetworkLevel`.
    #[derive(Debug, Default, PartialEq)]
    pub struct NetworkLevel = "NetworkLevel" {
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
        /// Its first bending stiffness among those of all levels.
        pub bend: u32,
        /// First spring of a part of the level's springs.
        pub part_first: u32,
        /// Springs of the part.
        pub part_count: u32,
        copies: u32,
        padding: u32,
    }
}

/// Layout of [`NetworkLevel`], compared with WGSL when a shader loads.
pub const NETWORK_LEVEL_STRUCT: HostStruct = NetworkLevel::TWIN;

/// Rows of pairs, end to end.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// Where each row of `entries` begins; a row ends where the next begins.
    pub rows: Vec<u32>,
    /// Index, and bits of a weight or a second index.
    pub entries: Vec<[u32; 2]>,
}

/// All coarser levels of a network.
#[derive(Clone, Debug, Default)]
pub struct NetworkTable {
    /// From fine to coarse.
    pub levels: Vec<NetworkLevel>,
    /// The first level of the tail: from here on one workgroup a copy does everything.
    pub tail: usize,
    /// Nodes of all levels.
    pub nodes: usize,
    /// Bending stiffness [N/m] of the springs of all levels.
    pub bends: Vec<f32>,
    /// Words of all stiffness and ground blocks.
    pub words: usize,
    /// The lists of each level.
    pub lists: Vec<Lists>,
    /// The levels of the tail once more, with lists of their own: what its workgroups need.
    pub in_tail: Vec<NetworkLevel>,
    /// Those lists: links, where copies begin, and but for the first level the way to and from the finer one.
    pub tail_lists: Lists,
    /// What the springs of the first level are made of, in parts that fit a buffer each.
    pub parts: Vec<(NetworkLevel, Lists)>,
}

impl NetworkTable {
    /// The levels under a network of `nodes` nodes, lists of at most `most` entries wherever they can be parted.
    pub fn new(nodes: usize, hierarchy: &Hierarchy, most: usize) -> Self {
        let mut table = Self { words: 3 * nodes, ..Self::default() };
        let copies = hierarchy.levels[0].copies.len() - 1;
        table.tail = (0..copies).map(|copy| tail_of(hierarchy, copy)).max().unwrap_or(0);
        let stride = hierarchy.levels.iter().map(|l| l.nodes).sum();
        for (l, level) in hierarchy.levels.iter().enumerate() {
            let own = table.place(nodes, level, stride);
            table.nodes += level.nodes;
            table.words += 3 * (level.springs.len() + level.nodes);
            table.bends.extend(&level.bend);
            table.levels.push(own);
            if l >= table.tail {
                let lists = &mut table.tail_lists;
                let mut in_tail = NetworkLevel { copies: lists.add_starts(&level.copies), gather: 0, ..own };
                in_tail.links = lists.add_links(level);
                if l > table.tail {
                    lists.add_way(&mut in_tail, level);
                }
                table.in_tail.push(in_tail);
            }
        }
        table.parts = parts(&table.levels[0], &hierarchy.levels[0].gather, most);
        table
    }

    /// Adds the lists of a level; where everything of it stands.
    fn place(&mut self, nodes: usize, level: &Level, stride: usize) -> NetworkLevel {
        let finer = self.levels.last().copied();
        let words = self.words;
        let mut own = NetworkLevel {
            nodes: level.nodes as u32,
            springs: level.springs.len() as u32,
            first: self.nodes as u32,
            stride: stride as u32,
            stiffness: words as u32,
            ground: (words + 3 * level.springs.len()) as u32,
            finer_nodes: finer.map_or(nodes as u32, |f| f.nodes),
            finer_springs: finer.map_or(0, |f| f.springs),
            finer_first: finer.map_or(0, |f| f.first),
            finer_stiffness: finer.map_or(0, |f| f.stiffness),
            finer_ground: finer.map_or(0, |f| f.ground),
            bend: self.bends.len() as u32,
            ..NetworkLevel::default()
        };
        let mut lists = Lists::default();
        own.links = lists.add_links(level);
        lists.add_way(&mut own, level);
        if finer.is_some() {
            // Those of the first level come in parts.
            own.gather = lists.add(&level.gather, 0..level.springs.len());
        }
        self.lists.push(lists);
        own
    }
}

/// The first level from which on one workgroup has little enough to do for this copy.
fn tail_of(hierarchy: &Hierarchy, copy: usize) -> usize {
    let size = |level: &Level| (level.copies[copy + 1] - level.copies[copy]) as usize;
    let mut sizes: Vec<usize> = hierarchy.levels.iter().map(size).collect();
    sizes.dedup(); // the last may be repeated
    let last = sizes.len() - 1;
    (0..last)
        .find(|&l| {
            sizes[l..].iter().sum::<usize>() <= TAIL_NODES as usize && sizes[l] <= FIRST_NODES as usize
        })
        .unwrap_or(last)
}

/// The rows of `gather` in parts of at most `most` entries.
fn parts(level: &NetworkLevel, gather: &Rows, most: usize) -> Vec<(NetworkLevel, Lists)> {
    let mut parts = Vec::new();
    let mut first = 0;
    while first < gather.len() {
        let limit = gather.starts[first] as usize + most;
        let end = gather.starts.partition_point(|start| *start as usize <= limit) - 1;
        let end = end.max(first + 1);
        let mut lists = Lists::default();
        lists.add(gather, first..end);
        let part = NetworkLevel { part_first: first as u32, part_count: (end - first) as u32, ..*level };
        parts.push((part, lists));
        first = end;
    }
    parts
}

impl Lists {
    /// Adds some rows of (index, weight); returns where they begin.
    fn add(&mut self, rows: &Rows, range: Range<usize>) -> u32 {
        let (first, before) = (self.rows.len() as u32, self.entries.len() as u32);
        let starts = &rows.starts[range.start..=range.end];
        let entries = starts[0] as usize..starts[range.len()] as usize;
        self.rows.extend(starts.iter().map(|start| start - starts[0] + before));
        let weights = rows.weights[entries.clone()].iter().map(|w| w.to_bits());
        self.entries
            .extend(rows.indices[entries].iter().zip(weights).map(|(index, weight)| [*index, weight]));
        first
    }

    /// Adds restriction from the finer level, and interpolation to it.
    fn add_way(&mut self, own: &mut NetworkLevel, level: &Level) {
        own.restriction = self.add(&level.restriction, 0..level.nodes);
        own.interpolation = self.add(&level.interpolation, 0..level.interpolation.len());
    }

    /// Adds numbers that are no rows; returns where they begin.
    fn add_starts(&mut self, starts: &[u32]) -> u32 {
        let first = self.rows.len() as u32;
        self.rows.extend(starts);
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
