// A row of a group while it is summed: nodes and weights.
//!import contact/groups/layout.wgsl

// Entries of the own side, then of the other.
var<private> row_nodes: array<u32, 2 * SIDE>;
var<private> row_weights: array<f32, 2 * SIDE>;
var<private> row_counts: array<u32, 2>;

fn add_entry(side: u32, node: u32, weight: f32) {
    let first = side * SIDE;
    let end = first + row_counts[side];
    var k = first;
    while (k < end && row_nodes[k] != node) {
        k += 1u;
    }
    if (k == first + SIDE) {
        // No row of a grid is as long. What does not fit goes to the entry that weighs most, so that the sum stays.
        k = first;
        for (var other = first + 1u; other < first + SIDE; other += 1u) {
            k = select(k, other, abs(row_weights[other]) > abs(row_weights[k]));
        }
    } else if (k == end) {
        row_nodes[k] = node;
        row_weights[k] = 0.0;
        row_counts[side] += 1u;
    }
    row_weights[k] += weight;
}

fn weight_so_far(node: u32) -> f32 {
    var weight = 0.0;
    for (var side = 0u; side < 2u; side += 1u) {
        for (var k = side * SIDE; k < side * SIDE + row_counts[side]; k += 1u) {
            weight += select(0.0, row_weights[k], row_nodes[k] == node);
        }
    }
    return weight;
}

// Where a surface lies on itself, both sides of a row may hold the same coarse node: it has one entry, on the own side.
fn merge_sides() {
    for (var n = 0u; n < row_counts[0]; n += 1u) {
        for (var k = SIDE; k < SIDE + row_counts[1]; k += 1u) {
            if (row_nodes[k] == row_nodes[n]) {
                row_weights[n] += row_weights[k];
                row_counts[1] -= 1u;
                row_nodes[k] = row_nodes[SIDE + row_counts[1]];
                row_weights[k] = row_weights[SIDE + row_counts[1]];
                break;
            }
        }
    }
}
