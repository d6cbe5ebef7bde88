//! One step on the GPU equals the f64 reference within a bound derived from rounding, for every solver
//! and kind of network; and a model that is 1 % off does not.

use crate::common::{
    self, Random, disc, gpu, model, one_step_settings as settings, plain, raw_sheet, rope, strain, tangle,
    with_forces,
};
use glam::Vec3;
use taffeta::check::{one_step, one_step_of};
use taffeta::gpu::Gpu;
use taffeta::model::{Body, Model, ModelBuilder, Path, ScriptedHandle, Turn};
use taffeta::settings::{
    CG_STEPS, CHEBYSHEV, Chebyshev, FORM, FRAME_TIME, Form, ITERATIONS, Iterations, LINEAR_SOLVER,
    LinearSolver, PROJECTION, RELAXATION, START, SWEEPS, Settings, SolverKind, Start, TOLERANCE,
};

fn bodies() -> Vec<(&'static str, Body)> {
    let mut random = Random(7);
    vec![
        ("rope", strain(rope(200, 500.0, 0.002), 0.005, &mut random)),
        ("sheet", strain(raw_sheet(20, 31, [400.0, 200.0, 40.0], 0.002, 0.0), 1.0 / 30.0, &mut random)),
        (
            "damped sheet",
            strain(raw_sheet(20, 31, [400.0, 200.0, 40.0], 0.002, 0.02), 1.0 / 30.0, &mut random),
        ),
        ("disc", {
            let body = disc(300.0, 0.002, &mut random);
            strain(body, 0.05, &mut random)
        }),
        ("tangle", {
            let body = tangle(200.0, 0.002, &mut random);
            strain(body, 0.2, &mut random)
        }),
        ("bent sheet", {
            let body = raw_sheet(20, 31, [400.0, 200.0, 0.0], 0.002, 0.0);
            Body { bending: 0.05, ..strain(body, 1.0 / 30.0, &mut random) }
        }),
        ("clamped sheet", {
            let body = raw_sheet(17, 15, [400.0, 200.0, 40.0], 0.002, 0.02);
            let mut body = Body { bending: 0.1, ..strain(body, 1.0 / 16.0, &mut random) };
            // Two rows at the top, three columns on the right.
            body.pinned = (0..17 * 15).filter(|i| *i < 34 || i % 17 > 13).collect();
            body
        }),
        ("bent disc", {
            let body = disc(300.0, 0.002, &mut random);
            Body { bending: 0.05, ..strain(body, 0.05, &mut random) }
        }),
        ("stiff sheet", strain(raw_sheet(12, 12, [4e5, 2e5, 4e4], 0.002, 0.0), 1.0 / 11.0, &mut random)),
    ]
}

fn assert_equal(gpu: &Gpu, name: &str, model: &Model, settings: &Settings) {
    let found = one_step(gpu, model, settings, model.initial_state()).unwrap();
    assert!(found.worst <= 1.0, "{name}: {found:?}");
    assert!(found.worst >= 1e-5, "{name}: the bound is too loose to mean anything: {found:?}");
}

#[test]
fn one_step_equals_the_reference_on_every_network() {
    let gpu = gpu();
    for (name, body) in bodies() {
        let model = model(body);
        for solver in SolverKind::ALL {
            assert_equal(&gpu, &format!("{name}, {solver}"), &model, &settings(solver));
            assert_equal(&gpu, &format!("{name}, {solver}, forces"), &model, &with_forces(settings(solver)));
        }
    }
}

#[test]
fn the_grid_in_mesh_form_equals_the_reference_too() {
    let gpu = gpu();
    for (name, body) in bodies().into_iter().filter(|b| b.1.grid.is_some()) {
        let model = model(body);
        for solver in SolverKind::ALL {
            let settings = with_forces(settings(solver)).with(FORM, Form::Mesh);
            assert_equal(&gpu, &format!("{name}, {solver}, mesh form"), &model, &settings);
        }
    }
}

