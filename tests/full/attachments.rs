//! Bodies joined by springs come to the rest of the whole, found in f64, and one step of them is that of the f64 reference.

use crate::common::{gpu, plain, plain_of, rms_distance};
use glam::Vec3;
use taffeta::Simulation;
use taffeta::check::one_step_of;
use taffeta::model::{Body, Family, Model, ModelBuilder, Spring};
use taffeta::reference::{Forces, State64, minimizer};
use taffeta::settings::{DAMPING, FORCE, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps};
use taffeta::shape::{AxialStiffness, Cloth, ClothMaterial, Damping, Fabric, Flexion, Rope, RopeMass};

const SIDE: u32 = 24;
const ROPES: u32 = 4;
/// Of each attachment [N/m].
const STIFFNESS: f32 = 30.0;
/// Of a rope's 11 nodes \[kg\].
const NODE_MASS: f32 = 2e-3;

/// A sheet hung by its top corners, with ropes on its lower edge, whose first nodes lie on those of the sheet.
fn fringe() -> Model {
    let fabric =
        Fabric { density: 0.2, tensile: 200.0, shear: 50.0, flexion: 0.0, bending: 1e-5, damping_time: 0.0 };
    let material = ClothMaterial::Fabric(fabric);
    let cloth = Cloth { corner: Vec3::Y, u: Vec3::X, v: Vec3::NEG_Y, columns: SIDE, rows: SIDE, material };
    let mut sheet = cloth.build().unwrap();
    sheet.pinned = (0..3)
        .flat_map(|row| (0..3).flat_map(move |c| [SIDE * row + c, SIDE * row + SIDE - 1 - c]))
        .collect();
    sheet.pinned.sort_unstable();
    let mut builder = ModelBuilder::new();
    let edge: Vec<u32> = (0..ROPES).map(|k| SIDE * (SIDE - 1) + (SIDE - 1) * k / (ROPES - 1)).collect();
    let tops: Vec<Vec3> = edge.iter().map(|&n| sheet.rest_position[n as usize]).collect();
    builder.add(sheet);
    for (start, node) in tops.into_iter().zip(edge) {
        let rope = Rope {
            start,
            end: start - 0.5 * Vec3::Y,
            nodes: 11,
            mass: RopeMass::PerNode(NODE_MASS),
            stiffness: AxialStiffness::PerSpring(300.0),
            flexion: Flexion::None,
            damping: Damping::NONE,
        };
        let first = builder.add(rope.build().unwrap()).start;
        let (nodes, family) = ([first, node], Family::Raw);
        builder.attach(Spring { nodes, rest_length: 0.0, stiffness: STIFFNESS, dashpot: 0.0, family });
    }
    builder.build().unwrap()
}

#[test]
fn an_attachment_that_is_one_percent_off_is_noticed() {
    // Everything in motion, and stretched attachments with dashpots.
    let with = |change: fn(&mut Spring)| {
        let mut builder = ModelBuilder::new();
        let rope = |height: f32| Rope {
            start: height * Vec3::Y,
            end: Vec3::new(0.5, height, 0.2),
            nodes: 11,
            mass: RopeMass::PerNode(NODE_MASS),
            stiffness: AxialStiffness::PerSpring(300.0),
            flexion: Flexion::None,
            damping: Damping::NONE,
        };
        for (height, speed) in [(0.0, Vec3::ZERO), (0.1, Vec3::new(1.0, 2.0, -1.0))] {
            let body = rope(height).build().unwrap();
            builder.add(Body { velocity: Some(vec![speed; 11]), ..body });
        }
        for i in 0..11 {
            let (nodes, family) = ([i, 11 + i], Family::Raw);
            let mut spring = Spring { nodes, rest_length: 0.09, stiffness: 500.0, dashpot: 2.0, family };
            change(&mut spring);
            builder.attach(spring);
        }
        builder.build().unwrap()
    };
    let (gpu, model) = (gpu(), with(|_| ()));
    type Change = fn(&mut Spring);
    let changes: [(&str, Change); 3] = [
        ("stiffness", |s| s.stiffness *= 1.01),
        ("rest length", |s| s.rest_length *= 1.01),
        ("dashpot", |s| s.dashpot *= 1.01),
    ];
    for solver in SolverKind::ALL {
        let settings = plain_of(solver).with(SUBSTEPS, Substeps::Fixed(12)).with(FORCE, true);
        let found = one_step_of(&gpu, &model, &model, &settings, model.initial_state()).unwrap();
        assert!(found.worst <= 1.0, "{solver}: {found:?}");
        for (what, change) in changes {
            let found = one_step_of(&gpu, &with(change), &model, &settings, model.initial_state()).unwrap();
            assert!(found.worst > 1.0, "{solver}, {what}: {found:?}");
        }
    }
}

#[test]
fn a_sheet_and_the_ropes_on_it_come_to_rest_together() {
    let (gpu, model) = (gpu(), fringe());
    let none = plain();
    let forces = Forces::of(&model, &none);
    let start = State64::from(model.initial_state()).position;
    let minimum = minimizer::equilibrium(&forces, start.clone(), 1e-9).position;
    let own = rms_distance(&minimum, &start);
    for (solver, substeps, iterations, most) in [
        (SolverKind::NewtonMultigrid, Substeps::Fixed(1), None, 0.01),
        (SolverKind::ImplicitEuler, Substeps::Fixed(1), Some(60), 0.01),
        (SolverKind::Verlet, Substeps::Auto, None, 0.01),
        (SolverKind::Xpbd, Substeps::Fixed(240), Some(1), 0.05),
    ] {
        let settings = plain_of(solver)
            .with(SUBSTEPS, substeps)
            .with(ITERATIONS, Iterations::from(iterations))
            .with(DAMPING, 6.0);
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        (0..120).for_each(|_| simulation.step().unwrap());
        simulation.largest_stretch().unwrap();
        let found = State64::from(&simulation.state().unwrap()).position;
        let part = rms_distance(&found, &minimum) / own;
        println!("{solver}: {:.2} % of {own:.4} m off", 100.0 * part);
        assert!(part < most, "{solver}: {part}");
        // What hangs on each attachment stretches it.
        let weight = 11.0 * f64::from(NODE_MASS) * 9.81;
        for s in model.attachments() {
            let [a, b] = s.nodes.map(|n| found[n as usize]);
            let drop = (b.y - a.y) * f64::from(STIFFNESS) / weight;
            assert!((drop - 1.0).abs() < 2.0 * most, "{solver}: {drop} of a rope's weight");
        }
    }
}
