//! A regular sheet forced through the mesh form, and the same sheet renumbered at random, move as the grid form does.

use crate::common::{self, Random, gpu, model, plain_of, raw_sheet, renumber, run, strain};
use glam::Vec3;
use taffeta::Simulation;
use taffeta::model::{Body, Family, Model, ModelBuilder, Spring};
use taffeta::settings::{
    CHEBYSHEV, Chebyshev, FORCE, FORM, FRAME_TIME, Form, GRAVITY, ITERATIONS, Iterations, SUBSTEPS,
    SolverKind, Substeps,
};

#[test]
fn the_mesh_form_gives_the_grid_forms_result_to_rounding() {
    let gpu = gpu();
    let mut random = Random(11);
    let body = strain(raw_sheet(30, 20, [200.0, 100.0, 20.0], 1e-3, 0.0), 1.0 / 29.0, &mut random);
    let mut bent = Body { bending: 0.01, ..body.clone() };
    bent.pinned = (0..60).collect();
    let models = [model(body), model(bent)];
    for (solver, model) in SolverKind::ALL.into_iter().flat_map(|s| models.iter().map(move |m| (s, m))) {
        let explicit = solver == SolverKind::ExplicitEuler;
        let settings = plain_of(solver).with(FORCE, explicit);
        // Explicit Euler amplifies rounding: few, short frames.
        let (settings, frames) = match explicit {
            true => (settings.with(SUBSTEPS, Substeps::Fixed(200)), 1),
            false => (settings, 5),
        };
        // The two have coarser levels of their own and meet only where they converge.
        let converging = solver == SolverKind::NewtonMultigrid;
        let settings = settings.with(ITERATIONS, Iterations::from(converging.then_some(60)));
        let grid = run(&gpu, model, &settings.clone().with(FORM, Form::Grid), frames);
        let mesh = run(&gpu, model, &settings.with(FORM, Form::Mesh), frames);
        let apart = grid.position.iter().zip(&mesh.position).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let most = if converging { 1e-4 } else { 2e-5 };
        assert!(apart < most, "{solver}: {apart:e} m apart after {frames} frames");
    }
}

/// Beyond 2^20 nodes a link has fewer bits for its material. Springs of two kinds between nodes at two places in turn, all at
/// rest but the last one.
#[test]
fn more_nodes_leave_less_room_for_materials() {
    let count = (1 << 20) + 3;
    let spring = |i: u32| Spring {
        nodes: [i, i + 1],
        rest_length: 1.0,
        stiffness: (1 + i % 2) as f32,
        dashpot: 0.0,
        family: Family::Raw,
    };
    let mut body = Body {
        rest_position: (0..count).map(|i| Vec3::X * (i % 2) as f32).collect(),
        mass: vec![1.0; count as usize],
        springs: (0..count - 1).map(spring).collect(),
        ..Body::default()
    };
    body.rest_position[count as usize - 1].x = -0.5;
    let step = 0.5;
    let settings = plain_of(SolverKind::SymplecticEuler)
        .with(GRAVITY, Vec3::ZERO)
        .with(FRAME_TIME, step)
        .with(SUBSTEPS, Substeps::Fixed(1));
    let velocity = run(&gpu(), &model(body), &settings, 1).velocity;
    let [rest @ .., second, last] = &velocity[..] else { panic!("nodes are missing") };
    // The last spring has stiffness 2 and is longer by a half.
    assert_eq!([second.x, last.x], [-step, step]);
    assert!(rest.iter().all(|v| *v == Vec3::ZERO));
}

/// A rope far away, each spring with a stiffness of its own: more than a link has room for.
fn motley() -> Body {
    let mut body = common::rope(5001, 100.0, 1e-3);
    body.rest_position.iter_mut().for_each(|x| x.z += 10.0);
    body.springs.iter_mut().zip(0..).for_each(|(spring, s)| spring.stiffness += 1e-3 * s as f32);
    body
}

#[test]
fn springs_that_share_materials_move_bit_for_bit_as_if_they_did_not() {
    let gpu = gpu();
    let body = strain(raw_sheet(30, 20, [200.0, 100.0, 20.0], 1e-3, 0.01), 1.0 / 29.0, &mut Random(4));
    let mut builder = ModelBuilder::new();
    builder.add(body.clone());
    builder.add(motley());
    let (few, many) = (model(body), builder.build().unwrap());
    for solver in [SolverKind::SymplecticEuler, SolverKind::LocalGlobal] {
        let settings = plain_of(solver)
            .with(FORM, Form::Mesh)
            .with(SUBSTEPS, Substeps::Fixed(if solver.is_explicit() { 60 } else { 1 }))
            .with(CHEBYSHEV, Chebyshev::Off)
            .with(FORCE, true);
        let bytes = |model: &Model| Simulation::new(&gpu, model, &settings).unwrap().network_bytes();
        // Twelve slots a node at 16 bytes each, or 4.
        let (packed, rope) = (bytes(&few), bytes(&model(motley())));
        assert!(packed < 12 * 5 * 600 && bytes(&many) > rope + 11 * 16 * 600, "{packed} {}", bytes(&many));
        let (a, b) = (run(&gpu, &few, &settings, 3), run(&gpu, &many, &settings, 3));
        assert!(a.position[..] == b.position[..600] && a.velocity[..] == b.velocity[..600], "{solver}");
    }
}

#[test]
fn the_numbering_of_nodes_does_not_matter() {
    let gpu = gpu();
    let body = strain(raw_sheet(20, 20, [200.0, 100.0, 20.0], 1e-3, 0.0), 1.0 / 19.0, &mut Random(5));
    let shuffled = renumber(body.clone(), &mut Random(9));
    // Where each node went: rest positions are unique.
    let place = |x: &glam::Vec3| shuffled.rest_position.iter().position(|y| y == x).unwrap();
    let places: Vec<usize> = body.rest_position.iter().map(place).collect();
    let (plain, shuffled) = (model(body), model(shuffled));
    // newton-multigrid has levels by the order of the nodes.
    let settings = plain_of(SolverKind::LocalGlobal).with(FORM, Form::Mesh);
    let a = run(&gpu, &plain, &settings, 5);
    let b = run(&gpu, &shuffled, &settings, 5);
    let apart = places.iter().enumerate().map(|(i, &j)| a.position[i].distance(b.position[j]));
    let apart = apart.fold(0.0, f32::max);
    assert!(apart < 2e-5, "{apart:e} m apart after 5 frames");
}
