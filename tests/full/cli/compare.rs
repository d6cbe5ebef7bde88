//! `taffeta compare`: a row for every solver, whatever becomes of it; figures, plot and picture of them.

use std::collections::BTreeSet;

use serde_json::Value;
use taffeta::chart::PALETTE;
use taffeta::compare::color;
use taffeta::settings::SolverKind;

use super::errors::refused;
use super::report::assert_well_formed;
use crate::common::program::{FABRIC, Place, sheet};

const ROPE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/classic/rope.toml");

/// A soft rope on one pin, let go from a slope: every step resolves its motion.
const SOFT_ROPE: &str = "[simulation]\nseconds = 0.1\n[[body]]\nname = \"rope\"\nshape = \"rope\"\n\
    start = [0, 0.3, 0]\nend = [0.6, -0.3, 0]\nnodes = 6\nline-density = 0.2\naxial-stiffness = 4.0\n[[body.pin]]\nend = \"start\"\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e} in {text}"))
}

fn compare(place: &Place, arguments: &str) -> Value {
    json(&place.succeed(&format!("compare {arguments} --json")).out)
}

fn rows(found: &Value) -> &Vec<Value> {
    found["rows"].as_array().unwrap()
}

/// The rows of one solver.
fn of(found: &Value, solver: SolverKind) -> Vec<&Value> {
    rows(found).iter().filter(|row| row["solver"] == solver.name()).collect()
}

fn number(row: &Value, key: &str) -> f64 {
    let value = key.split('.').fold(row, |value, part| &value[part]);
    value.as_f64().unwrap_or_else(|| panic!("{key} is no number in {row}"))
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap_or_else(|| panic!("no object: {object}")).keys().map(String::as_str).collect()
}

#[test]
fn every_solver_has_a_row_with_the_documented_keys() {
    let place = Place::with_sheet();
    let found = compare(&place, "scene.toml --plot plot.svg");
    let solvers: Vec<&str> = rows(&found).iter().map(|row| row["solver"].as_str().unwrap()).collect();
    assert_eq!(solvers, SolverKind::ALL.map(|kind| kind.name()));

    let page = include_str!("../../../docs/compare.md");
    let documented = |heading: &str| -> BTreeSet<&str> {
        let table = page.split(heading).nth(1).unwrap_or_else(|| panic!("no '{heading}'"));
        let lines =
            table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        lines.filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
    };
    assert_eq!(keys(&found), documented("### The object"));
    assert_eq!(keys(&found["converged"]), documented("### `converged`"));
    assert_eq!(keys(&found["kept"]), documented("### `kept`"));
    for row in rows(&found) {
        assert_eq!(keys(row), documented("### `rows`"));
        assert_eq!(keys(&row["drift"]), ["angular_momentum", "energy", "linear_momentum"].into());
    }

    let explicit = of(&found, SolverKind::ExplicitEuler)[0];
    assert_eq!(explicit["verdict"], "refused");
    assert!(explicit["reason"].as_str().unwrap().contains("no stable step"), "{explicit}");
    assert!(explicit["distance"].is_null() && explicit["stretch"].is_null());
    for row in rows(&found).iter().filter(|row| row["verdict"] != "refused") {
        // Twenty substeps leave xpbd's springs so soft that, as stiff as they are, they hold more energy than there is.
        let is_soft = row["solver"] == SolverKind::Xpbd.name();
        assert_eq!(row["verdict"], if is_soft { "gained-energy" } else { "stable" }, "{row}");
        assert!(number(row, "distance") > 0.0 && number(row, "frame_seconds") > 0.0, "{row}");
        assert!(number(row, "stretch.largest") >= number(row, "stretch.p99"), "{row}");
        assert!(
            (number(row, "cost") * number(&found, "frame_time") / number(row, "frame_seconds") - 1.0).abs()
                < 1e-9
        );
        assert!(is_soft || number(row, "drift.energy").abs() < 0.5, "{row}");
        assert!(row["drift"]["linear_momentum"].is_null() && row["drift"]["angular_momentum"].is_null());
    }
    assert!(found["converged"]["reference"].as_bool().unwrap());
    assert!(number(&found["converged"], "error") < 1e-5, "{}", found["converged"]);
    assert!(found["kept"]["linear_reason"].as_str().unwrap().contains("pins"), "{}", found["kept"]);

    let svg = String::from_utf8(place.read("plot.svg")).unwrap();
    assert_well_formed(&svg);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    for kind in SolverKind::ALL {
        // One in the chart of distances and one in the chart of energy.
        let lines = svg.matches(&format!("<path class=\"line c{} ", color(kind) % PALETTE.len())).count();
        let refused = of(&found, kind)[0]["verdict"] == "refused";
        assert_eq!(lines, if refused { 0 } else { 2 }, "{kind}");
    }
    assert_eq!(place.names(), ["plot.svg", "scene.toml"]);
}

