// What touches moves as one rigid body to where the objective is least. A few cycles leave an error in the motion of pieces that press on
// each other as a whole; springs and pairs do not resist it, so only the terms G (x - y) of single nodes count, and 6 numbers are
// exact. With inertia alone that is how linear and angular momentum are kept.
//     minimize 1/2 sum (d + t + w x r)^T G (d + t + w x r) over t and w,    d = x - y, r from a node of the cluster
// over the nodes of each cluster of pieces (contact/pieces.wgsl), if none of them is a pin. w is small.
//!import contact/labels.wgsl
//!import core/launch.wgsl
//!import core/solve_six.wgsl
//!import forces/applied.wgsl
//!import forces/applied_in.wgsl
//!import methods/implicit/moves.wgsl
//!import methods/newton_multigrid/bindings.wgsl
//!import methods/newton_multigrid/ground.wgsl
//!import state/copies.wgsl
//!import state/world.wgsl

@group(2) @binding(1) var<storage, read> anchor: array<vec4f>;
@group(2) @binding(2) var<storage, read> work: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> position: array<vec4f>;      // x, 1 / m
@group(2) @binding(9) var<storage, read_write> velocity: array<vec4f>;
@group(2) @binding(6) var<storage, read_write> rigid_sums: array<Sums>;     // of each stretch
@group(2) @binding(7) var<storage, read_write> rigid_moves: array<Move>;    // of each piece that names a cluster
// The piece of each node, the nodes piece by piece, then of each stretch of at most STRETCH nodes its piece, the first of its nodes
// and their number; then of each piece its first node, and of each its first stretch.
@group(2) @binding(8) var<storage, read> pieces: array<u32>;

const LANES: u32 = 64u;

// The system of 6 equations, and whether it counts.
struct Sums {
    shift: Symmetric,       // sum G
    has_pin: u32,
    turn: Symmetric,        // sum (e_i x r)^T G (e_j x r), e_i the axes
    first: vec3f,           // sum G (e_1 x r)
    second: vec3f,          // of e_2
    third: vec3f,           // of e_3
    force: vec3f,           // sum -G d
    torque: vec3f,          // sum -r x G d
}

struct Move {
    shift: vec3f,       // t [m]
    is_moved: u32,
    turn: vec3f,        // w [1]
    origin: vec3f,      // [m]
}

struct Stretch {
    piece: u32,
    first: u32,
    count: u32,
}

var<workgroup> lanes: array<Sums, LANES>;
var<workgroup> needed: u32;

fn node_at(k: u32) -> u32 {
    return pieces[world.node_count + k];
}

fn stretch_at(k: u32) -> Stretch {
    let at = 2u * world.node_count + 3u * k;
    return Stretch(pieces[at], pieces[at + 1u], pieces[at + 2u]);
}

fn first_node_of(piece: u32) -> u32 {
    return pieces[2u * world.node_count + 3u * piece_counts.stretches + piece];
}

fn first_stretch_of(piece: u32) -> u32 {
    return pieces[2u * world.node_count + 3u * piece_counts.stretches + piece_counts.pieces + piece];
}

// Whether the cluster of a piece takes part.
fn is_moving(piece: u32) -> bool {
    return control[copy_of(first_node_of(piece))].is_touching == 1u && is_pressed(label_of(piece));
}

// The first thread's answer, for all threads of a workgroup.
fn is_needed(lane: u32, answer: bool) -> bool {
    if (lane == 0u) {
        needed = select(0u, 1u, answer);
    }
    return workgroupUniformLoad(&needed) == 1u;
}

fn plus(a: Sums, b: Sums) -> Sums {
    return Sums(
        sum(a.shift, b.shift), a.has_pin | b.has_pin, sum(a.turn, b.turn), a.first + b.first, a.second + b.second,
        a.third + b.third, a.force + b.force, a.torque + b.torque);
}

// The sum over the lanes, in lane 0.
fn add_lanes(lane: u32) {
    for (var stride = LANES / 2u; stride > 0u; stride /= 2u) {
        workgroupBarrier();
        if (lane < stride) {
            lanes[lane] = plus(lanes[lane], lanes[lane + stride]);
        }
    }
    workgroupBarrier();
}

