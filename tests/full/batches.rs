//! A batch of copies moves bit for bit as its copies do one by one, and one that breaks down ends no other.

use crate::common::{self, Random, gpu, plain, plain_of, run, strain};
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::hierarchy::Hierarchy;
use taffeta::model::{Body, Family, Model, ModelBuilder, Path, ScriptedHandle, Spring};
use taffeta::settings::{
    Air, CG_STEPS, CHEBYSHEV, Chebyshev, FORCE, FORM, Form, GRAVITY, ITERATIONS, Iterations, LARGEST_STRETCH,
    SUBSTEPS, Settings, SolverKind, Substeps, TOLERANCE, World,
};
use taffeta::shape::{Cloth, ClothMaterial, Fabric};
use taffeta::{Error, Simulation, State};

const COPIES: u32 = 5;

/// A strained sheet of 11 x 7 nodes whose material, size, mass, start, pin and path are of its copy.
fn copy(number: u32, tensile: f32, random: &mut Random) -> Model {
    let varied = 1.0 + 0.2 * number.min(4) as f32 + 1e-3 * number as f32;
    let fabric = Fabric {
        density: 0.2 * varied,
        tensile: tensile / varied,
        shear: 0.2 * tensile * varied,
        // Copy 0 lacks springs that others have.
        flexion: 1.4 * number.min(4) as f32,
        damping_time: 1e-4 * varied,
        bending: 0.0,
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
    body.pinned.push(number % 10);
    let mut builder = ModelBuilder::new();
    builder.add(body);
    let path = Path::new(vec![(0.0, Vec3::ZERO), (0.1, Vec3::Z * 0.05 * varied)]).unwrap();
    builder.pin_along(vec![10], path.clone());
    builder.handle(ScriptedHandle { nodes: vec![(40, 1.0)], stiffness: 3.0, path, active: 0.0..1.0 });
    builder.build().unwrap()
}

fn surroundings(number: u32) -> World {
    let varied = 1.0 + 0.3 * number as f32;
    World {
        gravity: Vec3::new(0.5, -9.81 / varied, varied),
        wind: Vec3::new(varied, 0.0, 2.0),
        air: Air { density: 1.2 * varied, ..Air::NONE },
        damping: 0.1 * varied,
        node_damping: 1e-5 * varied,
        drag: 0.2 * varied,
    }
}

fn settings(solver: SolverKind, form: Form, copies: Vec<World>) -> Settings {
    // The same substeps for all: a batch takes those of its stiffest copy.
    let substeps = Substeps::Fixed(if solver.is_explicit() { 60 } else { 2 });
    Settings {
        copies,
        ..plain_of(solver)
            .with(FORM, form)
            .with(SUBSTEPS, substeps)
            .with(ITERATIONS, Iterations::Fixed(20))
            .with(FORCE, true)
    }
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
            let steps: &[u32] = if solver == SolverKind::NewtonMultigrid { &[0, 2] } else { &[0] };
            for &cg_steps in steps {
                let settings = settings.clone().with(CG_STEPS, cg_steps);
                let together = run(&gpu, &batch, &settings, 2);
                let alone = |c: u32| run(&gpu, &copies[c as usize], &settings.of_copy(c), 2);
                for c in 0..COPIES {
                    let (a, b) = (bits(&together, c, COPIES), bits(&alone(c), 0, 1));
                    assert!(a == b, "{solver}, {form:?}: copy {c} differs from the same scene alone");
                    assert!(c == 0 || a != bits(&together, c - 1, COPIES), "{solver}: nothing varies");
                }
            }
        }
    }
}