#[test]
fn the_table_for_people_says_why_and_csv_has_a_line_for_each_row() {
    let place = Place::with_sheet();
    let ended = place.succeed("compare scene.toml --solvers verlet,explicit-euler");
    for part in [
        "30 nodes",
        "converged solution: verlet, f64",
        "own error",
        "energy",
        "distance",
        "stable",
        "refused",
    ] {
        assert!(ended.out.contains(part), "{part} is not in\n{}", ended.out);
    }
    assert!(
        ended.out.contains("explicit-euler refused: undamped explicit-euler has no stable step"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.contains("no drift of momentum: the scene does not keep it (pins, gravity)"),
        "{}",
        ended.out
    );
    // In the order asked for.
    assert!(
        ended.out.find("verlet  ").unwrap() < ended.out.find("explicit-euler  ").unwrap(),
        "{}",
        ended.out
    );
    assert!(
        ended.err.contains("1 of 3: the converged solution") && ended.err.contains("3 of 3: explicit-euler")
    );

    let csv = place.succeed("compare scene.toml --solvers verlet,explicit-euler --csv").out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3, "{csv}");
    assert!(
        lines[0].starts_with("solver,color,verdict,substeps,")
            && lines[1].starts_with("verlet,#009066,stable,")
    );
    assert_eq!(lines[0].split(',').count(), lines[1].split(',').count(), "{csv}");
    assert!(lines[2].ends_with('"') && lines[2].contains(",refused,"), "{csv}");
}

#[test]
fn errors_fall_with_substeps_as_the_order_of_each_method_says() {
    let place = Place::with_scene(SOFT_ROPE);
    let found = compare(&place, "scene.toml --sweep substeps=2,4,8 --iterations 20 --plot cost.svg");
    let mut lines = 0;
    for kind in SolverKind::ALL {
        let distances: Vec<f64> =
            of(&found, kind).iter().filter_map(|row| row["distance"].as_f64()).collect();
        lines += usize::from(!distances.is_empty());
        if kind.name() == "explicit-euler" {
            continue;
        }
        assert_eq!(distances.len(), 3, "{kind}");
        let orders = match kind.name() {
            // Of fourth order, and soon at the rounding of f32: `src/reference/rk4.rs` shows its order.
            "rk4" => continue,
            "verlet" => 3.2..4.8,
            _ => 1.6..2.4,
        };
        for pair in distances.windows(2) {
            assert!(orders.contains(&(pair[0] / pair[1])), "{kind}: {distances:?} m");
        }
    }
    let svg = String::from_utf8(place.read("cost.svg")).unwrap();
    assert_well_formed(&svg);
    assert_eq!(svg.matches("<path class=\"line ").count(), lines);
    for value in ["2", "4", "8"] {
        let labels = svg.matches(&format!(">{value}</text>")).count();
        assert!(labels >= lines - 1, "{labels} labels {value}");
    }
}

#[test]
fn a_solver_that_refuses_all_values_of_a_sweep_is_run_at_its_own() {
    let place = Place::with_sheet();
    let found = compare(&place, "scene.toml --solvers verlet,newton-multigrid --sweep substeps=1,2");
    let verdicts = |kind| of(&found, kind).iter().map(|row| row["verdict"].clone()).collect::<Vec<_>>();
    assert_eq!(verdicts(SolverKind::Verlet), ["refused", "refused", "stable", "stable"]);
    assert_eq!(verdicts(SolverKind::NewtonMultigrid), ["stable", "stable"]);
    let substeps: Vec<f64> =
        of(&found, SolverKind::Verlet).iter().map(|row| number(row, "substeps")).collect();
    assert_eq!((substeps[0], substeps[1], substeps[3]), (1.0, 2.0, 2.0 * substeps[2]));
    // Iterations are of implicit solvers alone.
    let found = compare(&place, "scene.toml --solvers verlet,vbd --sweep iterations=1,40");
    let iterations: Vec<&Value> = rows(&found).iter().map(|row| &row["iterations"]).collect();
    assert_eq!(iterations, [&Value::Null, &1.into(), &40.into()]);
    let distances: Vec<f64> = of(&found, SolverKind::Vbd).iter().map(|row| number(row, "distance")).collect();
    assert!(distances[1] < 0.5 * distances[0], "{distances:?}");
}

