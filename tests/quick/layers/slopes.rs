//! Friction on a slope: sheets on a held sheet, on a floor and in a stack stick, or slide as a rigid block does.

use std::ops::Range;

use glam::Vec3;
use taffeta::method::{Rubbing, Stability};
use taffeta::model::{Layer, ModelBuilder};
use taffeta::settings::{CONTACT, GRAVITY, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps};
use taffeta::{Settings, Simulation};

use super::models::{Masses, On, gravity, lying, sheet, stack};
use crate::common::gpu;

/// Where nodes are along the slope, on average \[m\].
fn place(simulation: &Simulation, nodes: Range<usize>) -> f64 {
    let x = &simulation.state().unwrap().position[nodes];
    x.iter().map(|x| f64::from(x.x)).sum::<f64>() / x.len() as f64
}

/// How far a block slides from rest, with a friction of .3 and in steps of so long \[m\].
fn way_of_a_block(tangent: f32, end: f64, step: f64) -> f64 {
    let angle = f64::from(tangent).atan();
    0.5 * 9.81 * (angle.sin() - 0.3 * angle.cos()) * end * (end + step)
}

/// How far a sheet whose weight is in balance with contact at the start has moved down a slope after .3 s, and in the last half of that
/// \[m\].
fn slid(tangent: f32, on: On, masses: Masses) -> [f64; 2] {
    // Where masses are no balance of what pairs press, it takes more iterations.
    let iterations = match masses {
        Masses::Equal => 6,
        Masses::ByArea => 4,
    };
    let (model, first) = lying(None, 0.995, on, masses);
    let settings = Settings::of(SolverKind::NewtonMultigrid)
        .with(CONTACT, true)
        .with(GRAVITY, gravity(tangent))
        .with(SUBSTEPS, Substeps::Fixed(4))
        .with(ITERATIONS, Iterations::Fixed(iterations));
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    let nodes = first..first + 289;
    let mut next = || {
        let place = place(&simulation, nodes.clone());
        (0..9).for_each(|_| simulation.step().unwrap());
        place
    };
    let [begin, middle, end] = [next(), next(), next()];
    // What holds the sheet pushes back: its weight where it is at rest, by a part in a hundred.
    let touching = simulation.ask_touching().wait().unwrap().unwrap();
    let [below, above] = [touching.forces[0], touching.forces[1]];
    let weight = 289.0 * f64::from(0.2f32 * 0.0125 * 0.0125) * gravity(tangent).as_dvec3();
    assert!((below + above).length() < 1e-12 && touching.pairs > 289, "{touching:?}");
    assert!((below.y / weight.y - 1.0).abs() < 0.01, "{below} instead of {weight} N");
    assert!(
        tangent >= 0.3 || (below - weight).length() < 0.01 * weight.length(),
        "{below} instead of {weight} N"
    );
    assert!(touching.least > 0.98, "{touching:?}");
    [end - begin, end - middle]
}

#[test]
fn a_sheet_sticks_for_good_on_a_sheet_or_slides_as_a_block() {
    for on in [On::Pins, On::Floor] {
        let [all, late] = slid(0.28, on, Masses::Equal);
        println!("below the limit {all:e} m, {late:e} m late");
        assert!(all < 5e-5 && late < 1e-8, "{all:e} m, {late:e} m late");
    }
    for (tangent, on, masses) in [
        (0.32, On::Pins, Masses::Equal),
        (0.32, On::Pins, Masses::ByArea),
        (0.4, On::Pins, Masses::Equal),
        (0.4, On::Floor, Masses::Equal),
    ] {
        let [all, late] = slid(tangent, on, masses);
        let block = |end| way_of_a_block(tangent, end, 1.0 / 240.0);
        // Late, nodes slide over edges of the sheet below: at .32 over one diagonal at most, at .4 over several.
        let [part, late] = [all / block(0.3), late / (block(0.3) - block(0.15))];
        println!("at a slope of {tangent} {part} of the way of a block, late {late}");
        assert!((late - 1.0).abs() < 0.03, "at a slope of {tangent}, late: {late} of the way of a block");
        assert!((part - 1.0).abs() < 0.05, "at a slope of {tangent}: {part} of the way of a block");
    }
}

