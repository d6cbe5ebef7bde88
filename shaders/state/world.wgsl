// What is the same for all nodes.

struct World {
    gravity: vec3f,         // [m/s^2]
    step: f32,              // h, one substep [s]
    wind: vec3f,            // velocity of the air [m/s]
    node_count: u32,
    air_normal: f32,        // rho c_n / 2 [kg/m^3]
    air_tangential: f32,    // rho c_t / 2 [kg/m^3]
    damping: f32,           // viscous mass damping a [1/s]
    node_damping: f32,      // viscous damping per node d [N s/m]
    drag_factor: f32,       // exp(-drag h)
    reach: f32,             // a pull stops growing beyond this distance [m]
    has_pulls: u32,         // whether any handle is active in this frame
    start: u32,             // start vector of implicit solvers: 0 inertial, 1 velocity, 2 previous
    substeps: u32,          // of a frame, at least
    largest_stretch: f32,   // a spring longer than this many rest lengths ends the run
    // sigma of multipliers is for the longest substep; for a shorter one it is so many times larger [1].
    penalty_scale: f32,
    copies: u32,
    copy_nodes: u32,        // nodes of each copy
    surroundings: u32,      // where those of copies begin in `applied`
    padding_1: u32,
    padding_2: u32,
}

@group(0) @binding(0) var<uniform> world: World;

// Whether anything but springs, gravity, damping and handles acts on nodes, and whether it has a drag matrix.
override HAS_PUSH: bool = false;
override HAS_DRAG: bool = false;
