//! Bodies thrown at each other: small ones in many copies, and scenes of any size.

use glam::{Quat, Vec3};
use taffeta::contact::Report;
use taffeta::measure::crossings::Checker;
use taffeta::model::{Body, Family, Layer, Model, ModelBuilder, Spring};
use taffeta::settings::{CONTACT, FORCE, GRAVITY, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps};
use taffeta::{Settings, Simulation, State};

use super::{Random, gpu, raw_cloth};

/// Columns and rows of the sheets of a scene.
const SHEETS: [[u32; 2]; 3] = [[6, 6], [5, 6], [4, 5]];
/// Largest speed [m/s].
const SPEED: f32 = 3.0;

/// A surface that pushes with less than rounding: the guard acts alone.
pub const NO_FORCE: Layer =
    Layer { stiffness: Some(1e-12), touches: true, thickness: None, friction: 0.0, onset: 0.0 };

/// Three sheets and a tetrahedron, side by side, with surfaces of a kind.
pub fn model(layer: Layer) -> Model {
    let mut builder = ModelBuilder::new();
    for [columns, rows] in SHEETS {
        let sides = [Vec3::X * 0.06 * (columns - 1) as f32, Vec3::Z * 0.06 * (rows - 1) as f32];
        builder.add(Body { layer, ..raw_cloth([columns, rows], sides, [20.0, 10.0, 2.0], 2e-3, 1e-3) });
    }
    builder.add(Body { layer, ..tetrahedron(0.1) });
    builder.build().unwrap()
}

/// A closed body of four nodes.
pub fn tetrahedron(size: f32) -> Body {
    let position = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| size * p).to_vec();
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let spring = |nodes: [u32; 2]| {
        let rest = position[nodes[0] as usize].distance(position[nodes[1] as usize]);
        Spring { nodes, rest_length: rest, stiffness: 20.0, dashpot: 0.0, family: Family::default() }
    };
    Body {
        springs: pairs.map(spring).to_vec(),
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        mass: vec![2e-3; 4],
        rest_position: position,
        ..Body::default()
    }
}

/// Bodies placed and turned at random at most `apart` \[m\] from the middle along each axis, and thrown at it; nothing crosses.
pub fn state(model: &Model, apart: f32, random: &mut Random) -> State {
    let checker = Checker::new(model);
    loop {
        let mut state = model.initial_state().clone();
        for body in model.bodies() {
            let nodes = body.nodes.start as usize..body.nodes.end as usize;
            let middle = state.position[nodes.clone()].iter().sum::<Vec3>() / nodes.len() as f32;
            let turn = Quat::from_scaled_axis(3.0 * random.vector());
            let place = apart * random.vector();
            let velocity = (-place.normalize_or_zero() + 0.3 * random.vector()).clamp_length_max(1.0) * SPEED;
            let spin = 5.0 * random.vector();
            for i in nodes {
                let arm = turn * (state.position[i] - middle);
                state.position[i] = place + arm;
                state.velocity[i] = velocity + spin.cross(arm);
            }
        }
        if checker.count(&state.position).count == 0 {
            return state;
        }
    }
}

/// States of copies as one.
pub fn together(states: &[State]) -> State {
    let join = |f: fn(&State) -> &Vec<Vec3>| states.iter().flat_map(f).copied().collect();
    State { position: join(|s| &s.position), velocity: join(|s| &s.velocity), time: 0.0 }
}

/// Four substeps and four iterations without gravity.
pub fn settings(solver: SolverKind, contact: bool) -> Settings {
    let settings = Settings::of(solver).with(FORCE, true).with(ITERATIONS, Iterations::Fixed(4));
    settings.with(SUBSTEPS, Substeps::Fixed(4)).with(GRAVITY, Vec3::ZERO).with(CONTACT, contact)
}

/// The model of a scene, that of as many copies, and a start of each.
pub fn scenes(copies: usize, seed: u64) -> (Model, Model, Vec<State>) {
    let alone = model(Layer::default());
    let mut random = Random(seed);
    let states = (0..copies).map(|_| state(&alone, 0.25, &mut random)).collect();
    (alone.clone(), Model::stack(vec![alone; copies]).unwrap(), states)
}

/// What the guard did.
pub fn report(simulation: &Simulation) -> Report {
    simulation.ask_contact().wait().unwrap().unwrap()
}

/// Throws bodies at each other in many copies, for half a second: without the guard most of them cross, with it none.
pub fn never_crosses(solver: SolverKind, copies: usize, seed: u64) {
    let (alone, model, states) = scenes(copies, seed);
    let checker = Checker::new(&alone);
    let count = |position: &[Vec3]| checker.count(position).count;
    let most = [false, true].map(|contact| {
        let mut simulation = Simulation::new(&gpu(), &model, &settings(solver, contact)).unwrap();
        simulation.set_state(&together(&states)).unwrap();
        let mut most = vec![0; copies];
        for _ in 0..30 {
            simulation.step().unwrap();
            let position = simulation.state().unwrap().position;
            let now = position.chunks(alone.node_count()).map(count);
            most.iter_mut().zip(now).for_each(|(most, now)| *most = now.max(*most));
        }
        if contact {
            let report = report(&simulation);
            println!("{solver}: {report:?}");
            assert!(report.cut > 0 && report.forced == 0 && report.tangled == 0, "{solver}: {report:?}");
        }
        most
    });
    let crossed = most[0].iter().filter(|n| **n > 0).count();
    println!("{solver}: {crossed} of {copies} copies cross without the guard");
    assert!(crossed > copies / 2, "{solver}: without the guard {crossed} of {copies} copies cross");
    assert!(most[1].iter().all(|n| *n == 0), "{solver}: crossings {:?}", most[1]);
}
