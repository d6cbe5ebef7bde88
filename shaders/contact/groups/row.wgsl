// A row of a group while it is summed, member by member: entries of the own side, then of the other. They are in vectors, since a card keeps
// in memory what a variable indexes, and a software driver goes through it thread by thread.
//!import contact/groups/layout.wgsl

// Entries of one side: nodes, and NO_NODE behind the last; weights.
struct Side {
    nodes_a: vec4u,
    nodes_b: vec4u,
    nodes_c: vec4u,
    weights_a: vec4f,
    weights_b: vec4f,
    weights_c: vec4f,
    count: u32,
}

// As many as there are places.
const_assert SIDE == 12u;
const PLACES_A: vec4u = vec4u(0u, 1u, 2u, 3u);
const PLACES_B: vec4u = vec4u(4u, 5u, 6u, 7u);
const PLACES_C: vec4u = vec4u(8u, 9u, 10u, 11u);
const NO_NODES: vec4u = vec4u(NO_NODE);
const NO_SIDE: Side = Side(NO_NODES, NO_NODES, NO_NODES, vec4f(), vec4f(), vec4f(), 0u);

var<private> row_own: Side;
var<private> row_other: Side;
// Those of the member which is added next.
var<private> member_own: Side;
var<private> member_other: Side;

fn begin_row() {
    row_own = NO_SIDE;
    row_other = NO_SIDE;
    member_own = NO_SIDE;
    member_other = NO_SIDE;
}

// Of the entries in a mask the one that comes first; SIDE if there is none.
fn first_of(a: vec4<bool>, b: vec4<bool>, c: vec4<bool>) -> u32 {
    let places = min(
        min(select(vec4u(SIDE), PLACES_A, a), select(vec4u(SIDE), PLACES_B, b)), select(vec4u(SIDE), PLACES_C, c));
    return min(min(places.x, places.y), min(places.z, places.w));
}

fn total(v: vec4f) -> f32 {
    return v.x + v.y + v.z + v.w;
}

fn node_at(side: ptr<private, Side>, k: u32) -> u32 {
    let found = select(vec4u(0u), (*side).nodes_a, PLACES_A == vec4u(k)) | select(vec4u(0u), (*side).nodes_b, PLACES_B == vec4u(k))
        | select(vec4u(0u), (*side).nodes_c, PLACES_C == vec4u(k));
    return found.x | found.y | found.z | found.w;
}

fn weight_at(side: ptr<private, Side>, k: u32) -> f32 {
    return total(
        select(vec4f(), (*side).weights_a, PLACES_A == vec4u(k)) + select(vec4f(), (*side).weights_b, PLACES_B == vec4u(k))
            + select(vec4f(), (*side).weights_c, PLACES_C == vec4u(k)));
}

fn set_entry(side: ptr<private, Side>, k: u32, node: u32, weight: f32) {
    (*side).nodes_a = select((*side).nodes_a, vec4u(node), PLACES_A == vec4u(k));
    (*side).nodes_b = select((*side).nodes_b, vec4u(node), PLACES_B == vec4u(k));
    (*side).nodes_c = select((*side).nodes_c, vec4u(node), PLACES_C == vec4u(k));
    (*side).weights_a = select((*side).weights_a, vec4f(weight), PLACES_A == vec4u(k));
    (*side).weights_b = select((*side).weights_b, vec4f(weight), PLACES_B == vec4u(k));
    (*side).weights_c = select((*side).weights_c, vec4f(weight), PLACES_C == vec4u(k));
}

// The entry of a node; SIDE if it has none.
fn place_of_node(side: ptr<private, Side>, node: u32) -> u32 {
    return first_of((*side).nodes_a == vec4u(node), (*side).nodes_b == vec4u(node), (*side).nodes_c == vec4u(node));
}

// The first entry with the least size of a weight.
fn lightest(side: ptr<private, Side>) -> u32 {
    let a = abs((*side).weights_a);
    let b = abs((*side).weights_b);
    let c = abs((*side).weights_c);
    let sizes = min(min(a, b), c);
    let least = vec4f(min(min(sizes.x, sizes.y), min(sizes.z, sizes.w)));
    return first_of(a == least, b == least, c == least);
}

// The first entry with the largest, but for one.
fn heaviest_but(side: ptr<private, Side>, other: u32) -> u32 {
    let a = select(abs((*side).weights_a), vec4f(-1.0), PLACES_A == vec4u(other));
    let b = select(abs((*side).weights_b), vec4f(-1.0), PLACES_B == vec4u(other));
    let c = select(abs((*side).weights_c), vec4f(-1.0), PLACES_C == vec4u(other));
    let sizes = max(max(a, b), c);
    let most = vec4f(max(max(sizes.x, sizes.y), max(sizes.z, sizes.w)));
    return first_of(a == most, b == most, c == most);
}

fn add_entry(side: ptr<private, Side>, node: u32, weight: f32) {
    var k = place_of_node(side, node);
    let is_new = k == SIDE;
    if (is_new && (*side).count == SIDE) {
        // Few rows are as long. The lightest entry goes to the heaviest, so that the sum stays.
        let least = lightest(side);
        let most = heaviest_but(side, least);
        let of_least = weight_at(side, least);
        let is_replaced = abs(weight) > abs(of_least);
        set_entry(side, most, node_at(side, most), weight_at(side, most) + select(weight, of_least, is_replaced));
        if (is_replaced) {
            set_entry(side, least, node, weight);
        }
        return;
    }
    if (is_new) {
        k = (*side).count;
        (*side).count += 1u;
    }
    set_entry(side, k, node, select(weight_at(side, k), 0.0, is_new) + weight);
}

// What a node has in the sum so far.
fn weight_so_far(node: u32) -> f32 {
    return weight_at(&row_own, place_of_node(&row_own, node)) + weight_at(&row_other, place_of_node(&row_other, node));
}

// How far a side of the member points the way of the sum so far, added to what is known of that.
fn with_agreement(before: f32, side: ptr<private, Side>) -> f32 {
    var agreement = before;
    for (var k = 0u; k < (*side).count; k += 1u) {
        agreement += weight_at(side, k) * weight_so_far(node_at(side, k));
    }
    return agreement;
}

fn add_side(to: ptr<private, Side>, side: ptr<private, Side>, sign: f32) {
    for (var k = 0u; k < (*side).count; k += 1u) {
        add_entry(to, node_at(side, k), sign * weight_at(side, k));
    }
}

// Adds the member's row; its negative where that is nearer to the sum so far.
fn add_member() {
    let agreement = with_agreement(with_agreement(0.0, &member_own), &member_other);
    let sign = select(1.0, -1.0, agreement < 0.0);
    add_side(&row_own, &member_own, sign);
    add_side(&row_other, &member_other, sign);
    member_own = NO_SIDE;
    member_other = NO_SIDE;
}

// Where a surface lies on itself, both sides of a row may hold the same coarse node: it has one entry, on the own side.
fn merge_sides() {
    for (var n = 0u; n < row_own.count; n += 1u) {
        let node = node_at(&row_own, n);
        let k = place_of_node(&row_other, node);
        if (k < SIDE) {
            set_entry(&row_own, n, node, weight_at(&row_own, n) + weight_at(&row_other, k));
            let last = row_other.count - 1u;
            set_entry(&row_other, k, node_at(&row_other, last), weight_at(&row_other, last));
            set_entry(&row_other, last, NO_NODE, 0.0);
            row_other.count = last;
        }
    }
}
