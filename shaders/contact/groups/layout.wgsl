// Contact on the coarser levels of a hierarchy: groups of pairs. Each group adds w w^T S to the matrix of its level, w the mean of
// P^T w of its members and S the sum of theirs.
//
// Every node of every level has up to GROUP_SLOTS slots, for the pairs of the fine nodes that it stands for. A slot of a finer node
// goes to the node's parent, the heaviest entry of its row of P. There it joins the slot whose partner is nearest at rest, of the
// same body; else it opens one; where all are taken it joins the nearest. Nothing is lost.
//
// Nodes of all coarser levels are numbered through, fine to coarse, and so are their slots.
//!import core/width.wgsl

const GROUP_SLOTS: u32 = 4u;

// A coarser level and the way to it from the next finer one.
struct GroupLevel {
    nodes: u32,
    first: u32,             // its first node among those of all coarser levels
    finer_nodes: u32,
    finer_first: u32,       // the same of the finer level; not of the finest
    child_starts: u32,      // in `ways`: where each node's children begin in `children`
    children: u32,          // in `ways`: finer nodes, by parent
    entry_starts: u32,      // in `ways`: where each finer node's row of P begins in `entries`
    entries: u32,           // in `ways`: node and bits of a weight
    reach: f32,             // how far apart at rest partners of one slot may be, in spacings
    finest_nodes: u32,
    all_nodes: u32,         // of all coarser levels
    index: u32,             // of the level
}

// Entries of a row w on each of its two sides; a multiple of at_once(), and as many as row.wgsl has places.
const SIDE: u32 = 12u;
const NO_NODE: u32 = 0xffffffffu;

// What is known of a slot's partner while groups are made: mean place at rest, weight t and body.
const PARTNER: u32 = 5u;

// In `ups`: for each node, finest first, which slot of its parent each of its slots joins, two bits each, and above these the number
// of its slots.
fn joined_slot(up: u32, k: u32) -> u32 {
    return (up >> (2u * k)) & 3u;
}

fn slot_count(up: u32) -> u32 {
    return up >> 8u;
}

// In `group_entries`: 32 slot + place in the slot's row, with the other side behind the own one.
fn entry_of(slot: u32, place: u32) -> u32 {
    return 32u * slot + place;
}
