//! Checkpoints: a run that goes on from one comes to the same bits as one that never stopped, for every solver; what does
//! not fit is refused.

use crate::common::{self, gpu, plain_of, raw_sheet};
use glam::Vec3;
use taffeta::checkpoint::Checkpoint;
use taffeta::gpu::Gpu;
use taffeta::io::{read_checkpoint, write_checkpoint};
use taffeta::model::{Collider, ColliderShape, Load, Model, ModelBuilder, Path, Push, ScriptedHandle};
use taffeta::settings::{
    AIR, Air, CHEBYSHEV, CONTACT, Chebyshev, DAMPING, FORCE, FORM, FRAME_TIME, Form, GRAVITY, ITERATIONS,
    Iterations, LARGEST_STRETCH, LINEAR_SOLVER, LinearSolver, SUBSTEPS, SWEEPS, Settings, SolverKind,
    Substeps, TOLERANCE, UserForce, WIND,
};
use taffeta::shape::{Cloth, ClothMaterial, Fabric};
use taffeta::{Simulation, State};

/// Frames before the checkpoint and after it.
const BEFORE: u32 = 6;
const AFTER: u32 = 5;

/// A cloth with everything that acts: bending, dashpots, a pin that moves, a handle that lets go after the checkpoint.
fn cloth(side: u32, tensile: f32) -> Model {
    held_cloth(side, tensile).build().unwrap()
}

/// The same pushed by everything that can: a ball that turns and rises, a load, a force of the user's own in air.
fn pushed(side: u32, tensile: f32, solver: SolverKind) -> (Model, Settings) {
    let mut builder = held_cloth(side, tensile);
    let ball = ColliderShape::Sphere { center: Vec3::new(0.5, 0.7, 0.4), radius: 0.2 };
    let up = Path::new(vec![(0.0, Vec3::ZERO), (0.2, Vec3::Y * 0.1)]).unwrap();
    builder.collide(Collider { spin: Vec3::Y, path: up, stiffness: 1e4, ..Collider::new(ball) });
    let gust = Path::new(vec![(0.0, Vec3::ZERO), (0.3, Vec3::Z * 0.01)]).unwrap();
    let blown = Push::Pressure(Path::new(vec![(0.0, 1.0), (0.05, 3.0)]).unwrap());
    builder.load(Load { nodes: vec![7, 8, 9], push: blown });
    builder.load(Load { nodes: vec![3, 4], push: Push::Force(gust) });
    let text = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {
        return mass * sin(9.0 * time) * velocity.zxy;
    }";
    let user_force = Some(UserForce::new("test", 1, text));
    (builder.build().unwrap(), Settings { user_force, ..in_air(solver) })
}

fn held_cloth(side: u32, tensile: f32) -> ModelBuilder {
    let fabric = Fabric {
        density: 0.2,
        tensile,
        shear: 0.3 * tensile,
        flexion: 0.0,
        bending: 1e-4,
        damping_time: 1e-4,
    };
    let material = ClothMaterial::Fabric(fabric);
    let (u, v) = (Vec3::X, Vec3::new(0.0, -0.3, 0.9));
    let mut body = Cloth { corner: Vec3::Y, u, v, columns: side, rows: side, material }.build().unwrap();
    body.pinned = vec![0, side - 1];
    let mut builder = ModelBuilder::new();
    builder.add(body);
    let there = Vec3::new(0.0, 0.1, -0.2);
    builder.pin_along(vec![0], Path::new(vec![(0.0, Vec3::ZERO), (0.25, there)]).unwrap());
    builder.handle(ScriptedHandle {
        nodes: vec![(side * side - 1, 1.0), (side * side - 2, 0.5)],
        stiffness: 3.0,
        path: Path::new(vec![(0.05, Vec3::ZERO), (0.3, Vec3::new(0.2, 0.3, 0.0))]).unwrap(),
        active: 0.03..0.15,
    });
    builder
}

fn in_air(solver: SolverKind) -> Settings {
    let air = Air { density: 1.2, normal: 1.3, tangential: 0.05 };
    let wind = Vec3::new(0.0, 0.0, 2.0);
    plain_of(solver).with(AIR, air).with(WIND, wind).with(DAMPING, 0.5)
}

fn step(simulation: &mut Simulation, frames: u32) {
    for _ in 0..frames {
        simulation.step().unwrap();
    }
}

