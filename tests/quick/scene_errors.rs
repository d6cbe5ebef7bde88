//! Wrong scenes: each message names the file, the line, the key and what is allowed.

mod lengths;

use taffeta::scene::Scene;

/// A scene with the shape of a cloth that starts in line 9; each test changes a part of it.
fn scene(simulation: &str, world: &str, body: &str, rest: &str) -> String {
    format!(
        "name = \"x\"\n[simulation]\n{simulation}\n[world]\n{world}\n[camera]\neye = [0, 0, 3]\ntarget = [0, 0, 0]\n\
         [[body]]\nshape = \"cloth\"\ncorner = [0, 1, 0]\nu = [1, 0, 0]\nv = [0, -1, 0]\n{body}\n{rest}\n"
    )
}

const GRID: &str = "columns = 5\nrows = 4";
const RAW: &str = "raw = { structural = 100, node-mass = 0.01 }";

fn refused(text: &str, parts: &[&str]) {
    let message = match Scene::parse(text, "folder/s.toml") {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error.to_string(),
    };
    for part in parts {
        assert!(message.contains(part), "'{part}' is not in:\n{message}\nof:\n{text}");
    }
}

fn simulation(line: &str, parts: &[&str]) {
    refused(&scene(line, "", &format!("{GRID}\n{RAW}"), ""), &[&["s.toml:3: [simulation]"], parts].concat());
}

fn world(line: &str, parts: &[&str]) {
    refused(&scene("", line, &format!("{GRID}\n{RAW}"), ""), &[&["s.toml:5: [world]"], parts].concat());
}

/// The first line of `lines` is line 14 of the file.
fn body(lines: &str, parts: &[&str]) {
    refused(&scene("", "", lines, ""), parts);
}

/// The first line of `lines`, in a pin, is line 18 of the file.
fn pin(lines: &str, parts: &[&str]) {
    refused(&scene("", "", &format!("{GRID}\n{RAW}"), &format!("[[body.pin]]\n{lines}")), parts);
}

#[test]
fn the_scene_that_is_varied_is_right() {
    Scene::parse(&scene("", "", &format!("{GRID}\n{RAW}"), ""), "s.toml").unwrap();
}

#[test]
fn broken_files() {
    refused("", &["s.toml:1", "key 'body' is missing"]);
    refused("a = [1,\n\n", &["s.toml:", "not valid TOML"]);
    refused("a = 1\na = 2", &["s.toml:2", "duplicate key"]);
    refused(
        "bodies = 1",
        &["s.toml:1", "no key 'bodies'; did you mean 'body'? Allowed: name, simulation, world"],
    );
    refused("body = []", &["s.toml", "no nodes; add at least one body"]);
    refused("[body]\nshape = \"rope\"", &["s.toml:1", "must be an array of tables: write [[body]]"]);
    refused(
        "simulation = 3\n[[body]]",
        &["s.toml:1: [simulation] = 3", "must be a table with the keys solver"],
    );
    let missing = Scene::load("nowhere/s.toml").unwrap_err().to_string();
    assert!(missing.contains("nowhere/s.toml: it cannot be read"), "{missing}");
}

