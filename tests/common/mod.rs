//! What several test files share: a GPU, random numbers, networks.
#![allow(dead_code, unused_imports)] // each test file uses a part

pub mod crossing;
mod devices;
pub mod frame_f;
#[cfg(target_os = "linux")]
pub mod hands;
pub mod hinged;
pub mod hung;
pub mod jittered;
pub mod meshes;
pub mod program;
#[cfg(target_os = "linux")]
pub mod screen;
pub mod thrown;

use std::sync::Mutex;

pub use devices::gpu;
use glam::{DVec3, Vec3};
pub use taffeta::bench::truth::random::Random;
use taffeta::gpu::Gpu;
use taffeta::model::{Body, Family, Model, ModelBuilder, Spring};
use taffeta::settings::{
    AIR, Air, CHEBYSHEV, CONTACT, Chebyshev, DAMPING, DRAG, FORCE, FRAME_TIME, ITERATIONS, Iterations,
    LARGEST_STRETCH, NODE_DAMPING, SUBSTEPS, SolverKind, Substeps, WIND,
};
use taffeta::shape::{
    AxialStiffness, Cloth, ClothMaterial, Damping, Disc, EdgeStiffness, Flexion, RawSprings, Rope, RopeMass,
    Surface, SurfaceMass,
};
use taffeta::{Settings, Simulation, State};

/// The program's allocator: in most of the time of the tests a software driver compiles kernels, which allocates much.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The default settings without contact between surfaces: most tests look at something else, and contact takes time.
pub fn plain() -> Settings {
    plain_of(SolverKind::default())
}

/// The same with another solver.
pub fn plain_of(solver: SolverKind) -> Settings {
    Settings::of(solver).with(CONTACT, false)
}

/// Runs a test for every solver but explicit Euler.
pub fn for_stable_solvers(test: impl Fn(SolverKind) + Sync) {
    two_at_a_time(SolverKind::ALL.into_iter().filter(|solver| *solver != SolverKind::ExplicitEuler), test);
}