#[test]
fn a_sheet_in_a_linear_system_slides_as_a_block() {
    // From where the pairs of linear systems bear it, which are stiffer. Bending limits the step of the second one. At .4 nodes slide over
    // six edges of the other sheet, or more. Where some nodes are twice as heavy as others they all have to hold below the limit.
    let model_of = |masses| lying(None, 0.9998, On::Pins, masses);
    for (solver, substeps) in [(SolverKind::ImplicitEuler, 4), (SolverKind::SoftConstraint, 6)] {
        let way = |tangent, frames, masses| {
            let (model, first) = model_of(masses);
            let settings = Settings::of(solver)
                .with(CONTACT, true)
                .with(GRAVITY, gravity(tangent))
                .with(SUBSTEPS, Substeps::Fixed(substeps));
            let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
            let begin = place(&simulation, first..first + 289);
            (0..frames).for_each(|_| simulation.step().unwrap());
            place(&simulation, first..first + 289) - begin
        };
        let crept = way(0.29, 18, Masses::ByArea) / 0.3;
        let part = way(0.4, 18, Masses::Equal) / way_of_a_block(0.4, 0.3, 1.0 / (60.0 * f64::from(substeps)));
        println!(
            "{solver}: creeps with {crept:e} m/s below the limit, above it {part} of the way of a block"
        );
        assert!(crept.abs() < 1e-5, "{solver}: {crept:e} m/s below the limit");
        assert!((part - 1.0).abs() < 0.02, "{solver}: {part} of the way of a block");
    }
}

#[test]
fn a_sheet_that_is_swept_slides_as_a_block() {
    // In as many substeps as `auto` takes there; it begins where pairs bear it.
    let ways = |tangent, masses, half| {
        let (model, first) = lying(None, 0.997, On::Pins, masses);
        let settings =
            Settings::of(SolverKind::LocalGlobal).with(CONTACT, true).with(GRAVITY, gravity(tangent));
        let enough = Rubbing::substeps(&model, &settings, &Stability::of(&model, &settings), 16).unwrap();
        let settings = settings.with(SUBSTEPS, Substeps::Fixed(enough));
        let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
        let mut next = || {
            let place = place(&simulation, first..first + 289);
            (0..half).for_each(|_| simulation.step().unwrap());
            place
        };
        let [begin, middle, end] = [next(), next(), next()];
        assert_eq!(simulation.falls().unwrap(), 0, "weights diverged");
        ([end - begin, end - middle], enough)
    };
    let ([all, late], uneven) = ways(0.28, Masses::ByArea, 3);
    let ([way, _], even) = ways(0.4, Masses::Equal, 8);
    assert_eq!([even, uneven], [7, 10]);
    let part = way / way_of_a_block(0.4, 16.0 / 60.0, 1.0 / (60.0 * f64::from(even)));
    println!("below the limit {all:e} m, {late:e} m late; above it {part} of the way of a block");
    assert!(all.abs() < 5e-5 && late.abs() < 1e-6, "{all:e} m, {late:e} m late");
    assert!((part - 1.0).abs() < 0.02, "{part} of the way of a block");
}

#[test]
fn a_sheet_that_descends_sticks_from_the_first_substep_on() {
    // From y it would be deep in contact at first, and slide by 1 mm in .1 s.
    let (model, first) = lying(None, 0.999, On::Pins, Masses::Equal);
    let settings = Settings::of(SolverKind::Vbd)
        .with(CONTACT, true)
        .with(GRAVITY, gravity(0.28))
        .with(SUBSTEPS, Substeps::Fixed(4));
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    let begin = place(&simulation, first..first + 289);
    (0..3).for_each(|_| simulation.step().unwrap());
    let way = place(&simulation, first..first + 289) - begin;
    println!("below the limit {way:e} m");
    assert!(way.abs() < 2e-5, "{way:e} m");
}