#[test]
fn settings() {
    simulation("sweps = 3", &["no key 'sweps'; did you mean 'sweeps'?", "Allowed: solver, frame-time"]);
    simulation("frame_time = 3", &["did you mean 'frame-time'?"]);
    simulation(
        "solver = \"verlett\"",
        &["solver = \"verlett\"", "one of", "\"local-global\"", "did you mean \"verlet\"?"],
    );
    simulation("substeps = 0", &["substeps = 0: it must be a whole number from 1 to 100000, or \"auto\""]);
    simulation(
        "substeps = 1.5",
        &["substeps = 1.5: it must be a whole number from 1 to 100000, or \"auto\""],
    );
    simulation(
        "substeps = \"many\"",
        &["substeps = \"many\": it must be a whole number from 1 to 100000, or \"auto\""],
    );
    simulation("substeps = -4", &["substeps = -4", "whole number"]);
    simulation("tolerance = 0", &["tolerance = 0", "above 0 and below 1"]);
    simulation("tolerance = 1", &["tolerance = 1", "above 0 and below 1"]);
    simulation("tolerance = nan", &["tolerance = nan", "finite"]);
    simulation("tolerance = \"auto\"", &["tolerance", "number"]);
    simulation("iterations = 9999999999999999999999", &["iterations", "whole number"]);
    simulation(
        "frame-time = nan",
        &["frame-time = nan: it must be a finite number; allowed: from 1e-7 to 10 s"],
    );
    simulation("frame-time = 60", &["frame-time = 60: it must be from 1e-7 to 10 s"]);
    simulation(
        "chebyshev = 1.0",
        &["chebyshev = 1: it must be \"auto\", \"off\" or a number above 0 and below 1"],
    );
    simulation("chebyshev = \"on\"", &["it must be \"auto\", \"off\" or a number above 0 and below 1"]);
    simulation("sweeps = -2", &["sweeps = -2: it must be a whole number, not negative"]);
    simulation("cg-steps = 101", &["cg-steps = 101: it must be a whole number from 0 to 100"]);
    let both = "cg-steps = 3\niterations = 50000";
    simulation(both, &["iterations * cg-steps = 150000: at most 100000 cycles"]);
    simulation("sweeps = 5000000000", &["it must be a whole number, at most 4294967295"]);
    simulation("seconds = -1", &["seconds = -1: it must be above 0"]);
    simulation("force = \"yes\"", &["force = \"yes\": it must be true or false"]);
    simulation("largest-stretch = -2", &["largest-stretch = -2: it must be a finite number above one"]);
    world("gravity = -9.81", &["gravity = -9.81: it must be 3 numbers in brackets"]);
    world("gravity = [0, -9.81]", &["gravity = [0, -9.81]: it must be 3 numbers"]);
    world("wind = [0, inf, 0]", &["wind[1] = inf: it must be a finite number"]);
    world("damping = 1e99", &["damping = 1e99", "below 3.4e38"]);
    world("drag = -0.1", &["drag = -0.1: it must be finite and not negative"]);
    world("air = { density = -1 }", &["air.density = -1: it must be finite and not negative"]);
    world("air = { normal = 1 }", &["air: key 'density' is missing; allowed: density, normal, tangential"]);
}

#[test]
fn camera() {
    let text = |camera: &str| format!("[camera]\n{camera}\n[[body]]\nshape = \"rope\"");
    refused(&text("eye = [0, 0, 0]\ntarget = [0, 0, 0]"), &["s.toml:3: [camera]: target", "apart from eye"]);
    refused(&text("eye = [0, 3, 0]\ntarget = [0, 0, 0]"), &["s.toml:1: [camera]: up", "along the view"]);
    refused(&text("eye = [0, 0, 3]\ntarget = [0, 0, 0]\nfov = 180"), &["s.toml:4", "fov = 180", "1 to 170"]);
    let view = "eye = [0, 0, 3]\ntarget = [0, 0, 0]\nprojection";
    let camera = |lines: &str, parts: &[&str]| refused(&text(&format!("{view} = {lines}")), parts);
    camera("\"flat\"", &["s.toml:4: [camera]", "projection = \"flat\"", "\"perspective\", \"orthographic\""]);
    camera("\"orthographic\"", &["s.toml:1: [camera]: key 'height' is missing"]);
    camera("\"orthographic\"\nheight = 0", &["s.toml:5: [camera]: height = 0", "1e-4 to 1e6 m"]);
    camera("\"orthographic\"\nheight = 1\nfov = 20", &["s.toml:6", "fov: it goes with", "has height"]);
    camera(
        "\"perspective\"\nheight = 1",
        &["s.toml:5", "height: it goes with projection = \"orthographic\""],
    );
}

