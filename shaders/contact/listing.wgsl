// Lists the nodes that are marked (tiles.wgsl) for the search for pairs (searching.wgsl), and takes their pairs from those that are not;
// then those that have a pair or are in one (listed.wgsl).
//!import contact/lists.wgsl
//!import core/launch_list.wgsl

@group(2) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;
@group(2) @binding(4) var<storage, read_write> slot_words: array<atomic<u32>>;  // `slots`
@group(2) @binding(5) var<storage, read> row_starts: array<u32>;                // reverse.wgsl
@group(2) @binding(6) var<storage, read_write> edges: array<u32>;               // edge_list.wgsl
@group(2) @binding(7) var<storage, read> rests: array<vec4f>;                   // in w, rounded down, a tile that the node is a corner in
@group(2) @binding(8) var<storage, read_write> launch_of_listed: array<u32, 3>; // `launch`, of the second list

const WORDS: u32 = 4u;      // of a slot
const KIND: u32 = 3u;

// Of the list of nodes that search.
fn place_of_count() -> u32 {
    return WORDS * slot_of_counts() + KIND;
}

// Of the list of nodes in pairs.
fn place_of_listed_count() -> u32 {
    return WORDS * slot_of_counts();
}

// One thread.
@compute @workgroup_size(1)
fn begin_lists() {
    atomicStore(&slot_words[place_of_count()], 0u);
    launch_none();
    atomicStore(&slot_words[place_of_listed_count()], 0u);
    launch_of_listed = array<u32, 3>(0u, 1u, 1u);
}

// Reads rests; reads and writes marks; writes slots, launch, edges. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn list_searching(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = thread_index(id, groups);
    if (v >= world.node_count) {
        return;
    }
    if (atomicLoad(&marks[v]) != 0u) {
        atomicStore(&marks[v], 0u);
        let k = atomicAdd(&slot_words[place_of_count()], 1u);
        let entry = WORDS * first_searching() + 2u * k;
        atomicStore(&slot_words[entry], v);
        atomicStore(&slot_words[entry + 1u], u32(rests[v].w));
        launch_thread(k);
        return;
    }
    edges[v] = 0u;
    for (var k = 0u; k < SLOTS; k += 1u) {
        let kind = WORDS * (SLOTS * v + k) + KIND;
        if (atomicLoad(&slot_words[kind]) == EMPTY) {
            break;
        }
        atomicStore(&slot_words[kind], EMPTY);
    }
}

// Reads slots, row_starts; writes slots, launch. One thread per node that searches.
@compute @workgroup_size(WORKGROUP_SIZE)
fn list_nodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= atomicLoad(&slot_words[place_of_count()])) {
        return;
    }
    let v = atomicLoad(&slot_words[WORDS * first_searching() + 2u * place]);
    let has_pair = atomicLoad(&slot_words[WORDS * SLOTS * v + KIND]) != EMPTY;
    if (has_pair || row_starts[v] < row_starts[v + 1u]) {
        let k = atomicAdd(&slot_words[place_of_listed_count()], 1u);
        atomicStore(&slot_words[WORDS * first_listed() + k], v);
        launch_thread(k);
    }
}
