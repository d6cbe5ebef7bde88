//! The classic scenes, each on its own figure.

use crate::common::gpu;
use glam::{DVec3, Vec3};
use taffeta::gpu::Gpu;
use taffeta::method::Stability;
use taffeta::model::Model;
use taffeta::reference::implicit_euler::Linearized;
use taffeta::reference::{Forces, State64};
use taffeta::scene::Scene;
use taffeta::settings::{
    CONTACT, FORCE, ITERATIONS, Iterations, LARGEST_STRETCH, LINEAR_SOLVER, LinearSolver, SOLVER, SUBSTEPS,
    SolverKind, Substeps,
};
use taffeta::{Settings, Simulation, State};

fn scene(name: &str) -> Scene {
    Scene::load(format!("{}/scenes/classic/{name}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn simulation(gpu: &Gpu, scene: &Scene) -> Simulation {
    Simulation::new(gpu, &scene.model, &scene.settings).unwrap()
}

/// Lower triangle of the Cholesky factor of M / h^2 + L over the free nodes, which are the unknowns; pins stay.
struct Factor {
    unknown: Vec<Option<usize>>,
    rows: Vec<Vec<f64>>,
}

impl Factor {
    fn new(model: &Model, h: f64) -> Self {
        let mut count = 0;
        let number = |pinned: &bool| {
            count += usize::from(!pinned);
            (!pinned).then(|| count - 1)
        };
        let unknown: Vec<Option<usize>> = model.pinned().iter().map(number).collect();
        let mut rows: Vec<Vec<f64>> = (0..count).map(|i| vec![0.0; i + 1]).collect();
        for (i, row) in unknown.iter().enumerate() {
            if let Some(row) = *row {
                rows[row][row] += f64::from(model.mass()[i]) / (h * h);
            }
        }
        for spring in model.springs() {
            let ends = spring.nodes.map(|n| unknown[n as usize]);
            for end in ends.into_iter().flatten() {
                rows[end][end] += f64::from(spring.stiffness);
            }
            if let [Some(a), Some(b)] = ends {
                rows[a.max(b)][a.min(b)] -= f64::from(spring.stiffness);
            }
        }
        for i in 0..count {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| rows[i][k] * rows[j][k]).sum();
                rows[i][j] = if i == j { (rows[i][i] - sum).sqrt() } else { (rows[i][j] - sum) / rows[j][j] };
            }
        }
        Self { unknown, rows }
    }

    /// Adds the solution for the right-hand side `b` to `x`.
    fn add_solution(&self, b: &[DVec3], x: &mut [DVec3]) {
        let mut u = vec![DVec3::ZERO; self.rows.len()];
        for (node, row) in self.unknown.iter().enumerate() {
            if let Some(row) = *row {
                u[row] = b[node];
            }
        }
        for i in 0..u.len() {
            let sum: DVec3 = (0..i).map(|k| self.rows[i][k] * u[k]).sum();
            u[i] = (u[i] - sum) / self.rows[i][i];
        }
        for i in (0..u.len()).rev() {
            u[i] /= self.rows[i][i];
            let solved = u[i];
            for (u, entry) in u.iter_mut().zip(&self.rows[i][..i]) {
                *u -= *entry * solved;
            }
        }
        for (x, row) in x.iter_mut().zip(&self.unknown) {
            if let Some(row) = *row {
                *x += u[row];
            }
        }
    }
}

/// Ten rounds of the article a step in f64, each with an exact global step.
fn local_global(scene: &Scene, steps: u32) -> Vec<DVec3> {
    let (model, settings) = (&scene.model, &scene.settings);
    let h = f64::from(settings.step.frame_time);
    let factor = Factor::new(model, h);
    let State64 { position: mut x, velocity: mut v, .. } = model.initial_state().into();
    let keep = (-f64::from(settings.world.drag) * h).exp();
    for _ in 0..steps {
        let before = x.clone();
        let gravity = h * h * settings.world.gravity.as_dvec3();
        let y: Vec<DVec3> = x.iter().zip(&v).map(|(x, v)| *x + h * *v + gravity).collect();
        for _ in 0..settings.iterations() {
            let mut force: Vec<DVec3> =
                (0..x.len()).map(|i| f64::from(model.mass()[i]) / (h * h) * (y[i] - x[i])).collect();
            for spring in model.springs() {
                let [a, b] = spring.nodes.map(|n| n as usize);
                let e = x[a] - x[b];
                let pull = f64::from(spring.stiffness) * (e - f64::from(spring.rest_length) * e.normalize());
                force[a] -= pull;
                force[b] += pull;
            }
            factor.add_solution(&force, &mut x);
        }
        for i in (0..x.len()).filter(|&i| !model.pinned()[i]) {
            v[i] = keep * (x[i] - before[i]) / h;
        }
    }
    x
}