#[test]
fn planar_scenes() {
    simulation("planar = 1", &["planar = 1: it must be true or false"]);
    // Line 3 is planar, 5 the world, 14 and 15 the grid, 16 the material.
    let plane = |world: &str, body: &str, rest: &str, parts: &[&str]| {
        refused(&scene("planar = true", world, &format!("{GRID}\n{RAW}\n{body}"), rest), parts);
    };
    Scene::parse(&scene("planar = true", "", &format!("{GRID}\n{RAW}\nvelocity = [1, 2, 0]"), ""), "s.toml")
        .unwrap();
    plane("gravity = [0, -9, 1]", "", "", &["s.toml:5: [world]: gravity = [0, -9, 1]", "z must be 0"]);
    plane("wind = [0, 0, 1]", "", "", &["s.toml:5: [world]: wind = [0, 0, 1]", "z must be 0"]);
    plane("", "velocity = [0, 0, 2]", "", &["s.toml:17", "velocity = [0, 0, 2]", "z must be 0"]);
    let path = "edge = \"top\"\npath = [[0, 0, 0, 0], [1, 0, 0, 2]]";
    plane("", "", &format!("[[body.pin]]\n{path}"), &["s.toml:20", "path[1] = [1, 0, 0, 2]", "dz must be 0"]);
    let handle = format!("[[body.handle]]\nstiffness = 1\n{path}");
    plane("", "", &handle, &["s.toml:21", "path[1] = [1, 0, 0, 2]", "dz must be 0"]);
    let rope = "[[body]]\nshape = \"rope\"\nnodes = 3\nnode-mass = 1\nstructural = 1\n";
    let apart = format!("{rope}start = [0, 0, 1]\nend = [1, 0, 1]");
    plane("", "", &apart, &["s.toml:23", "start = [0, 0, 1]", "z = 1 m, the first 0 m"]);
    let steep = format!("{rope}start = [0, 0, 0]\nend = [1, 0, 1]");
    plane("", "", &steep, &["s.toml:24", "end = [1, 0, 1]", "node 1 at z = 0.5 m"]);
    let disc = "[[body]]\nshape = \"disc\"\ncenter = [0, 0, 0]\nradius = 1\nspacing = 0.5\n\
                raw = { structural = 1, node-mass = 1 }\n";
    plane("", "", disc, &["s.toml:19", "one plane z = const", "normal must be [0, 0, 1]"]);
    Scene::parse(&format!("[simulation]\nplanar = true\n{disc}normal = [0, 0, 1]"), "s.toml").unwrap();
    let text = scene("planar = true", "", &format!("{GRID}\n{RAW}"), "").replace("[0, -1, 0]", "[0, 0, 1]");
    refused(&text, &["s.toml:13", "v = [0, 0, 1]", "one plane z = const"]);
    let box_of = format!("w = [0, 0, 0.2]\ncells = [5, 5, 1]\n{RAW}");
    let text = scene("planar = true", "", &box_of, "").replace("cloth", "lattice");
    refused(&text, &["s.toml:14", "w = [0, 0, 0.2]", "a lattice is a solid"]);
}