/// The same through a file.
fn filed(checkpoint: &Checkpoint) -> Checkpoint {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.taffeta");
    write_checkpoint(&path, checkpoint).unwrap();
    read_checkpoint(&path).unwrap()
}

/// All bits of a state.
fn bits(state: &State) -> (Vec<[u32; 3]>, Vec<[u32; 3]>, u64) {
    let of = |v: &[Vec3]| v.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
    (of(&state.position), of(&state.velocity), state.time.to_bits())
}

/// Runs, goes on from a checkpoint in another simulation, and compares everything that can be read.
fn goes_on(gpu: &Gpu, model: &Model, settings: &Settings) -> Checkpoint {
    let name = format!("{} {:?} {:?}", settings.solver, settings.step.form, settings.get(LINEAR_SOLVER));
    let mut one = Simulation::new(gpu, model, settings).unwrap();
    step(&mut one, BEFORE);
    let checkpoint = filed(&one.checkpoint().unwrap());
    let stopped = one.state().unwrap();
    step(&mut one, AFTER);

    let mut other = Simulation::new(gpu, model, settings).unwrap();
    assert_eq!(other.resume(&checkpoint).unwrap(), [], "{name}");
    assert!(bits(&other.state().unwrap()) == bits(&stopped), "{name}: another state after resuming");
    step(&mut other, AFTER);
    let (a, b) = (one.state().unwrap(), other.state().unwrap());
    assert!(a.position != stopped.position, "{name}: nothing moved");
    assert!(bits(&a) == bits(&b), "{name}: the run that was resumed came to another state");
    let left =
        |s: &Simulation| (s.falls().unwrap(), s.effort().unwrap(), s.largest_stretch().unwrap(), s.frames());
    assert_eq!(left(&one), left(&other), "{name}");
    assert_eq!(one.checkpoint().unwrap(), other.checkpoint().unwrap(), "{name}");
    checkpoint
}

#[test]
fn every_solver_goes_on_to_the_same_bits() {
    let gpu = gpu();
    for solver in SolverKind::ALL {
        let (model, settings) = pushed(12, 100.0, solver);
        // Forward Euler has no stable step by itself; for a few frames with dashpots this one is.
        let is_forward = solver == SolverKind::ExplicitEuler;
        let substeps = if is_forward { Substeps::Fixed(300) } else { Substeps::Auto };
        goes_on(&gpu, &model, &settings.with(SUBSTEPS, substeps).with(FORCE, is_forward));
    }
}

/// The multipliers of stiff springs go on, too.
#[test]
fn so_does_stiff_cloth() {
    let mut limited = raw_sheet(12, 10, [40.0, 10.0, 0.0], 0.002, 0.0);
    (limited.strain_limit, limited.pinned) = (Some(0.01), vec![0, 11]);
    let (gpu, limited) = (gpu(), common::model(limited));
    for (form, model) in [(Form::Grid, cloth(12, 1e7)), (Form::Mesh, cloth(12, 1e7)), (Form::Grid, limited)] {
        let settings = in_air(SolverKind::NewtonMultigrid).with(FORM, form);
        assert!(Simulation::new(&gpu, &model, &settings).unwrap().multipliers() > 0);
        goes_on(&gpu, &model, &settings);
    }
}

#[test]
fn so_does_a_pin_that_comes_to_rest_with_the_sign_of_zero() {
    // In the first frame after the checkpoint the path ends at -0.0, which equals the 0.0 before it but for its bits.
    let gpu = gpu();
    let mut body = raw_sheet(8, 8, [100.0, 50.0, 10.0], 0.2 / 64.0, 0.0);
    body.pinned = vec![0];
    let mut builder = ModelBuilder::new();
    builder.add(body);
    let there = Vec3::new(0.05, 0.0, 0.0);
    let keys = vec![(0.0, Vec3::ZERO), (0.05, there), (0.115, Vec3::new(0.05, -0.0, 0.0))];
    builder.pin_along(vec![0], Path::new(keys).unwrap());
    let model = builder.build().unwrap();
    for solver in [SolverKind::NewtonMultigrid, SolverKind::Verlet] {
        goes_on(&gpu, &model, &plain_of(solver));
    }
}

