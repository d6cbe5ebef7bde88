use super::*;
use crate::method::Convergence;
use crate::scene::{Scene, Sweep};

const CLOTH: &str = "[[body]]\nshape = \"cloth\"\ncorner = [0, 1, 0]\nu = [1, 0, 0]\nv = [0, 0, 1]\ncolumns = 41\n\
                     rows = 41\nfabric = { density = 0.2, tensile = 500, shear = 50 }\n";

fn warnings(text: &str) -> Vec<Warning> {
    let scene = Scene::parse(text, "test.toml").unwrap_or_else(|e| panic!("{e}"));
    // Where there are no settings to mend, a model says the same by itself.
    assert_eq!(of(&scene.model, &scene.settings).len(), scene.warnings.len());
    scene.warnings
}

/// The only one, of this body and key.
fn only(text: &str, body: &str, key: &str) -> String {
    let mut found = warnings(text);
    assert_eq!(found.len(), 1, "{found:?}");
    let Warning { body: of, key: found_key, text } = found.remove(0);
    assert_eq!((of.as_deref(), found_key), (Some(body), key), "{text}");
    text
}

#[test]
fn sizes_name_the_key_of_the_shape() {
    let rope = "[[body]]\nshape = \"rope\"\nstart = [0, 0, 0]\nend = [0, 30, 0]\nnodes = 3\nnode-mass = 1\nstructural = 1";
    assert!(only(rope, "rope", "end").contains("it is 0 x 30 x 0 m, larger than 20 m"));
    let cloth =
        CLOTH.replace("u = [1, 0, 0]", "u = [5e-4, 0, 0]").replace("v = [0, 0, 1]", "v = [0, 0, 5e-4]");
    assert!(only(&cloth, "cloth", "u").contains("smaller than 1 mm"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.obj"), "v 0 0 0\nv 10 0 0\nv 0 65 0\nf 1 2 3\n").unwrap();
    let mesh = |scale| {
        let fabric = "fabric = { density = 0.2, tensile = 100 }";
        let text = format!("[[body]]\nshape = \"mesh\"\nfile = \"m.obj\"\nscale = {scale}\n{fabric}");
        Scene::parse(&text, folder.path().join("s.toml")).unwrap().warnings
    };
    let [ref warning] = mesh(1.0)[..] else { panic!("{:?}", mesh(1.0)) };
    assert_eq!(warning.key, "scale");
    assert!(warning.text.ends_with("centimeters: scale = 0.01 makes it 0.65 m"), "{warning}");
    assert_eq!(mesh(0.01), []);
}

#[test]
fn the_thickness_that_is_asked_for_is_enough() {
    let collider = |shape: &str| format!("[[collider]]\n{shape}\n{CLOTH}");
    // Cells of 25 mm, half their diagonal 17.7 mm.
    let cuboid = "shape = \"box\"\ncenter = [0, 0, 0]\nsize = [1, 1, 1]";
    let told = only(&collider(cuboid), "cloth", "thickness");
    assert!(
        told.contains("sides of up to 0.0354 m")
            && told.contains("thickness = 0.015 in [[collider]] number 1"),
        "{told}"
    );
    assert_eq!(warnings(&collider(&format!("{cuboid}\nthickness = 0.015"))), []);
    let small = "shape = \"sphere\"\ncenter = [0, 0, 0]\nradius = 0.02";
    assert!(only(&collider(small), "cloth", "thickness").contains("thickness = 0.0067 in"));
    let rod = "shape = \"capsule\"\nstart = [0, 0, 0]\nend = [0, 0, 1]\nradius = 0.02";
    let two = format!("[[collider]]\n{rod}\n[[collider]]\n{small}\nthickness = 0.0067\n{}", collider(small));
    assert!(only(&two, "cloth", "thickness").contains("thickness = 0.0067 in [[collider]] number 1, 3;"));
    // What is flat or large has nothing to come through.
    assert_eq!(warnings(&collider("shape = \"plane\"")), []);
    assert_eq!(warnings(&collider(&small.replace("0.02", "0.3"))), []);
}

#[test]
fn bodies_on_a_single_node_are_told() {
    let rope = |name: &str, x: f32| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = \"rope\"\nstart = [{x}, 2, 0]\nend = [{x}, 1, 0]\nnodes = 9\n\
             node-mass = 1\nstructural = 100\n"
        )
    };
    let pin = "[[body.pin]]\nend = \"start\"\n";
    let attach = |name: &str| {
        format!("[[attach]]\nbody = \"{name}\"\nend = \"end\"\nto = \"cloth\"\nstiffness = 100\n")
    };
    let (a, b) = (rope("a", 0.0), rope("b", 1.0));
    let hung = format!("{a}{pin}{CLOTH}{}", attach("a"));
    let told = only(&hung, "cloth", "patch");
    assert!(told.starts_with("'a' holds it by a single node. "), "{told}");
    // What it says mends it.
    let (_, mend) = told.split_once("instead: ").unwrap();
    let mended = format!(
        "{a}{pin}{CLOTH}[[attach]]\nstiffness = 100\n{}\n",
        mend.replace(", patch", "\npatch").replace(", nearest", "\nnearest").replace(", to", "\nto")
    );
    assert_eq!(warnings(&mended), [], "{mended}");
    let two = format!("{a}{pin}{b}{pin}{CLOTH}{}{}", attach("a"), attach("b"));
    assert!(only(&two, "cloth", "patch").starts_with("'a' and 'b' hold it by a single node each. "));
    let tassel = format!("{hung}{b}{}", attach("b"));
    assert!(only(&tassel, "cloth", "patch").starts_with("'a' holds it by a single node. "));
    // A tassel does not hold the cloth, nor does what is held by nothing; a rope ends in one node anyway.
    let top = "[[body.pin]]\nedge = \"top\"\n";
    let taut = format!("{CLOTH}{top}{a}{pin}{}", attach("a"));
    for text in [taut, format!("{CLOTH}{top}{a}{}", attach("a")), format!("{CLOTH}{a}{}", attach("a"))] {
        assert_eq!(warnings(&text), [], "{text}");
    }
    let tassel = mended.replace(CLOTH, &format!("{b}{CLOTH}")) + &attach("b");
    assert_eq!(warnings(&tassel), [], "{tassel}");
}