#[test]
fn a_sheet_with_forces_alone_slides_as_a_block() {
    // Heavy, so that steps are long. It begins where pairs bear it.
    let (s, thickness, node_mass) = (0.0125, 0.00625, 20.0 * 0.2 * 0.0125 * 0.0125);
    let layer = Layer { thickness: Some(thickness), friction: 0.3, ..Layer::default() };
    let mut below = sheet([13, 9], s, node_mass, layer);
    below.pinned = (0..13 * 9).collect();
    let mut above = sheet([6; 2], s, node_mass, layer);
    let shift = Vec3::new(2.0 * s + 0.003, 0.999 * thickness, s + 0.0041);
    above.rest_position.iter_mut().for_each(|x| *x += shift);
    let mut builder = ModelBuilder::new();
    for body in [below, above] {
        builder.add(body);
    }
    let (model, first) = (builder.build().unwrap(), 13 * 9);
    for solver in [SolverKind::Verlet, SolverKind::SymplecticEuler, SolverKind::Rk4] {
        let ways = |tangent| {
            let settings = Settings::of(solver).with(CONTACT, true).with(GRAVITY, gravity(tangent));
            let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
            let mut next = || {
                let place = place(&simulation, first..first + 36);
                (0..5).for_each(|_| simulation.step().unwrap());
                place
            };
            let [begin, middle, end] = [next(), next(), next()];
            let below = simulation.ask_touching().wait().unwrap().unwrap().forces[0];
            ([end - begin, end - middle], below, f64::from(simulation.step_length()))
        };
        let ([all, late], below, _) = ways(0.28);
        let weight = 36.0 * f64::from(node_mass) * gravity(0.28).as_dvec3();
        println!("{solver}: below the limit {all:e} m, {late:e} m late, with {below} of {weight} N");
        let ([way, _], _, step) = ways(0.4);
        let part = way / way_of_a_block(0.4, 10.0 / 60.0, step);
        println!("{solver}: above it {part} of the way of a block");
        // It sinks into contact at first.
        assert!(all.abs() < 5e-5 && late.abs() < 1e-6, "{solver}: {all:e} m, {late:e} m late");
        assert!((below - weight).length() < 0.01 * weight.length(), "{solver}: {below}, not {weight} N");
        assert!((part - 1.0).abs() < 0.02, "{solver}: {part} of the way of a block");
    }
}

#[test]
fn a_linear_system_knows_what_presses_on_a_floor() {
    let (model, first) = lying(Some(75.0), 0.999, On::Floor, Masses::Equal);
    // Bending limits the step of the second one.
    for (solver, substeps) in [(SolverKind::ImplicitEuler, 4), (SolverKind::SoftConstraint, 6)] {
        let settings = Settings::of(solver)
            .with(CONTACT, true)
            .with(GRAVITY, gravity(0.28))
            .with(SUBSTEPS, Substeps::Fixed(substeps));
        let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
        let begin = place(&simulation, 0..first);
        (0..6).for_each(|_| simulation.step().unwrap());
        // With friction for its own weight alone it slides by .2 mm.
        let slid = place(&simulation, 0..first) - begin;
        println!("{solver}: {slid:e} m");
        assert!(slid.abs() < 5e-6, "{solver}: {slid:e} m");
    }
}

#[test]
fn a_stack_in_a_linear_system_lies_still_on_a_slope() {
    const SHEETS: usize = 4;
    const NODES: usize = 11 * 11;
    let model = stack(SHEETS, 11);
    // Bending limits the step of the second one, which damps so little that its forces swing.
    for (solver, substeps, swing) in
        [(SolverKind::ImplicitEuler, 4, 0.01), (SolverKind::SoftConstraint, 6, 0.1)]
    {
        // The floor would hold the lowest sheet alone, and none with friction for its own weight.
        let settings = Settings::of(solver)
            .with(CONTACT, true)
            .with(GRAVITY, gravity(0.2126))
            .with(SUBSTEPS, Substeps::Fixed(substeps));
        let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
        let places = |simulation: &Simulation| -> Vec<f64> {
            (0..SHEETS).map(|k| place(simulation, k * NODES..(k + 1) * NODES)).collect()
        };
        let begin = places(&simulation);
        (0..9).for_each(|_| simulation.step().unwrap());
        let slid: Vec<f64> = places(&simulation).iter().zip(begin).map(|(end, begin)| end - begin).collect();
        let touching = simulation.ask_touching().wait().unwrap().unwrap();
        let weight = NODES as f64 * f64::from(0.2f32 * 0.0125 * 0.0125) * gravity(0.2126).as_dvec3();
        println!("{solver}: {slid:?} m, {:?}", touching.forces);
        assert!(slid.iter().all(|way| way.abs() < 3e-4), "{solver}: {slid:?} m");
        // What holds a sheet pushes with its weight.
        for force in &touching.forces[1..] {
            let off = (*force + weight).length() / weight.length();
            assert!(off < swing, "{solver}: {force} against {weight} N");
        }
    }
}