/// Every way of iterating.
fn variants() -> Vec<(&'static str, Settings)> {
    let variants = [
        ("inner sweeps", settings(SolverKind::LocalGlobal).with(SWEEPS, 3)),
        ("velocity start", settings(SolverKind::LocalGlobal).with(START, Start::Velocity)),
        ("previous start", settings(SolverKind::LocalGlobal).with(START, Start::Previous)),
        (
            "Chebyshev",
            settings(SolverKind::LocalGlobal)
                .with(ITERATIONS, Iterations::Fixed(9))
                .with(CHEBYSHEV, Chebyshev::Auto),
        ),
        (
            "given radius",
            settings(SolverKind::LocalGlobal)
                .with(ITERATIONS, Iterations::Fixed(8))
                .with(CHEBYSHEV, Chebyshev::Radius(0.8)),
        ),
    ];
    let descent = |chebyshev, start| {
        settings(SolverKind::Vbd)
            .with(ITERATIONS, Iterations::Fixed(6))
            .with(CHEBYSHEV, chebyshev)
            .with(START, start)
    };
    let gradients = |cg_steps, iterations, form| {
        settings(SolverKind::NewtonMultigrid)
            .with(CG_STEPS, cg_steps)
            .with(ITERATIONS, Iterations::Fixed(iterations))
            .with(FORM, form)
    };
    let linear = |solver, linear_solver, iterations| {
        settings(solver)
            .with(LINEAR_SOLVER, linear_solver)
            .with(ITERATIONS, Iterations::Fixed(iterations))
            .with(SWEEPS, 2)
    };
    let variants = variants.into_iter().chain([
        (
            "global steps by conjugate gradients",
            linear(SolverKind::LocalGlobal, LinearSolver::ConjugateGradients, 3),
        ),
        ("linearized, by jacobi", linear(SolverKind::ImplicitEuler, LinearSolver::Jacobi, 3)),
        ("linearized, by gauss-seidel", linear(SolverKind::ImplicitEuler, LinearSolver::GaussSeidel, 3)),
        (
            "linearized, by gradient descent",
            linear(SolverKind::ImplicitEuler, LinearSolver::GradientDescent, 4),
        ),
        (
            "linearized, by conjugate gradients",
            linear(SolverKind::ImplicitEuler, LinearSolver::ConjugateGradients, 8),
        ),
        (
            "linearized, not projected",
            linear(SolverKind::ImplicitEuler, LinearSolver::Jacobi, 3).with(PROJECTION, false),
        ),
        (
            "linearized, sweeps to a tolerance",
            linear(SolverKind::ImplicitEuler, LinearSolver::Jacobi, 7).with(TOLERANCE, 0.05),
        ),
        (
            "global steps to a tolerance",
            linear(SolverKind::LocalGlobal, LinearSolver::ConjugateGradients, 3).with(TOLERANCE, 0.05),
        ),
        ("tensions to a tolerance", settings(SolverKind::SoftConstraint).with(TOLERANCE, 0.3)),
        ("constraints in turn", linear(SolverKind::Xpbd, LinearSolver::GaussSeidel, 3)),
        ("constraints at once", linear(SolverKind::Xpbd, LinearSolver::Jacobi, 4).with(RELAXATION, 1.5)),
        ("one step of conjugate gradients", gradients(1, 1, Form::Auto)),
        ("conjugate gradients", gradients(3, 2, Form::Auto)),
        ("conjugate gradients with momentum, mesh form", gradients(2, 5, Form::Mesh)),
        ("vbd, velocity start", settings(SolverKind::Vbd).with(START, Start::Velocity)),
        ("vbd, given radius", descent(Chebyshev::Radius(0.8), Start::Auto)),
    ]);
    variants.collect()
}

#[test]
fn every_way_of_iterating_equals_the_reference() {
    let gpu = gpu();
    let variants = variants();
    for (name, body) in bodies() {
        let model = model(body);
        for (variant, settings) in &variants {
            assert_equal(&gpu, &format!("{name}, {variant}"), &model, &with_forces(settings.clone()));
        }
    }
}

