//! Bending. In f64: the energy of cylinders and rigid motions, its derivatives, the minimizer that the
//! sweeps reach, the cantilever against the elastica. On the GPU: the step that each method can take.

use crate::common;
use crate::common::meshes::{delaunay, square};
use crate::common::{Random, disc_of, model, plain, plain_of, raw_sheet, strain};
use glam::{DVec3, Vec3};
use taffeta::gpu::Gpu;
use taffeta::measure::energy;
use taffeta::method::Stability;
use taffeta::model::{Body, Model};
use taffeta::reference::objective::Objective;
use taffeta::reference::{Forces, State64, forces, minimizer};
use taffeta::settings::{
    CHEBYSHEV, Chebyshev, FORCE, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, LARGEST_STRETCH, SUBSTEPS,
    SolverKind, Substeps,
};
use taffeta::shape::{
    Cloth, ClothMaterial, Damping, EdgeStiffness, Fabric, Flexion, Mesh, Placement, Surface, SurfaceMass,
};
use taffeta::{Settings, Simulation, State};

/// Bending stiffness of these tests [N m].
const B: f32 = 3e-4;

fn fabric(bending: f32) -> Fabric {
    Fabric { density: 0.2, tensile: 1000.0, shear: 150.0, flexion: 0.0, bending, damping_time: 0.0 }
}

/// A sheet in the plane z = 0.
fn grid(size: [f32; 2], nodes: [u32; 2]) -> Body {
    let (u, v) = (Vec3::X * size[0], Vec3::Y * size[1]);
    let material = ClothMaterial::Fabric(fabric(B));
    Cloth { corner: Vec3::ZERO, u, v, columns: nodes[0], rows: nodes[1], material }.build().unwrap()
}

fn mesh(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Body {
    let surface = Surface {
        mass: SurfaceMass::Density(0.2),
        stiffness: EdgeStiffness::Tensile(1000.0),
        flexion: Flexion::None,
        bending: B,
        damping: Damping::NONE,
    };
    Mesh { positions, triangles, placement: Placement::default(), surface }.build().unwrap()
}

/// Rows of equilateral triangles.
fn equilateral(n: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let x = column as f32 + 0.5 * (row % 2) as f32;
        positions.push(Vec3::new(x, row as f32 * 0.75f32.sqrt(), 0.0) / (n - 1) as f32);
        if row + 1 < n && column + 1 < n {
            let a = row * n + column;
            triangles.extend(match row % 2 {
                0 => [[a, a + 1, a + n], [a + 1, a + n + 1, a + n]],
                _ => [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]],
            });
        }
    }
    (positions, triangles)
}

fn area(body: &Body) -> f64 {
    let each = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|n| body.rest_position[n as usize].as_dvec3());
        0.5 * (b - a).cross(c - a).length()
    };
    body.triangles.iter().map(each).sum()
}

/// Energy of the sheet rolled to a cylinder, over B kappa^2 / 2 times its area; the axis lies at `degrees`
/// to the rows.
fn cylinder(body: &Body, degrees: f64) -> f64 {
    let kappa = 1.5f64;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let roll = |p: &Vec3| {
        let p = p.as_dvec3();
        let (u, v) = (cos * p.x + sin * p.y, cos * p.y - sin * p.x);
        DVec3::new((kappa * u).sin() / kappa, v, (1.0 - (kappa * u).cos()) / kappa)
    };
    let x: Vec<DVec3> = body.rest_position.iter().map(roll).collect();
    let found = energy::bending(&model(body.clone()), &x);
    found / (0.5 * f64::from(B) * kappa * kappa * area(body))
}

const ANGLES: [f64; 4] = [0.0, 45.0, -45.0, 20.0];

#[test]
fn a_cylinder_has_its_bending_energy_on_grids() {
    for degrees in ANGLES {
        for (size, nodes) in [([1.0, 1.0], [161, 161]), ([1.2, 0.8], [121, 161]), ([0.7, 1.0], [181, 121])] {
            let found = cylinder(&grid(size, nodes), degrees);
            assert!((found - 1.0).abs() < 0.02, "{nodes:?} at {degrees}: {found}");
        }
        // What is missing is the curvature along the border.
        let error = |n| (cylinder(&grid([1.0, 1.0], [n, n]), degrees) - 1.0).abs();
        assert!(error(161) < 0.6 * error(81), "{degrees}: {} {}", error(161), error(81));
    }
}

