// Lists the nodes that are marked (tiles.wgsl) for kernels that have to do with no others (listed.wgsl), and takes their pairs from
// those that are not.
//!import contact/slots.wgsl
//!import core/launch_list.wgsl
//!import state/world.wgsl

@group(2) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;
@group(2) @binding(4) var<storage, read_write> slot_words: array<atomic<u32>>;  // `slots`
@group(2) @binding(6) var<storage, read_write> edges: array<u32>;               // edge_list.wgsl
@group(2) @binding(7) var<storage, read> rests: array<vec4f>;                   // in w a tile that the node is a corner in

const WORDS: u32 = 4u;      // of a slot
const KIND: u32 = 3u;

fn place_of_count() -> u32 {
    return WORDS * SLOTS * world.node_count + KIND;
}

// One thread.
@compute @workgroup_size(1)
fn begin_list() {
    atomicStore(&slot_words[place_of_count()], 0u);
    launch_none();
}

// Reads rests; reads and writes marks; writes slots, launch, edges. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn list_nodes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let v = thread_index(id, groups);
    if (v >= world.node_count) {
        return;
    }
    if (atomicLoad(&marks[v]) != 0u) {
        atomicStore(&marks[v], 0u);
        let k = atomicAdd(&slot_words[place_of_count()], 1u);
        let entry = WORDS * (SLOTS * world.node_count + 1u) + 2u * k;
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