#[test]
fn so_do_other_ways_to_solve() {
    let gpu = gpu();
    let model = cloth(9, 100.0);
    let tolerance = Some(1e-3);
    let linear = |solver, linear| {
        in_air(solver)
            .with(LINEAR_SOLVER, linear)
            .with(TOLERANCE, tolerance)
            .with(ITERATIONS, Iterations::Fixed(20))
            .with(SWEEPS, 10)
    };
    for settings in [
        in_air(SolverKind::NewtonMultigrid).with(FORM, Form::Mesh).with(TOLERANCE, tolerance),
        linear(SolverKind::LocalGlobal, LinearSolver::ConjugateGradients),
        linear(SolverKind::ImplicitEuler, LinearSolver::GaussSeidel),
        in_air(SolverKind::Vbd).with(CHEBYSHEV, Chebyshev::Radius(0.9)),
        linear(SolverKind::Xpbd, LinearSolver::GaussSeidel),
    ] {
        goes_on(&gpu, &model, &settings);
    }
}

#[test]
fn a_state_alone_does_not_go_on_to_the_same_bits() {
    let gpu = gpu();
    let model = cloth(12, 100.0);
    let settings = in_air(SolverKind::Verlet);
    let mut one = Simulation::new(&gpu, &model, &settings).unwrap();
    step(&mut one, BEFORE);
    let state = one.state().unwrap();
    step(&mut one, AFTER);
    let mut other = Simulation::new(&gpu, &model, &settings).unwrap();
    other.set_state(&state).unwrap();
    step(&mut other, AFTER);
    let (a, b) = (one.state().unwrap(), other.state().unwrap());
    assert!(bits(&a) != bits(&b));
    let error = a.position.iter().zip(&b.position).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(error < 1e-3, "{error}");
}

#[test]
fn nor_does_a_checkpoint_without_the_solvers_own_buffer() {
    let gpu = gpu();
    // Wild enough for the acceleration to fall back, so that the guard has something to remember.
    let mut body = raw_sheet(40, 40, [1000.0, 500.0, 100.0], 0.2 / 1600.0, 0.0);
    body.pinned = vec![0, 39];
    body.velocity = Some(body.rest_position.iter().map(|x| Vec3::new(0.0, 3.0 * x.x, 4.0 * x.y)).collect());
    let model = common::model(body);
    let settings = plain_of(SolverKind::LocalGlobal)
        .with(CHEBYSHEV, Chebyshev::Radius(0.999_99))
        .with(LARGEST_STRETCH, 1e9);
    let mut checkpoint = goes_on(&gpu, &model, &settings);
    let mut one = Simulation::new(&gpu, &model, &settings).unwrap();
    one.resume(&checkpoint).unwrap();
    assert!(one.falls().unwrap() > 0);
    step(&mut one, AFTER);
    checkpoint.parts.iter_mut().filter(|p| p.name == "monitor").for_each(|p| p.words.fill(0));
    let mut other = Simulation::new(&gpu, &model, &settings).unwrap();
    other.resume(&checkpoint).unwrap();
    step(&mut other, AFTER);
    assert!(bits(&one.state().unwrap()) != bits(&other.state().unwrap()));
    checkpoint.parts.retain(|p| p.name != "monitor");
    let error = other.resume(&checkpoint).unwrap_err().to_string();
    assert!(error.contains("holds none of the") && error.contains("'monitor'"), "{error}");
}