/// Beside a copy that is so stiff that it has multipliers one that is not keeps the bits that it has alone.
#[test]
fn stiff_copies_change_nothing_for_others() {
    let gpu = gpu();
    let copy = |k: f32| {
        let body = common::raw_sheet(12, 10, [k, k / 2.0, k / 10.0], 0.002, 0.0);
        common::model(strain(body, 1.0 / 11.0, &mut Random(3)))
    };
    let inextensible = {
        let body = common::raw_sheet(12, 10, [f32::INFINITY, 300.0, 0.0], 0.002, 0.0);
        common::model(strain(body, 0.01, &mut Random(3)))
    };
    let limited = {
        let body = common::raw_sheet(12, 10, [40.0, 10.0, 0.0], 0.002, 0.0);
        common::model(Body { strain_limit: Some(0.02), ..strain(body, 0.5, &mut Random(3)) })
    };
    let copies = [copy(400.0), copy(4e6), copy(2e6), inextensible, limited];
    let batch = Model::stack(copies.to_vec()).unwrap();
    for (form, cg_steps) in [(Form::Grid, 0), (Form::Grid, 2), (Form::Mesh, 0)] {
        let settings = common::newton_multigrid(6).with(FORM, form).with(CG_STEPS, cg_steps);
        let together = run(&gpu, &batch, &settings, 2);
        for (c, copy) in (0..).zip(&copies) {
            let alone = run(&gpu, copy, &settings, 2);
            assert!(bits(&together, c, 5) == bits(&alone, 0, 1), "{form:?}, {cg_steps}: copy {c}");
        }
    }
}

/// A strained sheet whose spacing and clamped edges are of its copy.
fn bent(number: u32, bending: f32) -> Model {
    let fabric =
        Fabric { density: 0.2, tensile: 100.0, shear: 20.0, flexion: 0.0, damping_time: 0.0, bending };
    let body = Cloth {
        corner: Vec3::ZERO,
        u: Vec3::X * (1.0 + 0.1 * number as f32),
        v: Vec3::NEG_Y,
        columns: 11,
        rows: 9,
        material: ClothMaterial::Fabric(fabric),
    };
    let mut body = strain(body.build().unwrap(), 0.1, &mut Random(5 + u64::from(number)));
    body.pinned = match number {
        1 => (0..22).collect(),
        2 => (0..9).flat_map(|row| [11 * row + 8, 11 * row + 9, 11 * row + 10]).collect(),
        _ => vec![0],
    };
    common::model(body)
}

#[test]
fn copies_that_bend_move_as_they_do_alone() {
    let gpu = gpu();
    let copies: Vec<Model> = (0..4).map(|c| bent(c, 1e-3 * c as f32)).collect();
    let batch = Model::stack(copies.clone()).unwrap();
    assert!(copies[0].grid_bending(0).is_none() && batch.grid_bending(0).is_none());
    assert_ne!(batch.grid_bending(1).unwrap().clamps, batch.grid_bending(2).unwrap().clamps);
    let alone: Vec<f64> = copies.iter().flat_map(Model::bending_majorant).collect();
    assert_eq!(batch.bending_majorant(), alone);
    for solver in SolverKind::ALL {
        for form in [Form::Grid, Form::Mesh] {
            // The radius by itself would follow from the stiffest copy.
            let chebyshev = Chebyshev::Radius(0.9);
            let settings = settings(solver, form, Vec::new()).with(CHEBYSHEV, chebyshev);
            let together = run(&gpu, &batch, &settings, 2);
            for c in 0..4 {
                let a = bits(&together, c, 4);
                let alone = run(&gpu, &copies[c as usize], &settings, 2);
                assert!(a == bits(&alone, 0, 1), "{solver}, {form:?}: copy {c} differs from the same alone");
                let limp = run(&gpu, &bent(c, 0.0), &settings, 2);
                assert!(c == 0 || a != bits(&limp, 0, 1), "{solver}, {form:?}: bending does nothing");
            }
        }
    }
}

