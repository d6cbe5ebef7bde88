use glam::Vec3;

use super::*;
use crate::method::Stability;
use crate::model::{Family, Spring};
use crate::settings::{
    AIR, Air, CG_STEPS, CHEBYSHEV, Chebyshev, DAMPING, DRAG, FORCE, FORM, FRAME_TIME, Form, GRAVITY,
    ITERATIONS, Iterations, LARGEST_STRETCH, LINEAR_SOLVER, LinearSolver, NODE_DAMPING, PROJECTION,
    RELAXATION, START, SUBSTEPS, SWEEPS, Settings, SolverKind, Start, Substeps, TOLERANCE, WIND, table,
};

const CLOTH: &str = r#"
[[body]]
shape = "cloth"
corner = [0, 1, 0]
u = [1, 0, 0]
v = [0, -1, 0]
columns = 6
rows = 5
raw = { structural = 100, node-mass = 0.01 }
"#;

const FABRIC: &str = "fabric = { density = 0.2, tensile = 100, bending = 2e-5 }";

fn parse(text: &str) -> Scene {
    Scene::parse(text, "folder/test.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn pinned(scene: &Scene) -> Vec<usize> {
    (0..scene.model.node_count()).filter(|&i| scene.model.pinned()[i]).collect()
}

#[test]
fn bending_is_read_for_every_surface() {
    let cloth = CLOTH.replace("raw = { structural = 100, node-mass = 0.01 }", FABRIC);
    let scene = parse(&cloth);
    let bending = scene.model.grid_bending(0).unwrap();
    assert_eq!((bending.stiffness, bending.nodes, bending.spacing), (2e-5, [6, 5], [0.2, 0.25]));
    let disc = "[[body]]\nshape = \"disc\"\ncenter = [0, 0, 0]\nradius = 1\nspacing = 0.25\n";
    assert!(parse(&format!("{disc}{FABRIC}")).model.has_bending());
    assert!(
        !parse(&format!("{disc}{}", FABRIC.replace("bending = 2e-5", "flexion = 1"))).model.has_bending()
    );
    // Beside another body there is no grid form, but the same bending.
    let both = parse(&format!("{disc}{FABRIC}{cloth}"));
    let mut stencils = 0;
    both.model.for_each_bending_stencil(|_, _| stencils += 1);
    assert!(both.model.grid_bending(0).is_none() && both.model.has_bending());
    // 4 x 5 and 6 x 3 hinges and 5 x 4 cells; three for each of the 37 inner vertices.
    assert_eq!(stencils, 58 + 3 * 37);
}

#[test]
fn a_fabric_without_shear_has_a_tenth_of_its_tensile_stiffness() {
    let of = |fabric: &str| CLOTH.replace("raw = { structural = 100, node-mass = 0.01 }", fabric);
    let springs = |text: &str| parse(text).model.springs().to_vec();
    let given = |shear: &str| of(&FABRIC.replace("bending", &format!("shear = {shear}, bending")));
    assert_eq!(springs(&of(FABRIC)), springs(&given("10.0")));
    assert!(springs(&given("0.0")).iter().all(|spring| spring.family == Family::Structural));
    // The summary mentions the default only if the key is absent.
    let note = "shear = 10, a tenth of tensile; shear = 0.0 leaves it out";
    assert!(parse(&of(FABRIC)).summary.contains(note));
    assert!(!parse(&given("10.0")).summary.contains(note) && !parse(CLOTH).summary.contains("tenth"));
    // So does the error, if the default is too much for long cells.
    let long = of(FABRIC).replace("u = [1, 0, 0]", "u = [9, 0, 0]");
    let error = Scene::parse(&long, "test.toml").unwrap_err().to_string();
    assert!(error.contains("shear = 10: too much for cells") && error.contains(note), "{error}");
    assert!(Scene::parse(&given("0.0").replace("u = [1, 0, 0]", "u = [9, 0, 0]"), "test.toml").is_ok());
}

#[test]
fn a_perturbation_moves_what_is_not_pinned() {
    let pin = "[[body.pin]]\nedge = \"top\"";
    let of = |perturb: &str| parse(&format!("{CLOTH}perturb = {perturb}\n{pin}")).model;
    let (first, second) = (of("{ amplitude = 1e-3, seed = 1 }"), of("{ amplitude = 1e-3, seed = 2 }"));
    let rest = parse(CLOTH).model.initial_state().position.clone();
    assert_eq!(first.rest_position(), rest);
    let moved = &first.initial_state().position;
    assert!((0..30).all(|i| (moved[i] == rest[i]) == (i < 6) && moved[i].distance(rest[i]) < 6e-3));
    assert_ne!(moved, &second.initial_state().position);
    assert_eq!(
        of("{ amplitude = 1e-3 }").initial_state(),
        of("{ amplitude = 1e-3, seed = 0 }").initial_state()
    );
    let wrong = Scene::parse(&format!("{CLOTH}perturb = {{ amplitude = 0 }}"), "test.toml").unwrap_err();
    assert!(wrong.to_string().contains("amplitude"), "{wrong}");
}

#[test]
fn every_setting_is_read() {
    let scene = parse(&format!(
        r#"
        name = "all"
        [simulation]
        solver = "verlet"
        frame-time = 0.02
        substeps = 7
        iterations = 11
        tolerance = 0.25
        linear-solver = "gauss-seidel"
        projection = false
        relaxation = 1.5
        cg-steps = 3
        sweeps = 3
        chebyshev = 0.9
        start = "previous"
        form = "mesh"
        seconds = 2
        force = true
        largest-stretch = 4.5
        [world]
        gravity = [0, 0, -1]
        wind = [1, 2, 3]
        air = {{ density = 1.2, normal = 1, tangential = 0.1 }}
        damping = 0.1
        node-damping = 0.2
        drag = 0.3
        [camera]
        eye = [0, 0, 3]
        target = [0, 0, 0]
        {CLOTH}"#
    ));
    let expected = Settings::of(SolverKind::Verlet)
        .with(FRAME_TIME, 0.02)
        .with(SUBSTEPS, Substeps::Fixed(7))
        .with(ITERATIONS, Iterations::Fixed(11))
        .with(TOLERANCE, 0.25)
        .with(LINEAR_SOLVER, LinearSolver::GaussSeidel)
        .with(PROJECTION, false)
        .with(RELAXATION, 1.5)
        .with(CG_STEPS, 3)
        .with(SWEEPS, 3)
        .with(CHEBYSHEV, Chebyshev::Radius(0.9))
        .with(START, Start::Previous)
        .with(FORM, Form::Mesh)
        .with(GRAVITY, Vec3::new(0.0, 0.0, -1.0))
        .with(WIND, Vec3::new(1.0, 2.0, 3.0))
        .with(AIR, Air { density: 1.2, normal: 1.0, tangential: 0.1 })
        .with(DAMPING, 0.1)
        .with(NODE_DAMPING, 0.2)
        .with(DRAG, 0.3)
        .with(FORCE, true)
        .with(LARGEST_STRETCH, 4.5);
    let (step, world) = (&scene.settings.step, &scene.settings.world);
    assert_eq!((step.frame_time, step.largest_stretch), (0.02, 4.5));
    assert_eq!((world.damping, world.node_damping, world.drag), (0.1, 0.2, 0.3));
    assert_eq!((world.gravity.z, world.wind), (-1.0, Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(scene.settings, expected);
    assert_eq!((scene.name.as_str(), scene.seconds), ("all", 2.0));
    let camera = scene.camera.unwrap();
    assert_eq!((camera.eye, camera.up), (Vec3::Z * 3.0, Vec3::Y));
    assert_eq!(camera.projection, ProjectionSpec::Perspective(45.0));
}

#[test]
fn what_is_absent_has_its_default() {
    let scene = parse(CLOTH);
    assert_eq!(scene.settings, Settings::default());
    assert_eq!((scene.name.as_str(), scene.camera), ("test", None));
    assert!(scene.model.grid().is_some());
    let summary = "cloth: 30 nodes (6 x 5), 49 springs, 40 triangles, 0 pinned, 1 x 1 x 0 m\n  \
                   raw = { structural = 100, node-mass = 0.01 }\n";
    assert_eq!(scene.summary, summary);
}

#[test]
fn selections_find_their_nodes() {
    let pin = |selection: &str| pinned(&parse(&format!("{CLOTH}[[body.pin]]\n{selection}\n")));
    assert_eq!(pin("nodes = [7, 3, 3]"), [3, 7]);
    assert_eq!(pin("corner = 'top-right'"), [5]);
    assert_eq!(pin("corner = 'bottom-left'"), [24]);
    assert_eq!(pin("corner = 'bottom-right'\npatch = 0.25"), [23, 28, 29]);
    assert_eq!(pin("edge = 'top'"), [0, 1, 2, 3, 4, 5]);
    assert_eq!(pin("edge = 'right'"), [5, 11, 17, 23, 29]);
    assert_eq!(pin("box = { min = [0.3, 0.9, -1], max = [0.7, 2, 1] }"), [2, 3]);
    assert_eq!(pin("sphere = { center = [0, 1, 0], radius = 0.26 }"), [0, 1, 6]);
    assert_eq!(pin("nearest = [0.5, 0.1, 9]"), [26]);
}

#[test]
fn pins_with_paths_and_handles_get_indices_of_the_model() {
    let rope = r#"
        [[body]]
        shape = "rope"
        start = [0, 0, 0]
        end = [1, 0, 0]
        nodes = 3
        node-mass = 0.1
        structural = 10
        [[body.pin]]
        end = "end"
        path = [[0, 0, 0, 0.5], [1, 0, 0, 1]]
        [[body.handle]]
        sphere = { center = [0, 0, 0], radius = 1 }
        stiffness = 20
        from = 1
        until = 2.5
        [[body.handle]]
        end = "start"
        stiffness = 5
    "#;
    let model = parse(&format!("{CLOTH}{rope}")).model;
    assert_eq!(model.moving_pins()[0].nodes, [32]);
    assert_eq!(model.initial_state().position[32], Vec3::new(1.0, 0.0, 0.5));
    let [drag, soft] = model.handles() else { panic!("two handles") };
    assert_eq!((drag.nodes[0], drag.nodes[1], drag.active.clone()), ((30, 1.0), (31, 0.5625), 1.0..2.5));
    assert!(drag.nodes[2].1 > 0.0 && drag.nodes[2].1 < 1e-5);
    assert_eq!((soft.nodes.as_slice(), soft.active.end), (&[(30, 1.0)][..], f64::INFINITY));
    assert!(soft.path.is_constant() && model.grid().is_none());
}

#[test]
fn files_are_relative_to_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let moved: Vec<Vec3> = (0..30).map(|i| Vec3::new(i as f32, 0.0, 0.0)).collect();
    crate::io::write_points(&folder.path().join("p.npy"), &moved).unwrap();
    std::fs::write(folder.path().join("m.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let mesh = r#"
        [[body]]
        shape = "mesh"
        file = "m.obj"
        translate = [0, 0, 2]
        scale = 0.5
        velocity = [0, 1, 0]
        fabric = { density = 0.2, tensile = 100, flexion-ratio = 0.1 }
        [[body]]
        shape = "disc"
        center = [0, 3, 0]
        radius = 0.5
        spacing = 0.1
        raw = { structural = 10, total-mass = 1 }
    "#;
    let scene = folder.path().join("scene.toml");
    std::fs::write(&scene, format!("{CLOTH}positions = 'p.npy'\n{mesh}")).unwrap();
    let model = Scene::load(&scene).unwrap().model;
    assert_eq!(model.initial_state().position[29], Vec3::X * 29.0);
    assert_eq!(model.initial_state().position[31], Vec3::new(0.5, 0.0, 2.0));
    assert_eq!(model.initial_state().velocity[31], Vec3::Y);
    assert_eq!(model.bodies().len(), 3);
}

#[test]
fn pins_and_attachments_select_the_same_nodes_of_a_perturbed_body() {
    let rope = "[[body]]\nshape = \"rope\"\nname = \"rope\"\nstart = [2, 0, 0]\nend = [3, 0, 0]\nnodes = 4\n\
                node-mass = 1\nstructural = 1\n";
    let near = "sphere = { center = [0.4, 0.5, 0], radius = 0.01 }";
    let perturb = "perturb = { amplitude = 0.3, seed = 1 }";
    let text = format!(
        "{rope}{CLOTH}{perturb}\n[[body.force]]\n{near}\nforce = [1, 0, 0]\n[[attach]]\nbody = \"cloth\"\n\
         to = \"rope\"\nstiffness = 1\n{near}"
    );
    let model = parse(&text).model;
    let attachments: Vec<&Spring> = model.attachments().collect();
    let [attachment] = attachments[..] else { panic!("{attachments:?}") };
    assert_eq!(model.loads()[0].nodes, [attachment.nodes[0]]);
    // From the position of the node, not from where it was selected.
    let x = &model.initial_state().position;
    let [a, b] = attachment.nodes.map(|n| x[n as usize]);
    assert!(
        (a.distance(b) - attachment.rest_length).abs() < 1e-6 && a.distance(Vec3::new(0.4, 0.5, 0.0)) > 0.01
    );
}

#[test]
fn the_scenes_that_come_with_the_program_are_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut names = Vec::new();
    for classic in std::fs::read_dir(folder.join("classic")).unwrap().map(|entry| entry.unwrap().path()) {
        if classic.extension().is_some_and(|extension| extension == "toml") {
            assert_eq!(Scene::load(&classic).unwrap().warnings, [], "{}", classic.display());
        }
    }
    let paths = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.is_file()).chain([folder.join("batch/napkin.toml")]) {
        let scene = Scene::load(&path).unwrap_or_else(|e| panic!("{e}"));
        assert!(scene.camera.is_some() || scene.settings.step.planar, "{} has no camera", path.display());
        // The step is one that the solver can take.
        let steps = Stability::of(&scene.model, &scene.settings).substeps(&scene.settings);
        println!("{}: {steps:?} substeps\n{}", scene.name, scene.summary);
        assert!(steps.is_ok(), "{}: {steps:?}", path.display());
        assert_eq!(crate::warning::of(&scene.model, &scene.settings), [], "{}", path.display());
        names.push(scene.name);
    }
    assert!(names.len() >= 6, "{names:?}");
}

#[test]
fn the_thickness_of_letters_is_none_of_contact() {
    let text = "[[body]]\nshape = \"text\"\ntext = \"I\"\nsize = 1\nspacing = 0.1\nthickness = 0.3\n\
                solid = { density = 1000, young = 1e5 }\n";
    assert_eq!(parse(text).model.bodies()[0].layer.thickness, None);
}

#[test]
fn a_pressure_acts_on_the_surface_of_a_solid() {
    let lattice = "[[body]]\nshape = \"lattice\"\ncorner = [0, 0, 0]\nu = [1, 0, 0]\nv = [0, 1, 0]\nw = [0, 0, 1]\n\
                   cells = [2, 2, 2]\nsolid = { density = 1000, young = 1e5 }\n";
    let model = parse(&format!("{lattice}[[body.force]]\npressure = [[0, 1], [2, 5]]")).model;
    let load = &model.loads()[0];
    assert_eq!((load.nodes.len(), load.nodes.contains(&13)), (26, false));
    assert_eq!((load.at(1.0).to_array(), load.most_pressure()), ([0.0, 0.0, 0.0, 3.0], 5.0));
}

const ROPE: &str = r#"
[[body]]
shape = "rope"
start = [0, 1.1, 0]
end = [1, 1.1, 0]
nodes = 6
structural = 50
node-mass = 0.01
"#;

#[test]
fn bodies_are_attached_by_nearest_node_and_by_index() {
    let of = |attach: &str| {
        let scene = parse(&format!("{ROPE}{CLOTH}\n[[attach]]\nbody = \"rope\"\n{attach}"));
        let springs: Vec<Spring> = scene.model.attachments().copied().collect();
        assert!(scene.model.grid().is_none());
        (springs, scene.summary)
    };
    let spring = |a, b, rest_length| Spring {
        nodes: [a, b],
        rest_length,
        stiffness: 40.0,
        dashpot: 10.0,
        family: Family::Raw,
    };
    let nearest = "nodes = [0, 5, 2]\nto = \"cloth\"\nstiffness = 40\ndamping-time = 0.25";
    let away = 1.1f32 - 1.0;
    let (found, summary) = of(nearest);
    assert_eq!(found, [spring(0, 6, away), spring(2, 8, away), spring(5, 11, away)]);
    assert!(summary.contains("rope to cloth: 3 springs"), "{summary}");
    let (found, _) = of(&format!("{nearest}\nto-nodes = [7]\nrest-length = 0"));
    assert_eq!(found, [spring(0, 13, 0.0), spring(2, 13, 0.0), spring(5, 13, 0.0)]);
    // A ring.
    let (found, _) = of("end = \"end\"\nto = \"rope\"\nto-nodes = [0]\nstiffness = 40\ndashpot = 10");
    assert_eq!(found, [spring(5, 0, 1.0)]);
    // Nodes that touch up to rounding are joined; the path of a pin has moved its nodes at time zero.
    let touching = ROPE.replace("start = [0, 1.1, 0]", "start = [0, 1.0000001, 0]");
    let scene =
        format!("{touching}{CLOTH}\n[[attach]]\nbody = \"rope\"\nnodes = [0]\nto = \"cloth\"\nstiffness = 1");
    assert_eq!(parse(&scene).model.attachments().next().map(|s| s.rest_length), Some(0.0));
    let moved = scene
        .replace("\n[[attach]]", "[[body.pin]]\ncorner = \"top-left\"\npath = [[0, 0, 2, 0]]\n[[attach]]");
    let spring = *parse(&format!("{moved}\nto-nodes = [0]")).model.attachments().next().unwrap();
    assert_eq!(spring.rest_length, 3.0f32 - 1.0000001);
    // In a batch, each copy has its own.
    let copies =
        (0..2).map(|_| parse(&format!("{ROPE}{CLOTH}\n[[attach]]\nbody = \"rope\"\n{nearest}")).model);
    let batch = Model::stack(copies.collect()).unwrap();
    let nodes: Vec<[u32; 2]> = batch.attachments().map(|s| s.nodes).collect();
    assert_eq!(nodes, [[0, 6], [2, 8], [5, 11], [36, 42], [38, 44], [41, 47]]);
}

#[test]
fn every_key_is_documented() {
    let page = std::fs::read_to_string(page_of_scenes()).unwrap();
    let lists = [
        &settings::simulation_keys()[..],
        &settings::world_keys()[..],
        camera::KEYS,
        material::ROPE,
        select::KEYS,
        body::PERTURB,
        attach::KEYS,
        hold::TURN,
    ];
    let keys = lists.into_iter().flatten().copied().chain(body::keys()).chain(collider::keys());
    for key in keys.chain([
        "density",
        "normal",
        "tangential",
        "stiffness",
        "path",
        "turn",
        "from",
        "until",
        "force",
        "total",
        "pressure",
        "total-mass",
        "young",
    ]) {
        assert!(page.contains(&format!("`{key}`")), "`{key}` is not in docs/scene-file.md");
    }
}

fn page_of_scenes() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scene-file.md")
}

/// The rows of settings' keys are generated from the registry; `TAFFETA_WRITE=1` writes them.
#[test]
fn tables_of_settings_are_those_of_the_registry() {
    let page = std::fs::read_to_string(page_of_scenes()).unwrap();
    let mut made = page.clone();
    for (name, keys) in
        [("simulation", &crate::settings::simulation()[..]), ("world", crate::settings::world())]
    {
        let (begin, end) = (format!("<!-- keys of {name} -->\n"), "\n<!-- end -->");
        let (before, rest) = made.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
        let (_, after) = rest.split_once(end).unwrap();
        let seconds = "| `seconds` | duration of a run | s; above 0, at most 1e6 | 5 |\n";
        let own = if name == "simulation" { seconds } else { WORLD_ROWS };
        let head = "\n| key | meaning | unit, range | default |\n|---|---|---|---|\n";
        made = format!("{before}{begin}{head}{}{own}{end}{after}", table::rows(keys));
    }
    if made != page && std::env::var_os("TAFFETA_WRITE").is_some() {
        std::fs::write(page_of_scenes(), &made).unwrap();
        return;
    }
    assert!(made == page, "docs/scene-file.md is stale: run the tests once with TAFFETA_WRITE=1");
}

/// Keys of `[world]` that are not in the registry.
const WORLD_ROWS: &str = "\
| `user-force` or `user-force-file` | a force of your own on every node, in WGSL: its text, or a file with it, [below](#a-force-of-your-own) | | none |
";