#[test]
fn so_do_layers_on_a_floor() {
    let gpu = gpu();
    let mut builder = ModelBuilder::new();
    for height in [0.002, 0.0119] {
        let mut body = raw_sheet(9, 9, [100.0, 50.0, 10.0], 0.2 / 81.0, 0.0);
        body.rest_position.iter_mut().for_each(|x| *x = Vec3::new(x.x, height, x.y));
        body.layer.thickness = Some(0.01);
        builder.add(body);
    }
    builder.collide(Collider::new(ColliderShape::Plane { point: Vec3::ZERO, normal: Vec3::Y }));
    let model = builder.build().unwrap();
    // Sheets slide down the slope, or stick on it.
    let solved = plain_of(SolverKind::LocalGlobal).with(LINEAR_SOLVER, LinearSolver::ConjugateGradients);
    for (of, slope, part) in [
        (plain_of(SolverKind::NewtonMultigrid), 4.0, "forces of contact"),
        (plain_of(SolverKind::ImplicitEuler), 4.0, "forces of contact"),
        (plain_of(SolverKind::SoftConstraint), 4.0, "forces of contact"),
        (plain_of(SolverKind::NewtonMultigrid), 1.0, "friction on colliders"),
        (plain_of(SolverKind::Verlet), 4.0, "memory"),
        (plain_of(SolverKind::Vbd), 4.0, "gained"),
        (plain_of(SolverKind::LocalGlobal), 4.0, "gained"),
        (solved, 4.0, "gained"),
    ] {
        let settings = of.with(CONTACT, true).with(GRAVITY, Vec3::new(slope, -9.0, 0.0));
        let mut checkpoint = goes_on(&gpu, &model, &settings);
        let ends = [false, true].map(|is_forgotten| {
            let forces = checkpoint.parts.iter_mut().filter(|p| is_forgotten && p.name == part);
            forces.for_each(|p| p.words.fill(0));
            let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
            simulation.resume(&checkpoint).unwrap();
            step(&mut simulation, 1);
            bits(&simulation.state().unwrap())
        });
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        let first = [false, true].map(|again| {
            if again {
                simulation.reset().unwrap();
            }
            step(&mut simulation, 2);
            bits(&simulation.state().unwrap())
        });
        assert!(first[0] == first[1], "{}: a reset does not forget the {part}", settings.solver);
        assert!(ends[0] != ends[1], "{}: the {part} made no difference", settings.solver);
    }
}

#[test]
fn sheets_that_are_apart_know_no_force_of_when_they_touched() {
    let gpu = gpu();
    let mut builder = ModelBuilder::new();
    for height in [0.0, 0.0098] {
        let mut body = raw_sheet(9, 9, [100.0, 50.0, 10.0], 0.2 / 81.0, 0.0);
        body.rest_position.iter_mut().for_each(|x| *x = Vec3::new(x.x, height, x.y));
        body.layer.thickness = Some(0.01);
        builder.add(body);
    }
    let model = builder.build().unwrap();
    let settings = plain_of(SolverKind::SymplecticEuler)
        .with(CONTACT, true)
        .with(FRAME_TIME, 1e-4)
        .with(SUBSTEPS, Substeps::Fixed(1));
    let mut used = Simulation::new(&gpu, &model, &settings).unwrap();
    let mut apart = Simulation::new(&gpu, &model, &settings).unwrap();
    let mut state = apart.state().unwrap();
    state.position[81..].iter_mut().for_each(|x| x.y += 0.5);
    apart.set_state(&state).unwrap();
    let checkpoint = apart.checkpoint().unwrap();
    step(&mut apart, 1);
    step(&mut used, 1);
    let upper = used.state().unwrap().velocity[81 + 40];
    assert!(upper.y > -0.9 * 9.81 * 1e-4, "{upper}: it falls freely");
    used.resume(&checkpoint).unwrap();
    step(&mut used, 1);
    assert!(bits(&used.state().unwrap()) == bits(&apart.state().unwrap()));
}

#[test]
fn a_batch_goes_on_too() {
    let gpu = gpu();
    let batch = Model::stack(vec![cloth(6, 100.0), cloth(6, 80.0), cloth(6, 60.0)]).unwrap();
    for solver in [SolverKind::Verlet, SolverKind::LocalGlobal] {
        let own = (1..4).map(|n| in_air(solver).with(DAMPING, n as f32).world);
        goes_on(&gpu, &batch, &Settings { copies: own.collect(), ..in_air(solver) });
    }
}

/// Its velocities are between substeps, and are made anew.
#[test]
fn the_copies_of_a_batch_go_on_with_other_substeps_as_they_do_alone() {
    let gpu = gpu();
    let settings = in_air(SolverKind::Verlet);
    let own = [1.0, 2.0].map(|n| settings.clone().with(DAMPING, n).world);
    let end = |model: &Model, settings: Settings| {
        let [coarse, fine] = [40, 60].map(|n| settings.clone().with(SUBSTEPS, Substeps::Fixed(n)));
        let mut one = Simulation::new(&gpu, model, &coarse).unwrap();
        step(&mut one, BEFORE);
        let mut other = Simulation::new(&gpu, model, &fine).unwrap();
        assert_eq!(other.resume(&one.checkpoint().unwrap()).unwrap().len(), 1);
        step(&mut other, AFTER);
        let state = other.state().unwrap();
        [state.position, state.velocity]
    };
    let copies = [cloth(6, 100.0), cloth(6, 80.0)];
    let batch = Model::stack(copies.to_vec()).unwrap();
    let together = end(&batch, Settings { copies: own.to_vec(), ..settings.clone() });
    let alone: Vec<_> =
        (0..2).map(|c| end(&copies[c], Settings { world: own[c], ..settings.clone() })).collect();
    for k in 0..2 {
        assert!(together[k] == [&alone[0][k][..], &alone[1][k]].concat());
    }
    assert!(alone[0][0] != alone[1][0]);
}