#[test]
fn bodies() {
    refused(
        "[[body]]\nname = \"a\"",
        &["s.toml:1: [[body]] 'a': key 'shape' is missing; it must be one of \"rope\", \"cloth\""],
    );
    refused(
        "[[body]]\nshape = \"cloht\"",
        &["s.toml:2", "shape = \"cloht\"", "\"rope\"", "did you mean \"cloth\"?"],
    );
    body(
        &format!("colums = 5\nrows = 4\n{RAW}"),
        &["s.toml:14: [[body]] number 1", "no key 'colums'; did you mean 'columns'?"],
    );
    body(
        &format!("radius = 5\nrows = 4\n{RAW}"),
        &["s.toml:14", "no key 'radius'", "columns, rows, fabric, raw"],
    );
    body(&format!("rows = 4\n{RAW}"), &["s.toml:9", "key 'columns' is missing"]);
    body(
        &format!("columns = 1\nrows = 4\n{RAW}"),
        &["s.toml:14", "columns = 1: it must be a whole number from 2"],
    );
    body(
        &format!("columns = 40000\nrows = 25000\n{RAW}"),
        &["s.toml:14", "1000000000 nodes; the most is 50000000"],
    );
    body(GRID, &["s.toml:9", "one of fabric, raw is needed"]);
    body(&format!("{GRID}\n{RAW}\nfabric = {{}}"), &["s.toml:16", "'fabric' and 'raw' exclude each other"]);
    body(&format!("{GRID}\nfabric = {{ tensile = 9 }}"), &["s.toml:16", "fabric: key 'density' is missing"]);
    body(
        &format!("{GRID}\nfabric = {{ density = 0, tensile = 9 }}"),
        &["s.toml:16", "density = 0", "above zero"],
    );
    let stiff = "fabric = { density = 0.2, tensile = 100, bending = -1e-5 }";
    body(
        &format!("{GRID}\n{stiff}"),
        &["s.toml:16", "bending = -0.00001: it must be finite and not negative"],
    );
    let stiff = "fabric = { density = 0.2, tensile = 100, bending = 1e38 }";
    body(&format!("{GRID}\n{stiff}"), &["bending = ", "too much for cells"]);
    let stiff = "fabric = { density = 0.2, tensile = 100, flexion = 50 }";
    body(&format!("{GRID}\n{stiff}"), &["s.toml:16", "flexion = 50: at most", "lower flexion"]);
    body(&format!("{GRID}\nraw = {{ structural = -1, node-mass = 1 }}"), &["s.toml:16", "structural = -1"]);
    body(&format!("{GRID}\n{RAW}\nvelocity = [0, 0, nan]"), &["s.toml:17", "velocity[2] = nan"]);
    body(
        &format!("{GRID}\n{RAW}\nfriction = \"rough\""),
        &["s.toml:17", "friction = \"rough\": it must be from 0 to 10"],
    );
    body(
        &format!("{GRID}\n{RAW}\nthickness = \"thin\""),
        &["thickness = \"thin\": it must be a finite number above zero"],
    );
    body(
        &format!("{GRID}\n{RAW}\npositions = \"no.npy\""),
        &["s.toml:17", "positions: ", "folder/no.npy: it cannot be read"],
    );
    let twice = "[[body]]\nshape = \"rope\"\nname = \"a\"\nstart = [0, 0, 0]\nend = [0, 0, 1]\nnodes = 3\n\
                 node-mass = 1\nstructural = 1\n";
    refused(&format!("{twice}{twice}"), &["s.toml:11", "name = \"a\": another body has it"]);
    refused(
        "[[body]]\nshape = \"mesh\"\nfile = \"no.obj\"\nraw = { structural = 1, node-mass = 1 }",
        &["s.toml:3", "file: ", "folder/no.obj: it cannot be read"],
    );
    refused("[[body]]\nshape = \"network\"\nfile = \"no.npz\"", &["s.toml:3", "file: ", "folder/no.npz"]);
    refused("[[body]]\nshape = \"network\"\nfile = 3", &["s.toml:3", "file = 3: it must be text"]);
}

#[test]
fn selections() {
    pin("", &["s.toml:17", "pin[0]", "one of nodes, corner, edge"]);
    pin("nodes = [20]", &["s.toml:18", "nodes[0] = 20", "from 0 to 19"]);
    pin("nodes = []", &["s.toml:18", "nodes: it selects no node"]);
    pin("corner = \"left\"", &["s.toml:18", "corner = \"left\"", "\"top-left\", \"top-right\""]);
    pin("corner = \"top-left\"\nedge = \"top\"", &["s.toml:19", "'corner' and 'edge' exclude each other"]);
    pin("end = \"start\"", &["s.toml:18", "only a body of shape \"rope\""]);
    pin("box = { min = [9, 9, 9], max = [10, 10, 10] }", &["s.toml:18", "box: it selects no node"]);
    pin("box = { min = [0, 0, 0], max = [0, -1, 0] }", &["s.toml:18", "must not be below min"]);
    pin(
        "sphere = { center = [0, 0, 0], radius = 0 }",
        &["s.toml:18", "radius = 0: it must be a number above zero"],
    );
    pin("edge = \"top\"\npatch = 1", &["s.toml:19", "patch: it goes with corner, end or nearest"]);
    pin("edge = \"top\"\npath = []", &["s.toml:19", "at least one key frame", "[[time, dx, dy, dz], ...]"]);
    pin("edge = \"top\"\npath = [[0, 0, 0]]", &["s.toml:19", "path[0] = [0, 0, 0]: it must be 4 numbers"]);
    pin(
        "edge = \"top\"\npath = [[1, 0, 0, 0], [1, 0, 0, 1]]",
        &["s.toml:19", "key frame 1: time 1 s is not after"],
    );
    pin(
        "edge = \"top\"\npath = [[0, 0, 0, 0]]\n[[body.pin]]\ncorner = \"top-left\"\npath = [[0, 0, 0, 0]]",
        &["s.toml:22", "node 0 already moves with another pin"],
    );
    pin(
        "edge = \"top\"\nturn = { axis = [0, 0, 0], angle = [[0, 0]] }",
        &["s.toml:19", "axis", "a direction"],
    );
    pin("edge = \"top\"\nturn = { axis = [0, 0, 1], angle = 90 }", &["s.toml:19", "[[time, angle], ...]"]);
    let handle = |lines: &str, parts: &[&str]| {
        refused(&scene("", "", &format!("{GRID}\n{RAW}"), &format!("[[body.handle]]\n{lines}")), parts);
    };
    handle("edge = \"top\"", &["s.toml:17", "handle[0]", "key 'stiffness' is missing"]);
    handle("edge = \"top\"\nstiffness = 0", &["s.toml:19", "stiffness = 0: it must be a number above zero"]);
    handle(
        "edge = \"top\"\nstiffness = 1e13",
        &["s.toml:19", "stiffness = 1e13: it must be at most 1e12 N/m; a pin holds"],
    );
    handle(
        "edge = \"top\"\nstiffness = 1\nfrom = 2\nuntil = 1",
        &["s.toml:21", "until = 1: it must be after from = 2"],
    );
    handle("edge = \"top\"\nradius = 1", &["s.toml:19", "no key 'radius'"]);
}

