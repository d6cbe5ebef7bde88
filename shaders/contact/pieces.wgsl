// Pieces: parts of the network that springs join. Pieces that press on each other, or would by inertia (meet.wgsl), are one cluster, which is named after the least of
// their numbers: the same whatever the order of threads.
//!import contact/labels.wgsl
//!import contact/listed.wgsl
//!import contact/presses.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(1) var<storage, read> pieces: array<u32>;        // of each node
@group(2) @binding(2) var<storage, read> slots: array<Slot>;
@group(2) @binding(3) var<storage, read> press_normals: array<vec4f>;

// Every piece alone. Writes labels. One thread per piece.
@compute @workgroup_size(WORKGROUP_SIZE)
fn separate(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let piece = thread_index(id, groups);
    if (piece < piece_counts.pieces) {
        atomicStore(&labels[piece], piece);
        atomicStore(&labels[piece_counts.pieces + piece], 0u);
    }
}

// Reads pieces, slots, press_normals; reads and writes labels. One thread per listed node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn join(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let place = thread_index(id, groups);
    if (place >= listed_count()) {
        return;
    }
    let v = listed(place);
    for (var s = SLOTS * v; s < SLOTS * (v + 1u) && slots[s].kind != EMPTY; s += 1u) {
        if (press_normals[NORMALS * s + PRESS_NORMAL].w > 0.0) {
            let t = slots[s].triangle;
            unite(pieces[v], pieces[t.x]);
            unite(pieces[v], pieces[t.y]);
            unite(pieces[v], pieces[t.z]);
        }
    }
}

// Labels only fall, so this ends.
fn unite(a: u32, b: u32) {
    atomicStore(&labels[piece_counts.pieces + a], 1u);
    atomicStore(&labels[piece_counts.pieces + b], 1u);
    var one = label_of(a);
    var other = label_of(b);
    while (one != other) {
        let low = min(one, other);
        let high = max(one, other);
        if (atomicCompareExchangeWeak(&labels[high], high, low).exchanged) {
            break;
        }
        one = label_of(low);
        other = label_of(high);
    }
}