/// 3000 nodes, too many for one workgroup: a renumbered sheet that bends, whose levels have as many nodes as its pins
/// leave, or as copy 2 a block, which takes fewer levels.
fn large(number: u32) -> Model {
    let mut random = Random(11 + u64::from(number));
    if number == 2 {
        let size = [15, 20, 10];
        let at = |[x, y, z]: [u32; 3]| (z * size[1] + y) * size[0] + x;
        let all = || (0..10).flat_map(|z| (0..20).flat_map(move |y| (0..15).map(move |x| [x, y, z])));
        let offsets = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]];
        let next = |from: [u32; 3], by: [u32; 3]| {
            let to = [0, 1, 2].map(|d| from[d] + by[d]);
            let is_inside = to.iter().zip(&size).all(|(x, n)| x < n);
            is_inside.then(|| ([at(from), at(to)], 0.02 * (by.iter().sum::<u32>() as f32).sqrt()))
        };
        let spring = |(nodes, rest_length)| Spring {
            nodes,
            rest_length,
            stiffness: 1000.0,
            dashpot: 0.0,
            family: Family::Raw,
        };
        let body = Body {
            rest_position: all().map(|x| 0.02 * Vec3::from(x.map(|x| x as f32))).collect(),
            mass: vec![1e-4; 3000],
            springs: all()
                .flat_map(|x| offsets.into_iter().filter_map(move |by| next(x, by)))
                .map(spring)
                .collect(),
            pinned: (0..15).collect(),
            ..Body::default()
        };
        // Gently: far from rest a block has many minima.
        return common::model(Body { velocity: None, ..strain(body, 0.002, &mut random) });
    }
    let body = common::raw_sheet(60, 50, [1000.0, 500.0, 0.0], 1e-4, 0.0);
    let body = common::renumber(Body { bending: 1e-5, ..body }, &mut random);
    let mut body = strain(body, 0.1 / 59.0, &mut random);
    let share = [0.0, 0.3, 0.0, 0.02][number as usize];
    body.pinned = (0..3000).filter(|_| random.unit() < share).collect();
    common::model(body)
}

#[test]
fn copies_of_any_network_have_levels_of_their_own() {
    let gpu = gpu();
    let copies: Vec<Model> = (0..4).map(large).collect();
    assert!(copies[0].has_bending());
    let depth = |model: &Model| Hierarchy::galerkin(model).levels.len();
    let depths: Vec<usize> = copies.iter().map(depth).collect();
    assert!(depths[0] > 2 && depths[2] < depths[0], "{depths:?}: not the case wanted");
    let batch = Model::stack(copies.clone()).unwrap();
    for cg_steps in [0, 2] {
        let settings = common::newton_multigrid(16).with(CG_STEPS, cg_steps);
        let together = run(&gpu, &batch, &settings, 3);
        for c in 0..4 {
            let alone = run(&gpu, &copies[c as usize], &settings, 3);
            if c == 2 {
                // It repeats its last level, and its workgroup begins at another.
                let (own, start) = (&together.position[6000..9000], &copies[2].initial_state().position);
                let most =
                    |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                let (apart, moved) = (most(own, &alone.position), most(own, start));
                assert!(
                    apart < 0.01 * moved,
                    "copy {c} is {apart} m from the same alone, it moved {moved} m"
                );
            } else {
                assert!(bits(&together, c, 4) == bits(&alone, 0, 1), "copy {c} differs from the same alone");
            }
        }
    }
}