#[test]
fn a_cylinder_has_its_bending_energy_on_meshes() {
    let mut random = Random(4);
    let (positions, triangles) = square(81, 0.0, &mut random);
    let regular = mesh(positions, triangles);
    let (positions, triangles) = equilateral(81);
    let equilateral = mesh(positions, triangles);
    let (positions, mut triangles) = square(81, 0.25, &mut random);
    delaunay(&positions, &mut triangles);
    let irregular = mesh(positions, triangles);
    let disc = Body { bending: B, ..disc_of(0.0125, 300.0, 1e-4) };
    for (name, body) in
        [("regular", regular), ("equilateral", equilateral), ("irregular", irregular), ("disc", disc)]
    {
        // The disc lies in another plane; its axes will do.
        let body = flat(body);
        for degrees in ANGLES {
            let found = cylinder(&body, degrees);
            assert!((found - 1.0).abs() < 0.002, "{name} at {degrees}: {found}");
        }
    }
}

/// The body with its rest shape turned into the plane z = 0.
fn flat(mut body: Body) -> Body {
    let [a, b, c] = body.triangles[0].map(|n| body.rest_position[n as usize]);
    let turn = glam::Quat::from_rotation_arc((b - a).cross(c - a).normalize(), Vec3::Z);
    body.rest_position.iter_mut().for_each(|p| *p = turn * (*p - a));
    body
}

/// A grid, a grid clamped along an edge, and an irregular mesh, all small.
fn samples() -> Vec<(&'static str, Body)> {
    // Spacings that f32 holds exactly: what is left is rounding of f64.
    let sheet = grid([0.5, 0.625], [9, 6]);
    let mut clamped = sheet.clone();
    clamped.pinned = (0..18).chain([53]).collect();
    let (positions, mut triangles) = square(8, 0.25, &mut Random(2));
    delaunay(&positions, &mut triangles);
    let mut meshed = mesh(positions, triangles);
    meshed.pinned = (0..16).collect();
    vec![("grid", sheet), ("clamped grid", clamped), ("mesh", meshed)]
}

fn noise(model: &Model, size: f64, random: &mut Random) -> Vec<DVec3> {
    let each = |x: &Vec3| x.as_dvec3() + size * random.vector().as_dvec3();
    model.rest_position().iter().map(each).collect()
}

#[test]
fn a_rigid_motion_stores_no_energy() {
    let turn = glam::DMat3::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
    for (name, body) in samples() {
        let model = model(body);
        let crumpled = energy::bending(&model, &noise(&model, 0.02, &mut Random(1)));
        let move_ = |x: &Vec3| turn * x.as_dvec3() + DVec3::new(3.0, -2.0, 5.0);
        let moved: Vec<DVec3> = model.rest_position().iter().map(move_).collect();
        let found = energy::bending(&model, &moved);
        assert!(crumpled > 1e-6 && found < 1e-20 * crumpled, "{name}: {found} of {crumpled} J");
    }
}

#[test]
fn force_gradient_and_product_are_differences_of_the_energy() {
    for (name, body) in samples() {
        let model = model(body);
        let mut random = Random(8);
        let x = noise(&model, 0.02, &mut random);
        let held = |(i, p): (usize, DVec3)| if model.pinned()[i] { DVec3::ZERO } else { p };
        let p: Vec<DVec3> = (0..x.len()).map(|_| random.vector().as_dvec3()).enumerate().map(held).collect();
        let at = |s: f64| x.iter().zip(&p).map(|(x, p)| *x + s * *p).collect::<Vec<_>>();
        let along = |a: &[DVec3]| a.iter().zip(&p).map(|(a, p)| a.dot(*p)).sum::<f64>();
        let step = 1e-6;
        let slope = |f: &dyn Fn(&[DVec3]) -> f64| (f(&at(step)) - f(&at(-step))) / (2.0 * step);

        let mut force = vec![DVec3::ZERO; x.len()];
        forces::add_bending(&model, &x, &mut force);
        let expected = -slope(&|x| energy::bending(&model, x));
        assert!((along(&force) / expected - 1.0).abs() < 1e-7, "{name}: {} {expected}", along(&force));

        let objective = Objective::of_statics(&model, DVec3::Y * -9.81);
        let expected = slope(&|x| objective.value(x));
        assert!((along(&objective.gradient(&x)) / expected - 1.0).abs() < 1e-4, "{name}");
        let product = along(&objective.product(&objective.stiffness(&x, false), &p));
        let expected = slope(&|x| along(&objective.gradient(x)));
        assert!((product / expected - 1.0).abs() < 1e-4, "{name}: {product} {expected}");
        let stored = energy::elastic(&model, &x) - energy::bending(&model, &x);
        let bare = common::model(Body { bending: 0.0, ..body_of(&model) });
        assert!((stored / energy::elastic(&bare, &x) - 1.0).abs() < 1e-12, "{name}");
    }
}