#[test]
fn meshes_too_stiff_for_the_step_are_told_how_many_substeps_are_enough() {
    let disc = |tensile: &str, substeps: u32| {
        format!(
            "[simulation]\nsubsteps = {substeps}\n[[body]]\nshape = \"disc\"\ncenter = [0, 0, 0]\nradius = 0.15\n\
             spacing = 0.01\nfabric = {{ density = 0.2, tensile = {tensile} }}"
        )
    };
    let told = |tensile, substeps| {
        let scene = Scene::parse(&disc(tensile, substeps), "test.toml").unwrap_or_else(|e| panic!("{e}"));
        of(&scene.model, &scene.settings)
    };
    assert_eq!(told("1e3", 1), []);
    let [ref warning] = told("1e6", 1)[..] else { panic!("{:?}", told("1e6", 1)) };
    assert_eq!((warning.body.as_deref(), warning.key), (Some("disc"), "substeps"));
    let enough = warning.text.split("substeps = ").nth(1).and_then(|text| text.split(',').next()).unwrap();
    let enough: u32 = enough.parse().unwrap();
    assert!((5..50).contains(&enough), "{warning}");
    assert_eq!(told("1e6", enough), []);
    assert_eq!(told("1e6", enough - 1).len(), 1);
}

#[test]
fn a_batch_tells_what_its_copies_do() {
    let sweep = "[vary]\nbody.u = [[1, 0, 0], [30, 0, 0], [40, 0, 0]]\n\
                 body.v = [[0, 0, 1], [0, 0, 30], [0, 0, 40]]\n";
    let batch = Sweep::parse(CLOTH, "s.toml", sweep, "w.toml").unwrap().batch().unwrap();
    let [ref warning] = batch.warnings[..] else { panic!("{:?}", batch.warnings) };
    assert!(warning.text.contains("it is 30 x 0 x 30 m"), "{warning}");
    assert!(warning.text.ends_with(" (so in copy 1; 2 of 3 copies are warned of it)"), "{warning}");
}

