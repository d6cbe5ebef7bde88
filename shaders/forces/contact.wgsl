// Contact of each node with colliders, constant within a substep as f = push - B v with a drag matrix B. Runs after all
// other kernels of external forces, because it needs their forces.
// Reads position_in, velocity_in, moment, the network, the row of what arrives; reads and adds to rows 1 to 3 of applied; takes the row of touch, and leaves what
// arrives in it; of implicit solvers reads and
// writes friction_history. One thread per node.
//!import core/launch.wgsl
//!import forces/penalty.wgsl
//!import methods/implicit/inertial.wgsl
//!import network/{grid|mesh}.wgsl
//!import state/moment.wgsl

@group(2) @binding(0) var<storage, read> position_in: array<vec4f>;
@group(2) @binding(1) var<storage, read> velocity_in: array<vec4f>;
@group(2) @binding(3) var<storage, read> moment: Moment;
// The rows of applied_rows.wgsl. This kernel adds to them.
@group(2) @binding(4) var<storage, read_write> applied: array<vec4f>;
@group(2) @binding(5) var<storage, read_write> friction_history: array<FrictionHistory>;

override HAS_AIR: bool = false;
override COLLIDERS: u32 = 0u;
// Whether z is frozen.
override IS_PLANAR: bool = false;
// Whether the drag factor acts before the forces.
override IS_STAGGERED: bool = false;

// Friction of a node on a collider in a substep. Its force at the end follows in the next one, where the node's velocity is known. Of the
// first collider that the node touches: on the others it keeps nothing.
struct FrictionHistory {
    kept: vec3f,                // [N]
    drag: f32,                  // [N s/m]
    surface_velocity: vec3f,    // [m/s]
    collider: u32,              // its index and one; 0: none
}

// A node sinks in under what lies on it as under so many times its own mass, at most.
const BORNE: f32 = 10.0;

const NO_HISTORY = FrictionHistory(vec3f(0.0), 0.0, vec3f(0.0), 0u);

// At the end of the last substep, of a free node that has the velocity v now.
fn last_friction(history: FrictionHistory, i: u32, v: vec3f) -> LastFriction {
    // The solver's velocity, before viscous drag.
    let slip = v / surroundings(i).drag_factor - history.surface_velocity;
    var force = history.kept - history.drag * slip;
    if (IS_PLANAR) {
        force.z = 0.0;
    }
    return LastFriction(force, slip);
}

// The motion of a node without springs. Not for pinned nodes.
fn motion_alone(i: u32, x: vec4f, v: vec3f) -> Motion {
    let h = world.step;
    var motion = Motion(x.xyz, v, v, v, v, 1.0 / x.w, 1.0 / x.w, 0.0, vec3f(0.0), vec3f(0.0), 1.0, x.w, NO_DRAG);
    if (IS_IMPLICIT) {
        let own = inertial(i, x, v);
        motion.alone = own.ahead / h;
        motion.mobility = own.inverse / (h * h);
        motion.drag = own.drag;
        return motion;
    }
    let around = surroundings(i);
    let handles = pull(i, x.w);
    let force = push(i) - multiply(drag_matrix(i), v) + handles.w * (handles.xyz - x.xyz) - around.node_damping * v;
    let kept = select(1.0, around.drag_factor, IS_STAGGERED);
    motion.alone = kept * v + h * (around.gravity - around.damping * v + x.w * force);
    return motion;
}

// The force of springs, dashpots and bending at the substep's start [N], and an upper bound on its stiffness for the
// node's own displacement [N/m]. An inextensible spring counts as a spring that brings the node alone back within the
// substep, because only the solver knows its tension.
fn network_force(i: u32, x: vec3f, v: vec3f) -> vec4f {
    let row = row_of(i);
    let prompt = 1.0 / (position_in[i].w * world.step * world.step);
    var force = vec3f(0.0);
    var stiffness = 0.0;
    for (var s = 0u; s < link_count(row); s += 1u) {
        let link = link_at(row, s);
        let e = x - position_in[link.node].xyz;
        let spring = extent(e, link.rest_length);
        let k = select(link.stiffness, prompt, is_inextensible(link.stiffness));
        var tension = k * (spring.length - link.rest_length);
        if (HAS_DASHPOTS) {
            tension += link.dashpot * dot(v - velocity_in[link.node].xyz, spring.direction);
        }
        force -= tension * spring.direction + link.bend * e;
        stiffness += k + link.dashpot / world.step + link.bend;
    }
    for (var s = 0u; s < bend_count(row); s += 1u) {
        let bend = bend_at(row, s);
        force -= bend.stiffness * (x - position_in[bend.node].xyz);
        stiffness += bend.stiffness;
    }
    return vec4f(force, stiffness);
}

