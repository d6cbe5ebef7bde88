//! Wrong input: one clear error that says what, where and what is allowed; exit code 2; nothing written.

use crate::common::program::{FABRIC, Place, sheet};
use taffeta::settings::SolverKind;

/// Runs the program, which must refuse with one error that has all `parts`, and write nothing.
pub fn refused(place: &Place, arguments: &str, parts: &[&str]) {
    let before = place.names();
    let ended = place.run(arguments);
    let told = format!("taffeta {arguments}:\n{}", ended.err);
    assert_eq!(ended.code, Some(2), "{told}");
    assert_eq!(ended.errors().len(), 1, "{told}");
    for part in parts {
        assert!(ended.err.contains(part), "'{part}' is not in the message of {told}");
    }
    assert!(!ended.err.contains("panicked") && ended.out.is_empty(), "{told}");
    assert_eq!(place.names(), before, "{told}");
}

/// A scene that is refused.
fn scene(text: &str, parts: &[&str]) {
    let place = Place::with_scene(text);
    refused(&place, "run scene.toml --output a.npy", &[&["scene.toml"], parts].concat());
}

/// Options that are refused for a scene that is right.
fn options(arguments: &str, parts: &[&str]) {
    refused(&Place::with_sheet(), &format!("run scene.toml {arguments}"), parts);
}

#[test]
fn files_that_are_no_scene() {
    let place = Place::with_sheet();
    place.write("empty.toml", "");
    place.write("binary.toml", [0x7f, b'E', b'L', b'F', 0, 1, 0xff]);
    place.write("mesh.obj", "v 0 0 0\n");
    refused(&place, "run", &["<SCENE>"]);
    refused(&place, "run none.toml", &["none.toml: it cannot be read", "No such file"]);
    refused(&place, "run .", &[".: it is a directory; name a scene file (.toml)"]);
    refused(&place, "run empty.toml", &["empty.toml: the file is empty", "at least one [[body]]"]);
    refused(&place, "run binary.toml", &["binary.toml: it is a binary file", "TOML"]);
    refused(&place, "run mesh.obj", &["mesh.obj: a .obj file is no scene", "shape = \"mesh\""]);
    refused(&place, "check mesh.obj", &["a .obj file is no scene"]);
}

#[test]
fn scenes_with_a_mistake() {
    scene("[simulation", &["scene.toml:1", "not valid TOML"]);
    scene(&sheet("sweps = 3", FABRIC), &["scene.toml:3", "no key 'sweps'; did you mean 'sweeps'?"]);
    scene(
        &sheet("substeps = 0", FABRIC),
        &["scene.toml:3", "substeps = 0: it must be a whole number from 1 to 100000"],
    );
    scene(
        &sheet("", "fabric = { density = 0.2, tensile = nan }"),
        &["scene.toml:12", "fabric", "tensile = nan: it must be a finite number"],
    );
    scene(&sheet("", FABRIC).replace("columns = 6", "columns = 200000000"), &["scene.toml", "50000000"]);
    let pins = |pin: &str| format!("{}\n[[body.pin]]\n{pin}\n", sheet("", FABRIC));
    scene(&pins("nodes = [30]"), &["scene.toml:17", "nodes", "30", "0 to 29"]);
    scene(&pins("sphere = { center = [9, 9, 9], radius = 0.1 }"), &["scene.toml:17", "sphere", "no node"]);
    scene(&pins("corner = \"upper\""), &["scene.toml:17", "corner = \"upper\"", "\"top-left\""]);
    scene(
        &sheet("", "raw = { structural = 100, node-mass = 0 }"),
        &["scene.toml:12", "node-mass = 0", "above"],
    );
}

#[test]
fn files_that_a_scene_names() {
    let mesh = "[[body]]\nshape = \"mesh\"\nfile = \"mesh.obj\"\nfabric = { density = 0.2, tensile = 100 }\n";
    let place = Place::with_scene(mesh);
    refused(&place, "run scene.toml", &["mesh.obj", "cannot be read"]);
    place.write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    refused(&place, "run scene.toml", &["mesh.obj:4", "9", "3"]);

    let place = Place::with_scene(&sheet("", &format!("{FABRIC}\npositions = \"p.npy\"")));
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes().chain([0; 16]));
    place.write("p.npy", bytes);
    refused(&place, "run scene.toml", &["p.npy", "shape (2, 2)", "shape (n, 3)"]);
}

