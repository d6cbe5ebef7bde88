//! What must be kept: momentum, energy, symmetry; and the order of accuracy.

use crate::common::{Random, gpu, model, plain_of, raw_sheet, rope, run, strain};
use glam::{DVec3, Vec3};
use taffeta::measure::energy;
use taffeta::model::{Body, Model};
use taffeta::reference::State64;
use taffeta::settings::{
    DAMPING, FORCE, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, SUBSTEPS, Settings, SolverKind, Substeps,
};
use taffeta::{Simulation, State};

fn free(solver: SolverKind) -> Settings {
    plain_of(solver).with(GRAVITY, Vec3::ZERO)
}

/// A strained, moving sheet without pins.
fn tumbling() -> Model {
    let mut body = strain(raw_sheet(16, 16, [50.0, 25.0, 5.0], 1e-3, 0.0), 1.0 / 15.0, &mut Random(2));
    body.pinned.clear();
    model(body)
}

#[test]
fn momentum_is_kept() {
    let gpu = gpu();
    let model = tumbling();
    let start = State64::from(model.initial_state());
    // The largest momentum that could have been lost: every node's own.
    let scale: f64 = start.velocity.iter().map(|v| 1e-3 * v.length()).sum();
    for solver in [SolverKind::SymplecticEuler, SolverKind::Verlet] {
        let end = State64::from(&run(&gpu, &model, &free(solver), 60));
        let linear = energy::linear_momentum(&model, &end) - energy::linear_momentum(&model, &start);
        assert!(linear.length() < 1e-5 * scale, "{solver}: linear momentum changed by {linear}");
        let angular = |s: &State64| energy::angular_momentum(&model, s);
        let change = (angular(&end) - angular(&start)).length();
        assert!(change < 1e-4 * scale, "{solver}: angular momentum changed by {change}");
    }
    // Undamped explicit Euler keeps it as well as long as it does not blow up.
    let settings = free(SolverKind::ExplicitEuler).with(FORCE, true).with(SUBSTEPS, Substeps::Fixed(400));
    let end = State64::from(&run(&gpu, &model, &settings, 6));
    let linear = energy::linear_momentum(&model, &end) - energy::linear_momentum(&model, &start);
    assert!(linear.length() < 1e-5 * scale, "explicit-euler: linear momentum changed by {linear}");
    // A converged minimizer keeps it to the tolerance of its iteration.
    for (solver, iterations) in [(SolverKind::LocalGlobal, 1000), (SolverKind::Vbd, 300)] {
        let settings = free(solver).with(ITERATIONS, Iterations::Fixed(iterations));
        let end = State64::from(&run(&gpu, &model, &settings, 10));
        let linear = energy::linear_momentum(&model, &end) - energy::linear_momentum(&model, &start);
        assert!(linear.length() < 1e-3 * scale, "{solver}: linear momentum changed by {linear}");
    }
}

#[test]
fn energy_stays_bounded_over_a_hundred_thousand_steps() {
    let gpu = gpu();
    let mut body = rope(8, 200.0, 0.01);
    body.pinned = vec![0];
    let model = model(body);
    for solver in [SolverKind::SymplecticEuler, SolverKind::Verlet] {
        let settings = plain_of(solver);
        let substeps = Simulation::new(&gpu, &model, &settings).unwrap().substeps();
        // Many steps a frame: fewer submissions.
        let frame_time = settings.step.frame_time / substeps as f32 * 1000.0;
        let settings = settings.with(FRAME_TIME, frame_time).with(SUBSTEPS, Substeps::Fixed(1000));
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        let total = |state: &State| energy::total(&model, &settings, &State64::from(state));
        let start = total(model.initial_state());
        // What swings: from the start to the straight hanging rope.
        let swing: f64 = model.mass().iter().map(|m| f64::from(*m) * 9.81).sum::<f64>() * 1.0;
        let mut drift = 0f64;
        for _ in 0..100 {
            simulation.step().unwrap();
            drift = drift.max((total(&simulation.state().unwrap()) - start).abs());
        }
        let allowed = if solver == SolverKind::Verlet { 0.05 } else { 0.25 };
        assert!(drift < allowed * swing, "{solver}: energy wandered by {drift} J of {swing} J");
    }
}

