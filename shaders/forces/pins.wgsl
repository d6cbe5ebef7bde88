// Moving pins: at the start of a frame each is set to its path's position, with the velocity that takes it to the path's
// position at the end of the frame. What turns is on its circle there; in between it moves in a straight line, as all pins do. Every solver moves a pinned node by x+ = x + h v.
// Writes position and velocity of its own node. One thread per moving pin; released pins are not changed.
//!import core/launch.wgsl
//!import core/quaternion.wgsl

struct MovingPin {
    place: vec3f,       // where it would be without its motion [m]
    node: u32,
    path: u32,
}

struct Motion {
    displacement: vec3f,    // at the start of the frame [m]
    turns: u32,
    velocity: vec3f,        // during the frame, without what turns [m/s]
    rate: f32,              // 1 / frame [1/s]
    center: vec3f,          // of the rotation [m]
    before: vec4f,          // rotation at the start of the frame
    during: vec4f,          // and what comes to it
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
        var place = pin.place;
        var speed = motion.velocity;
        if (motion.turns == 1u) {
            let arm = pin.place - motion.center;
            let turned = rotated(motion.before, arm);
            place = motion.center + turned;
            speed += turn(motion.during, turned) * motion.rate;
        }
        position[pin.node] = vec4f(place + motion.displacement, 0.0);
        velocity[pin.node] = vec4f(speed, 0.0);
    }
}