#[test]
fn the_converged_solution_follows_pins_handles_and_air() {
    let text = sheet(
        "",
        "fabric = { density = 0.2, tensile = 300, shear = 30, damping-time = 1e-4 }\n\
         [[body.handle]]\ncorner = \"bottom-left\"\nstiffness = 20\npath = [[0, 0, 0, 0], [0.1, 0.1, 0.05, 0.1]]\n",
    );
    let text =
        text.replace("edge = \"top\"\n", "edge = \"top\"\npath = [[0, 0, 0, 0], [0.05, 0, 0.02, 0.03]]\n");
    let place = Place::with_scene(&format!(
        "{text}[world]\nair = {{ density = 1.2 }}\nwind = [0, 0, 3]\ndamping = 1\n"
    ));
    // With dashpots and air both are of first order: they would not come closer to a solution without these forces.
    let found = compare(&place, "scene.toml --solvers verlet,symplectic-euler --sweep substeps=12,24,48");
    for kind in [SolverKind::Verlet, SolverKind::SymplecticEuler] {
        let distances: Vec<f64> = of(&found, kind).iter().map(|row| number(row, "distance")).collect();
        for pair in distances.windows(2) {
            assert!((1.8..2.3).contains(&(pair[0] / pair[1])), "{kind}: {distances:?} m");
        }
        assert!(
            distances[2] < 6e-4 && of(&found, kind)[0]["drift"]["energy"].is_null(),
            "{kind}: {distances:?} m"
        );
    }
    let why = found["kept"]["energy_reason"].as_str().unwrap();
    for part in ["damping", "air", "moving pins", "handles", "dashpots"] {
        assert!(why.contains(part), "{part} is not in {why}");
    }
}

#[test]
fn without_an_affordable_reference_the_finest_run_on_the_gpu_is_converged_and_says_so() {
    // f64 Verlet would need more substeps than a frame may have.
    let stiff = SOFT_ROPE.replace("seconds = 0.1", "seconds = 5\nframe-time = 5.0").replace("= 4.0", "= 1e7");
    let found = compare(
        &Place::with_scene(&stiff),
        "scene.toml --solvers newton-multigrid,verlet --sweep substeps=1,4",
    );
    let converged = &found["converged"];
    assert_eq!((&converged["reference"], &converged["method"]), (&false.into(), &"newton-multigrid".into()));
    // Four times the finest run that it is compared with.
    assert_eq!(converged["substeps"], 16);
    assert!(number(converged, "error") > 0.0);
    assert_eq!(of(&found, SolverKind::NewtonMultigrid).len(), 2);
    assert!(rows(&found).iter().all(|row| (row["solver"] == "verlet") == (row["verdict"] == "refused")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_comparison_after_the_frame() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    use crate::common::program::interrupt;

    let place = Place::with_sheet();
    let mut command = place.command("compare scene.toml --seconds 1e6 --plot a.svg --json");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains(": the converged solution")));
    interrupt(&child);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.iter().any(|line| line.contains("interrupted")), "{rest:?}");
    let found = json(&out);
    assert_eq!(
        (&found["complete"], &found["converged"], rows(&found).len()),
        (&false.into(), &Value::Null, 0)
    );
    assert_eq!(place.names(), ["scene.toml"]);
}

#[test]
fn what_a_free_body_keeps_is_measured() {
    let free = SOFT_ROPE.split("[[body.pin]]").next().unwrap();
    let place = Place::with_scene(
        &free.replace("[[body]]", "[world]\ngravity = [0, 0, 0]\n[[body]]\nvelocity = [1, 0, 0]"),
    );
    let found = compare(&place, "scene.toml --solvers verlet,vbd");
    for row in rows(&found) {
        // It moves along as a whole: nothing turns and nothing stretches.
        assert!(number(row, "drift.linear_momentum") < 1e-5, "{row}");
        assert!(number(row, "drift.angular_momentum") < 1e-5, "{row}");
        assert!(number(row, "drift.energy").abs() < 1e-4, "{row}");
    }
    // Gravity changes the momentum of a body and not how it turns.
    let found = compare(&Place::with_scene(free), "scene.toml --solvers verlet");
    assert!(found["kept"]["linear_reason"].as_str().unwrap().contains("gravity"));
    assert!(number(&rows(&found)[0], "drift.angular_momentum") < 1e-5);
    // Implicit Euler loses of a fall what its step leaves out: 1 / n of the energy after n steps.
    let found = compare(&Place::with_scene(free), "scene.toml --solvers newton-multigrid --substeps 2");
    let lost = number(&rows(&found)[0], "drift.energy");
    assert!((lost + 1.0 / 12.0).abs() < 0.01, "{lost}");
}

