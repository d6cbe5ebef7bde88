// A row of a group while it is summed, member by member: nodes and weights, entries of the own side, then of the other.
//!import contact/groups/layout.wgsl

struct Row {
    nodes: array<u32, 2 * SIDE>,
    weights: array<f32, 2 * SIDE>,
    counts: array<u32, 2>,
}

var<private> row: Row;
// That of the member which is added next.
var<private> member: Row;

fn add_entry(to: ptr<private, Row>, side: u32, node: u32, weight: f32) {
    let first = side * SIDE;
    let end = first + (*to).counts[side];
    var k = first;
    while (k < end && (*to).nodes[k] != node) {
        k += 1u;
    }
    if (k == first + SIDE) {
        // Few rows are as long. The lightest entry goes to the heaviest, so that the sum stays.
        var lightest = first;
        for (var other = first + 1u; other < first + SIDE; other += 1u) {
            lightest = select(lightest, other, abs((*to).weights[other]) < abs((*to).weights[lightest]));
        }
        var heaviest = select(first, first + 1u, lightest == first);
        for (var other = first; other < first + SIDE; other += 1u) {
            let is_heavier = other != lightest && abs((*to).weights[other]) > abs((*to).weights[heaviest]);
            heaviest = select(heaviest, other, is_heavier);
        }
        k = heaviest;
        if (abs(weight) > abs((*to).weights[lightest])) {
            (*to).weights[heaviest] += (*to).weights[lightest];
            (*to).nodes[lightest] = node;
            (*to).weights[lightest] = 0.0;
            k = lightest;
        }
    } else if (k == end) {
        (*to).nodes[k] = node;
        (*to).weights[k] = 0.0;
        (*to).counts[side] += 1u;
    }
    (*to).weights[k] += weight;
}

fn weight_so_far(node: u32) -> f32 {
    var weight = 0.0;
    for (var side = 0u; side < 2u; side += 1u) {
        for (var k = side * SIDE; k < side * SIDE + row.counts[side]; k += 1u) {
            weight += select(0.0, row.weights[k], row.nodes[k] == node);
        }
    }
    return weight;
}

// Adds the member's row; its negative where that is nearer to the sum so far.
fn add_member() {
    var agreement = 0.0;
    for (var side = 0u; side < 2u; side += 1u) {
        for (var k = side * SIDE; k < side * SIDE + member.counts[side]; k += 1u) {
            agreement += member.weights[k] * weight_so_far(member.nodes[k]);
        }
    }
    for (var side = 0u; side < 2u; side += 1u) {
        for (var k = side * SIDE; k < side * SIDE + member.counts[side]; k += 1u) {
            add_entry(&row, side, member.nodes[k], select(member.weights[k], -member.weights[k], agreement < 0.0));
        }
        member.counts[side] = 0u;
    }
}

// Where a surface lies on itself, both sides of a row may hold the same coarse node: it has one entry, on the own side.
fn merge_sides() {
    for (var n = 0u; n < row.counts[0]; n += 1u) {
        for (var k = SIDE; k < SIDE + row.counts[1]; k += 1u) {
            if (row.nodes[k] == row.nodes[n]) {
                row.weights[n] += row.weights[k];
                row.counts[1] -= 1u;
                row.nodes[k] = row.nodes[SIDE + row.counts[1]];
                row.weights[k] = row.weights[SIDE + row.counts[1]];
                break;
            }
        }
    }
}