#[test]
fn steps_too_short_for_positions_equal_the_reference() {
    // h^2 g is 9e-7 m: solvers that minimize keep displacements.
    let gpu = gpu();
    let momentum = settings(SolverKind::NewtonMultigrid).with(ITERATIONS, Iterations::Fixed(5));
    let tolerance = momentum.clone().with(TOLERANCE, 0.01);
    let newton = [("momentum", momentum), ("to a tolerance", tolerance)];
    let variants: Vec<_> = newton.into_iter().chain(variants()).filter(|v| v.1.solver.minimizes()).collect();
    for (name, body) in bodies().into_iter().step_by(2) {
        let model = model(body);
        for (variant, settings) in &variants {
            let settings = with_forces(settings.clone()).with(FRAME_TIME, 3e-4);
            assert_equal(&gpu, &format!("{name}, {variant}"), &model, &settings);
        }
    }
}

/// Their levels become coarser along one direction from the cloth on, or only later.
#[test]
fn narrow_and_long_cloth_equals_the_reference() {
    let gpu = gpu();
    let mut random = Random(6);
    for [columns, rows] in [[3, 40], [30, 2], [6, 900]] {
        let body =
            strain(raw_sheet(columns, rows, [400.0, 200.0, 40.0], 0.002, 0.0), 1.0 / 40.0, &mut random);
        let model = model(body);
        for cg_steps in [0, 2] {
            let settings = settings(SolverKind::NewtonMultigrid).with(CG_STEPS, cg_steps);
            assert_equal(&gpu, &format!("{columns} x {rows}, {cg_steps} steps"), &model, &settings);
        }
    }
}

/// Beside a cloth, nodes that no spring holds: they fall in one iteration, and are no pins.
#[test]
fn nodes_without_springs_equal_the_reference() {
    let gpu = gpu();
    let mut body = strain(raw_sheet(12, 12, [400.0, 200.0, 40.0], 0.002, 0.0), 1.0 / 11.0, &mut Random(8));
    for k in 0..30u32 {
        let place = Vec3::new(0.1 * k as f32, 2.0, 0.3);
        body.rest_position.push(place);
        body.position.as_mut().unwrap().push(place);
        body.velocity.as_mut().unwrap().push(Vec3::new(0.0, 0.1, -0.2));
        body.mass.push(0.001 * (k + 1) as f32);
    }
    body.grid = None;
    let mut builder = ModelBuilder::new();
    builder.add(body);
    let still = Path::still();
    builder.handle(ScriptedHandle {
        nodes: vec![(150, 1.0), (30, 0.5)],
        stiffness: 200.0,
        path: still,
        active: 0.0..f64::INFINITY,
    });
    let model = builder.build().unwrap();
    for iterations in [1, 4] {
        for damped in
            [settings(SolverKind::NewtonMultigrid), with_forces(settings(SolverKind::NewtonMultigrid))]
        {
            let settings = damped.with(ITERATIONS, Iterations::Fixed(iterations));
            assert_equal(&gpu, &format!("without springs, {iterations} iterations"), &model, &settings);
        }
    }
}

#[test]
fn handles_and_moving_pins_equal_the_reference() {
    let gpu = gpu();
    let mut random = Random(3);
    let body = strain(raw_sheet(15, 15, [400.0, 200.0, 40.0], 0.002, 0.02), 1.0 / 14.0, &mut random);
    let mut builder = ModelBuilder::new();
    let body_at_30 = body.position.as_ref().unwrap_or(&body.rest_position)[30];
    builder.add(body);
    let path = Path::new(vec![(0.0, Vec3::ZERO), (0.1, Vec3::new(0.1, 0.2, 0.0))]).unwrap();
    builder.pin_along(vec![3, 4, 5], path.clone());
    // Not far from the axis: bounds do not include what a rotation rounds.
    let (axis, center) = (Vec3::new(1.0, 2.0, -1.0), body_at_30 + Vec3::new(0.02, -0.03, 0.05));
    let angle = Path::new(vec![(0.0, 0.3), (0.1, 1.5)]).unwrap();
    builder.pin_turning(vec![30, 31], path.clone(), Turn { center, axis, angle });
    for nodes in [vec![(40, 1.0), (41, 0.5), (55, 0.25)], vec![(41, 1.0), (100, 1.0)]] {
        builder.handle(ScriptedHandle {
            nodes,
            stiffness: 50.0,
            path: path.clone(),
            active: 0.0..f64::INFINITY,
        });
    }
    let model = builder.build().unwrap();
    for solver in SolverKind::ALL {
        assert_equal(&gpu, &format!("handles, {solver}"), &model, &settings(solver));
        // Air and dashpots feel the pins' velocity.
        let forces = with_forces(settings(solver));
        assert_equal(&gpu, &format!("handles, {solver}, forces"), &model, &forces);
    }
}

