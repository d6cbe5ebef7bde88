//! A batch of copies moves bit for bit as its copies do one by one, and one that breaks down ends no other.

mod common;

use common::{Random, gpu, run, strain};
use glam::Vec3;
use taffeta::model::{Model, ModelBuilder, Path, ScriptedHandle};
use taffeta::settings::{Air, Form, Settings, SolverKind, Substeps, Surroundings};
use taffeta::shape::{Cloth, ClothMaterial, Fabric};
use taffeta::State;

const COPIES: u32 = 5;

/// A strained sheet of 11 x 7 nodes whose material, size, mass, start, pin and path are of its copy.
fn copy(number: u32, tensile: f32, random: &mut Random) -> Model {
    let varied = 1.0 + 0.2 * number as f32;
    let fabric = Fabric {
        density: 0.2 * varied,
        tensile: tensile / varied,
        shear: 0.2 * tensile * varied,
        // Copy 0 lacks springs that others have.
        flexion: 1.5 * number as f32,
        damping_time: 1e-4 * varied,
    };
    let body = Cloth {
        corner: Vec3::ZERO,
        u: Vec3::X * varied,
        v: Vec3::NEG_Y,
        columns: 11,
        rows: 7,
        material: ClothMaterial::Fabric(fabric),
    };
    let mut body = strain(body.build().unwrap(), 0.1, random);
    body.pinned.push(number);
    let mut builder = ModelBuilder::new();
    builder.add(body);
    let path = Path::new(vec![(0.0, Vec3::ZERO), (0.1, Vec3::Z * 0.05 * varied)]).unwrap();
    builder.pin_along(vec![10], path.clone());
    builder.handle(ScriptedHandle { nodes: vec![(40, 1.0)], stiffness: 3.0, path, active: 0.0..1.0 });
    builder.build().unwrap()
}

fn surroundings(number: u32) -> Surroundings {
    let varied = 1.0 + 0.3 * number as f32;
    Surroundings {
        gravity: Vec3::new(0.5, -9.81 / varied, varied),
        wind: Vec3::new(varied, 0.0, 2.0),
        air: Air { density: 1.2 * varied, ..Air::NONE },
        damping: 0.1 * varied,
        node_damping: 1e-5 * varied,
        drag: 0.2 * varied,
    }
}

fn settings(solver: SolverKind, form: Form, copies: Vec<Surroundings>) -> Settings {
    // The same substeps for all: a batch takes those of its stiffest copy.
    let substeps = Substeps::Fixed(if solver.is_explicit() { 60 } else { 2 });
    Settings { solver, form, substeps, iterations: 20, force: true, copies, ..Settings::default() }
}

/// Positions and velocities of copy `number` of `count`, as bits.
fn bits(state: &State, number: u32, count: u32) -> Vec<u32> {
    let nodes = state.position.len() / count as usize;
    let own = number as usize * nodes..(number as usize + 1) * nodes;
    let numbers = state.position[own.clone()].iter().chain(&state.velocity[own]).flat_map(|v| v.to_array());
    numbers.map(f32::to_bits).collect()
}

#[test]
fn a_batch_moves_as_its_copies_do_alone() {
    let gpu = gpu();
    for solver in SolverKind::ALL {
        let mut random = Random(3);
        // A batch shares the Chebyshev weights of local-global, which for stiff cloth follow from the number of
        // sweeps alone.
        let tensile = if solver.is_explicit() { 100.0 } else { 20000.0 };
        let copies: Vec<Model> = (0..COPIES).map(|c| copy(c, tensile, &mut random)).collect();
        let batch = Model::stack(copies.clone()).unwrap();
        for form in [Form::Grid, Form::Mesh] {
            let settings = settings(solver, form, (0..COPIES).map(surroundings).collect());
            let together = run(&gpu, &batch, &settings, 4);
            let alone = |c: u32| run(&gpu, &copies[c as usize], &settings.of_copy(c), 4);
            for c in 0..COPIES {
                let (a, b) = (bits(&together, c, COPIES), bits(&alone(c), 0, 1));
                assert!(a == b, "{solver}, {form:?}: copy {c} differs from the same scene alone");
                assert!(c == 0 || a != bits(&together, c - 1, COPIES), "{solver}: nothing varies");
            }
        }
    }
}