#[test]
fn the_guard_of_a_copy_is_its_own() {
    let gpu = gpu();
    let copy = |is_folded: bool| {
        let mut body = common::raw_sheet(24, 20, [1000.0, 500.0, 0.0], 1e-4, 0.0);
        body.pinned = vec![0];
        let mut random = Random(2);
        let fold = |x: &Vec3| {
            let x = if is_folded && x.x > 0.5 { Vec3::new(1.0 - x.x, x.y, x.z) } else { *x };
            x + 1e-3 * random.vector()
        };
        body.position = Some(body.rest_position.iter().map(fold).collect());
        common::model(body)
    };
    let copies = [copy(false), copy(true), copy(false)];
    let batch = Model::stack(copies.to_vec()).unwrap();
    for form in [Form::Grid, Form::Mesh] {
        let settings = common::newton_multigrid(6).with(FORM, form).with(LARGEST_STRETCH, 1e9);
        let falls = |model: &Model| {
            let mut simulation = Simulation::new(&gpu, model, &settings).unwrap();
            (0..6).for_each(|_| simulation.step().unwrap());
            (simulation.falls().unwrap(), simulation.state().unwrap())
        };
        let ((calm, _), (torn, _), (together, state)) = (falls(&copies[0]), falls(&copies[1]), falls(&batch));
        assert!(calm == 0 && torn > 0, "{form:?}: {calm} and {torn}: not the case wanted");
        assert_eq!(together, torn);
        for c in 0..3 {
            assert!(bits(&state, c, 3) == bits(&falls(&copies[c as usize]).1, 0, 1), "{form:?}: copy {c}");
        }
    }
}

/// One copy of a sheet with `stiffness` that falls and swings.
fn sheet(stiffness: f32) -> Model {
    common::model(strain(common::raw_sheet(9, 8, [stiffness; 3], 1e-3, 0.0), 0.1, &mut Random(7)))
}

#[test]
fn a_copy_that_breaks_down_ends_no_other() {
    let gpu = gpu();
    let copies = [sheet(20.0), sheet(2e5), sheet(30.0)];
    let batch = Model::stack(copies.to_vec()).unwrap();
    // Copy 1 is far beyond the stable step; the others are not.
    let explicit =
        plain_of(SolverKind::SymplecticEuler).with(SUBSTEPS, Substeps::Fixed(20)).with(FORCE, true);
    for form in [Form::Grid, Form::Mesh] {
        let settings = explicit.clone().with(FORM, form);
        let mut simulation = Simulation::new(&gpu, &batch, &settings).unwrap();
        for _ in 0..6 {
            simulation.step().unwrap();
        }
        let outcomes = simulation.outcomes().unwrap();
        assert_eq!(outcomes.iter().map(|o| o.failure.is_some()).collect::<Vec<_>>(), [false, true, false]);
        let failure = outcomes[1].failure.unwrap();
        assert!((72..144).contains(&failure.node) && (72..144).contains(&failure.other), "{failure:?}");
        let told = simulation.breakdown(&failure).to_string();
        assert!(told.starts_with("copy 1 broke down by step ") && told.contains("'cloth'"), "{told}");
        let sound = outcomes[0].largest_stretch.max(outcomes[2].largest_stretch);
        assert_eq!(simulation.largest_stretch().unwrap(), sound);
        let together = simulation.state().unwrap();
        assert!(together.position[72..144].iter().any(|x| !x.is_finite()));
        for c in [0, 2] {
            let alone = run(&gpu, &copies[c as usize], &settings, 6);
            assert!(bits(&together, c, 3) == bits(&alone, 0, 1), "{form:?}: copy {c}");
        }
    }
    let broken = Model::stack(vec![sheet(2e5), sheet(3e5)]).unwrap();
    let mut simulation = Simulation::new(&gpu, &broken, &explicit).unwrap();
    for _ in 0..6 {
        simulation.step().unwrap();
    }
    let error = simulation.largest_stretch().unwrap_err();
    assert!(
        matches!(&error, Error::Diverged(b) if b.copy == Some(0) && b.to_string().starts_with("copy 0 broke down")),
        "{error}"
    );
}

