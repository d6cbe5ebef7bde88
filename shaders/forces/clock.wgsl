// Advances the moment to the start of the next substep: within a frame everything moves linearly.
// Reads frame; reads and writes moment. One workgroup.
//!import state/moment.wgsl
//!import state/world.wgsl

struct Frame {
    time: f32,                                      // at its start [s]
    colliders: array<Collider, MOST_COLLIDERS>,     // at its start
    loads: array<vec4f, MOST_LOADS>,                // at its start [N, Pa]
    load_rates: array<vec4f, MOST_LOADS>,           // [N/s, Pa/s]
}

@group(2) @binding(0) var<storage, read> frame: Frame;
@group(2) @binding(1) var<storage, read_write> moment: Moment;

override COLLIDERS: u32 = 0u;
override LOADS: u32 = 0u;

// The rotation by `turn`, axis times angle [rad].
fn quaternion(turn: vec3f) -> vec4f {
    let angle = length(turn);
    if (angle == 0.0) {
        return vec4f(0.0, 0.0, 0.0, 1.0);
    }
    return vec4f(sin(0.5 * angle) / angle * turn, cos(0.5 * angle));
}

fn times(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

@compute @workgroup_size(64)
fn advance(@builtin(local_invocation_index) local: u32) {
    let substep = moment.substep;
    let passed = f32(substep) * world.step;
    if (local < COLLIDERS) {
        let start = frame.colliders[local];
        moment.colliders[local].center = start.center + passed * start.velocity;
        moment.colliders[local].rotation = times(quaternion(passed * start.spin), start.rotation);
    }
    if (local < LOADS) {
        moment.loads[local] = frame.loads[local] + passed * frame.load_rates[local];
    }
    storageBarrier();
    if (local == 0u) {
        moment.time = frame.time + passed;
        moment.substep = substep + 1u;
    }
}
