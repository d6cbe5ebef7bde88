//! Springs that keep their length, or a limit of stretch.

use crate::common;
use crate::common::hinged::{
    H, doubles, hinged_rope, hinged_sheet, inextensible, limited, one_substep, worst_stretch,
};
use crate::common::{Random, gpu, model, plain_of, raw_cloth, raw_sheet, strain};
use glam::{DVec3, Vec3};
use taffeta::Simulation;
use taffeta::check::{one_step, one_step_of};
use taffeta::hierarchy::Hierarchy;
use taffeta::model::{Body, Collider, ColliderShape, Family, ModelBuilder, Multipliers, Spring};
use taffeta::reference::newton_multigrid::{self, Options};
use taffeta::reference::{Forces, State64};
use taffeta::settings::{
    FORM, Form, ITERATIONS, Iterations, LINEAR_SOLVER, LinearSolver, SUBSTEPS, SolverKind, Substeps,
};

/// What hangs or swings on soft springs with a limit of 1 % ends each step where forces balance: k (l - r) and what the limit
/// adds, which is none below it. Then with the default number of iterations the limit is kept nearly as well.
#[test]
fn soft_springs_stretch_up_to_their_limit() {
    let gpu = gpu();
    let limit = 0.01;
    let soft_sheet = |pins: Vec<u32>| {
        let mut body = raw_cloth([12, 12], [Vec3::X, Vec3::Z], [20.0, 5.0, 0.0], 0.2 / 144.0, 0.0);
        body.pinned = pins;
        model(limited(body))
    };
    let rope = |springs: u32| {
        let own = hinged_rope(springs, 20.0);
        let body = Body {
            rest_position: own.rest_position().to_vec(),
            mass: own.mass().to_vec(),
            pinned: vec![0],
            springs: own.springs().to_vec(),
            ..Body::default()
        };
        model(limited(body))
    };
    let cases = [
        ("rope of 16", rope(16), 1.1),
        ("rope of 100", rope(100), 1.1),
        ("sheet on an edge", soft_sheet((0..12).collect()), 1.1),
        ("sheet on two corners", soft_sheet(vec![0, 11]), 1.4),
    ];
    for (name, model, most) in cases {
        let settings = one_substep();
        let hierarchy = Hierarchy::of(&model);
        let options = Options { iterations: 300, ..Options::on_gpu(&model, &hierarchy, &settings) };
        let multipliers = Multipliers::of(&model, H);
        let (mut state, mut lambda) = (State64::from(model.initial_state()), Vec::new());
        let frames = 16;
        let mut at_limit = 0;
        for _ in 0..frames {
            let before = state.clone();
            let forces = Forces::of(&model, &settings);
            newton_multigrid::step(&forces, &hierarchy, &options, &multipliers, &mut lambda, H, &mut state);
            let mut force = vec![DVec3::ZERO; model.node_count()];
            at_limit = 0;
            for (s, spring) in model.springs().iter().enumerate() {
                let [a, b] = spring.nodes.map(|i| i as usize);
                let e = state.position[a] - state.position[b];
                let (k, r) = (f64::from(spring.stiffness), f64::from(spring.rest_length));
                let stretch = e.length() / r - 1.0;
                let added = if spring.family == Family::Structural { lambda[s] } else { 0.0 };
                if spring.family == Family::Structural {
                    assert!(stretch < limit + 1e-4, "{name}: stretched by {stretch}");
                    assert!(
                        added >= 0.0 && (added < 1e-4 || stretch > limit - 1e-4),
                        "{name}: {added} N at {stretch}"
                    );
                    at_limit += u32::from(added > 0.0);
                }
                let pull = (k * r * stretch + added) * e.normalize();
                force[a] -= pull;
                force[b] += pull;
            }
            for i in (0..force.len()).filter(|&i| !model.pinned()[i]) {
                let m = f64::from(model.mass()[i]);
                let fall = H * DVec3::new(0.0, -9.81, 0.0);
                let rest = m * ((state.velocity[i] - before.velocity[i] - fall) / H) - force[i];
                assert!(
                    rest.length() < 0.05 * m * 9.81,
                    "{name}: {} of its weight is left",
                    rest.length() / m / 9.81
                );
            }
        }
        assert!(at_limit > 0, "{name}: nothing is at its limit");
        for form in [Form::Auto, Form::Mesh] {
            let mut simulation = Simulation::new(&gpu, &model, &settings.clone().with(FORM, form)).unwrap();
            assert_eq!(simulation.settings().value(ITERATIONS), Iterations::Auto);
            let [largest, _] = worst_stretch(&mut simulation, frames);
            let moved = common::rms_distance(&doubles(&simulation.state().unwrap()), &state.position);
            println!(
                "{name}, {form:?}: {:.3} % at most, {:.2} mm from the minima, {at_limit} springs at the limit",
                100.0 * largest,
                1e3 * moved
            );
            assert!(largest < 0.01 * most && moved < 2e-3, "{name}: {largest}, {moved} m");
        }
    }
}