#[test]
fn copies_are_warned_once() {
    let warning =
        |body: &str, text: &str| Warning { body: Some(body.into()), key: "scale", text: text.into() };
    let [a, b] = ["a", "b"].map(|body| warning(body, "large"));
    let merged = merge(vec![vec![a.clone()], vec![a.clone(), b], vec![a.clone()]]);
    let told = " (so in copy 1; 1 of 3 copies are warned of it)";
    assert_eq!(merged, [a.clone(), warning("b", &format!("large{told}"))]);
    // Alike in all, but not the same.
    let merged = merge(vec![vec![a], vec![warning("a", "larger")]]);
    assert_eq!(merged, [warning("a", "large (so in copy 0; 2 of 2 copies are warned of it)")]);
}

#[test]
fn numbers_have_three_digits() {
    let found = [65.04, 0.8, 0.000_432_1, 1234.5, 0.0, 20.0, 0.01].map(digits);
    assert_eq!(found, ["65", "0.8", "0.000432", "1234", "0", "20", "0.01"]);
}

/// What is told of contact after substeps of `step` \[s\] in which the part `held` of the nodes was held back.
fn told(model: &Model, settings: &Settings, step: f64, held: f64) -> Vec<Warning> {
    contact(model, settings, &Stability::of(model, settings), step, held, true)
}

#[test]
fn contact_says_what_a_solver_does_not_have() {
    let after = |step: f64, solver: &str, more: &str| {
        let text = format!("[simulation]\nsolver = \"{solver}\"\n{more}\n{CLOTH}");
        let scene = Scene::parse(&text, "test.toml").unwrap_or_else(|e| panic!("{e}"));
        told(&scene.model, &scene.settings, step, 0.01)
    };
    let of = |solver: &str, more: &str| after(1.0 / 60.0, solver, more);
    for solver in ["newton-multigrid", "implicit-euler", "soft-constraint"] {
        assert_eq!(of(solver, ""), [], "{solver}");
    }
    // Springs are 4,489 times stiffer. Weighted sweeps take 2.5 times the root of that, plain ones or those from y twice as many; ten steps of conjugate gradients
    // each a twentieth.
    for (more, is_told) in [
        ("", true),
        ("iterations = 160", true),
        ("iterations = 170", false),
        ("iterations = 17\nsweeps = 10", false),
        ("chebyshev = \"off\"\niterations = 8800", true),
        ("start = \"inertial\"\niterations = 8800", true),
        ("start = \"inertial\"\niterations = 9200", false),
        ("start = \"inertial\"\niterations = 920\nsweeps = 10", false),
        ("linear-solver = \"conjugate-gradients\"\niterations = 220", true),
        ("linear-solver = \"conjugate-gradients\"\niterations = 230", false),
        ("linear-solver = \"conjugate-gradients\"\niterations = 230\nsweeps = 5", true),
    ] {
        assert_eq!(of("local-global", more).len(), usize::from(is_told), "{more}");
    }
    let [ref warning] = of("local-global", "start = \"inertial\"\niterations = 230")[..] else { panic!() };
    let mend = "substeps or iterations, leave start and chebyshev open, with which about 168 are enough, \
                linear-solver = \"conjugate-gradients\", or another solver: \"explicit-euler\"";
    assert!(warning.text.contains(mend), "{warning}");
    let [ref warning] = of("local-global", "")[..] else { panic!() };
    assert!(!warning.text.contains("open") && !warning.text.contains("linear-solver"), "{warning}");
    // Gauss-Seidel sweeps as many as that, Jacobi's twice as many.
    for (linear_solver, iterations, is_told) in [
        ("gauss-seidel", 4400, true),
        ("gauss-seidel", 4600, false),
        ("jacobi", 8800, true),
        ("jacobi", 9200, false),
    ] {
        let more = format!("linear-solver = \"{linear_solver}\"\niterations = {iterations}");
        let found = of("implicit-euler", &more);
        assert_eq!(found.len(), usize::from(is_told), "{found:?}");
        let named = format!("implicit-euler with {linear_solver} only with about");
        // Half as many sweeps of Gauss-Seidel are enough.
        let other = if linear_solver == "jacobi" { "linear-solver = \"gauss-seidel\", " } else { "" };
        let mend = format!(
            "substeps or iterations, linear-solver = \"conjugate-gradients\", {other}or another solver: \"explicit-euler\""
        );
        assert!(found.iter().all(|w| w.text.contains(&named) && w.text.contains(&mend)), "{found:?}");
    }
    assert_eq!(of("xpbd", "contact = false"), []);
    let [ref warning] = of("xpbd", "")[..] else { panic!() };
    assert!(warning.text.contains("may knot"), "{warning}");
    assert_eq!(of("xpbd", "linear-solver = \"gauss-seidel\""), []);
    // h^2 sum k / m is 4,500 with one substep a frame, and an eighth as many iterations are enough.
    let [ref warning] = of("vbd", "")[..] else { panic!() };
    assert!(warning.text.contains("cloth slides too far, or not far enough"), "{warning}");
    assert!(!of("vbd", "iterations = 550").is_empty());
    assert_eq!(after(1.0 / 240.0, "vbd", ""), []);
    assert_eq!(of("vbd", "iterations = 570"), []);
}

