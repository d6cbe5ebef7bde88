//! What a user does while it runs: drag and release, pins, gravity, wind; and accelerated sweeps that diverge.

use crate::common::{
    self, Random, gpu, model, newton_multigrid, plain, plain_of, raw_sheet, rms_distance, strain,
};
use glam::Vec3;
use taffeta::model::{Body, Model, ModelBuilder, Path};
use taffeta::settings::{
    AIR, Air, CG_STEPS, CHEBYSHEV, Chebyshev, DAMPING, FORCE, FORM, FRAME_TIME, Form, ITERATIONS, Iterations,
    LARGEST_STRETCH, SolverKind,
};
use taffeta::simulation::{Pick, Simulation};

/// A sheet that hangs from its top edge.
fn curtain(n: u32) -> Model {
    let mut body = raw_sheet(n, n, [200.0, 100.0, 20.0], 0.2 / (n * n) as f32, 0.0);
    body.pinned = (0..n).collect();
    model(body)
}

fn run(simulation: &mut Simulation, frames: u32) {
    for _ in 0..frames {
        simulation.step().unwrap();
    }
}

#[test]
fn a_dragged_corner_follows_and_comes_back() {
    let gpu = gpu();
    let n = 12;
    for solver in [SolverKind::SymplecticEuler, SolverKind::Verlet, SolverKind::LocalGlobal, SolverKind::Vbd]
    {
        let settings = plain_of(solver).with(DAMPING, 4.0).with(ITERATIONS, Iterations::Fixed(100));
        let mut simulation = Simulation::new(&gpu, &curtain(n), &settings).unwrap();
        run(&mut simulation, 60);
        let corner = (n * n - 1) as usize;
        let rest = simulation.state().unwrap().position[corner];
        let handle = simulation.grab(&Pick::Node(corner as u32), 200.0, 0.1).unwrap().unwrap();
        let aside = Vec3::new(0.0, 0.0, 0.3);
        for step in 1..=30 {
            simulation.move_handle(handle, rest + aside * step as f32 / 30.0).unwrap();
            simulation.step().unwrap();
        }
        run(&mut simulation, 30);
        let dragged = simulation.state().unwrap().position[corner];
        assert!((dragged - rest).z > 0.25, "{solver}: the corner followed only to {dragged}");
        simulation.release(handle);
        run(&mut simulation, 240);
        let back = simulation.state().unwrap().position[corner];
        assert!(back.distance(rest) < 0.01, "{solver}: the corner came back to {back}, not {rest}");
        assert!(simulation.move_handle(handle, rest).is_err(), "a released handle was moved");
    }
}

#[test]
fn a_violent_pull_does_not_blow_the_cloth_up() {
    let gpu = gpu();
    for solver in [SolverKind::SymplecticEuler, SolverKind::LocalGlobal, SolverKind::Vbd] {
        let settings = plain_of(solver).with(LARGEST_STRETCH, 1e6);
        let mut simulation = Simulation::new(&gpu, &curtain(12), &settings).unwrap();
        let handle = simulation.grab(&Pick::Node(143), 1e9, 0.2).unwrap().unwrap();
        simulation.move_handle(handle, Vec3::new(1e4, -3e3, 0.0)).unwrap();
        run(&mut simulation, 30);
        simulation.release(handle);
        run(&mut simulation, 60);
        simulation.largest_stretch().unwrap_or_else(|e| panic!("{solver}: {e}"));
    }
}

#[test]
fn a_ray_picks_the_first_triangle_and_misses_beside_the_sheet() {
    let gpu = gpu();
    let mut simulation = Simulation::new(&gpu, &curtain(12), &plain()).unwrap();
    let direction = Vec3::NEG_Z;
    let ray = |x: f32| Pick::Ray { origin: Vec3::new(x, -0.5, 2.0), direction };
    assert!(simulation.grab(&ray(0.5), 10.0, 0.1).unwrap().is_some());
    assert!(simulation.grab(&ray(1.5), 10.0, 0.1).unwrap().is_none());
    assert!(simulation.grab(&ray(0.5), f32::NAN, 0.1).is_err());
}

