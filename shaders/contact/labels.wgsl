// The cluster of a piece (pieces.wgsl), found along labels: that of a cluster is itself.

@group(2) @binding(0) var<storage, read_write> labels: array<atomic<u32>>;

fn label_of(piece: u32) -> u32 {
    var label = piece;
    var next = atomicLoad(&labels[label]);
    while (next != label) {
        label = next;
        next = atomicLoad(&labels[label]);
    }
    return label;
}