/// Pixels of a part of the picture that have the hue of a color.
fn pixels_like(color: [u8; 3], image: &[u8], width: usize, part: [std::ops::Range<usize>; 2]) -> usize {
    let hue = |c: [f64; 3]| {
        let mean = (c[0] + c[1] + c[2]) / 3.0;
        let off = c.map(|c| c - mean);
        (off, off.iter().map(|c| c * c).sum::<f64>().sqrt())
    };
    let (wanted, size) = hue(color.map(f64::from));
    let [columns, lines] = part;
    let alike = |(x, y): (usize, usize)| {
        let at = 3 * (y * width + x);
        let (found, length) = hue([image[at], image[at + 1], image[at + 2]].map(f64::from));
        let product: f64 = wanted.iter().zip(found).map(|(a, b)| a * b).sum();
        length > 30.0 && product > 0.95 * size * length
    };
    lines.flat_map(|y| columns.clone().map(move |x| (x, y))).filter(|at| alike(*at)).count()
}

#[test]
fn explicit_euler_blows_up_where_verlet_swings() {
    let place = Place::with_scene("");
    let solvers = [SolverKind::ExplicitEuler, SolverKind::SymplecticEuler, SolverKind::Verlet];
    let names = solvers.map(|kind| kind.name()).join(",");
    let found =
        compare(&place, &format!("{ROPE} --solvers {names} --image rope.png --at 0.45 --size 640x360"));
    let [euler, symplectic, verlet] = [0, 1, 2].map(|i| &rows(&found)[i]);
    assert!(euler["substeps"] == verlet["substeps"] && euler["step"] == symplectic["step"]);
    assert_eq!(euler["verdict"], "broke-down");
    assert!(euler["reason"].as_str().unwrap().contains("times its rest length"), "{euler}");
    assert!((0.4..0.7).contains(&number(euler, "reached")), "{euler}");
    assert!(number(euler, "drift.energy") > 100.0, "{euler}");
    for (row, drift, distance) in [(symplectic, 2e-3, 5e-4), (verlet, 5e-5, 1e-4)] {
        assert_eq!(row["verdict"], "stable");
        assert!(number(row, "drift.energy").abs() < drift && number(row, "distance") < distance, "{row}");
    }

    let bytes = place.read("rope.png");
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    let mut image = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut image).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (640, 360, png::ColorType::Rgb));
    for (index, kind) in solvers.into_iter().enumerate() {
        // Above the caption.
        let columns = index * 640 / 3..(index + 1) * 640 / 3;
        let own = pixels_like(PALETTE[color(kind)], &image, 640, [columns.clone(), 0..280]);
        assert!(own > 60, "{kind}: {own} pixels");
        let other = PALETTE[color(solvers[(index + 1) % 3])];
        assert_eq!(pixels_like(other, &image, 640, [columns, 0..280]), 0, "{kind}");
    }
    assert_eq!(place.names(), ["rope.png", "scene.toml"]);
}

#[test]
fn mistakes_are_found_before_any_work() {
    let place = Place::with_scene(&sheet("", FABRIC));
    for (arguments, parts) in [
        ("--solvers euler", &["'euler' for '--solvers", "explicit-euler, symplectic-euler, verlet"][..]),
        ("--solvers verlet,", &["a value is required for '--solvers", "explicit-euler"]),
        ("--solvers", &["--solvers"]),
        ("--solvers verlet,vbd,verlet", &["--solvers: verlet is given twice"]),
        ("--sweep substeps=0", &["'substeps=0' for '--sweep", "a whole number from 1 to 100000"]),
        ("--sweep iterations=abc", &["'iterations=abc' for '--sweep", "'abc' for iterations"]),
        ("--sweep substeps", &["for '--sweep", "substeps=1,2,4,8"]),
        ("--sweep steps=1,2", &["no key 'steps'"]),
        ("--sweep substeps=2,2", &["2 is given twice"]),
        ("--sweep substeps=1,2 --substeps 3", &["--sweep substeps=1,2: --substeps sets the same"]),
        ("--seconds 0", &["'0' for '--seconds", "above 0"]),
        ("--seconds 1 --image a.png --at 2", &["--at 2: the runs end at 1 s"]),
        ("--at 1", &["--image"]),
        ("--size 640x480", &["--image"]),
        ("--image a.jpg", &["--image a.jpg: a picture is written as .png"]),
        ("--plot a.png", &["--plot a.png: a plot is written as .svg"]),
        ("--plot no/a.svg", &["--plot no/a.svg: the directory 'no' does not exist"]),
        ("--image no/a.png", &["--image no/a.png: the directory 'no' does not exist"]),
        ("--json --csv", &["'--json' cannot be used with '--csv'"]),
        ("--form grid --substeps none", &["'none' for '--substeps"]),
    ] {
        refused(&place, &format!("compare scene.toml {arguments}"), parts);
    }
    refused(&place, "compare", &["<SCENE>"]);
    refused(&place, "compare none.toml --plot a.svg", &["none.toml: it cannot be read"]);
}