fn sums_of(i: u32, origin: vec3f) -> Sums {
    let x = position[i];
    if (x.w == 0.0) {
        var pin = Sums();
        pin.has_pin = 1u;
        return pin;
    }
    let y = anchor[i];
    var d = x.xyz - y.xyz;
    if (KEEPS_MOVES) {
        d = work[MOVES * world.node_count + i].xyz - y.xyz;
    }
    let ground = own_ground(i, 1.0 / y.w);
    let r = x.xyz - origin;
    // e_i x r.
    let first = vec3f(0.0, -r.z, r.y);
    let second = vec3f(r.z, 0.0, -r.x);
    let third = vec3f(-r.y, r.x, 0.0);
    let g_first = multiply(ground, first);
    let g_second = multiply(ground, second);
    let g_third = multiply(ground, third);
    let pulled = multiply(ground, d);
    let turn = Symmetric(
        vec3f(dot(first, g_first), dot(second, g_second), dot(third, g_third)),
        vec3f(dot(second, g_third), dot(first, g_third), dot(first, g_second)));
    return Sums(ground, 0u, turn, g_first, g_second, g_third, -pulled, -cross(r, pulled));
}

// Sums of a stretch. Reads position, anchor, work, pieces, labels, control; writes rigid_sums. One workgroup per stretch.
@compute @workgroup_size(LANES)
fn add_stretch(
    @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
) {
    let at = group.x + group.y * groups.x;
    if (!is_needed(lane, at < piece_counts.stretches && is_moving(stretch_at(at).piece))) {
        return;
    }
    let stretch = stretch_at(at);
    let origin = position[first_node_of(label_of(stretch.piece))].xyz;
    var sums = Sums();
    for (var k = lane; k < stretch.count; k += LANES) {
        sums = plus(sums, sums_of(node_at(stretch.first + k), origin));
    }
    lanes[lane] = sums;
    add_lanes(lane);
    if (lane == 0u) {
        rigid_sums[at] = lanes[0];
    }
}

// How each cluster moves. Reads position, pieces, labels, control, rigid_sums; writes rigid_moves. One workgroup per piece.
@compute @workgroup_size(LANES)
fn solve_cluster(
    @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
) {
    let piece = group.x + group.y * groups.x;
    if (!is_needed(lane, piece < piece_counts.pieces && label_of(piece) == piece && is_moving(piece))) {
        return;
    }
    let copy = copy_of(first_node_of(piece));
    var sums = Sums();
    // A cluster is named after the first of its pieces, and the stretches of a copy are side by side.
    for (var k = first_stretch_of(piece) + lane; k < piece_counts.stretches; k += LANES) {
        let own = stretch_at(k).piece;
        if (copy_of(first_node_of(own)) != copy) {
            break;
        }
        if (label_of(own) == piece) {
            sums = plus(sums, rigid_sums[k]);
        }
    }
    lanes[lane] = sums;
    add_lanes(lane);
    if (lane == 0u) {
        rigid_moves[piece] = Move(vec3f(0.0), 0u, vec3f(0.0), vec3f(0.0));
        if (lanes[0].has_pin == 0u) {
            rigid_moves[piece] = solution_of(lanes[0], position[first_node_of(piece)].xyz);
        }
    }
}

fn solution_of(sums: Sums, origin: vec3f) -> Move {
    let a = sums.shift;
    let b = sums.turn;
    let m = array<array<f32, 6>, 6>(
        array<f32, 6>(a.diagonal.x, a.off.z, a.off.y, sums.first.x, sums.second.x, sums.third.x),
        array<f32, 6>(a.off.z, a.diagonal.y, a.off.x, sums.first.y, sums.second.y, sums.third.y),
        array<f32, 6>(a.off.y, a.off.x, a.diagonal.z, sums.first.z, sums.second.z, sums.third.z),
        array<f32, 6>(sums.first.x, sums.first.y, sums.first.z, b.diagonal.x, b.off.z, b.off.y),
        array<f32, 6>(sums.second.x, sums.second.y, sums.second.z, b.off.z, b.diagonal.y, b.off.x),
        array<f32, 6>(sums.third.x, sums.third.y, sums.third.z, b.off.y, b.off.x, b.diagonal.z),
    );
    let right = array<f32, 6>(
        sums.force.x, sums.force.y, sums.force.z, sums.torque.x, sums.torque.y, sums.torque.z);
    let q = solve_six(m, right);
    return Move(vec3f(q[0], q[1], q[2]), 1u, vec3f(q[3], q[4], q[5]), origin);
}

// Reads pieces, labels, control, applied, rigid_moves; reads and writes position and velocity. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn move_rigidly(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count || !is_moving(pieces[i])) {
        return;
    }
    let found = rigid_moves[label_of(pieces[i])];
    let x = position[i];
    if (found.is_moved == 1u) {
        let way = found.shift + cross(found.turn, x.xyz - found.origin);
        position[i] = vec4f(x.xyz + way, x.w);
        velocity[i] += vec4f(way / world.step * surroundings(i).drag_factor, 0.0);
    }
}