#[test]
fn lattices() {
    // Line 14 is w, line 15 cells, line 16 the material.
    let with = |cells: &str, material: &str, parts: &[&str]| {
        let text = scene("", "", &format!("w = [0, 0, 0.2]\ncells = {cells}\n{material}"), "");
        refused(&text.replace("cloth", "lattice"), parts);
    };
    let solid = "solid = { density = 1000, young = 1e6 }";
    with("[4, 2]", solid, &["s.toml:15", "cells = [4, 2]: it must be three whole numbers"]);
    with("[1, 5, 1]", solid, &["s.toml:15", "cells = [1, 5, 1]: cells of", "too long along u"]);
    let wrong = "solid = { density = 1000, young = -1 }";
    with("[5, 5, 1]", wrong, &["s.toml:16", "young = -1: it must be a finite"]);
    with("[5, 5, 1]", "", &["s.toml:9", "one of solid, raw is needed"]);
    let raw = "raw = { structural = 1, node-mass = 1, bending = 1 }";
    with("[5, 5, 1]", raw, &["s.toml:16", "no key 'bending'"]);
    let thick = format!("{solid}\nthickness = 9");
    with("[5, 5, 1]", &thick, &["s.toml:17", "thickness = 9: it must be at most the size of the body"]);
}

/// Every prefix of a scene, and every byte in turn replaced, is read or refused, never a panic.
#[test]
fn damaged_scenes_do_not_panic() {
    let handle =
        "[[body.handle]]\nsphere = { center = [0, 0, 0], radius = 1 }\nstiffness = 2\npath = [[0, 0, 0, 1]]";
    let pin = "[[body.pin]]\ncorner = \"top-left\"\npatch = 0.5";
    let good =
        scene("substeps = 4", "wind = [1, 2, 3]", &format!("{GRID}\n{RAW}"), &format!("{pin}\n{handle}"));
    Scene::parse(&good, "s.toml").unwrap();
    for at in 0..good.len() {
        let _ = Scene::parse(&good[..at], "s.toml");
        for byte in ["", "-", "0", "9e9", "[", "]", "\"", "=", "\u{e9}", "\n", "nan"] {
            let _ = Scene::parse(&format!("{}{byte}{}", &good[..at], &good[at + 1..]), "s.toml");
        }
    }
}

#[test]
fn what_is_out_of_reach() {
    let far = "corner = \"top-left\"\npath = [[0, 0, 0, 0], [1, 1e30, 0, 0]]";
    pin(far, &["s.toml:19", "path[1] = [1, 1e30, 0, 0]: displacements must be at most 1e6 m"]);
    let fast = format!("{GRID}\n{RAW}\nvelocity = [0, -1e7, 0]");
    body(&fast, &["s.toml:17", "velocity = [0, -1e7, 0]: it must be three numbers of at most 1e6 m/s"]);
    let folder = tempfile::tempdir().unwrap();
    let mut points = vec![glam::Vec3::ZERO; 20];
    points[3].y = 1e30;
    taffeta::io::write_points(&folder.path().join("p.npy"), &points).unwrap();
    let text = scene("", "", &format!("{GRID}\n{RAW}\npositions = \"p.npy\""), "");
    let error = Scene::parse(&text, folder.path().join("s.toml")).unwrap_err().to_string();
    assert!(error.contains("s.toml:17") && error.contains("positions: row 3 of"), "{error}");
}