#[test]
fn a_guard_that_holds_back_much_is_told() {
    let text = format!("[simulation]\n{CLOTH}");
    let scene = Scene::parse(&text, "test.toml").unwrap();
    let of = |held| told(&scene.model, &scene.settings, 0.01, held);
    assert_eq!(of(0.049), []);
    let [ref warning] = of(0.051)[..] else { panic!() };
    assert!(warning.text.contains("held back 5 % of the nodes"), "{warning}");
}

#[test]
fn bodies_that_colliders_throw_out_are_told() {
    let plane =
        |y: f32, more: &str| format!("{CLOTH}[[collider]]\nshape = \"plane\"\npoint = [0, {y}, 0]\n{more}");
    let scene = |text: &str, solver: &str| {
        let scene = Scene::parse(&format!("[simulation]\nsolver = \"{solver}\"\n{text}"), "test.toml");
        let scene = scene.unwrap_or_else(|e| panic!("{e}"));
        method(&scene.model, &scene.settings)
    };
    // The cloth is at 1 m. A spring of 1e6 /s^2 and a dashpot of 2e3 /s over a step of 1/180 s: .1 m * 5.56e3 / (1 + 30.9 + 11.1).
    let [ref warning] = scene(&plane(1.098, ""), "newton-multigrid")[..] else { panic!() };
    let says = "body 'cloth': it starts 100 mm deep in [[collider]] number 1 (its thickness of 2 mm included), and is thrown out \
                at about 12.9 m/s with steps of 0.00556 s. Start it outside";
    assert_eq!(warning.to_string(), says);
    // In short steps it leaves where k d = c v, which for critical damping is after 1 / omega: at omega d / e.
    let text = plane(1.0, "");
    let short = format!("[simulation]\nsubsteps = 1000\n{text}");
    let short = Scene::parse(&short, "test.toml").unwrap();
    let [ref warning] = method(&short.model, &short.settings)[..] else { panic!() };
    assert!(warning.text.contains("thrown out at about 0.7"), "{warning}");
    // sqrt(1e6) /s times 2 mm.
    let [ref warning] = scene(&plane(1.0, ""), "symplectic-euler")[..] else { panic!() };
    assert!(warning.text.contains("thrown out at about 2 m/s with steps"), "{warning}");
    assert_eq!(scene(&plane(1.0, ""), "newton-multigrid"), []);
    assert_eq!(scene(&plane(0.9, ""), "symplectic-euler"), []);
    let [ref warning] = scene(&plane(1.098, "thickness = 0.0"), "vbd")[..] else { panic!() };
    assert!(warning.text.contains("98 mm deep in [[collider]] number 1, and"), "{warning}");
    let all = "[[body.pin]]\nbox = { min = [-9, -9, -9], max = [9, 9, 9] }\n[[collider]]";
    assert_eq!(scene(&plane(1.098, "").replace("[[collider]]", all), "newton-multigrid"), []);
}

