use super::*;

const SCENE: &str = "\
[world]
gravity = [0.0, -9.81, 0.0]
drag = 0.0

[[body]]
shape = \"cloth\"
corner = [0, 1, 0]
u = [1, 0, 0]
v = [0, -1, 0]
columns = 4
rows = 3
fabric = { density = 0.2, tensile = 1000, shear = 100 }

[[body.pin]]
corner = \"top-left\"
";

fn sweep(text: &str) -> Result<Sweep, Error> {
    Sweep::parse(SCENE, "scene.toml", text, "sweep.toml")
}

fn values(text: &str) -> Vec<String> {
    let sweep = sweep(text).unwrap();
    let join = |c| sweep.parameters(c).iter().map(Parameter::to_toml).collect::<Vec<_>>().join(" ");
    (0..sweep.copies()).map(join).collect()
}

#[test]
fn lists_cycle_or_go_through_their_combinations() {
    let vary = "[vary]\nbody.fabric.tensile = [10, 20, 30]\nworld.drag = [0.5, 1.5]\n";
    assert_eq!(values(vary), ["10 0.5", "20 1.5", "30 0.5"]);
    let product = values(&format!("combine = \"product\"\n{vary}"));
    assert_eq!(product, ["10 0.5", "10 1.5", "20 0.5", "20 1.5", "30 0.5", "30 1.5"]);
    assert_eq!(values(&format!("copies = 4\n{vary}"))[3], "10 1.5");
}

#[test]
fn lines_reach_both_ends() {
    let text = "copies = 3\n[vary]\nworld.gravity = { from = [0, -1.1, 0], to = [1, -9, 0.5] }\n\"world.drag\" = { from = 0, to = 0.1 }\n";
    assert_eq!(values(text), ["[0.0, -1.1, 0.0] 0.0", "[0.5, -5.05, 0.25] 0.05", "[1.0, -9.0, 0.5] 0.1"]);
}

#[test]
fn random_values_follow_from_seed_key_and_copy_alone() {
    let tensile = "body.fabric.tensile = { min = 100, max = 1e4, distribution = \"log\" }\n";
    let few = values(&format!("copies = 4\nseed = 1\n[vary]\n{tensile}"));
    assert_eq!(few, values(&format!("copies = 4\nseed = 1\n[vary]\n{tensile}")));
    let more = values(&format!("copies = 9\nseed = 1\n[vary]\nworld.drag = [0.0]\n{tensile}"));
    assert!(few.iter().zip(&more).all(|(a, b)| format!("0.0 {a}") == *b));
    let other = values(&format!("copies = 4\nseed = 2\n[vary]\n{tensile}"));
    assert!(few.iter().zip(&other).all(|(a, b)| a != b));
    let vector = values("copies = 2\n[vary]\nworld.gravity = { min = [1, 1, 1], max = [2, 2, 2] }");
    assert!(vector[0] != vector[1] && vector[0].matches("1.").count() >= 3, "{vector:?}");
}

#[test]
fn paths_lead_into_bodies_arrays_and_selections() {
    let sweep = sweep(
        "[vary]\nworld.gravity.1 = [-1, -2]\nbody.pin.corner = [\"top-left\", \"top-right\"]\n\
         body.0.fabric = [{ density = 1, tensile = 10 }, { density = 2, tensile = 20 }]\n",
    )
    .unwrap();
    assert_eq!(sweep.keys().collect::<Vec<_>>(), ["world.gravity.1", "body.pin.corner", "body.0.fabric"]);
    let scene = sweep.scene(1).unwrap();
    assert_eq!(scene.settings.world.gravity, Vec3::new(0.0, -2.0, 0.0));
    assert!(scene.model.pinned()[3] && !scene.model.pinned()[0]);
    let mass: f32 = scene.model.mass().iter().sum();
    assert!((mass - 2.0).abs() < 1e-6, "{mass}");
    let batch = sweep.batch().unwrap();
    assert_eq!((batch.model.copies(), batch.model.node_count()), (2, 24));
    assert_eq!(batch.settings.copies[1].gravity.y, -2.0);
    assert_eq!(batch.model.mass()[12..], scene.model.mass()[..]);
    let grid = batch.model.grid().unwrap();
    assert_eq!((grid.copies, grid.copy_links.len()), (2, 2));
}

#[test]
fn jitter_moves_free_nodes_within_its_bounds() {
    let sweep = sweep("copies = 3\n[jitter]\nposition = 0.01\nvelocity = 0.5\n").unwrap();
    let batch = sweep.batch().unwrap();
    assert!(batch.settings.copies.is_empty());
    let model = &batch.model;
    let moved = |i: usize| model.initial_state().position[i] - model.rest_position()[i];
    let largest = (0..36).map(|i| moved(i).abs().max_element()).fold(0.0, f32::max);
    assert!(largest > 0.008 && largest <= 0.01 + 1e-7, "{largest}");
    assert!(model.initial_state().velocity.iter().all(|v| v.abs().max_element() <= 0.5));
    assert_eq!((moved(0), moved(12)), (Vec3::ZERO, Vec3::ZERO));
    assert_ne!(moved(1), moved(13));
    assert_eq!(
        sweep.scene(1).unwrap().model.initial_state().position,
        model.initial_state().position[12..24]
    );
}

