// The guard: after a solver has moved all nodes of a substep, it holds back those whose motion is not proven to be free of
// crossings. A pair of features, a node and a triangle or two edges that share no node, is proven by a direction that
// separates it at the start and at the end (witness.wgsl). Where none is found, its nodes first move as their neighbors do on average.
// Where that does not help they take a part of it: the part of the way for which there is a proof, in later rounds what the others of
// the pair take. What is held back
// changes the motion against neighbors, which the next round looks at. If the last round still leaves a pair without proof,
// all nodes of the copy take the same part, small enough for the second round's pairs, but for those with pins that move: a last
// look counts those of them that are not proven to stay apart.
//
// Nodes that take no part of their motion stay where they are to the last bit: that needs no proof. Pairs whose both sides hold
// tangled nodes are left alone, so that they can come free.
//!import contact/apart.wgsl
//!import contact/asking.wgsl
//!import contact/bindings.wgsl
//!import contact/bounds.wgsl
//!import contact/features.wgsl
//!import contact/pair.wgsl
//!import contact/patches.wgsl
//!import contact/witness.wgsl
//!import core/launch.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;     // where the solver puts nodes
// A bit for each node: whether it is tangled, from the next substep on.
@group(2) @binding(1) var<storage, read_write> tangled: array<atomic<u32>>;
// Where nodes are at the start of the substep, and of what kind.
@group(2) @binding(2) var<storage, read> start: array<vec4f>;
// The displacement that a node takes, and the part of its motion that this is; as -1 - part where the last round changed it.
@group(2) @binding(3) var<storage, read> moved: array<vec4f>;
@group(2) @binding(4) var<storage, read_write> parts: array<atomic<u32>>;   // of the next round, as bits
@group(2) @binding(5) var<storage, read> boxes: array<vec4f>;
@group(2) @binding(6) var<storage, read> elements: array<Element>;
@group(2) @binding(7) var<storage, read_write> guards: array<Guard>;

struct Round {
    index: u32,
    threads: u32,   // of a copy in this round
}

@group(3) @binding(1) var<uniform> round: Round;

fn triangle_of(element: Element) -> Triangle {
    let n = element.nodes;
    return Triangle(
        mat3x3f(start[n.x].xyz, start[n.y].xyz, start[n.z].xyz), mat3x3f(moved[n.x].xyz, moved[n.y].xyz, moved[n.z].xyz));
}

// A node of the tree. It is fitted to the motion that the solver wants; in later rounds nodes may have yielded by up to `aside`, and take any
// part of that.
fn box_at(at: u32, aside: f32) -> Bounds {
    var bounds = bounds_at(at);
    if (round.index > 0u) {
        bounds.least = min(bounds.least - vec3f(aside), vec3f(0.0));
        bounds.most = max(bounds.most + vec3f(aside), vec3f(0.0));
    }
    return bounds;
}

// Leaves of the tree, and pairs of triangles, that are collected before they are compared. A group of threads goes through code
// that one of them needs: so all of them first walk the tree, then look at triangles, then at pairs of features.
const MOST_LEAVES: u32 = 16u;
const MOST_PAIRS: u32 = 48u;

// In the first round looks at all pairs of features of the triangles of a leaf with those of triangles behind them: one thread per leaf of
// the listed tiles. In later rounds at those of triangles with a node that was changed, at last at those with a moving pin:
// `round.threads` threads of a copy, each for several leaves where threads are few, since most have nothing to do. Reads all; writes
// parts, guards, tangled. One kernel for both, as what it compares is most of what a driver compiles.
@compute @workgroup_size(WORKGROUP_SIZE)
fn examine(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = thread_index(id, groups);
    let is_first = round.index == 0u;
    var copy = 0u;
    var leaf = 0u;
    var end = 0u;
    if (is_first) {
        let k = thread / tile_leaves();
        if (k < atomicLoad(&guards[0].listed)) {
            let tile = u32(boxes[place_of_listed_tile(k)].w);
            copy = tile / tiles_of_copy();
            leaf = tile % tiles_of_copy() * tile_leaves() + thread % tile_leaves();
            end = leaf + 1u;
        }
    } else {
        copy = thread / round.threads;
        leaf = thread % round.threads;
        if (copy < copies() && atomicLoad(&guards[copy].unproven[round.index - 1u]) > 0u) {
            end = tree.leaves;
        }
    }
    for (; leaf < end; leaf += select(round.threads, 1u, is_first)) {
        examine_leaf(copy, leaf, is_first);
    }
}

// A triangle of the thread's own leaf.
struct Own {
    bounds: Bounds,
    nodes: vec3u,
    proven: vec3u,      // what shares one of these nodes with it needs no other proof
    is_asking: bool,    // it looks for others
}

fn own_of(element: Element, is_first: bool) -> Own {
    if (element.nodes.x == NO_NODE) {
        return Own(NO_BOUNDS, element.nodes, element.nodes, false);
    }
    let bounds = bounds_of(triangle_of(element));
    if (!is_first) {
        return Own(bounds, element.nodes, vec3u(NO_NODE), any_asking(element));
    }
    let is_proven = vec3<bool>(
        is_of(start[element.nodes.x].w, STAR_IS_PROVEN), is_of(start[element.nodes.y].w, STAR_IS_PROVEN),
        is_of(start[element.nodes.z].w, STAR_IS_PROVEN));
    return Own(bounds, element.nodes, select(vec3u(NO_NODE), element.nodes, is_proven), true);
}