/// Runs a test for every case, two at a time: one alone leaves a core idle most of the time.
pub fn two_at_a_time<T>(cases: impl Iterator<Item = T> + Send, test: impl Fn(T) + Sync) {
    let left = Mutex::new(cases);
    let work = || {
        loop {
            let next = left.lock().unwrap().next();
            let Some(case) = next else { break };
            test(case);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

/// A sheet of raw springs, 1 m square, hanging in the plane z = 0.
pub fn raw_sheet(columns: u32, rows: u32, stiffness: [f32; 3], mass: f32, dashpot: f32) -> Body {
    raw_cloth([columns, rows], [Vec3::X, Vec3::NEG_Y], stiffness, mass, dashpot)
}

/// A cloth of raw springs with its edges along `sides`.
pub fn raw_cloth(
    [columns, rows]: [u32; 2],
    [u, v]: [Vec3; 2],
    stiffness: [f32; 3],
    mass: f32,
    dashpot: f32,
) -> Body {
    Cloth {
        corner: Vec3::ZERO,
        u,
        v,
        columns,
        rows,
        material: ClothMaterial::Raw(RawSprings {
            structural: stiffness[0],
            shear: stiffness[1],
            flexion: stiffness[2],
            node_mass: mass,
            dashpot,
        }),
    }
    .build()
    .unwrap()
}

/// The sheet of `frame_a.rs`: n x n nodes and 0.2 kg, 1 m along x and along `v`; 1000, 500 and 100 N/m.
pub fn stiff_sheet(n: u32, v: Vec3) -> Body {
    let mass = 0.2 / (n * n) as f32;
    raw_cloth([n, n], [Vec3::X, v], [1000.0, 500.0, 100.0], mass, 0.0)
}

/// A rope of `nodes` nodes.
pub fn rope(nodes: u32, stiffness: f32, mass: f32) -> Body {
    Rope {
        start: Vec3::ZERO,
        end: Vec3::new(1.0, 0.3, -0.2),
        nodes,
        mass: RopeMass::PerNode(mass),
        stiffness: AxialStiffness::PerSpring(stiffness),
        flexion: Flexion::Ratio(0.2),
        damping: Damping::NONE,
    }
    .build()
    .unwrap()
}

/// A triangulated disc with randomly renumbered nodes.
pub fn disc(stiffness: f32, mass: f32, random: &mut Random) -> Body {
    renumber(disc_of(0.05, stiffness, mass), random)
}

/// A triangulated disc of radius 0.5 m, ring by ring.
pub fn disc_of(spacing: f32, stiffness: f32, mass: f32) -> Body {
    let disc = Disc {
        center: Vec3::ZERO,
        normal: Vec3::new(0.2, 1.0, 0.1),
        radius: 0.5,
        spacing,
        surface: Surface {
            stiffness: EdgeStiffness::PerSpring(stiffness),
            mass: SurfaceMass::PerNode(mass),
            flexion: Flexion::Ratio(0.1),
            bending: 0.0,
            damping: Damping::NONE,
        },
    };
    disc.build().unwrap()
}

/// The same body with its nodes in random order.
pub fn renumber(body: Body, random: &mut Random) -> Body {
    let n = body.rest_position.len();
    let mut order: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        order.swap(i, (random.unit() * (i + 1) as f32) as usize);
    }
    let mut new_index = vec![0u32; n];
    for (new, &old) in order.iter().enumerate() {
        new_index[old as usize] = new as u32;
    }
    let pick = |v: &[Vec3]| order.iter().map(|&o| v[o as usize]).collect::<Vec<_>>();
    Body {
        name: body.name.clone(),
        rest_position: pick(&body.rest_position),
        position: body.position.as_deref().map(pick),
        velocity: body.velocity.as_deref().map(pick),
        mass: order.iter().map(|&o| body.mass[o as usize]).collect(),
        pinned: body.pinned.iter().map(|&p| new_index[p as usize]).collect(),
        springs: body
            .springs
            .iter()
            .map(|s| Spring { nodes: s.nodes.map(|i| new_index[i as usize]), ..*s })
            .collect(),
        triangles: body.triangles.iter().map(|t| t.map(|i| new_index[i as usize])).collect(),
        bending: body.bending,
        strain_limit: body.strain_limit,
        layer: body.layer,
        grid: None,
        glyphs: Vec::new(),
    }
}

/// A random network with zero-length and zero-stiffness springs, and a hub of many springs.
pub fn tangle(stiffness: f32, mass: f32, random: &mut Random) -> Body {
    let n = 150u32;
    let rest_position: Vec<Vec3> = (0..n).map(|_| random.vector() * 0.5).collect();
    let mut springs = Vec::new();
    let mut join = |a: u32, b: u32, rest_length: f32, stiffness: f32, random: &mut Random| {
        let dashpot = if random.unit() < 0.5 { 0.0 } else { 1e-3 * stiffness };
        springs.push(Spring { nodes: [a, b], rest_length, stiffness, dashpot, family: Family::Raw });
    };
    for a in 0..n {
        for _ in 0..3 {
            let b = (a + 1 + (random.unit() * (n - 1) as f32) as u32) % n;
            let rest = rest_position[a as usize].distance(rest_position[b as usize]);
            let kind = random.unit();
            let (rest, k) = match kind {
                k if k < 0.1 => (0.0, stiffness),
                k if k < 0.2 => (rest, 0.0),
                _ => (rest, stiffness * (0.5 + random.unit())),
            };
            if a != b {
                join(a, b, rest, k, random);
            }
        }
    }
    for b in 1..100 {
        join(0, b, rest_position[0].distance(rest_position[b as usize]), 0.05 * stiffness, random);
    }
    let mass = (0..n).map(|_| mass * (0.5 + random.unit())).collect();
    Body { name: "tangle".into(), rest_position, mass, springs, ..Body::default() }
}

/// Pins some nodes, stretches and compresses the springs by 5 to 20 %, and sets things moving.
pub fn strain(mut body: Body, spacing: f32, random: &mut Random) -> Body {
    let n = body.rest_position.len();
    body.pinned = vec![0, (n / 2) as u32, (n - 1) as u32];
    let position = body.rest_position.iter().map(|&x| x + 0.1 * spacing * random.vector());
    body.position = Some(position.collect());
    body.velocity = Some((0..n).map(|_| 0.5 * random.vector()).collect());
    body
}

/// A model of one body.
pub fn model(body: Body) -> Model {
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.build().unwrap()
}

/// Runs whole frames and reads the state back.
pub fn run(gpu: &Gpu, model: &Model, settings: &Settings, frames: u32) -> State {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    for _ in 0..frames {
        simulation.step().unwrap();
    }
    simulation.state().unwrap()
}

/// One step a frame of newton-multigrid with so many iterations.
pub fn newton_multigrid(iterations: u32) -> Settings {
    plain_of(SolverKind::NewtonMultigrid)
        .with(ITERATIONS, Iterations::Fixed(iterations))
        .with(SUBSTEPS, Substeps::Fixed(1))
}

/// One step of 2 ms and a few iterations of `solver`, for comparisons with the reference: with the stiffnesses and masses of
/// those tests h^2 sum k / m lies between 0.1 and 10.
pub fn one_step_settings(solver: SolverKind) -> Settings {
    plain_of(solver)
        .with(FRAME_TIME, 0.002)
        .with(SUBSTEPS, Substeps::Fixed(1))
        .with(ITERATIONS, Iterations::Fixed(2))
        .with(CHEBYSHEV, Chebyshev::Off)
        .with(FORCE, true)
        .with(LARGEST_STRETCH, 1e9)
}

/// Every force at once.
pub fn with_forces(settings: Settings) -> Settings {
    settings
        .with(WIND, Vec3::new(2.0, 0.5, -1.0))
        .with(AIR, Air { density: 1.2, normal: 1.3, tangential: 0.05 })
        .with(DAMPING, 3.0)
        .with(NODE_DAMPING, 1e-4)
        .with(DRAG, 2.0)
}

/// Root mean square distance of two lists of points \[m\].
pub fn rms_distance<A: Copy + Into<DVec3>, B: Copy + Into<DVec3>>(a: &[A], b: &[B]) -> f64 {
    assert_eq!(a.len(), b.len());
    let squared = |(a, b): (&A, &B)| ((*a).into() - (*b).into()).length_squared();
    let sum: f64 = a.iter().zip(b).map(squared).sum();
    (sum / a.len() as f64).sqrt()
}
