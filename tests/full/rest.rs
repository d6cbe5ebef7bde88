//! Cloth at rest stays at rest with one iteration a frame, whatever its network; and a stack of ten sheets comes to rest.

use crate::common;
use crate::common::meshes::cloth;
use crate::common::{Random, gpu, model, plain, raw_sheet, renumber, rope};
use glam::Vec3;
use taffeta::gpu::Gpu;
use taffeta::model::Body;
use taffeta::scene::Scene;
use taffeta::settings::{DAMPING, FORM, Form, ITERATIONS, Iterations};
use taffeta::{Simulation, State};

const N: u32 = 33;

/// A triangulated square meter whose inner vertices are displaced by up to 0.3 of the spacing.
fn jittered(random: &mut Random) -> Body {
    let spacing = 1.0 / (N - 1) as f32;
    let at = |i: u32| Vec3::new((i % N) as f32, -((i / N) as f32), 0.0) * spacing;
    let is_inner = |i: u32| (1..N - 1).contains(&(i % N)) && (1..N - 1).contains(&(i / N));
    let jitter = |i: u32, random: &mut Random| {
        if is_inner(i) { 0.3 * spacing * random.vector() * Vec3::new(1.0, 1.0, 0.0) } else { Vec3::ZERO }
    };
    let positions = (0..N * N).map(|i| at(i) + jitter(i, random)).collect();
    let cells = (0..N * N).filter(|i| i % N + 1 < N && i / N + 1 < N);
    let triangles = cells.flat_map(|i| [[i, i + N, i + N + 1], [i, i + N + 1, i + 1]]).collect();
    let mut body = cloth(positions, triangles);
    body.pinned = vec![0, N - 1];
    body
}

fn bodies() -> Vec<(&'static str, Form, Body)> {
    let mut random = Random(4);
    let sheet = || {
        let mut sheet = raw_sheet(N, N, [1000.0, 500.0, 100.0], 0.2 / (N * N) as f32, 0.0);
        sheet.pinned = vec![0, N - 1];
        sheet
    };
    let mut rope = rope(200, 20_000.0, 5e-4);
    rope.pinned = vec![0, 150];
    vec![
        ("grid", Form::Grid, sheet()),
        ("renumbered sheet", Form::Mesh, renumber(sheet(), &mut random)),
        ("jittered mesh", Form::Mesh, jittered(&mut random)),
        ("rope", Form::Mesh, rope),
    ]
}

/// Where the body comes to rest.
fn settled(gpu: &Gpu, body: &Body, form: Form) -> State {
    let model = model(body.clone());
    let settings = plain().with(ITERATIONS, Iterations::Fixed(10)).with(DAMPING, 12.0).with(FORM, form);
    let mut state = common::run(gpu, &model, &settings, 240);
    state.velocity.fill(Vec3::ZERO);
    state.time = 0.0;
    state
}

#[test]
fn one_iteration_a_frame_leaves_it_at_rest() {
    let gpu = gpu();
    for (name, form, body) in bodies() {
        let rest = settled(&gpu, &body, form);
        let settings = plain().with(ITERATIONS, Iterations::Fixed(1)).with(FORM, form);
        let mut simulation = Simulation::new(&gpu, &model(body), &settings).unwrap();
        simulation.set_state(&rest).unwrap();
        let mut largest = 0f32;
        for _ in 0..60 {
            simulation.step().unwrap();
            let now = simulation.state().unwrap().position;
            largest = now.iter().zip(&rest.position).map(|(a, b)| a.distance(*b)).fold(largest, f32::max);
        }
        println!("{name}: moved by {largest:.2e} m");
        assert!(largest < 1e-5, "{name}: moved by {largest} m in a second");
    }
}

/// In the fifth frame what the pairs of ten layers do to each other needs long rows on coarser levels (contact/groups/row.wgsl). Where their
/// light entries were put into the wrong places, iterations diverged there: springs were stretched by a third, and nodes flew at 2 m/s.
#[test]
fn a_stack_of_ten_sheets_does_not_fly_apart() {
    let scene = Scene::load(format!("{}/scenes/contact/stack.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut simulation = Simulation::new(&gpu(), &scene.model, &scene.settings).unwrap();
    (0..6).for_each(|_| simulation.step().unwrap());
    let stretch = simulation.largest_stretch().unwrap();
    let fastest = simulation.state().unwrap().velocity.iter().map(|v| v.length()).fold(0.0, f32::max);
    assert!(stretch < 0.015 && fastest < 0.6, "{stretch}, {fastest} m/s");
}