#[test]
fn the_sheet_of_the_local_global_article_comes_to_its_own_place() {
    let scene = scene("local-global");
    let mut simulation = simulation(&gpu(), &scene);
    for _ in 0..500 {
        simulation.step().unwrap();
    }
    let found = simulation.state().unwrap();
    let exact = local_global(&scene, 500);
    let start = &scene.model.initial_state().position;
    let sum = |f: &dyn Fn(usize) -> f64| ((0..400).map(f).sum::<f64>() / 400.0).sqrt();
    let error = sum(&|i| (found.position[i].as_dvec3() - exact[i]).length_squared());
    let moved = sum(&|i| (exact[i] - start[i].as_dvec3()).length_squared());
    assert!(moved > 1.0, "{moved} m: it hardly moved");
    assert!(error < 0.01 * moved, "{error} m of {moved} m");
    let effort = simulation.effort().unwrap().unwrap();
    assert_eq!((effort.substeps, effort.unfinished), (5000, 0), "global steps: {effort:?}");
    println!("rms {error:.2e} m of {moved:.3} m; {:.1} steps of conjugate gradients", effort.mean());
}

/// Largest distance of a node from the mirror image of its partner, for a sheet of `columns` columns 1 m wide.
fn asymmetry(state: &State, columns: usize) -> f32 {
    let mirror = |x: Vec3| Vec3::new(1.0 - x.x, x.y, x.z);
    let partner = |i: usize| i / columns * columns + columns - 1 - i % columns;
    let x = &state.position;
    (0..x.len()).map(|i| x[i].distance(mirror(x[partner(i)]))).fold(0.0, f32::max)
}

#[test]
fn soft_constraints_move_left_and_right_alike() {
    let scene = scene("soft-constraint");
    let mut simulation = simulation(&gpu(), &scene);
    simulation.step().unwrap();
    let step = asymmetry(&simulation.state().unwrap(), 16);
    assert!(step < 2e-7, "{step} m after the first step");
    let mut worst = 0f32;
    for _ in 1..30 {
        simulation.step().unwrap();
        worst = worst.max(asymmetry(&simulation.state().unwrap(), 16));
    }
    assert!(worst < 1e-4, "{worst} m within half a second");
    for _ in 0..20 * 60 {
        simulation.step().unwrap();
    }
    let state = simulation.state().unwrap();
    let speed = state.velocity.iter().map(|v| v.length()).fold(0.0, f32::max);
    assert!(speed < 1e-3, "it still moves at {speed} m/s");
    let middle = state.position[8 * 16 + 8];
    assert!(middle.y < 0.7, "the middle of the sheet hangs at {} m", middle.y);
    let rest = asymmetry(&state, 16);
    assert!(rest < 1e-3, "{rest} m at rest");
    println!("{step:.1e} m after a step, {worst:.1e} m within half a second, {rest:.1e} m at rest");
}

#[test]
fn soft_constraints_name_the_limit_that_tension_sets() {
    let gpu = gpu();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/methods/soft-sheet.toml");
    let scene = Scene::load(path).unwrap();
    let run = |substeps| {
        let settings = scene.settings.with_solver(SolverKind::SoftConstraint).with(CONTACT, false);
        let settings =
            settings.with(SUBSTEPS, Substeps::Fixed(substeps)).with(ITERATIONS, Iterations::Fixed(15));
        let mut simulation = Simulation::new(&gpu, &scene.model, &settings).unwrap();
        (0..45).try_for_each(|_| {
            simulation.step().unwrap();
            simulation.largest_stretch().map(|_| ())
        })
    };
    let message = run(1).unwrap_err().to_string();
    assert!(message.contains("(2 / omega_t, omega_t^2 = 2 w sum k |l - r| / l)"), "{message}");
    assert!(message.contains("and h is 1.667e-2 s"), "{message}");
    let advised = message.split("use substeps = ").nth(1).unwrap().split(' ').next().unwrap();
    run(advised.parse().unwrap()).unwrap();
}