fn examine_leaf(copy: u32, leaf: u32, is_first: bool) {
    let first = first_element(copy);
    var region = region_of_tile((copy * tree.leaves + leaf) / tile_leaves());
    if (!is_first) {
        // Its proof is for all of the motion.
        region.state = UNKNOWN;
    }
    var own: array<Own, LEAF>;
    var whole = NO_BOUNDS;
    var is_asking = false;
    for (var c = 0u; c < LEAF; c += 1u) {
        own[c] = own_of(elements[first + leaf * LEAF + c], is_first);
        if (own[c].is_asking) {
            whole = around_both(whole, own[c].bounds);
            is_asking = true;
        }
    }
    if (!is_asking) {
        return;
    }
    let least_gap = guards[copy].least_gap;
    let aside = bitcast<f32>(atomicLoad(&guards[copy].yielding));
    let far = max(abs(whole.low), abs(whole.high)) + max(abs(whole.least), abs(whole.most));
    let margin = least_gap + ROUNDING * sum_of(far);
    // In the first round each pair of triangles is visited once: by the one that comes first, which goes on from its leaf.
    var node = select(1u, tree.leaves + leaf, is_first);
    var leaves: array<u32, MOST_LEAVES>;
    var found = 0u;
    var at = 0u;        // of the leaves' triangles
    var is_done = false;
    while (!is_done || at < found * LEAF) {
        if (at == found * LEAF) {
            found = 0u;
            at = 0u;
            while (!is_done && found < MOST_LEAVES) {
                let at_node = first_box(copy) + node;
                let is_near = may_meet(whole, box_at(at_node, aside), margin) && !is_in_region(region, at_node);
                let is_leaf = node >= tree.leaves;
                if (is_near && is_leaf) {
                    leaves[found] = node - tree.leaves;
                    found += 1u;
                }
                node = select(next_node(node), 2u * node, is_near && !is_leaf);
                is_done = node == 1u;
            }
        }
        // Pairs of triangles whose boxes may meet: four times the number of the other, and which of the leaf's own it is.
        var pairs: array<u32, MOST_PAIRS>;
        var count = 0u;
        while (at < found * LEAF && count + LEAF <= MOST_PAIRS) {
            let other_number = leaves[at / LEAF] * LEAF + at % LEAF;
            at += 1u;
            let other = elements[first + other_number];
            if (other.nodes.x == NO_NODE) {
                continue;
            }
            let bounds = bounds_of(triangle_of(other));
            let other_asks = is_first || any_asking(other);
            for (var c = 0u; c < LEAF; c += 1u) {
                let number = leaf * LEAF + c;
                // Of two that look for others the first one compares them.
                let is_pair = own[c].is_asking && other_number != number && (other_number > number || !other_asks);
                if (is_pair && may_meet(own[c].bounds, bounds, margin) && !has_one_of(other, own[c].proven)) {
                    pairs[count] = LEAF * other_number + c;
                    count += 1u;
                }
            }
        }
        // What one direction separates is left out.
        let candidates = count;
        count = 0u;
        for (var k = 0u; k < candidates; k += 1u) {
            let a = triangle_of(elements[first + leaf * LEAF + pairs[k] % LEAF]);
            let b = triangle_of(elements[first + pairs[k] / LEAF]);
            if (!are_apart(a, b, margin)) {
                pairs[count] = pairs[k];
                count += 1u;
            }
        }
        compare(copy, first + leaf * LEAF, &pairs, count, least_gap);
    }
}

fn has_one_of(element: Element, nodes: vec3u) -> bool {
    return any(element.nodes.xxx == nodes) || any(element.nodes.yyy == nodes) || any(element.nodes.zzz == nodes);
}

// The pairs of features that pairs of triangles own: 3 nodes with the other triangle, 3 the other way, 9 of edges.
fn compare(
    copy: u32, first_of_leaf: u32, triangles: ptr<function, array<u32, MOST_PAIRS>>, count: u32, least_gap: f32,
) {
    var k = 0u;
    var own: Element;
    var other: Element;
    var pairs = 0u;
    while (k < count || pairs != 0u) {
        if (pairs == 0u) {
            let pair = (*triangles)[k];
            own = elements[first_of_leaf + pair % LEAF];
            other = elements[first_element(copy) + pair / LEAF];
            pairs = pairs_between(own, other);
            k += 1u;
        }
        if (pairs != 0u) {
            let bit = firstTrailingBit(pairs);
            pairs &= pairs - 1u;
            var p = vec2u(0u);
            var q = other.nodes;
            if (bit < 3u) {
                p = vec2u(own.nodes[bit]);
            } else if (bit < 6u) {
                p = vec2u(other.nodes[bit - 3u]);
                q = own.nodes;
            } else {
                p = edge(own, (bit - 6u) / 3u);
                q = edge(other, (bit - 6u) % 3u).xyy;
            }
            look_at(copy, p, q, bit >= 6u, least_gap);
        }
    }
}