#[test]
fn a_copy_whose_acceleration_falls_back_slows_no_other() {
    let gpu = gpu();
    // The radius fits 2000 sweeps; with 60 it diverges in fast motion, not at rest.
    let n = 30;
    let hung = |speed: f32| {
        let mut body = common::raw_sheet(n, n, [1000.0, 500.0, 100.0], 0.2 / (n * n) as f32, 0.0);
        body.pinned = vec![0, n - 1];
        let fast = |x: &Vec3| Vec3::new(0.0, 3.0 * x.x, 4.0 * x.y) * speed;
        body.velocity = Some(body.rest_position.iter().map(fast).collect());
        common::model(body)
    };
    let copies = [hung(0.0), hung(3.0)];
    let batch = Model::stack(copies.to_vec()).unwrap();
    let chebyshev = Chebyshev::Radius(0.999_99);
    let solver = SolverKind::LocalGlobal;
    let settings = plain_of(solver)
        .with(ITERATIONS, Iterations::Fixed(60))
        .with(CHEBYSHEV, chebyshev)
        .with(LARGEST_STRETCH, 1e9)
        .with(GRAVITY, Vec3::ZERO);
    let falls = |model: &Model| {
        let mut simulation = Simulation::new(&gpu, model, &settings).unwrap();
        for _ in 0..8 {
            simulation.step().unwrap();
        }
        (simulation.falls().unwrap(), simulation.state().unwrap())
    };
    let ((calm_falls, calm), (torn_falls, torn), (together, state)) =
        (falls(&copies[0]), falls(&copies[1]), falls(&batch));
    assert!(calm_falls == 0 && torn_falls > 0, "{calm_falls} and {torn_falls} falls: not the case wanted");
    assert_eq!(together, torn_falls);
    assert!(bits(&state, 0, 2) == bits(&calm, 0, 1) && bits(&state, 1, 2) == bits(&torn, 0, 1));
}

#[test]
fn what_does_not_fit_a_batch_is_refused() {
    let gpu = gpu();
    let batch = Model::stack(vec![sheet(20.0), sheet(30.0)]).unwrap();
    let settings = Settings { copies: vec![surroundings(0); 3], ..plain() };
    let error = Simulation::new(&gpu, &batch, &settings).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "settings for 3 copies and a model of 2");
    let settings = Settings { copies: vec![surroundings(0), surroundings(1)], ..plain() };
    let mut simulation = Simulation::new(&gpu, &batch, &settings).unwrap();
    let error = simulation.set_gravity(Vec3::ZERO).unwrap_err().to_string();
    assert!(error.contains("of their own"), "{error}");
    let error = taffeta::check::one_step(&gpu, &batch, &settings, batch.initial_state()).unwrap_err();
    assert!(error.to_string().contains("compare its copies"), "{error}");
    let settings = plain_of(SolverKind::NewtonMultigrid).with(TOLERANCE, 0.01);
    let error = Simulation::new(&gpu, &batch, &settings).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("a batch has no tolerance"), "{error}");
    // Two handles a copy that differ from copy to copy: more than there may be.
    let pulled = |c: u32| copy(c, 100.0, &mut Random(1));
    let many = Model::stack((0..65).map(pulled).collect()).unwrap();
    let error = Simulation::new(&gpu, &many, &plain()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("65 handles; at most 64"), "{error}");
}

#[test]
fn four_thousand_copies_fit_the_default_limits() {
    let one = common::model(common::raw_sheet(16, 16, [10.0, 5.0, 1.0], 1e-4, 0.0));
    let batch = Model::stack(vec![one; 4096]).unwrap();
    for form in [Form::Grid, Form::Mesh] {
        for solver in SolverKind::ALL {
            let gpu = Gpu::noop().unwrap();
            let copies = (0..4096).map(surroundings).collect();
            let settings = settings(solver, form, copies).with(SUBSTEPS, Substeps::Fixed(2));
            let mut simulation = Simulation::new(&gpu, &batch, &settings).unwrap();
            for _ in 0..2 {
                simulation.step().unwrap();
            }
            assert_eq!(simulation.outcomes().unwrap().len(), 4096);
            gpu.wait().unwrap();
        }
    }
}