#[test]
fn attachments() {
    // Its first line is line 24.
    let with = |lines: &str, parts: &[&str]| {
        let ring = "[[body]]\nshape = \"disc\"\ncenter = [0, 0, 0]\nradius = 1\nspacing = 0.5\nraw = { structural = 1, \
                    node-mass = 1 }";
        let text = scene("", "", &format!("{GRID}\n{RAW}"), &format!("{ring}\n[[attach]]\n{lines}"));
        refused(&text, &[&["[[attach]] number 1"], parts].concat());
    };
    let attach = |lines: &str| format!("body = \"cloth\"\ncorner = \"top-left\"\nto = \"disc\"\n{lines}");
    with("corner = \"top-left\"\nto = \"disc\"", &["s.toml:23", "key 'body' is missing"]);
    with(
        "body = \"clot\"",
        &["s.toml:24", "body = \"clot\": it must be one of \"cloth\", \"disc\" (did you mean \"cloth\"?)"],
    );
    with(&attach(""), &["s.toml:23", "key 'stiffness' is missing"]);
    with(
        &attach("stiffness = 0"),
        &["s.toml:27", "stiffness = 0: it must be above 0 and at most 1e12 N/m, or inf"],
    );
    with(
        &attach("stiffness = 1\nrest-length = -1"),
        &["s.toml:28", "rest-length = -1: it must be a number of m"],
    );
    with(&attach("stiffness = 1\ndashpot = -1"), &["s.toml:28", "dashpot"]);
    with(
        &attach("stiffness = 1\nto-nodes = [19]"),
        &["s.toml:28", "a node of that body: a whole number from 0 to 18"],
    );
    with(&attach("stiffness = 1\nto-nodes = [1, 2]"), &["s.toml:28", "2 nodes for 1 selected ones"]);
    with(&attach("stiffness = 1e13"), &["s.toml:27", "at most 1e12 N/m"]);
    with(&attach("stiffness = 1\nrest-length = 1e7"), &["s.toml:28", "not negative and at most 1e6"]);
    let steep = "stiffness = 1e12\ndamping-time = 1e30";
    with(&attach(steep), &["s.toml:28", "damping-time times stiffness is inf N s/m; it must be finite"]);
    let own = "body = \"cloth\"\nnodes = [0]\nto = \"cloth\"\nstiffness = 1";
    with(own, &["s.toml:26", "to: it is the body itself", "give to-nodes"]);
    with(&format!("{own}\nto-nodes = [0]"), &["s.toml:28", "node 0 is attached to itself"]);
}

#[test]
fn pressures() {
    let force_at = |line, lines: &str, parts: &[&str]| {
        let text = scene("", "", &format!("{GRID}\n{RAW}"), &format!("[[body.force]]\n{lines}"));
        let place = format!("s.toml:{line}: [[body]] number 1: force[0]");
        refused(&text, &[&[place.as_str()], parts].concat());
    };
    let force = |lines: &str, parts: &[&str]| force_at(18, lines, parts);
    force("pressure = \"high\"", &["pressure", "it is a finite number in Pa, or [[time, pressure], ...]"]);
    force("pressure = 1e13", &["pressures must be at most 1e12 Pa"]);
    force("pressure = [[0, 1], [0, 2]]", &["key frame 1: time 0 s is not after the one before it"]);
    force("pressure = [[0, 1, 2]]", &["it must be 2 numbers"]);
    force_at(17, "patch = 0.1\npressure = 1", &["one of nodes, corner, edge"]);
    let rope = "[[body]]\nshape = \"rope\"\nstart = [0, 0, 0]\nend = [1, 0, 0]\nnodes = 4\nstructural = 1\nnode-mass = 1\n\
                [[body.force]]\npressure = 1";
    refused(rope, &["s.toml:9", "pressure: it acts on triangles, and no selected node of the body has any"]);
    let flat = scene(
        "planar = true",
        "gravity = [0, 0, 0]",
        &format!("{GRID}\n{RAW}"),
        "[[body.force]]\npressure = 1",
    );
    refused(&flat, &["s.toml:18", "nothing leaves the plane, and a pressure would push out of it"]);
}
