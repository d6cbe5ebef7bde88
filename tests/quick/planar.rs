//! Planar scenes: whatever the solver, z stays what it is to the last bit.

use crate::common::gpu;
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::model::Model;
use taffeta::scene::{Scene, Sweep};
use taffeta::settings::{
    CG_STEPS, CHEBYSHEV, Chebyshev, FORM, Form, LINEAR_SOLVER, SUBSTEPS, SolverKind, Substeps, TOLERANCE,
};
use taffeta::simulation::Pick;
use taffeta::{Settings, Simulation};

/// A cloth whose perturbation folds it over itself, so that springs cross and are compressed; with all that can act
/// within a plane. At z = 0.3, a number that f32 rounds, no sum of weighted positions would come back to it.
const CLOTH: &str = r#"
[simulation]
planar = true
frame-time = 0.01
force = true
[world]
wind = [3.0, 1.0, 0.0]
air = { density = 1.2 }
drag = 0.1
damping = 0.2
[[body]]
shape = "cloth"
corner = [0.0, 1.0, 0.3]
u = [1.0, 0.0, 0.0]
v = [0.0, -0.7, 0.0]
columns = 14
rows = 11
perturb = { amplitude = 0.1, seed = 3 }
velocity = [-1.0, 2.0, 0.0]
fabric = { density = 0.2, tensile = 100.0, shear = 30.0, flexion = 1.0, bending = 1e-3, damping-time = 1e-3 }
[[body.pin]]
edge = "left"
path = [[0.0, 0.0, 0.0, 0.0], [0.1, 0.4, 0.1, 0.0]]
[[body.handle]]
corner = "bottom-right"
patch = 0.3
stiffness = 3.0
path = [[0.0, 0.0, 0.0, 0.0], [0.1, -0.7, 0.3, 0.0]]
[[body.handle]]
corner = "bottom-right"
patch = 0.2
stiffness = 1.7
"#;

/// A disc and a rope: stored neighbors, levels from springs. Two pairs of the rope's nodes lie in the same place.
const NETWORK: &str = r#"
[simulation]
planar = true
frame-time = 0.01
force = true
[world]
node-damping = 1e-3
[[body]]
shape = "disc"
center = [0.1, 0.2, 0.3]
normal = [0.0, 0.0, 2.0]
radius = 0.5
spacing = 0.05
perturb = { amplitude = 0.1 }
fabric = { density = 0.2, tensile = 100.0, bending = 1e-3 }
[[body.pin]]
nearest = [0.1, 0.7, 0.3]
patch = 0.2
[[body]]
shape = "rope"
start = [0.0, 0.0, 0.3]
end = [1.0, 0.0, 0.3]
nodes = 4
positions = "rope.npy"
node-mass = 0.01
structural = 20.0
flexion = 3.0
dashpot = 0.01
"#;

fn scene(text: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let rope = [0.0, 0.4, 0.4, 0.0].map(|x| Vec3::new(x, 0.1, 0.3));
    taffeta::io::write_points(&folder.path().join("rope.npy"), &rope).unwrap();
    Scene::parse(text, folder.path().join("planar.toml")).unwrap()
}

/// The same with another solver, in steps that an explicit one takes.
fn with_solver(settings: &Settings, solver: SolverKind) -> Settings {
    let substeps = if solver.is_explicit() { Substeps::Fixed(60) } else { Substeps::Auto };
    settings.with_solver(solver).with(SUBSTEPS, substeps)
}