#[test]
fn mistakes_are_named_with_file_line_and_key() {
    let error = |text: &str| match sweep(text).and_then(|sweep| sweep.batch().map(|_| ())) {
        Ok(()) => panic!("no error in\n{text}"),
        Err(error) => error.to_string(),
    };
    let told = |text: &str, parts: &[&str]| {
        let error = error(text);
        assert!(error.starts_with("sweep.toml:") && !error.contains('\n'), "{error}");
        for part in parts {
            assert!(error.contains(part), "'{part}' is not in: {error}");
        }
    };
    told("[vary\n", &["sweep.toml:1", "not valid TOML"]);
    told("copys = 3\n", &["sweep.toml:1", "no key 'copys'; did you mean 'copies'?"]);
    told("copies = 3\n", &["nothing varies"]);
    told("copies = -3\n", &["sweep.toml:1", "copies = -3", "a whole number"]);
    told("copies = 0\n[vary]\nworld.drag = [1]\n", &["sweep.toml:1", "copies = 0", "above zero"]);
    told(
        "copies = 9000000\n[vary]\nworld.drag = [1]\n",
        &["sweep.toml:1", "at most 4166666 copies of 12 nodes"],
    );
    told("[vary]\nworld.drag = { min = 0, max = 1 }\n", &["'copies' is missing"]);
    told("[vary]\nworld.drag = 3\n", &["sweep.toml:2", "world.drag = 3", "an array of values, { from"]);
    told("[vary]\nworld.drag = []\n", &["sweep.toml:2", "at least one value"]);
    told("[vary]\nworld.drag = { from = 1 }\n", &["sweep.toml:2", "'to' is missing"]);
    told("[vary]\nworld.drag = { from = 1, to = 2, max = 3 }\n", &["max: it goes with min"]);
    told("[vary]\nworld.drag = { min = 1, max = [2] }\n", &["as many numbers as min"]);
    told("[vary]\nworld.drag = { min = 2, max = 1 }\n", &["must not be below min"]);
    told("[vary]\nworld.drag = { min = 0, max = 1, distribution = \"log\" }\n", &["above zero"]);
    told("[vary]\nworld.drag = { min = 0, max = 1, distribution = \"gauss\" }\n", &["\"uniform\", \"log\""]);
    told("[vary]\nworld.dragg = [1]\n", &["sweep.toml:2", "no key 'dragg'", "'drag'?", "in scene.toml"]);
    told(
        "[vary]\nworld.wind = [[1, 0, 0]]\n",
        &["sweep.toml:2", "no key 'wind' is written there", "scene.toml"],
    );
    told("[vary]\nsimulation.substeps = [1]\n", &["sweep.toml:2", "'simulation' cannot vary"]);
    told("[vary]\nname = [\"a\"]\n", &["'name' cannot vary"]);
    told("[vary]\nbody.1.fabric.tensile = [1]\n", &["no entry 1: there are 1, from 0"]);
    told("[vary]\nbody.fabric = [{ tensile = 1 }]\n", &["copy 0 (body.fabric", "'density' is missing"]);
    let twice = "[vary]\nbody.fabric.tensile = [1]\nbody.0.fabric.tensile = [2]\n";
    told(twice, &["sweep.toml:3", "body.0.fabric.tensile is a part of body.fabric.tensile or the same"]);
    let negative = "[vary]\nworld.drag = [1]\nbody.fabric.tensile = [1000, -3]\n";
    told(negative, &["sweep.toml:3", "copy 1 (body.fabric.tensile = -3)", "scene.toml:12", "above zero"]);
    told("[vary]\nbody.rows = [3, 4]\n", &["sweep.toml:1", "copy 1 has 16 nodes and copy 0 has 12"]);
}

#[test]
fn a_value_over_several_lines_leaves_the_lines_of_others() {
    let scene = SCENE.replace("[0.0, -9.81, 0.0]", "[\n  0.0,\n  -9.81,\n  0.0,\n]");
    let text = "[vary]\nworld.gravity = [[0, -1, 0], [0, -2, 0]]\nbody.fabric.shear = [100, -1]\n";
    let sweep = Sweep::parse(&scene, "scene.toml", text, "sweep.toml").unwrap();
    let error = sweep.batch().unwrap_err().to_string();
    assert!(error.contains("sweep.toml:3: copy 1 (body.fabric.shear = -1): scene.toml:16: "), "{error}");
}