#[test]
fn gravity_wind_and_pins_change_while_it_runs() {
    let gpu = gpu();
    let n = 10;
    let settings = plain().with(AIR, Air { density: 1.2, normal: 1.3, tangential: 0.05 });
    let mut simulation = Simulation::new(&gpu, &curtain(n), &settings).unwrap();
    let lowest = |s: &Simulation| s.state().unwrap().position[(n * n - 1) as usize];
    run(&mut simulation, 30);
    simulation.set_gravity(Vec3::ZERO).unwrap();
    simulation.set_wind(Vec3::new(0.0, 0.0, 8.0)).unwrap();
    run(&mut simulation, 30);
    assert!(lowest(&simulation).z > 0.1, "the wind did not move the sheet");
    simulation.set_wind(Vec3::ZERO).unwrap();
    simulation.set_gravity(Vec3::new(0.0, -9.81, 0.0)).unwrap();
    for node in 0..n {
        simulation.set_pinned(node, false).unwrap();
    }
    run(&mut simulation, 30);
    assert!(simulation.state().unwrap().position[0].y < -0.1, "the released edge did not fall");
    simulation.set_pinned(0, true).unwrap();
    let held = simulation.state().unwrap().position[0];
    run(&mut simulation, 10);
    assert_eq!(simulation.state().unwrap().position[0], held);
    assert!(simulation.set_pinned(n * n, true).is_err());
}

#[test]
fn gravity_changes_for_every_copy_of_a_batch() {
    let gpu = gpu();
    let batch = Model::stack(vec![curtain(6), curtain(6), curtain(6)]).unwrap();
    let end = |model: &Model, solver| {
        let mut simulation = Simulation::new(&gpu, model, &plain_of(solver)).unwrap();
        run(&mut simulation, 2);
        simulation.set_gravity(Vec3::new(3.0, 4.0, 5.0)).unwrap();
        run(&mut simulation, 3);
        simulation.state().unwrap().position
    };
    for solver in [SolverKind::NewtonMultigrid, SolverKind::ImplicitEuler, SolverKind::Verlet] {
        assert!(end(&batch, solver) == end(&curtain(6), solver).repeat(3), "{solver}");
    }
}

#[test]
fn a_node_pinned_while_it_runs_holds_as_from_the_start() {
    let gpu = gpu();
    let body = strain(raw_sheet(24, 20, [200.0, 100.0, 20.0], 1e-3, 0.0), 1.0 / 23.0, &mut Random(5));
    let [free, pinned] = [vec![], vec![100]].map(|pinned| model(Body { pinned, ..body.clone() }));
    for (form, cg_steps) in [Form::Grid, Form::Mesh].into_iter().flat_map(|form| [(form, 0), (form, 2)]) {
        let settings = newton_multigrid(60).with(FORM, form).with(CG_STEPS, cg_steps);
        let mut simulation = Simulation::new(&gpu, &free, &settings).unwrap();
        simulation.set_pinned(100, true).unwrap();
        run(&mut simulation, 5);
        let [found, wanted] = [simulation.state().unwrap(), common::run(&gpu, &pinned, &settings, 5)];
        let apart = rms_distance(&found.position, &wanted.position);
        assert!(apart < 1e-5, "{apart:e} m apart as {form:?} with {cg_steps} steps of conjugate gradients");
    }
}

#[test]
fn a_pin_too_light_for_the_step_is_not_released() {
    let gpu = gpu();
    let mut body = raw_sheet(6, 6, [200.0, 100.0, 20.0], 0.01, 0.0);
    body.pinned = vec![0, 5];
    body.mass[0] = 1e-6;
    let settings = plain_of(SolverKind::SymplecticEuler);
    let mut simulation = Simulation::new(&gpu, &model(body), &settings).unwrap();
    let error = simulation.set_pinned(0, false).unwrap_err().to_string();
    assert!(error.contains("node 0 cannot be released"), "{error}");
    simulation.set_pinned(5, false).unwrap();
}