/// Nodes and springs of a model as a body.
fn body_of(model: &Model) -> Body {
    Body {
        rest_position: model.rest_position().to_vec(),
        mass: model.mass().to_vec(),
        springs: model.springs().to_vec(),
        ..Body::default()
    }
}

#[test]
fn sweeps_reach_the_minimizer_where_bending_outweighs_springs_and_inertia() {
    for (name, mut body) in samples() {
        // 8 B / s^2 above 1e5 N/m, a hundred times the springs.
        body.bending = 100.0;
        let model = model(body);
        let settings = plain_of(SolverKind::LocalGlobal)
            .with(ITERATIONS, Iterations::Fixed(40_000))
            .with(CHEBYSHEV, Chebyshev::Off)
            .with(SUBSTEPS, Substeps::Fixed(1));
        let forces = Forces::of(&model, &settings);
        let mut state = State64::from(model.initial_state());
        for (i, x) in noise(&model, 0.01, &mut Random(3)).into_iter().enumerate() {
            if !model.pinned()[i] {
                state.position[i] = x;
            }
        }
        let h = 1e-3;
        let exact = minimizer::implicit_step(&forces, h, &state, 1e-10);
        assert!(exact.converged, "{name}: {}", exact.residual);
        let before = state.position.clone();
        taffeta::reference::step(&model, &settings, h, &[], 1.0, &mut state);
        let apart =
            |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        let (moved, error) = (apart(&before, &exact.position), apart(&state.position, &exact.position));
        assert!(moved > 5e-3 && error < 1e-9, "{name}: moved {moved} m, error {error} m");
    }
}

/// Drop of the tip of a strip of length 1 m beyond its clamp, hung out horizontally, over its length.
fn cantilever(load: f32, cells: u32) -> f64 {
    let spacing = 1.0 / cells as f32;
    let density = 0.2;
    let bending = density * 9.81 / load;
    // Hardly any stretch: 100 times stiffer than the stiffest bending.
    let fabric = Fabric { tensile: 3e5, shear: 5e4, bending, density, flexion: 0.0, damping_time: 0.0 };
    let cloth = Cloth {
        corner: Vec3::NEG_X * spacing,
        u: Vec3::Z * 2.0 * spacing,
        v: Vec3::X * (1.0 + spacing),
        columns: 3,
        rows: cells + 2,
        material: ClothMaterial::Fabric(fabric),
    };
    let mut body = cloth.build().unwrap();
    body.pinned = (0..6).collect();
    tip(model(body), 3)
}

/// The same of a strip of triangles, `width` cells wide.
fn cantilever_of_triangles(load: f32, cells: u32, width: u32) -> f64 {
    let spacing = 1.0 / cells as f32;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let columns = width + 1;
    for (row, column) in (0..cells + 2).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        positions.push(Vec3::new(row as f32 - 1.0, 0.0, column as f32) * spacing);
        if row < cells + 1 && column < width {
            let a = row * columns + column;
            triangles.extend([[a, a + 1, a + columns + 1], [a, a + columns + 1, a + columns]]);
        }
    }
    let bending = 0.2 * 9.81 / load;
    let mut body = Body { bending, ..mesh(positions, triangles) };
    // Hardly any stretch: T = 1e4 B / m^2.
    body.springs.iter_mut().for_each(|s| s.stiffness *= 10.0 * bending);
    body.pinned = (0..2 * columns).collect();
    // Begins as an arc: a flat strip has no one way to go.
    let k = (0.25 * load).min(1.0);
    let bend = |p: &Vec3| match p.x {
        x if x <= 0.0 => *p,
        x => Vec3::new((k * x).sin() / k, ((k * x).cos() - 1.0) / k, p.z),
    };
    body.position = Some(body.rest_position.iter().map(bend).collect());
    tip(model(body), columns)
}

