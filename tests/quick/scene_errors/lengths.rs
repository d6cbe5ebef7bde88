//! Springs without stretch, and limits of strain: where a shape cannot have them, and which solvers keep them.

use glam::Vec3;
use taffeta::Simulation;
use taffeta::model::{Family, ModelBuilder};
use taffeta::scene::Scene;
use taffeta::settings::SolverKind;
use taffeta::shape::{Damping, Disc, EdgeStiffness, Flexion, Surface, SurfaceMass};

use super::{GRID, body, refused};

#[test]
fn what_cannot_keep_its_length() {
    let fabric = |keys: &str| format!("{GRID}\nfabric = {{ density = 0.1, {keys} }}");
    body(&fabric("tensile = inf"), &["s.toml:16", "tensile = inf needs shear in N/m (0 for none)"]);
    body(
        &fabric("tensile = -inf, shear = 0.0"),
        &["s.toml:16", "tensile = -inf: it must be a finite number"],
    );
    body(
        &fabric("tensile = 1e3, shear = inf"),
        &["shear = inf: it must be finite here", "could hardly fold"],
    );
    let raw = |keys: &str| format!("{GRID}\nraw = {{ node-mass = 0.01, {keys} }}");
    body(&raw("structural = 1e3, shear = inf"), &["s.toml:16", "raw: shear = inf", "could hardly fold"]);
    body(&raw("structural = inf, flexion = inf"), &["flexion = inf", "would make it rigid"]);
    body(&raw("structural = 1e999"), &["structural = 1e999: it must be a finite number"]);
    let of_shape = |shape: &str, keys: &str| format!("[[body]]\nshape = \"{shape}\"\n{keys}");
    let disc = "center = [0, 0, 0]\nradius = 1\nspacing = 0.2";
    let disc = |material: &str| of_shape("disc", &format!("{disc}\n{material}"));
    let edges = "hold each other, and leave no room to bend";
    refused(&disc("fabric = { density = 0.1, tensile = inf }"), &["s.toml:6", "tensile = inf", edges]);
    refused(&disc("raw = { node-mass = 0.1, structural = inf }"), &["s.toml:6", "structural = inf", edges]);
    let lattice = "corner = [0, 0, 0]\nu = [1, 0, 0]\nv = [0, 1, 0]\nw = [0, 0, 1]\ncells = [2, 2, 2]";
    let lattice = |material: &str| of_shape("lattice", &format!("{lattice}\n{material}"));
    refused(&lattice("solid = { density = 9, young = inf }"), &["s.toml:8", "young = inf", "cannot move"]);
    refused(&lattice("raw = { node-mass = 1, structural = inf }"), &["structural = inf", "cannot move"]);
    let rope = "start = [0, 0, 0]\nend = [1, 0, 0]\nnodes = 5\nnode-mass = 0.1\naxial-stiffness";
    let rope = |keys: &str| of_shape("rope", &format!("{rope} = {keys}"));
    refused(&rope("inf\nflexion-ratio = 0.1"), &["s.toml:8", "flexion-ratio = 0.1", "give flexion, in N/m"]);
    refused(&rope("2e38"), &["s.toml:7", "axial-stiffness = 2", "inf makes the rope inextensible"]);
    let limit = "must be above 0 and at most 1";
    refused(&rope("9.0\nstrain-limit = 0"), &["s.toml:8", "strain-limit = 0", limit]);
    refused(&rope("inf\nstrain-limit = 0.1"), &["s.toml:8", "strain-limit: an infinite stiffness"]);
    body(&fabric("tensile = 9.0, strain-limit = 1.5"), &["fabric: strain-limit = 1.5", limit]);
    let of_mesh = "fabric = { density = 0.1, tensile = 9.0, strain-limit = 0.1 }";
    refused(&disc(of_mesh), &["s.toml:6", "strain-limit: edges of triangles", "leave no room to bend"]);
    let attached = |keys: &str| {
        let second = "[[body]]\nname = \"b\"\nshape = \"rope\"\nstart = [1, 0, 0]\nend = [2, 0, 0]\nnodes = 5\nnode-mass = 0.1\naxial-stiffness = 9.0";
        format!("{}\n{second}\n[[attach]]\nbody = \"b\"\nnodes = [0]\nto = \"rope\"\n{keys}", rope("9.0"))
    };
    Scene::parse(&attached("to-nodes = [3]\nstiffness = inf"), "s.toml").unwrap();
    refused(&attached("stiffness = inf"), &["stiffness = inf keeps a length above 0", "give rest-length"]);
    refused(
        &attached("stiffness = 1e13"),
        &["stiffness = 1e13: it must be above 0 and at most 1e12 N/m, or inf"],
    );
    // What generators refuse, a network file may ask for.
    let disc = Disc {
        center: Vec3::ZERO,
        normal: Vec3::Y,
        radius: 0.5,
        spacing: 0.05,
        surface: Surface {
            stiffness: EdgeStiffness::PerSpring(1.0),
            mass: SurfaceMass::Total(1.0),
            flexion: Flexion::None,
            bending: 0.0,
            damping: Damping::NONE,
        },
    };
    let mut net = disc.build().unwrap();
    net.springs.iter_mut().for_each(|s| (s.stiffness, s.family) = (f32::INFINITY, Family::Raw));
    let mut builder = ModelBuilder::new();
    builder.add(net);
    let message = builder.build().unwrap_err().to_string();
    assert!(message.contains("free nodes, more than 2.5 each") && message.contains("'disc'"), "{message}");
}

#[test]
fn solvers_that_cannot_keep_lengths_say_which_can() {
    let text = "[[body]]\nname = \"line\"\nshape = \"rope\"\nstart = [0, 0, 0]\nend = [1, 0, 0]\nnodes = 5\n\
                node-mass = 0.1\naxial-stiffness = inf";
    let scene = Scene::parse(text, "s.toml").unwrap();
    for solver in SolverKind::ALL {
        let holds = ["newton-multigrid", "xpbd", "soft-constraint"].contains(&solver.name());
        match Simulation::requirements(&scene.model, &scene.settings.with_solver(solver)) {
            Ok(_) => assert!(holds, "{solver}"),
            Err(error) => {
                let message = error.to_string();
                for part in [
                    "body 'line': 4 springs are inextensible",
                    solver.name(),
                    "\"newton-multigrid\"",
                    "\"xpbd\"",
                ] {
                    assert!(!holds && message.contains(part), "{part}: {message}");
                }
            }
        }
    }
    let text = text.replace("stiffness = inf", "stiffness = 9.0\nstrain-limit = 0.01");
    let scene = Scene::parse(&text, "s.toml").unwrap();
    for solver in SolverKind::ALL {
        let found = Simulation::requirements(&scene.model, &scene.settings.with_solver(solver));
        match found.map_err(|error| error.to_string()) {
            Ok(_) => assert_eq!(solver, SolverKind::NewtonMultigrid),
            Err(message) => assert!(
                message.contains(&format!("body 'line': it has a strain-limit, and {solver} cannot keep it"))
                    && message.contains("solver = \"newton-multigrid\""),
                "{message}"
            ),
        }
    }
}