/// The body with one thing 1 % off.
fn spoil(body: &Body, what: usize) -> Option<Body> {
    use taffeta::model::Family::{Flexion, Raw, Shear, Structural};
    let mut spoiled = body.clone();
    if what == 6 {
        spoiled.bending *= 1.01;
        return (body.bending > 0.0).then_some(spoiled);
    }
    // Without its grid a body would bend by its triangles.
    if body.bending > 0.0 {
        return None;
    }
    spoiled.grid = None;
    match what {
        0..=3 => {
            let family = [Structural, Shear, Flexion, Raw][what];
            let mut any = false;
            for spring in spoiled.springs.iter_mut().filter(|s| s.family == family) {
                spring.stiffness *= 1.01;
                any = true;
            }
            any.then_some(spoiled)
        }
        4 => {
            spoiled.mass.iter_mut().for_each(|m| *m *= 1.01);
            Some(spoiled)
        }
        _ => {
            spoiled.springs.iter_mut().for_each(|s| s.rest_length *= 1.01);
            Some(spoiled)
        }
    }
}

#[test]
fn one_percent_off_is_noticed() {
    let gpu = gpu();
    // The stiff network is left out: explicit steps far beyond their limit amplify rounding as well.
    for (name, body) in bodies().into_iter().filter(|b| b.0 != "stiff sheet") {
        for what in 0..7 {
            let Some(spoiled) = spoil(&body, what) else { continue };
            let (right, wrong) = (model(body.clone()), model(spoiled));
            for solver in SolverKind::ALL {
                // The mesh form reads the springs, and not the grid, which still gives the colors.
                let settings = settings(solver).with(FORM, Form::Mesh);
                let state = right.initial_state();
                let found = one_step_of(&gpu, &wrong, &right, &settings, state).unwrap();
                assert!(found.worst > 1.0, "{name}, {solver}: spoiling {what} went unnoticed: {found:?}");
            }
        }
    }
}

#[test]
fn a_wrong_model_is_noticed_however_many_iterations_are_asked_for() {
    let gpu = gpu();
    let mut random = Random(5);
    let right = strain(raw_sheet(20, 20, [400.0, 200.0, 40.0], 0.002, 0.0), 1.0 / 19.0, &mut random);
    let mut wrong = Body { grid: None, ..right.clone() };
    wrong.springs.iter_mut().for_each(|s| s.stiffness *= 1.5);
    let (right, wrong) = (model(right), model(wrong));
    for (iterations, sweeps) in [(60, 1), (1000, 1), (30, 3), (2, 50)] {
        let settings = plain().with(ITERATIONS, Iterations::Fixed(iterations)).with(SWEEPS, sweeps);
        assert_equal(&gpu, "many iterations", &right, &settings);
        let found = one_step_of(&gpu, &wrong, &right, &settings, right.initial_state()).unwrap();
        assert!(found.worst > 1.0, "{iterations} x {sweeps} sweeps: {found:?}");
    }
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let gpu = gpu();
    for (name, body) in bodies() {
        let model = model(body);
        for solver in SolverKind::ALL {
            let settings = with_forces(settings(solver))
                .with(ITERATIONS, Iterations::Fixed(20))
                .with(CHEBYSHEV, Chebyshev::Auto);
            let once = common::run(&gpu, &model, &settings, 3);
            let again = common::run(&gpu, &model, &settings, 3);
            let bits = |s: &taffeta::State| -> Vec<u32> {
                s.position.iter().chain(&s.velocity).flat_map(|v| v.to_array().map(f32::to_bits)).collect()
            };
            assert!(bits(&once) == bits(&again), "{name}, {solver}");
        }
    }
}
