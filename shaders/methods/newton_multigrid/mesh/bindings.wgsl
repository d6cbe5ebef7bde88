// The buffers of the coarser levels of any network.

struct NetworkLevel {
    nodes: u32,
    springs: u32,
    first: u32,             // its first node among the nodes of all coarser levels
    stride: u32,            // nodes of all coarser levels: distance of the rows of `nodes`
    stiffness: u32,         // its first K in `blocks`
    ground: u32,            // its first G in `blocks`
    finer_nodes: u32,
    finer_springs: u32,
    finer_first: u32,
    finer_stiffness: u32,
    finer_ground: u32,
    gather: u32,            // rows: of each spring, (finer spring, weight)
    restriction: u32,       // rows: of each node, (finer node, weight)
    interpolation: u32,     // rows: of each finer node, (node, weight)
    links: u32,             // rows: of each node, (other node, spring)
    bend: u32,              // its first kappa in `level_bends`
    part_first: u32,        // a part of its springs
    part_count: u32,
    copies: u32,            // rows: where the nodes of each copy begin
    padding: u32,
}

// Where each row of `entries` begins; a row ends where the next begins.
@group(1) @binding(4) var<storage, read> rows: array<u32>;
// Index, and bits of a weight or a second index.
@group(1) @binding(5) var<storage, read> entries: array<vec2u>;
// Three words for each symmetric matrix: (xx, yy), (zz, yz), (xz, xy), first all first words of a level. G of the
// network's own nodes comes before all others.
@group(2) @binding(6) var<storage, read_write> blocks: array<vec2f>;
// Rows of `stride` entries. Row 0: right-hand side r, and share of the objective.
@group(2) @binding(7) var<storage, read_write> nodes: array<vec4f>;
// Of contact between surfaces: the first of three rows of nodes, product and block (contact/groups/gather.wgsl).
override LEVEL_CONTACT: u32 = 0u;

// kappa of bending between the ends of each spring [N/m], level by level; one unused entry without bending.
@group(1) @binding(9) var<storage, read> level_bends: array<f32>;

const LEVEL_INTERPOLATED: u32 = 1u;     // row of nodes: interpolated correction
const LEVEL_CORRECTION: u32 = 2u;       // correction e
const LEVEL_EARLIER: u32 = 3u;          // correction of an earlier visit

// The level that a kernel works on, and all levels from the first of the tail on.
@group(3) @binding(1) var<uniform> level: NetworkLevel;
@group(1) @binding(8) var<storage, read> levels: array<NetworkLevel>;

// Both ends of each spring, and bits of rest length and stiffness. Where there are multipliers, behind all of those for
// each spring where its own stands, which of the four there, and bits of its penalty and limit: multiplier_places.
@group(1) @binding(6) var<storage, read> springs: array<vec4u>;
// Dashpot of each spring; one unused entry where there is none.
@group(1) @binding(7) var<storage, read> spring_dashpots: array<f32>;