// What surfaces do to a node.
struct Touching {
    force: vec3f,       // what lasts of it [N]: where layers lie on each other, the lowest one bears them all
    burden: f32,        // the mass of what lies on it, which implicit methods count [kg]. Explicit ones could not follow a stiffer collider with their step
    arriving: vec3f,    // force of what arrives [N]
    block_part: f32,    // the node's part of its mass and that of what arrives, where both go on as one [1]
}

const NOTHING_TOUCHES = Touching(vec3f(0.0), 0.0, vec3f(0.0), 1.0);

// Where the substep ends, what has arrived tells what of the forces lasts (contact/pushed.wgsl).
fn take_touching(i: u32) -> Touching {
    if (TOUCH_ROW == 0u) {
        return NOTHING_TOUCHES;
    }
    let at = TOUCH_ROW * world.node_count + i;
    let row = applied[at];
    if (!IS_IMPLICIT) {
        return Touching(row.xyz, 0.0, vec3f(0.0), 1.0);
    }
    var arrival = vec4f(0.0, 0.0, 0.0, 1.0);
    if (row.w > 0.0) {
        arrival = applied[ARRIVAL_ROW * world.node_count + i];
    }
    applied[at] = vec4f(arrival.xyz, 0.0);
    return Touching(row.xyz, row.w, arrival.xyz, arrival.w);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn gather_contacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = thread_index(id, groups);
    if (i >= world.node_count) {
        return;
    }
    var before = NO_HISTORY;
    if (IS_IMPLICIT && friction_history[i].collider > 0u) {
        before = friction_history[i];
        friction_history[i].collider = 0u;
    }
    let touching = take_touching(i);
    if (position_in[i].w == 0.0) {
        return;
    }
    let x = position_in[i];
    var motion = motion_alone(i, x, velocity_in[i].xyz);
    if (touching.burden > BORNE * motion.mass) {
        // Light cloth would sink in far under heavy cloth, else. With all of its mass few iterations would no longer do.
        motion.held = touching.burden / BORNE;
        motion.borne = touching.burden;
        motion.pressed = touching.force;
    }
    motion.arriving = given(motion, world.step * touching.arriving, 0.0);
    motion.block_part = touching.block_part;
    var total = Drag(vec3f(0.0), NO_DRAG);
    var is_alone = true;
    var has_history = false;
    for (var c = 0u; c < COLLIDERS; c += 1u) {
        let at = touch(moment.colliders[c], x.xyz);
        if (!is_near(moment.colliders[c], at, motion)) {
            continue;
        }
        if (is_alone) {
            // Computed only if needed: most nodes of a scene touch nothing.
            let springs = network_force(i, x.xyz, motion.present);
            let impulse = world.step * (springs.xyz + touching.force);
            let held = world.step * world.step * motion.mobility * springs.w;
            motion.pulled = motion.alone + given(motion, impulse, 0.0);
            motion.relaxed = motion.alone + given(motion, impulse, held);
            is_alone = false;
        }
        var last = LastFriction(vec3f(0.0), motion.present - at.velocity);
        if (before.collider == c + 1u) {
            last = last_friction(before, i, motion.present);
        }
        let one = contact(moment.colliders[c], at, motion, last);
        total = both(total, one.drag);
        if (!IS_IMPLICIT) {
            // Friction of a second collider must not reverse a slip that the first one has stopped.
            motion.pulled += world.step * motion.mobility * one.drag.push;
        } else if (one.touches && !has_history) {
            friction_history[i] = FrictionHistory(one.friction.kept, one.friction.drag, at.velocity, c + 1u);
            has_history = true;
        }
    }
    if (is_alone) {
        return;
    }
    if (IS_PLANAR) {
        // Colliders may have normals of any direction, but nodes keep their z to the last bit.
        total.push.z = 0.0;
        total.matrix.off = vec3f(0.0, 0.0, total.matrix.off.z);
    }
    let n = world.node_count;
    applied[APPLIED_PUSH * n + i] += vec4f(total.push, 0.0);
    applied[APPLIED_DRAG * n + i] += first_half(total.matrix);
    applied[(APPLIED_DRAG + 1u) * n + i] += second_half(total.matrix);
}