#[test]
fn implicit_steps_never_gain_energy() {
    let gpu = gpu();
    // All springs stretched: the state of the claim.
    let mut body = raw_sheet(16, 16, [50.0, 25.0, 5.0], 1e-3, 0.0);
    body.position = Some(body.rest_position.iter().map(|x| *x * 1.1).collect());
    let model = model(body);
    for solver in [SolverKind::LocalGlobal, SolverKind::Vbd] {
        let settings = free(solver).with(ITERATIONS, Iterations::Fixed(300));
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        let total = |state: &State| energy::total(&model, &settings, &State64::from(state));
        let mut before = total(&simulation.state().unwrap());
        let start = before;
        for frame in 0..30 {
            simulation.step().unwrap();
            let now = total(&simulation.state().unwrap());
            assert!(now <= before + 1e-4 * start, "{solver}, frame {frame}: from {before} J to {now} J");
            before = now;
        }
        assert!(before < 0.9 * start, "{solver} should have dissipated something");
    }
}

/// A sheet that hangs from two corners, mirror-symmetric about x = 1/2.
fn hanging_sheet(n: u32) -> Model {
    let mut body = raw_sheet(n, n, [100.0, 50.0, 10.0], 0.2 / (n * n) as f32, 0.0);
    let side = (n - 1) as f32;
    // Exactly symmetric in f32: columns are mirrored by arithmetic on integers.
    let place = |i: u32| {
        let (c, r) = ((i % n) as f32, (i / n) as f32);
        Vec3::new((c - side / 2.0) / side, 0.0, r / side)
    };
    body.position = Some((0..n * n).map(place).collect());
    body.pinned = vec![0, n - 1];
    model(body)
}

/// Largest distance between a node and the mirror image of its partner.
fn asymmetry(n: u32, state: &State) -> f32 {
    let mirror = |i: u32| (i / n) * n + (n - 1 - i % n);
    let partner = |i: u32| {
        let p = state.position[mirror(i) as usize];
        Vec3::new(-p.x, p.y, p.z)
    };
    (0..n * n).map(|i| state.position[i as usize].distance(partner(i))).fold(0.0, f32::max)
}

#[test]
fn a_symmetric_scene_stays_symmetric() {
    let gpu = gpu();
    let n = 24;
    let model = hanging_sheet(n);
    for solver in [SolverKind::SymplecticEuler, SolverKind::Verlet, SolverKind::LocalGlobal] {
        let settings = plain_of(solver);
        let one = settings.clone().with(FRAME_TIME, 1e-4).with(SUBSTEPS, Substeps::Fixed(1));
        let step = asymmetry(n, &run(&gpu, &model, &one, 1));
        assert!(step < 1e-6, "{solver}: one step is {step:e} m asymmetric");
        let half_second = asymmetry(n, &run(&gpu, &model, &settings, 30));
        assert!(half_second < 1e-4, "{solver}: {half_second:e} m asymmetric after half a second");
        let damped = settings.with(DAMPING, 4.0);
        let rest = asymmetry(n, &run(&gpu, &model, &damped, 240));
        assert!(rest < 1e-3, "{solver}: {rest:e} m asymmetric at rest");
    }
}

/// Error at a fixed time against the exact motion of a mass on a spring, x(t) = 1 + 0.1 cos(w t).
fn oscillator_error(solver: SolverKind, steps: u32) -> f64 {
    let (k, time) = (100.0f32, 0.25f64);
    let body = Body {
        name: "oscillator".into(),
        rest_position: vec![Vec3::ZERO, Vec3::X],
        position: Some(vec![Vec3::ZERO, Vec3::X * 1.1]),
        mass: vec![1.0, 1.0],
        pinned: vec![0],
        springs: vec![taffeta::model::Spring {
            nodes: [0, 1],
            rest_length: 1.0,
            stiffness: k,
            dashpot: 0.0,
            family: taffeta::model::Family::Structural,
        }],
        ..Body::default()
    };
    let settings = plain_of(solver)
        .with(GRAVITY, Vec3::ZERO)
        .with(FRAME_TIME, time as f32)
        .with(SUBSTEPS, Substeps::Fixed(steps))
        .with(ITERATIONS, Iterations::Fixed(100))
        .with(FORCE, true);
    let state = run(&gpu(), &model(body), &settings, 1);
    let exact = DVec3::new(1.0 + 0.1 * (f64::from(k).sqrt() * time).cos(), 0.0, 0.0);
    (state.position[1].as_dvec3() - exact).length()
}

#[test]
fn errors_fall_with_the_order_of_the_method() {
    for solver in SolverKind::ALL {
        // In many steps the error of fourth order would be that of f32.
        let (steps, wanted, most) = match solver.name() {
            "rk4" => (6, 4.0, 0.35),
            "verlet" => (50, 2.0, 0.2),
            _ => (50, 1.0, 0.2),
        };
        let (coarse, fine) = (oscillator_error(solver, steps), oscillator_error(solver, 2 * steps));
        let order = (coarse / fine).log2();
        assert!((order - wanted).abs() < most, "{solver}: order {order:.2} ({coarse:.2e}, {fine:.2e})");
    }
}