/// Steps, and says how far the nodes went; all of them must be where they were in z, and stay there.
fn step(gpu: &Gpu, model: &Model, settings: &Settings, what: &str) -> f32 {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    let grabbed = simulation.grab(&Pick::Node(30), 2.0, 0.2).unwrap().unwrap();
    // A hand that pulls out of the plane.
    simulation.move_handle(grabbed, Vec3::new(0.9, 0.1, 1.7)).unwrap();
    for _ in 0..6 {
        simulation.step().unwrap();
    }
    let state = simulation.state().unwrap();
    let start = &model.initial_state().position;
    for (i, x) in state.position.iter().enumerate() {
        assert!(x.is_finite(), "{what}: node {i} is at {x}");
        assert_eq!(x.z.to_bits(), start[i].z.to_bits(), "{what}: node {i} went to z = {:e}", x.z);
        assert_eq!(state.velocity[i].z, 0.0, "{what}: node {i} leaves its plane");
    }
    state.position.iter().zip(start).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn no_solver_leaves_the_plane() {
    let gpu = gpu();
    for (text, forms) in [(CLOTH, &[Form::Grid, Form::Mesh][..]), (NETWORK, &[Form::Mesh])] {
        let Scene { model, settings, .. } = scene(text);
        for (solver, &form) in SolverKind::ALL.into_iter().flat_map(|s| forms.iter().map(move |f| (s, f))) {
            let settings = with_solver(&settings, solver).with(FORM, form);
            let moved = step(&gpu, &model, &settings, &format!("{solver}, {form:?}"));
            assert!(moved > 0.05, "{solver}, {form:?}: it hardly moved, {moved} m");
        }
    }
}

#[test]
fn no_variant_of_a_solver_leaves_the_plane() {
    let gpu = gpu();
    let scene = scene(CLOTH);
    let mut variants = Vec::new();
    for solver in SolverKind::ALL {
        for linear in solver.linear_solvers() {
            let linear_solver = Some(*linear);
            variants.push(with_solver(&scene.settings, solver).with(LINEAR_SOLVER, linear_solver));
        }
    }
    let newton = scene.settings.with_solver(SolverKind::NewtonMultigrid);
    variants.push(newton.clone().with(CG_STEPS, 3));
    variants.push(newton.with(CG_STEPS, 0).with(TOLERANCE, 1e-3));
    let chebyshev = Chebyshev::Radius(0.9);
    let accelerated = [SolverKind::Vbd, SolverKind::LocalGlobal].map(|s| scene.settings.with_solver(s));
    variants.extend(accelerated.map(|settings| settings.with(CHEBYSHEV, chebyshev)));
    for settings in variants {
        step(&gpu, &scene.model, &settings, &format!("{settings:?}"));
    }
}

#[test]
fn what_leaves_the_plane_is_refused() {
    let gpu = gpu();
    let Scene { model, settings, .. } = scene(NETWORK);
    let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
    let message = simulation.set_gravity(Vec3::new(0.0, -9.81, 0.1)).unwrap_err().to_string();
    assert!(message.contains("gravity") && message.contains("z must be 0"), "{message}");
    let mut state = model.initial_state().clone();
    state.position[5].z = 0.4;
    let message = simulation.set_state(&state).unwrap_err().to_string();
    assert!(message.contains("node 5 is at z = 0.4 m and node 0 at z = 0.3 m"), "{message}");
    state = model.initial_state().clone();
    state.velocity[5].z = -1.0;
    let message = simulation.set_state(&state).unwrap_err().to_string();
    assert!(message.contains("the velocity of node 5 has z = -1"), "{message}");
}

#[test]
fn copies_of_a_batch_are_jittered_within_the_plane() {
    let text =
        "copies = 3\n[jitter]\nposition = 0.01\nvelocity = 0.5\n[vary]\nbody.corner.2 = [0.3, 0.5, 0.7]\n";
    let sweep = Sweep::parse(CLOTH, "planar.toml", text, "sweep.toml").unwrap();
    let batch = sweep.batch().unwrap();
    batch.model.check_planar().unwrap();
    assert_ne!(batch.model.initial_state().position[20].x, batch.model.initial_state().position[20 + 154].x);
    let message = Sweep::parse(CLOTH, "p.toml", &text.replace("corner.2", "u.2"), "s.toml").unwrap().batch();
    let message = message.unwrap_err().to_string();
    assert!(message.contains("u = ") && message.contains("one plane z = const"), "{message}");
}
