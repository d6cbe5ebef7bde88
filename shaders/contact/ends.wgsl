// Beginning and end of the guard's work in a substep; guard.wgsl describes it.
//!import contact/bindings.wgsl
//!import core/launch_list.wgsl
//!import state/world.wgsl

@group(2) @binding(0) var<storage, read_write> position: array<vec4f>;
@group(2) @binding(1) var<storage, read_write> velocity: array<vec4f>;
@group(2) @binding(2) var<storage, read_write> start: array<vec4f>;
@group(2) @binding(3) var<storage, read_write> moved: array<vec4f>;
@group(2) @binding(4) var<storage, read_write> parts: array<u32>;
// A bit for each node: whether it is tangled.
@group(2) @binding(5) var<storage, read> tangled: array<u32>;
// Of nodes without proof in the first round where they yield to (yield.wgsl) [m], of all others how fast they were [m/s].
@group(2) @binding(6) var<storage, read_write> means: array<vec4f>;
@group(2) @binding(7) var<storage, read_write> guards: array<Guard>;
// Workgroups of the dispatches of each round, over nodes and over leaves: none along x if the round before has left nothing to do. Even
// rounds are in one buffer and odd ones in the other, since none may be written while a dispatch is read from it.
@group(2) @binding(9) var<storage, read_write> even_rounds: array<Launch, LAUNCHES>;
@group(2) @binding(10) var<storage, read_write> odd_rounds: array<Launch, LAUNCHES>;
@group(2) @binding(11) var<storage, read_write> next_round: array<Launch, LAUNCHES>;    // that of the round that follows

const LAUNCHES: u32 = 2u * (LAST_LOOK + 1u);

struct Launch {
    x: atomic<u32>,
    y: u32,
    z: u32,
    padding: u32,
}

struct Round {
    index: u32,
    threads: u32,   // of a copy that examine in this round
}

@group(3) @binding(1) var<uniform> round: Round;

const WHOLE: u32 = 0x3f800000u;     // 1.0
// Where less of a substep passes, all nodes lose speed: what keeps it would come upon the same pair again, and nothing would move for good.
const LEAST_WAIT: f32 = 0.02;

// Before the solver. Reads position, velocity, tangled; writes start, moved, means. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn keep_start(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i < world.node_count) {
        let kind = select(FREE, 0u, position[i].w == 0.0) | select(0u, TANGLED, (tangled[i / 32u] >> (i % 32u) & 1u) == 1u);
        start[i] = vec4f(position[i].xyz, f32(kind));
        moved[i] = vec4f(QUICKER * world.step * velocity[i].xyz, 0.0);
        means[i] = velocity[i];
    }
}

// After the solver: everything may move as it will. Reads position, start; writes moved, parts, guards, workgroups. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn begin(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    moved[i] = vec4f(position[i].xyz - start[i].xyz, 1.0);
    parts[i] = WHOLE;
    if (i == 0u) {
        atomicStore(&guards[0].listed, 0u);
        // Of tiles: tiles.wgsl.
        launch_none();
        for (var k = 0u; k < LAUNCHES; k += 1u) {
            atomicStore(&even_rounds[k].x, 0u);
            atomicStore(&odd_rounds[k].x, 0u);
        }
    }
    if (index_in_copy(i) == 0u) {
        let copy = copy_of(i);
        for (var k = 0u; k <= ROUNDS; k += 1u) {
            atomicStore(&guards[copy].unproven[k], 0u);
        }
        atomicStore(&guards[copy].whole, WHOLE);
        atomicStore(&guards[copy].yielding, 0u);
        guards[copy].substeps += 1u;
    }
}

// After a round. After the first one, nodes without proof yield: they move as their neighbors do on average, which keeps most of
// what a body moves as a whole; from then on this is where the solver has put them. After the last one all free nodes of the
// copy take the same part. Reads parts, means, guards; reads and writes position, velocity, start, moved. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn settle(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let copy = copy_of(i);
    if (atomicLoad(&guards[copy].unproven[round.index]) == 0u) {
        return;
    }
    if (index_in_copy(i) == 0u) {
        let next = 2u * (round.index + 1u);
        atomicMax(&next_round[next].x, groups_along_x(world.node_count));
        atomicMax(&next_round[next + 1u].x, groups_along_x(round.threads * copies()));
    }
    if (!is_free(start[i].w)) {
        return;
    }
    if (round.index == 0u) {
        if (bitcast<f32>(parts[i]) < 1.0) {
            let goal = position[i];
            let end = start[i].xyz + means[i].xyz;
            position[i] = vec4f(end, goal.w);
            velocity[i] += vec4f((end - goal.xyz) / world.step, 0.0);
            moved[i] = vec4f(end - start[i].xyz, -2.0);
            start[i].w += f32(YIELDED);
            parts[i] = WHOLE;
        }
        return;
    }
    if (round.index == ROUNDS) {
        let whole = bitcast<f32>(atomicLoad(&guards[copy].whole));
        moved[i] = vec4f(whole * (position[i].xyz - start[i].xyz), whole);
        return;
    }
    let before = moved[i].w;
    let taken = select(before, -1.0 - before, before < 0.0);
    let part = bitcast<f32>(parts[i]);
    if (part < taken) {
        moved[i] = vec4f(part * (position[i].xyz - start[i].xyz), -1.0 - part);
    } else if (before < 0.0) {
        moved[i].w = taken;
    }
}

fn groups_along_x(threads: u32) -> u32 {
    return min((threads + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE, MOST_GROUPS);
}

// Moves the nodes that are held back to where they may go; what is lost of a move is lost of the velocity. For nodes that wait for others, since all
// take the same part, that part of the substep has passed. Reads start, parts, means, guards; writes position, velocity, guards. One thread per node.
@compute @workgroup_size(WORKGROUP_SIZE)
fn apply(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    let copy = copy_of(i);
    let is_stopped = atomicLoad(&guards[copy].unproven[ROUNDS]) > 0u;
    if (is_stopped && index_in_copy(i) == 0u) {
        guards[copy].stopped += 1u;
    }
    var part = bitcast<f32>(parts[i]);
    let is_proven = part >= 1.0 && !is_of(start[i].w, YIELDED);
    if (is_stopped) {
        part = bitcast<f32>(atomicLoad(&guards[copy].whole));
    }
    if (!is_free(start[i].w)) {
        return;
    }
    if (part < 1.0 || is_of(start[i].w, YIELDED)) {
        atomicAdd(&guards[copy].cut, 1u);
    }
    if (part >= 1.0) {
        return;
    }
    let goal = position[i];
    let end = start[i].xyz + part * (goal.xyz - start[i].xyz);
    position[i] = vec4f(end, goal.w);
    if (is_stopped && is_proven && part >= LEAST_WAIT) {
        velocity[i] = vec4f(mix(means[i].xyz, velocity[i].xyz, part), 0.0);
        return;
    }
    velocity[i] += vec4f((end - goal.xyz) / world.step, 0.0);
}