#[test]
fn options_out_of_range() {
    options("--seconds -1", &["'-1' for '--seconds", "above 0 and at most 1000000"]);
    options("--seconds nan", &["'nan' for '--seconds", "above 0"]);
    options("--seconds inf", &["'inf' for '--seconds", "above 0"]);
    options("--seconds 0", &["'0' for '--seconds", "above 0"]);
    options("--seconds soon", &["'soon' for '--seconds", "a number of seconds"]);
    options("--substeps 0", &["'0' for '--substeps", "1 to 100000, or 'auto'"]);
    options("--substeps 1.5", &["'1.5' for '--substeps", "a whole number"]);
    options("--iterations -3", &["'-3' for '--iterations", "1 to 100000"]);
    options("--tolerance 0", &["'0' for '--tolerance", "above 0 and below 1"]);
    options("--tolerance nan", &["'nan' for '--tolerance", "above 0 and below 1"]);
    options("--sweeps 99999999999", &["for '--sweeps", "1 to 100000"]);
    let solvers = SolverKind::ALL.map(|kind| kind.name()).join(", ");
    assert!(solvers.starts_with("explicit-euler, symplectic-euler, verlet, "), "{solvers}");
    options("--solver euler", &["'euler' for '--solver", &solvers]);
    options("--form torus", &["'torus' for '--form", "auto, grid, mesh"]);
    options("--fps 0 --sequence s", &["'0' for '--fps", "above 0"]);
    options("--fps 1000 --sequence s", &["--fps 1000: at most 60"]);
    options("--fps 30", &["--sequence", "--frames"]);
    options("--sequence-format stl --sequence s", &["'stl'", "obj, ply, npy"]);
    options("--size 0x0 --image a.png", &["'0x0' for '--size", "each from 16 to 16384"]);
    options("--size 640 --image a.png", &["'640' for '--size", "WIDTHxHEIGHT"]);
    options("--size 640x480", &["--image"]);
    options("--show wool --image a.png", &["'wool' for '--show", "surface, springs, stretch"]);
    options("--secnds 3", &["--secnds", "--seconds"]);
}

#[test]
fn options_that_the_scene_does_not_allow() {
    let explicit = ["--substeps 1: verlet is unstable", "Use substeps = ", "--force"];
    options("--solver verlet --substeps 1", &explicit);
    options("--solver explicit-euler", &["--solver explicit-euler: undamped", "no stable step", "--force"]);
    options("--stretch 0.02", &["--stretch 0.02: newton-multigrid has springs as stiff as they are", "xpbd"]);
    options("--stretch 0", &["--stretch", "above 0 and at most 10"]);
    options(
        "--solver local-global --linear-solver gauss-seidel",
        &["--linear-solver gauss-seidel: local-global"],
    );
    options("--adapter no-such-adapter", &["--adapter no-such-adapter: no adapter", "the adapters are 0 = "]);
    options("--adapter 99", &["--adapter 99: no adapter '99'"]);
    let place = Place::with_scene(&format!(
        "{}\n{}",
        sheet("", FABRIC),
        "[[body]]\nshape = \"rope\"\n\
        start = [2, 0, 0]\nend = [3, 0, 0]\nnodes = 3\nnode-mass = 1\nstructural = 10\n"
    ));
    refused(&place, "run scene.toml --form grid", &["--form grid: ", "only a scene whose one body"]);
    refused(&place, "check scene.toml --all --solver verlet", &["'--all' cannot be used with '--solver"]);
    refused(&place, "check scene.toml --all --crossings", &["'--all' cannot be used with '--crossings"]);
    refused(&place, "check scene.toml --seconds 1", &["--crossings"]);
    let rope = "[[body]]\nshape = \"rope\"\nstart = [0, 0, 0]\nend = [1, 0, 0]\nnodes = 3\nnode-mass = 1\nstructural = 10\n";
    place.write("scene.toml", rope);
    refused(
        &place,
        "check scene.toml --crossings",
        &["--crossings scene.toml: no body of the scene has triangles"],
    );
}

#[test]
fn solvers_that_a_window_cannot_show() {
    let view = |arguments: &str, parts: &[&str]| {
        refused(&Place::with_sheet(), &format!("view scene.toml {arguments}"), parts);
    };
    view("--solvers vbd,verlet,vbd", &["--solvers: vbd is given twice"]);
    view("--solvers vbd,verlet --substeps 1", &["--substeps 1: verlet is unstable", "Use substeps = "]);
    view("--solvers vbd,explicit-euler", &["--solvers explicit-euler: undamped", "--force"]);
    view("--solvers vbd,euler", &["'euler' for '--solvers", "newton-multigrid, vbd"]);
    view("--solvers vbd --solver verlet", &["'--solvers <NAME>' cannot be used with '--solver"]);
}