#[test]
fn pins_that_were_released_or_set_stay_so() {
    let gpu = gpu();
    let model = cloth(8, 100.0);
    let settings = in_air(SolverKind::NewtonMultigrid);
    let mut one = Simulation::new(&gpu, &model, &settings).unwrap();
    step(&mut one, 2);
    one.set_pinned(7, false).unwrap();
    one.set_pinned(40, true).unwrap();
    let checkpoint = filed(&one.checkpoint().unwrap());
    step(&mut one, AFTER);
    let mut other = Simulation::new(&gpu, &model, &settings).unwrap();
    other.resume(&checkpoint).unwrap();
    step(&mut other, AFTER);
    assert!(bits(&one.state().unwrap()) == bits(&other.state().unwrap()));
    assert!(other.state().unwrap().velocity[7] != Vec3::ZERO);
    assert!(other.state().unwrap().velocity[40] == Vec3::ZERO);
}

#[test]
fn what_was_kept_is_there_after_the_run_broke_down() {
    let gpu = gpu();
    let model = cloth(8, 1000.0);
    let enough = in_air(SolverKind::SymplecticEuler);
    // One fewer than it needs: 4 % of stretch after a frame, 131 % after two, then the end.
    let few = 9;
    let settings = enough.clone().with(SUBSTEPS, Substeps::Fixed(few)).with(FORCE, true);
    let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
    assert_eq!(simulation.kept().unwrap(), None);
    simulation.keep().unwrap();
    step(&mut simulation, 1);
    let good = simulation.checkpoint().unwrap();
    simulation.keep().unwrap();
    assert_eq!(simulation.kept().unwrap().unwrap().frames, 0);
    step(&mut simulation, 1);
    simulation.keep().unwrap();
    assert_eq!(simulation.kept().unwrap(), Some(good.clone()));
    step(&mut simulation, 60);
    assert!(simulation.keep().is_err() && simulation.checkpoint().is_err());
    assert_eq!(simulation.kept().unwrap(), Some(good.clone()));

    // It does better with more substeps, from the same place and time on.
    let mut simulation = Simulation::new(&gpu, &model, &enough).unwrap();
    let changed = simulation.resume(&good).unwrap();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].to_string(), format!("substeps was {few}, is {}", simulation.substeps()));
    assert_eq!((simulation.time(), simulation.frames()), (good.time(), 1));
    step(&mut simulation, 30);
    assert!(simulation.largest_stretch().unwrap() < 0.5);
}

#[test]
fn verlet_takes_its_velocities_to_other_steps() {
    take_velocities_to_other_steps(&cloth(8, 100.0), &in_air(SolverKind::Verlet));
    // What lies on a held sheet is pushed by the forces of contact of the substep before.
    let mut builder = ModelBuilder::new();
    for height in [0.0, 0.0097] {
        let mut body = raw_sheet(9, 9, [100.0, 50.0, 10.0], 0.2 / 81.0, 0.0);
        body.rest_position.iter_mut().for_each(|x| *x = Vec3::new(x.x, height, x.y));
        body.layer.thickness = Some(0.01);
        body.pinned = if height == 0.0 { (0..81).collect() } else { Vec::new() };
        builder.add(body);
    }
    let settings = plain_of(SolverKind::Verlet).with(CONTACT, true).with(GRAVITY, -9.0 * Vec3::Y);
    take_velocities_to_other_steps(&builder.build().unwrap(), &settings);
}

