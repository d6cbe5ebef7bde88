//! Text in scenes: runs with several solvers, selections by glyph, errors.

use crate::common::gpu;
use taffeta::Simulation;
use taffeta::scene::Scene;

/// A scene with a text whose keys besides these are given; they start in line 6.
fn scene(solver: &str, lines: &str) -> String {
    format!("[simulation]\nsolver = \"{solver}\"\n[[body]]\nshape = \"text\"\nsize = 0.2\n{lines}\n")
}

const FABRIC: &str = "fabric = { density = 0.2, tensile = 50.0, bending = 1e-6 }";
const SOLID: &str = "solid = { density = 1000.0, young = 1e4 }";

fn parse(lines: &str) -> Scene {
    Scene::parse(&scene("newton-multigrid", lines), "folder/s.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn refused(lines: &str, parts: &[&str]) {
    let message = match Scene::parse(&scene("newton-multigrid", lines), "folder/s.toml") {
        Ok(_) => panic!("accepted:\n{lines}"),
        Err(error) => error.to_string(),
    };
    for part in parts {
        assert!(message.contains(part), "'{part}' is not in:\n{message}\nof:\n{lines}");
    }
}

/// Nodes that are pinned.
fn pinned(scene: &Scene) -> Vec<usize> {
    (0..scene.model.node_count()).filter(|&i| scene.model.pinned()[i]).collect()
}

#[test]
fn a_word_moves_and_stays_finite_with_every_kind_of_solver() {
    let gpu = gpu();
    for solver in ["newton-multigrid", "local-global", "symplectic-euler"] {
        for form in [format!("nodes = 150\n{FABRIC}"), format!("spacing = 0.02\nthickness = 0.03\n{SOLID}")] {
            let lines = format!("text = \"wig\"\nislands = \"line\"\n{form}\n[[body.pin]]\nglyph = 0\n");
            let handle =
                "[[body.handle]]\nglyph = 2\nstiffness = 0.1\npath = [[0, 0, 0, 0], [0.1, 0.02, 0, 0]]\n";
            let scene = Scene::parse(&self::scene(solver, &format!("{lines}{handle}")), "s.toml").unwrap();
            let mut simulation = Simulation::new(&gpu, &scene.model, &scene.settings).unwrap();
            (0..6).for_each(|_| simulation.step().unwrap());
            simulation.largest_stretch().unwrap();
            let (state, start) = (simulation.state().unwrap(), scene.model.initial_state());
            let moved = |i: &usize| state.position[*i].distance(start.position[*i]);
            assert!(state.position.iter().all(|p| p.is_finite()), "{solver} {form}");
            let held = pinned(&scene);
            assert!(!held.is_empty() && held.iter().all(|i| moved(i) == 0.0), "{solver} {form}");
            let furthest = (0..state.position.len()).map(|i| moved(&i)).fold(0.0, f32::max);
            assert!((1e-3..1.0).contains(&furthest), "{solver} {form}: {furthest} m");
        }
    }
}

#[test]
fn glyphs_are_selected_alone_and_with_other_keys() {
    let lines =
        |text: &str, pin: &str| format!("text = {text}\nspacing = 0.02\n{FABRIC}\n[[body.pin]]\n{pin}\n");
    let of = |pin: &str| pinned(&parse(&lines("\"a b\\nc\"", pin)));
    let all = parse(&lines("\"a b\\nc\"", "glyph = 0")).model.node_count();
    let [a, b, c] = [of("glyph = 0"), of("glyph = 2"), of("glyph = [4]")];
    assert_eq!((a[0], b[0], c[0], c[c.len() - 1] + 1), (0, a.len(), a.len() + b.len(), all));
    assert_eq!(of("glyph = [4, 0, 4]"), [a.clone(), c.clone()].concat());
    let half = of("glyph = [0, 2]\nbox = { min = [-1, -1, -1], max = [1, 0.05, 1] }");
    assert!(
        half.len() < a.len() + b.len()
            && half.iter().all(|n| *n < a.len() + b.len())
            && half.contains(&b[0]) | half.iter().any(|n| b.contains(n))
    );
    // The nearest of its own nodes, though others are nearer; a patch of it ends where the glyph does.
    let top = of("glyph = 4\nnearest = [0, 1, 0]");
    assert!(top.len() == 1 && c.contains(&top[0]), "{top:?}");
    assert_eq!(of("glyph = 4\nnearest = [0, 1, 0]\npatch = 9"), c);
    assert_eq!(of("glyph = 2\nsphere = { center = [0, 0, 0], radius = 9 }"), b);
    // All layers of a volume.
    let thick = "text = \"ab\"\nspacing = 0.02\nthickness = 0.04\n";
    let volume = parse(&format!("{thick}{SOLID}\n[[body.pin]]\nglyph = 1"));
    let held = pinned(&volume);
    let depths = held.iter().map(|&n| (1e4 * volume.model.rest_position()[n].z).round() as i32);
    let depths: std::collections::BTreeSet<i32> = depths.collect();
    assert_eq!(depths.into_iter().collect::<Vec<_>>(), [-200, 0, 200]);
}

#[test]
fn the_summary_counts_triangles_at_sharp_corners() {
    let scene = parse(&format!("text = \"g\"\nspacing = 0.01\n{FABRIC}"));
    let line = "mm, smallest angle 2";
    assert!(scene.summary.contains(line), "{}", scene.summary);
    assert!(scene.summary.contains("0 triangles at sharp corners below 15 degrees"), "{}", scene.summary);
}

#[test]
fn wrong_texts_are_refused() {
    let good = format!("spacing = 0.02\n{FABRIC}");
    let text = |text: &str, parts: &[&str]| refused(&format!("text = {text}\n{good}"), parts);
    text("\"\"", &["s.toml:6: [[body]] number 1: text = \"\": it must have at least one letter"]);
    text("\"  \\n\"", &["s.toml:6", "at least one letter"]);
    text("\"a\\tb\"", &["s.toml:6", "character 1 is the control character U+0009", "line breaks"]);
    text("\"aπ\"", &["s.toml:6", "'π' (U+03C0)", "choose another font"]);
    text("3", &["s.toml:6", "must be text in quotes"]);
    let a = |lines: &str, parts: &[&str]| refused(&format!("text = \"a\"\n{lines}"), parts);
    a(FABRIC, &["one of spacing, nodes is needed"]);
    a(&format!("nodes = 9\n{good}"), &["exclude each other"]);
    a(
        &format!("spacing = -1\n{FABRIC}"),
        &["s.toml:7", "spacing = -1: it must be a finite number above zero"],
    );
    a(&format!("spacing = 1\n{FABRIC}"), &["s.toml:7", "at most the size of the text"]);
    a(&format!("nodes = 10\n{FABRIC}"), &["s.toml:7", "too few for this text"]);
    a(&format!("align = \"middle\"\n{good}"), &["must be one of \"left\", \"center\", \"right\""]);
    a(&format!("islands = \"fre\"\n{good}"), &["did you mean \"free\"?"]);
    a(&format!("thickness = 0.02\n{good}"), &["s.toml:9", "fabric: a text with a thickness is a solid"]);
    a(&format!("spacing = 0.02\n{SOLID}"), &["s.toml:8", "solid: a text without a thickness is a sheet"]);
    a(&format!("thickness = 0.004\nspacing = 0.02\n{SOLID}"), &["s.toml:7", "at least half its spacing"]);
    a(&format!("font = \"no.ttf\"\n{good}"), &["s.toml:7", "folder/no.ttf': it cannot be read"]);
    a(&format!("{good}\n[[body.pin]]\nglyph = 1"), &["s.toml:10", "characters 0 to 0"]);
    a(&format!("{good}\n[[body.pin]]\nglyph = []"), &["at least one character"]);
    a(&format!("{good}\n[[body.pin]]\nglyph = -1"), &["a whole number from 0 to 0"]);
    a(&format!("{good}\n[[body.pin]]\npatch = 1"), &["one of nodes, corner"]);
    refused(&format!("text = \"a b\"\n{good}\n[[body.pin]]\nglyph = 1"), &["is a space or line break"]);
    let rope = "[[body]]\nshape = \"rope\"\nstart = [0, 0, 0]\nend = [1, 0, 0]\nnodes = 3\nnode-mass = 1\nstructural = 1\n";
    let pin = format!("{rope}[[body.pin]]\nglyph = 0");
    let message = Scene::parse(&pin, "s.toml").unwrap_err().to_string();
    assert!(message.contains("glyph = 0: only a body of shape \"text\" has it"), "{message}");
}

#[test]
fn fonts_are_read_beside_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("scene.toml");
    let lines = format!("text = \"a\"\nfont = \"mine.ttf\"\nspacing = 0.02\n{FABRIC}");
    let read = || Scene::parse(&scene("newton-multigrid", &lines), &at);
    let font = include_bytes!("../../fonts/NotoSerif-SemiBold-Latin1.ttf");
    std::fs::write(folder.path().join("mine.ttf"), font).unwrap();
    let plain = parse(&format!("text = \"a\"\nspacing = 0.02\n{FABRIC}"));
    assert_eq!(read().unwrap().model.rest_position(), plain.model.rest_position());
    std::fs::write(folder.path().join("mine.ttf"), "no font").unwrap();
    let message = read().unwrap_err().to_string();
    assert!(
        message.contains("scene.toml:7") && message.contains("sound TrueType or OpenType font"),
        "{message}"
    );
}
