//! Gravity is not lost: an unpinned sheet falls by the method's own amount in n steps of length h,
//! h^2 g n (n - 1) / 2 (explicit Euler), n (n + 1) / 2 (symplectic and implicit Euler), n^2 / 2 (Verlet).

use crate::common::{gpu, model, plain_of, raw_sheet, run, two_at_a_time};
use taffeta::Simulation;
use taffeta::gpu::Gpu;
use taffeta::model::Model;
use taffeta::settings::{
    FORCE, FRAME_TIME, ITERATIONS, Iterations, SUBSTEPS, Settings, SolverKind, Substeps,
};

/// Fall of one second in n steps of length h [m].
fn expected(solver: SolverKind, h: f64, n: f64) -> f64 {
    let g = f64::from(-Settings::default().world.gravity.y);
    // By name: a method that is taken out of the list leaves its name here without effect.
    let steps = match solver.name() {
        "explicit-euler" => n * (n - 1.0),
        "symplectic-euler" | "implicit-euler" | "local-global" | "newton-multigrid" | "vbd"
        | "soft-constraint" | "xpbd" => n * (n + 1.0),
        "verlet" | "rk4" => n * n,
        name => panic!("how does {name} fall?"),
    };
    0.5 * h * h * g * steps
}

/// Worst relative error of any node's fall after so many frames.
fn error(gpu: &Gpu, model: &Model, settings: &Settings, frames: u32) -> f64 {
    let simulation = Simulation::new(gpu, model, settings).unwrap();
    let (h, n) = (f64::from(simulation.step_length()), f64::from(frames * simulation.substeps()));
    drop(simulation);
    let state = run(gpu, model, settings, frames);
    let wanted = expected(settings.solver, h, n);
    let fallen = |(x, y): (&glam::Vec3, &glam::Vec3)| f64::from(x.y) - f64::from(y.y);
    let falls = model.rest_position().iter().zip(&state.position).map(fallen);
    // The largest by total order: NaN is no small error.
    falls.map(|f| (f / wanted - 1.0).abs()).max_by(f64::total_cmp).unwrap()
}

/// A sheet of 0.2 kg/m^2; soft, so that the explicit methods need few steps.
fn sheet(n: u32, stiffness: f32) -> Model {
    let stiffness = [stiffness, stiffness / 2.0, stiffness / 10.0];
    model(raw_sheet(n, n, stiffness, 0.2 / (n * n) as f32, 0.0))
}

#[test]
fn a_sheet_falls_as_its_method_says() {
    let gpu = gpu();
    let cases = [316, 100, 16].into_iter().flat_map(|n| SolverKind::ALL.map(|solver| (n, solver)));
    two_at_a_time(cases, |(n, solver)| {
        // Undamped explicit Euler amplifies rounding at any step; a second of it needs softer springs. So soft, large sheets are
        // stable in few steps of the other explicit methods.
        let explicit = solver == SolverKind::ExplicitEuler;
        let is_soft = explicit || n > 100 && solver.is_explicit();
        let stiffness = if is_soft { 1e-3 } else { 10.0 };
        let mut settings = plain_of(solver).with(FORCE, explicit);
        if n > 100 {
            // However many iterations and substeps they make, these fall alike; their own number of a large sheet
            // takes minutes.
            match solver {
                SolverKind::Vbd | SolverKind::ImplicitEuler | SolverKind::SoftConstraint => {
                    settings.set(ITERATIONS, Iterations::Fixed(3));
                }
                SolverKind::Xpbd => settings.step.substeps = Substeps::Fixed(2),
                SolverKind::ExplicitEuler => settings.step.substeps = Substeps::Fixed(4),
                _ => {}
            }
        }
        // A node loses what rounding takes from each step, so that a fall of 20 frames is the harder one to get right.
        let frames = if n > 16 { 20 } else { 60 };
        let error = error(&gpu, &sheet(n, stiffness), &settings, frames);
        assert!(error < 1e-3, "{solver} at {n} x {n}: {error:.2e}");
    });
}

#[test]
fn a_sheet_falls_alike_at_any_number_of_substeps() {
    // At 300 substeps h^2 g is 3e-8 m, less than positions in f32 can hold at a height of a meter.
    let gpu = gpu();
    let all = [1, 10, 30, 300].into_iter().flat_map(|n| SolverKind::ALL.map(|solver| (n, solver)));
    let more =
        SolverKind::ALL.into_iter().filter(|solver| solver.minimizes()).flat_map(|s| [(16, s), (100, s)]);
    two_at_a_time(all.chain(more), |(substeps, solver)| {
        let explicit = solver.is_explicit();
        let stiffness = if explicit { 1e-3 } else { 10.0 };
        // In a long substep one iteration does not converge.
        let iterations = (!explicit).then_some(if substeps == 1 { 4 } else { 1 });
        let settings = plain_of(solver)
            .with(FORCE, explicit)
            .with(SUBSTEPS, Substeps::Fixed(substeps))
            .with(ITERATIONS, Iterations::from(iterations));
        let error = error(&gpu, &sheet(4, stiffness), &settings, 12);
        assert!(error < 1e-3, "{solver}, {substeps} substeps: {error:.2e}");
    });
}

#[test]
fn verlet_falls_at_the_stable_step_of_a_stiff_fine_sheet() {
    // h^2 g is about 6e-9 m here, less than positions in f32 can hold. A tenth of a second is enough to see
    // it lost, and what is left after a thousand steps to see it kept.
    // The nodes are those of a sheet of 316 x 316, a tenth as many.
    let gpu = gpu();
    let model = model(raw_sheet(100, 100, [1000.0, 500.0, 100.0], 0.2 / (316.0 * 316.0), 0.0));
    let base = plain_of(SolverKind::Verlet).with(FRAME_TIME, 1.0 / 600.0);
    let substeps = Simulation::new(&gpu, &model, &base).unwrap().substeps();
    let settings = base.with(SUBSTEPS, Substeps::Fixed(substeps));
    let frames = 20;
    let state = run(&gpu, &model, &settings, frames);
    let h = f64::from((f64::from(settings.step.frame_time) / f64::from(substeps)) as f32);
    let wanted = expected(SolverKind::Verlet, h, f64::from(frames * substeps));
    let fall = |i: usize| f64::from(model.rest_position()[i].y) - f64::from(state.position[i].y);
    let mean = (0..model.node_count()).map(fall).sum::<f64>() / model.node_count() as f64;
    assert!((mean / wanted - 1.0).abs() < 1e-3, "{substeps} substeps: {mean:e} m instead of {wanted:e} m");
}