fn take_velocities_to_other_steps(model: &Model, settings: &Settings) {
    let gpu = gpu();
    let mut one = Simulation::new(&gpu, model, settings).unwrap();
    step(&mut one, BEFORE);
    let (checkpoint, before) = (one.checkpoint().unwrap(), one.state().unwrap());
    let finer = settings.clone().with(SUBSTEPS, Substeps::Fixed(8 * one.substeps()));
    let mut other = Simulation::new(&gpu, model, &finer).unwrap();
    other.resume(&checkpoint).unwrap();
    let after = other.state().unwrap();
    let largest = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    // A pin stands where its path says, no longer where the last step has brought it.
    assert!(largest(&after.position, &before.position) < 1e-6);
    // As stored they are half a step behind.
    let stored: Vec<Vec3> = (checkpoint.part("velocity").unwrap().as_chunks().0.iter())
        .map(|&[x, y, z, _]| Vec3::from_array([x, y, z].map(f32::from_bits)))
        .collect();
    let error = largest(&after.velocity, &before.velocity);
    let late = largest(&stored, &before.velocity);
    assert!(error < 0.1 * late, "{error} m/s, as stored {late} m/s");
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let gpu = gpu();
    let settings = in_air(SolverKind::Verlet);
    let mut simulation = Simulation::new(&gpu, &cloth(8, 100.0), &settings).unwrap();
    step(&mut simulation, 2);
    let good = simulation.checkpoint().unwrap();
    let refused = |simulation: &mut Simulation, checkpoint: &Checkpoint, parts: &[&str]| {
        let before = simulation.checkpoint().unwrap();
        let error = simulation.resume(checkpoint).unwrap_err().to_string();
        parts.iter().for_each(|part| assert!(error.contains(part), "'{part}' is not in: {error}"));
        assert_eq!(simulation.checkpoint().unwrap(), before, "{error}");
    };
    let of = |model: &Model, settings: &Settings| {
        Simulation::new(&gpu, model, settings).unwrap().checkpoint().unwrap()
    };
    let larger = of(&cloth(9, 100.0), &settings);
    refused(&mut simulation, &larger, &["another scene: 64 nodes here, 81 in the file"]);
    let stiffer = of(&cloth(8, 120.0), &settings);
    refused(&mut simulation, &stiffer, &["another scene: the springs are others"]);
    let xpbd = of(&cloth(8, 100.0), &in_air(SolverKind::Xpbd));
    refused(&mut simulation, &xpbd, &["another solver: verlet here, xpbd in the file"]);
    let slow = of(&cloth(8, 100.0), &settings.clone().with(FRAME_TIME, 0.02));
    refused(&mut simulation, &slow, &["frames of another length: 0.016666668 s here, 0.02 s in the file"]);

    let with = |name: &str, at: usize, value: f32| {
        let mut checkpoint = good.clone();
        let part = checkpoint.parts.iter_mut().find(|p| p.name == name).unwrap();
        part.words[at] = value.to_bits();
        checkpoint
    };
    refused(&mut simulation, &with("position", 21, f32::NAN), &["the position of node 5", "NaN"]);
    refused(&mut simulation, &with("velocity", 6, f32::INFINITY), &["the velocity of node 1", "inf"]);
    refused(&mut simulation, &with("position", 7, 3.0), &["node 1", "mass"]);
    let mut short = good.clone();
    short.parts[1].words.pop();
    refused(&mut simulation, &short, &["holds 255 of the 256 words of 'velocity'"]);
    refused(&mut simulation, &Checkpoint { frames: u64::MAX, ..good.clone() }, &["no run comes to frame"]);
    refused(&mut simulation, &Checkpoint { start_time: f64::NAN, ..good.clone() }, &["no run comes"]);
    refused(&mut simulation, &Checkpoint { substeps: 0, ..good.clone() }, &["no run comes"]);
    simulation.resume(&good).unwrap();
}

#[test]
fn a_force_that_was_no_number_is_forgotten_with_the_frames_behind_the_checkpoint() {
    let text = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {
        return vec3f(sqrt(0.05 - time));
    }";
    let user_force = Some(UserForce::new("test", 1, text));
    let settings = Settings { user_force, ..in_air(SolverKind::NewtonMultigrid) };
    let mut simulation = Simulation::new(&gpu(), &cloth(6, 100.0), &settings).unwrap();
    step(&mut simulation, 1);
    let good = simulation.checkpoint().unwrap();
    step(&mut simulation, 6);
    simulation.largest_stretch().unwrap_err();
    simulation.resume(&good).unwrap();
    simulation.largest_stretch().unwrap();
    step(&mut simulation, 1);
    simulation.largest_stretch().unwrap();
}
