//! One case for each reader of foreign bytes. What is refused must be refused in one line that names the file and has no
//! control characters; what is accepted must build, on a device that validates everything and runs nothing. Both cargo-fuzz
//! and `tests/full/fuzzed` use these.

use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use taffeta::gpu::{Gpu, GpuOptions};
use taffeta::model::{Body, Model, ModelBuilder};
use taffeta::scene::{Scene, Sweep};
use taffeta::settings::UserForce;
use taffeta::shape::{
    Damping, EdgeStiffness, Flexion, Font, Mesh, Placement, Resolution, Surface, SurfaceMass, Text, TextForm,
};
use taffeta::{Error, Settings, Simulation, io};

/// Larger models are not put on the device: they take their time.
const MOST_NODES: usize = 4000;

/// A reader and its name.
pub type Case = (&'static str, fn(&[u8]));

/// All of them.
pub const CASES: [Case; 8] = [
    ("scene", scene),
    ("obj", obj),
    ("npy", npy),
    ("npz", npz),
    ("checkpoint", checkpoint),
    ("sweep", sweep),
    ("force", force),
    ("font", font),
];

/// Whether models go to this machine's GPU or software driver, and take a frame there.
static RUNS: LazyLock<bool> = LazyLock::new(|| std::env::var_os("TAFFETA_FUZZ_RUNS").is_some());

/// Opened once: the library keeps nothing on it.
static GPU: LazyLock<Gpu> = LazyLock::new(|| {
    let gpu = if *RUNS { Gpu::open(&GpuOptions::default()) } else { Gpu::noop() };
    gpu.expect("a device")
});

/// The scene that sweeps vary.
const SWEPT: &str = "[world]\nwind = [0.0, 0.0, 0.0]\n[[body]]\nname = \"r\"\nshape = \"rope\"\nstart = [0, 0, 0]\n\
                     end = [1, 0, 0]\nnodes = 3\nnode-mass = 0.1\nstructural = 100.0\n";

/// Checks an error, which must be about `file`.
fn check(error: &Error, file: &str) {
    let text = error.to_string();
    assert!(text.starts_with(file), "an error that does not name {file}: {text:?}");
    check_text(&text);
}

fn check_text(text: &str) {
    assert!(!text.chars().any(char::is_control), "control characters: {text:?}");
    assert!(text.len() < 4000, "a long error: {text}");
}

/// Sets a scene up where it is small.
fn build(scene: &Scene) {
    if scene.model.node_count() > MOST_NODES {
        return;
    }
    let mut settings = scene.settings.clone();
    settings.step.substeps = match settings.step.substeps {
        taffeta::settings::Substeps::Fixed(n) => taffeta::settings::Substeps::Fixed(n.min(4)),
        auto => auto,
    };
    run(&scene.model, &settings);
}

fn run(model: &Model, settings: &Settings) {
    let take = || {
        let mut simulation = Simulation::new(&GPU, model, settings)?;
        if *RUNS {
            simulation.step()?;
            simulation.largest_stretch()?;
        }
        Ok(())
    };
    if let Err(error) = take() {
        let error: Error = error;
        check_text(&error.to_string());
    }
    assert!(GPU.check().is_ok(), "{:?}", GPU.check());
}

fn build_body(body: Body) {
    let mut builder = ModelBuilder::new();
    builder.add(body);
    match builder.build() {
        Err(error) => check_text(&error.to_string()),
        Ok(model) if model.node_count() > MOST_NODES => {}
        Ok(model) => run(&model, &Settings::default()),
    }
}

/// A scene whose files are nowhere.
pub fn scene(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Scene::parse(&text, "nowhere/s.toml") {
        Err(error) => check(&error, "nowhere/"),
        Ok(scene) => build(&scene),
    }
}

fn sweep(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Sweep::parse(SWEPT, "s.toml", &text, "sweep.toml") {
        Err(error) => check(&error, "s"),
        Ok(sweep) if sweep.copies() > 100 => {}
        Ok(sweep) => match sweep.batch() {
            Err(error) => check(&error, "s"),
            Ok(scene) => build(&scene),
        },
    }
}

fn surface() -> Surface {
    Surface {
        mass: SurfaceMass::Density(0.2),
        stiffness: EdgeStiffness::Tensile(100.0),
        flexion: Flexion::None,
        bending: 1e-5,
        damping: Damping::Time(0.0),
    }
}

fn obj(bytes: &[u8]) {
    match io::parse_obj(&String::from_utf8_lossy(bytes), Path::new("m.obj")) {
        Err(error) => check(&error, "m.obj"),
        Ok(mesh) => {
            let (positions, triangles) = (mesh.positions, mesh.triangles);
            match (Mesh { positions, triangles, placement: Placement::default(), surface: surface() }).build()
            {
                Err(error) => check_text(&error.to_string()),
                Ok(body) => build_body(body),
            }
        }
    }
}

fn npy(bytes: &[u8]) {
    if let Err(error) = io::parse_points(bytes, Path::new("p.npy")) {
        check(&error, "p.npy");
    }
}

fn npz(bytes: &[u8]) {
    match io::parse_network(Cursor::new(bytes), Path::new("n.npz")) {
        Err(error) => check(&error, "n.npz"),
        Ok(body) => build_body(body),
    }
}

fn checkpoint(bytes: &[u8]) {
    if let Err(error) = io::parse_checkpoint(bytes, bytes.len() as u64, Path::new("c.taffeta")) {
        check(&error, "c.taffeta");
    }
}

fn force(bytes: &[u8]) {
    let Ok(mut scene) = Scene::parse(SWEPT, "s.toml") else { panic!("the scene of sweeps is wrong") };
    scene.settings.user_force = Some(UserForce::new("f.wgsl", 1, &String::from_utf8_lossy(bytes)));
    match Simulation::new(&GPU, &scene.model, &scene.settings) {
        Err(error) => check(&error, "f.wgsl"),
        Ok(_) => assert!(GPU.check().is_ok(), "{:?}", GPU.check()),
    }
}

fn font(bytes: &[u8]) {
    let font = match Font::new("f.ttf", bytes.to_vec()) {
        Err(error) => return check_text(&error.to_string()),
        Ok(font) => font,
    };
    let form = TextForm::Sheet(surface());
    match (Text { font, ..Text::new("aB8", 1.0, Resolution::Nodes(200), form) }).build() {
        Err(error) => check_text(&error.to_string()),
        Ok(body) => build_body(body),
    }
}