/// xpbd and soft constraints hold lengths, too, one by compliance 0 and one by regularization 0; on a plane as well, where
/// they have to know what springs do.
#[test]
fn a_step_of_other_solvers_that_hold_lengths_equals_the_reference() {
    let gpu = gpu();
    let mut random = Random(6);
    let body = strain(inextensible(raw_sheet(14, 11, [2e6, 1e3, 0.0], 1e-3, 0.02)), 0.01, &mut random);
    let on_a_plane = |body: Body| {
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let plane = ColliderShape::Plane { point: Vec3::NEG_Y * 0.5, normal: Vec3::Y };
        builder.collide(Collider { friction: 0.3, ..Collider::new(plane) });
        builder.build().unwrap()
    };
    let solvers = [
        (SolverKind::Xpbd, Some(LinearSolver::Jacobi)),
        (SolverKind::Xpbd, Some(LinearSolver::GaussSeidel)),
        (SolverKind::SoftConstraint, None),
        (SolverKind::NewtonMultigrid, None),
    ];
    for (solver, linear_solver) in solvers {
        for form in [Form::Grid, Form::Mesh] {
            let settings = common::with_forces(common::one_step_settings(solver))
                .with(FORM, form)
                .with(LINEAR_SOLVER, linear_solver);
            let own = on_a_plane(body.clone());
            let found = one_step(&gpu, &own, &settings, own.initial_state()).unwrap();
            println!("{solver}, {linear_solver:?}, {form:?}: {}", found.worst);
            assert!(found.worst <= 1.0 && found.worst >= 1e-5, "{solver}, {form:?}: {found:?}");
            let mut wrong = Body { grid: None, ..body.clone() };
            wrong.springs.iter_mut().for_each(|s| s.rest_length *= 1.001);
            let mesh = settings.with(FORM, Form::Mesh);
            let found = one_step_of(&gpu, &on_a_plane(wrong), &own, &mesh, own.initial_state()).unwrap();
            assert!(found.worst > 1.0, "{solver}: not noticed, {found:?}");
        }
    }
}

/// Two equal masses on two rods of length l: the slow mode has omega^2 = g / l (2 - sqrt(2)) and turns the lower rod sqrt(2)
/// times as far as the upper.
#[test]
fn a_double_pendulum_swings_as_its_closed_form_says() {
    let gpu = gpu();
    let (l, angle) = (0.5f32, 0.05f32);
    let rod = |angle: f32| l * Vec3::new(angle.sin(), -angle.cos(), 0.0);
    let at = [Vec3::ZERO, rod(angle), rod(angle) + rod(2f32.sqrt() * angle)];
    let stiffness = f32::INFINITY;
    let spring =
        |i| Spring { nodes: [i, i + 1], rest_length: l, stiffness, dashpot: 0.0, family: Family::Raw };
    let pendulum = model(Body {
        rest_position: at.to_vec(),
        mass: vec![0.1; 3],
        pinned: vec![0],
        springs: vec![spring(0), spring(1)],
        ..Body::default()
    });
    let half_period = std::f64::consts::PI / (9.81 / f64::from(l) * (2.0 - 2f64.sqrt())).sqrt();
    for (solver, substeps) in
        [(SolverKind::NewtonMultigrid, 4), (SolverKind::Xpbd, 20), (SolverKind::SoftConstraint, 4)]
    {
        let settings = plain_of(solver).with(SUBSTEPS, Substeps::Fixed(substeps));
        let mut simulation = Simulation::new(&gpu, &pendulum, &settings).unwrap();
        let (mut before, mut crossings, mut largest) = (at[2].x, Vec::new(), 0f32);
        for frame in 0..150 {
            simulation.step().unwrap();
            let x = simulation.state().unwrap().position;
            if before * x[2].x < 0.0 {
                crossings.push((f64::from(frame) + f64::from(before / (before - x[2].x))) * H);
            }
            before = x[2].x;
            largest = largest.max((x[1].length() / l - 1.0).abs()).max((x[2].distance(x[1]) / l - 1.0).abs());
        }
        let found = crossings[1] - crossings[0];
        println!("{solver}: {found:.5} s of {half_period:.5} s, rods stretched by {largest:.1e}");
        assert!((found / half_period - 1.0).abs() < 2e-3, "{solver}: {found} s instead of {half_period} s");
        assert!(largest < 2e-4, "{solver}: stretched by {largest}");
    }
}

#[test]
fn hard_springs_stay_as_long_as_they_are() {
    let gpu = gpu();
    let inf = f32::INFINITY;
    for (name, model, most) in [
        ("rope", hinged_rope(100, inf.into()), 1e-3),
        ("long rope", hinged_rope(1000, inf.into()), 1e-2),
        ("sheet", hinged_sheet(33, inf), 1e-3),
    ] {
        let mut simulation = Simulation::new(&gpu, &model, &one_substep()).unwrap();
        let [largest, _] = worst_stretch(&mut simulation, 120);
        println!("{name}: stretched by {:.4} % at most in two seconds of swinging", 100.0 * largest);
        println!("{:?}", simulation.effort().unwrap());
        assert!(largest < most, "{name}: {largest}");
    }
}