#[test]
fn bodies_that_start_within_their_thickness_are_told() {
    let two = |gap: &str, rest: &str| {
        let first = CLOTH.replace("shape =", "name = \"low\"\nshape =");
        let second = first.replace("low", "high").replace("[0, 1, 0]", &format!("[0.1, {gap}, 0.1]"));
        let scene = Scene::parse(&format!("{first}{second}{rest}"), "test.toml").unwrap();
        method(&scene.model, &scene.settings)
    };
    // Half of 25 mm, the median edge.
    let [ref warning] = two("1.002", "")[..] else { panic!("{:?}", two("1.002", "")) };
    assert_eq!(warning.key, "thickness");
    let says = "body 'low': it starts 2 mm from 'high', within their thickness of 12.5 mm: contact throws";
    assert!(warning.to_string().starts_with(says), "{warning}");
    let [ref warning] = two("1", "")[..] else { panic!() };
    let says = "body 'low': it starts at the same place as 'high', at least in part: what touches there has no force";
    assert!(warning.to_string().starts_with(says), "{warning}");
    assert_eq!(two("1.0126", ""), []);
    assert_eq!(two("1.011", "thickness = 1e-2\n"), [], "the mean of both");
    assert_eq!(two("1.002", "contact = false\n"), []);
    let sewn =
        "[[attach]]\nbody = \"low\"\nnearest = [0.5, 1, 0.5]\npatch = 0.1\nto = \"high\"\nstiffness = 10\n";
    assert_eq!(two("1.002", sewn), []);
}

#[test]
fn keys_of_a_surface_are_for_bodies_with_one() {
    let rope = "[[body]]\nshape = \"rope\"\nstart = [0, 0, 0]\nend = [0, 1, 0]\nnodes = 9\nnode-mass = 1\nstructural = 1\n";
    assert!(
        only(&format!("{rope}friction = 0.5"), "rope", "friction").contains("that of [[collider]] counts")
    );
    only(&format!("{rope}thickness = 0.01"), "rope", "thickness");
    assert_eq!(warnings(&format!("{rope}{CLOTH}friction = 0.5\nthickness = 0.01")), []);
}

#[test]
fn what_a_run_has_come_to_is_told() {
    let settings = Settings::default();
    assert_eq!(torn(0.99, 1.0, None), None);
    let told = torn(2.5, 0.1, None).unwrap().text;
    assert!(
        told.starts_with("springs were stretched to 3.5 times their rest length in the frame to 0.1000 s:"),
        "{told}"
    );
    let one = Convergence { mean: 0.11, largest: 16.97, looks: 476, over: 3, ..Convergence::default() };
    assert_eq!(unconverged(&settings, &[Convergence { mean: 0.04, ..one }], 1), None);
    let told = unconverged(&settings, &[one], 1).unwrap().text;
    assert!(told.contains("on average (3 of 476 that were looked at, by 1697 % at most)"), "{told}");
    assert!(told.ends_with("iterations = \"auto\" goes on while it is so, for 40 at most"), "{told}");
    assert_eq!(unconverged(&settings, &[Convergence { looks: 0, ..one }], 1), None);
    assert!(rubbery(&settings, 0.21).is_some() && rubbery(&settings, 0.19).is_none());
}
