// The cluster of a piece (pieces.wgsl), found along labels: that of a cluster is itself.

// Of all pieces; behind them whether each is pressed by any.
@group(2) @binding(0) var<storage, read_write> labels: array<atomic<u32>>;

struct PieceCounts {
    pieces: u32,
    stretches: u32,     // of their nodes
}
@group(2) @binding(10) var<uniform> piece_counts: PieceCounts;

// Whether anything presses on a cluster. One of several pieces is named after one of them that is pressed.
fn is_pressed(label: u32) -> bool {
    return atomicLoad(&labels[piece_counts.pieces + label]) == 1u;
}

fn label_of(piece: u32) -> u32 {
    var label = piece;
    var next = atomicLoad(&labels[label]);
    while (next != label) {
        label = next;
        next = atomicLoad(&labels[label]);
    }
    return label;
}