#[test]
fn an_acceleration_that_diverges_falls_back() {
    // The radius fits 2000 sweeps; with 60 in fast motion it diverges unless it is caught.
    let gpu = gpu();
    let n = 60;
    let mut body = raw_sheet(n, n, [1000.0, 500.0, 100.0], 0.2 / (n * n) as f32, 0.0);
    body.pinned = vec![0, n - 1];
    body.velocity = Some(body.rest_position.iter().map(|x| Vec3::new(0.0, 3.0 * x.x, 4.0 * x.y)).collect());
    let model = model(body);
    let run_with = |chebyshev| {
        let settings =
            plain_of(SolverKind::LocalGlobal).with(CHEBYSHEV, chebyshev).with(LARGEST_STRETCH, 1e9);
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        run(&mut simulation, 60);
        (simulation.falls().unwrap(), simulation.largest_stretch().unwrap())
    };
    let (falls, stretch) = run_with(Chebyshev::Radius(0.999_99));
    let (automatic_falls, automatic) = run_with(Chebyshev::Auto);
    println!("radius .99999: {falls} falls, stretch {stretch}; automatic: {automatic_falls}, {automatic}");
    let settings = plain_of(SolverKind::LocalGlobal)
        .with(CHEBYSHEV, Chebyshev::Radius(0.999_99))
        .with(LARGEST_STRETCH, 1e9);
    let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
    run(&mut simulation, 20);
    let (first, first_falls) = (simulation.state().unwrap(), simulation.falls().unwrap());
    simulation.reset().unwrap();
    assert!(first_falls > 0 && simulation.falls().unwrap() == 0, "what was learnt outlives the reset");
    run(&mut simulation, 20);
    assert!(simulation.state().unwrap() == first, "a reset run differs from the first");
    assert!(falls > 0, "the divergence was not noticed; stretch {stretch}");
    assert!(stretch.is_finite() && stretch < 100.0, "not caught: stretch {stretch}");
    // The first frame starts with every spring across the motion: one cautious fall is right.
    assert!(automatic_falls <= 1, "the automatic radius fell back {automatic_falls} times");
}

#[test]
fn many_hands_on_one_node_do_not_blow_the_cloth_up() {
    let gpu = gpu();
    for solver in [SolverKind::SymplecticEuler, SolverKind::Verlet] {
        let settings = plain_of(solver).with(LARGEST_STRETCH, 1e6);
        let mut simulation = Simulation::new(&gpu, &curtain(12), &settings).unwrap();
        for _ in 0..40 {
            simulation.grab(&Pick::Node(143), 1e9, 0.05).unwrap().unwrap();
        }
        run(&mut simulation, 60);
        let stretch = simulation.largest_stretch().unwrap_or_else(|e| panic!("{solver}: {e}"));
        assert!(stretch < 1.0, "{solver}: stretch {stretch}");
    }
}

#[test]
fn a_pinned_node_stays_whatever_velocity_it_is_given() {
    let gpu = gpu();
    for solver in SolverKind::ALL {
        let settings = plain_of(solver).with(FORCE, true);
        let mut body = raw_sheet(6, 6, [20.0, 10.0, 2.0], 0.01, 0.0);
        body.pinned = vec![0];
        body.velocity = Some(vec![Vec3::Z; 36]);
        let mut builder = ModelBuilder::new();
        builder.add(body);
        builder.pin_along(vec![5], Path::still());
        let model = builder.build().unwrap();
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        let mut state = model.initial_state().clone();
        run(&mut simulation, 2);
        for round in 0..2 {
            let found = simulation.state().unwrap();
            for node in [0, 5] {
                assert_eq!(found.position[node], state.position[node], "{solver}, round {round}");
            }
            state.velocity.fill(Vec3::X);
            simulation.set_state(&state).unwrap();
            run(&mut simulation, 2);
        }
        state.velocity[7] = Vec3::new(0.0, f32::NAN, 0.0);
        assert!(simulation.set_state(&state).is_err(), "{solver}: a NaN was taken");
    }
}

#[test]
fn a_compressed_spring_is_not_too_long() {
    let gpu = gpu();
    let mut body = raw_sheet(5, 5, [20.0, 10.0, 2.0], 0.01, 0.0);
    body.position = Some(body.rest_position.iter().map(|x| 0.3 * *x).collect());
    let settings = plain().with(LARGEST_STRETCH, 1.5).with(FRAME_TIME, 1e-4);
    let mut simulation = Simulation::new(&gpu, &model(body.clone()), &settings).unwrap();
    run(&mut simulation, 1);
    let stretch = simulation.largest_stretch().unwrap();
    assert!((stretch - 0.7).abs() < 0.01, "{stretch}");
    body.position = Some(body.rest_position.iter().map(|x| 1.6 * *x).collect());
    let mut simulation = Simulation::new(&gpu, &model(body), &settings).unwrap();
    run(&mut simulation, 1);
    assert!(simulation.largest_stretch().is_err(), "a spring of 1.6 rest lengths passed a limit of 1.5");
}