/// Drop of the middle of the last row in equilibrium.
fn tip(model: Model, columns: u32) -> f64 {
    let settings = plain();
    let forces = Forces::of(&model, &settings);
    let start = State64::from(model.initial_state()).position;
    let found = minimizer::equilibrium(&forces, start, 1e-7);
    assert!(found.converged, "{} after {}", found.residual, found.iterations);
    -found.position[found.position.len() - 1 - columns as usize / 2].y
}

#[test]
fn a_cantilever_drops_as_the_elastica() {
    for (load, elastica) in [(0.24525, 0.0306), (2.4525, 0.2862), (24.525, 0.8539)] {
        let strips = [
            ("grid", cantilever(load, 20)),
            ("two triangles wide", cantilever_of_triangles(load, 20, 2)),
            ("eight wide", cantilever_of_triangles(load, 20, 8)),
        ];
        for (name, found) in strips {
            assert!((found / elastica - 1.0).abs() < 0.02, "{name}, {load}: {found}, elastica {elastica}");
        }
    }
}

/// Largest total energy over `frames` frames of one substep, relative to that at the start.
fn growth(gpu: &Gpu, model: &Model, settings: &Settings, frames: u32) -> f64 {
    let mut simulation = Simulation::new(gpu, model, settings).unwrap();
    let energy = |state: &State| energy::total(model, settings, &State64::from(state));
    let before = energy(model.initial_state());
    let mut largest = 1f64;
    for _ in 0..frames {
        simulation.step().unwrap();
        let now = energy(&simulation.state().unwrap());
        largest = largest.max(if now.is_finite() { now / before } else { f64::INFINITY });
    }
    largest
}

#[test]
fn explicit_solvers_are_stable_up_to_their_bound_and_not_beyond() {
    let gpu = common::gpu();
    let mut random = Random(6);
    // Bending is about ten times stiffer than the springs: 8 B / s^2 = 97 N/m.
    let sheet = strain(raw_sheet(12, 12, [4.0, 2.0, 0.0], 0.002, 0.0), 1.0 / 11.0, &mut random);
    let disc = strain(disc_of(0.1, 4.0, 0.002), 0.1, &mut random);
    for (name, body) in [("sheet", sheet), ("disc", disc)] {
        let model = model(Body { bending: 0.1, ..body });
        for solver in [SolverKind::SymplecticEuler, SolverKind::Verlet] {
            let still = plain_of(solver).with(GRAVITY, Vec3::ZERO);
            let largest = solver.largest_step(&Stability::of(&model, &still)) as f32;
            let with = |part: f32| {
                still
                    .clone()
                    .with(FRAME_TIME, part * largest)
                    .with(SUBSTEPS, Substeps::Fixed(1))
                    .with(FORCE, part > 1.0)
                    .with(LARGEST_STRETCH, 1e9)
            };
            let stable = growth(&gpu, &model, &with(0.9), 1000);
            assert!(stable < 3.0, "{name}, {solver}: energy grew {stable} times");
            // On meshes the bound is a little safer.
            let unstable = growth(&gpu, &model, &with(if name == "disc" { 1.6 } else { 1.15 }), 1000);
            assert!(unstable > 1e3, "{name}, {solver}: the bound is too safe: {unstable}");
        }
    }
}

#[test]
fn local_global_takes_any_bending_at_a_frames_step() {
    let gpu = common::gpu();
    let body = strain(raw_sheet(20, 20, [200.0, 100.0, 0.0], 0.001, 0.0), 1.0 / 19.0, &mut Random(9));
    for bending in [1e-4, 1e-1, 1e3] {
        let model = model(Body { bending, ..body.clone() });
        let solver = SolverKind::LocalGlobal;
        let settings = plain_of(solver).with(GRAVITY, Vec3::ZERO);
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        let energy = |state: &State| energy::total(&model, &settings, &State64::from(state));
        let before = energy(model.initial_state());
        for _ in 0..30 {
            simulation.step().unwrap();
        }
        let after = energy(&simulation.state().unwrap());
        assert!(after < before, "B = {bending}: from {before} J to {after} J");
        assert_eq!(simulation.falls().unwrap(), 0, "B = {bending}");
    }
}
