// Moving pins: at the start of a frame each is set to its path's position, with the velocity that takes it to the path's
// position at the end of the frame. Every solver moves a pinned node by x+ = x + h v.
// Writes position and velocity of its own node. One thread per moving pin; released pins are not changed.
//!import core/launch.wgsl

struct MovingPin {
    start: vec3f,       // initial position [m]
    node: u32,
    path: u32,
}

struct Motion {
    displacement: vec3f,    // at the start of the frame [m]
    velocity: vec3f,        // during the frame [m/s]
}

@group(2) @binding(0) var<storage, read_write> position: array<vec4f>;
@group(2) @binding(1) var<storage, read_write> velocity: array<vec4f>;
@group(2) @binding(2) var<storage, read> moving_pins: array<MovingPin>;
@group(2) @binding(3) var<storage, read> motions: array<Motion>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn move_pins(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = thread_index(id, groups);
    if (t >= arrayLength(&moving_pins)) {
        return;
    }
    let pin = moving_pins[t];
    let motion = motions[pin.path];
    if (position[pin.node].w == 0.0) {
        position[pin.node] = vec4f(pin.start + motion.displacement, 0.0);
        velocity[pin.node] = vec4f(motion.velocity, 0.0);
    }
}