/// Tension that did not break the run is not blamed for it.
#[test]
fn no_other_solver_and_no_other_end_is_put_down_to_tension() {
    let gpu = gpu();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/methods/soft-sheet.toml");
    let scene = Scene::load(path).unwrap();
    let ends = |settings: Settings| {
        let mut simulation = Simulation::new(&gpu, &scene.model, &settings).unwrap();
        let end = (0..60).find_map(|_| {
            simulation.step().unwrap();
            simulation.largest_stretch().err()
        });
        end.unwrap().to_string()
    };
    let plain = scene.settings.clone().with(CONTACT, false);
    let few = plain.clone().with(SUBSTEPS, Substeps::Fixed(4)).with(FORCE, true);
    assert!(!ends(few.with_solver(SolverKind::SymplecticEuler)).contains("omega_t"));
    let fine = plain.with(SUBSTEPS, Substeps::Fixed(16)).with(LARGEST_STRETCH, 1.02);
    assert!(!ends(fine.with_solver(SolverKind::SoftConstraint)).contains("omega_t"));
}

#[test]
fn the_planar_system_is_solved_at_twenty_times_the_explicit_limit() {
    let gpu = gpu();
    let scene = scene("planar");
    assert!(scene.settings.step.planar);
    let explicit = scene.settings.clone().with(SOLVER, SolverKind::SymplecticEuler);
    let h = f64::from(scene.settings.step.frame_time);
    let limit = SolverKind::SymplecticEuler.largest_step(&Stability::of(&scene.model, &explicit));
    assert!(h > 20.0 * limit, "{h} s is {} times the limit", h / limit);
    for solver in LinearSolver::ALL {
        let mut scene = scene.clone();
        scene.settings.set(LINEAR_SOLVER, Some(solver));
        if solver != LinearSolver::ConjugateGradients {
            scene.settings.set(ITERATIONS, Iterations::Fixed(4000));
        }
        let mut simulation = simulation(&gpu, &scene);
        // The springs are out of place here. Later, smooth motion has a right-hand side so small that what f32 rounds off a
        // velocity is more than 1e-5 of it once it has been multiplied by such stiffness.
        let before = simulation.state().unwrap();
        simulation.step().unwrap();
        let worst = residual(&scene, h, &before, &simulation.state().unwrap());
        let effort = simulation.effort().unwrap().unwrap();
        println!("{solver}: {} iterations; residual {worst:.1e}", effort.most);
        assert_eq!(effort.unfinished, 0, "{solver}: {effort:?}");
        for _ in 1..4 {
            simulation.step().unwrap();
        }
        let state = simulation.state().unwrap();
        assert!(
            state.position.iter().chain(&state.velocity).all(|v| v.z == 0.0),
            "{solver}: it left its plane"
        );
        // Ten h^2 g in four steps, less what the clamped edge holds.
        let fallen = before.position.iter().zip(&state.position).map(|(a, b)| a.y - b.y).sum::<f32>() / 369.0;
        assert!((0.005..0.0098).contains(&fallen), "{solver}: the plate has fallen by {fallen} m");
        assert!(worst < 1e-5, "{solver}: residual {worst:.2e} of the right-hand side");
    }
}

/// |b - A u| over |b| in f64, with u = h dv of the GPU.
fn residual(scene: &Scene, h: f64, before: &State, after: &State) -> f64 {
    let forces = Forces::of(&scene.model, &scene.settings);
    let system = Linearized::new(&forces, h, &before.into());
    let u: Vec<DVec3> = (before.velocity.iter().zip(&after.velocity))
        .map(|(before, after)| h * (after.as_dvec3() - before.as_dvec3()))
        .collect();
    let norm = |v: &[DVec3]| v.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
    let left: Vec<DVec3> = system.b.iter().zip(system.product(&u)).map(|(b, a)| *b - a).collect();
    norm(&left) / norm(&system.b)
}