#[test]
fn outputs_that_cannot_be_written() {
    options("--image a.jpg", &["--image a.jpg: a picture is written as .png"]);
    options("--image no/a.png", &["--image no/a.png: the directory 'no' does not exist"]);
    options("--frames scene.toml", &["--frames scene.toml: it is no readable directory"]);
    options("-o a.stl", &["--output a.stl: no format has the extension '.stl'", ".obj", ".ply", ".npy"]);
    options("-o a", &["--output a: it has no extension"]);
    options(
        "-o no/such/a.obj",
        &["--output no/such/a.obj: the directory 'no/such' does not exist; create it first"],
    );
    options("-o a.obj -o a.obj", &["--output a.obj: it is given twice"]);
    options(
        "--sequence no/such",
        &["--sequence no/such: the directory cannot be created", "its parent must exist"],
    );
    options("--sequence scene.toml", &["--sequence scene.toml: it is no readable directory"]);
    if cfg!(target_os = "linux") {
        options("-o /proc/a.obj", &["--output /proc/a.obj: the directory '/proc' cannot be written to"]);
        options("--sequence /proc/a", &["--sequence /proc/a: the directory cannot be created"]);
    }
}

#[test]
fn reports_that_cannot_be_made() {
    let place = Place::with_sheet();
    refused(&place, "bench --report scene.toml", &["--report scene.toml: the directory cannot be created"]);
    refused(
        &place,
        "bench --report scene.toml/a",
        &["--report scene.toml/a: the directory cannot be created"],
    );
    refused(&place, "bench --report a --json", &["'--report <DIR>' cannot be used with '--json'"]);
    refused(&place, "bench --sizes 100", &["--report <DIR>"]);
    refused(&place, "bench --report a --sizes 2", &["'2' for '--sizes", "4..=20000000"]);
    refused(&place, "bench --report a --budget 0", &["'0' for '--budget"]);
}

#[test]
fn forces_and_colliders_that_make_no_sense() {
    let sheet = sheet("", FABRIC);
    let force = |body: &str| {
        format!(
            "[world]\nuser-force = \"\"\"\nfn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {{\n\
             {body}\n}}\n\"\"\"\n{sheet}"
        )
    };
    scene(&force("    return positon;"), &["scene.toml:4: user-force: ", "`positon`: return positon;"]);
    scene(&force("    return 1.0 / mass;"), &["scene.toml:", "user-force: "]);
    scene(
        &format!("[world]\nuser-force = \"fn f() {{}}\"\n{sheet}"),
        &["scene.toml:2", "it must define fn user_force("],
    );
    scene(
        &format!("[world]\nuser-force-file = \"none.wgsl\"\n{sheet}"),
        &["scene.toml:2", "none.wgsl: it cannot be read"],
    );
    let collider = |text: &str, parts: &[&str]| {
        scene(&format!("[[collider]]\n{text}\n{sheet}"), parts);
    };
    collider(
        "shape = \"ball\"",
        &["scene.toml:2", "must be one of \"plane\", \"sphere\", \"box\", \"capsule\""],
    );
    collider("radius = 1", &["key 'shape' is missing"]);
    collider("shape = \"plane\"\nradius = 1", &["scene.toml:3", "no key 'radius'"]);
    collider("shape = \"sphere\"\ncenter = [0, 0, 0]\nradius = -1", &["scene.toml:4", "above zero"]);
    collider(
        "shape = \"plane\"\nfriction = -1",
        &["scene.toml:3", "friction = -1: it must be from 0 to 100"],
    );
    collider("shape = \"plane\"\nfriction = \"rough\"", &["friction = \"rough\": it must be from 0 to 100"]);
    collider("shape = \"plane\"\nnormal = [0, 0, 0]", &["scene.toml:3", "a direction"]);
    let load = |text: &str, parts: &[&str]| scene(&format!("{sheet}\n[[body.force]]\n{text}"), parts);
    load("nodes = [0]", &["one of force, total, pressure is needed"]);
    load("nodes = [0]\nforce = [1, 2]", &["it must be 3 numbers"]);
    load(
        "nodes = [0]\nforce = [[1, 0, 0, 0], [1, 0, 0, 0]]",
        &["not after the one before it", "[x, y, z] in N"],
    );
    load("nodes = [0]\ntotal = [1e13, 0, 0]", &["at most 1e12 N"]);
}
