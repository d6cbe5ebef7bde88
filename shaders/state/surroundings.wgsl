// What acts on every node of a scene: the same for all, or of each copy of a batch. Copies that differ have
// three vectors each in `applied`, after its rows, because kernels have no storage buffer to spare.
//!import state/copies.wgsl
//!import state/world.wgsl

struct Surroundings {
    gravity: vec3f,         // [m/s^2]
    damping: f32,           // viscous mass damping a [1/s]
    wind: vec3f,            // velocity of the air [m/s]
    node_damping: f32,      // viscous damping per node d [N s/m]
    air_normal: f32,        // rho c_n / 2 [kg/m^3]
    air_tangential: f32,    // rho c_t / 2 [kg/m^3]
    drag_factor: f32,       // exp(-drag h)
    reach: f32,             // a pull stops growing beyond this distance [m]
}

// Whether copies differ.
override OWN_SURROUNDINGS: bool = false;

// The first of the three vectors for node i.
fn surroundings_at(i: u32) -> u32 {
    return world.surroundings + 3u * copy_of(i);
}

fn surroundings_from(a: vec4f, b: vec4f, c: vec4f) -> Surroundings {
    return Surroundings(a.xyz, a.w, b.xyz, b.w, c.x, c.y, c.z, c.w);
}

fn surroundings_of_all() -> Surroundings {
    return Surroundings(
        world.gravity, world.damping, world.wind, world.node_damping,
        world.air_normal, world.air_tangential, world.drag_factor, world.reach,
    );
}
