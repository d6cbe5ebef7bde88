//! Batches: what they write, copies that break down, wrong sweeps.

use serde_json::Value;

use crate::common::program::{FABRIC, Place, sheet};

const SWEEP: &str = "\
copies = 6
seed = 3
[vary]
body.fabric.tensile = { min = 500, max = 2000, distribution = \"log\" }
body.velocity = { from = [0, 0, -1], to = [0, 0, 1] }
world.gravity = [[0, -9.81, 0], [0, -1.62, 0]]
[jitter]
position = 1e-3
";

fn place() -> Place {
    // Weights of its own would give each copy alone other bits than the batch, which shares them.
    let simulation = "solver = \"local-global\"\nchebyshev = 0.99";
    let scene = sheet(simulation, &format!("{FABRIC}\nvelocity = [0, 0, 0]"));
    let place = Place::with_scene(&format!("[world]\ngravity = [0, -9.81, 0]\n{scene}"));
    place.write("sweep.toml", SWEEP);
    place
}

/// The shape in an .npy file's header, and the numbers behind it.
fn array(bytes: &[u8]) -> (String, &[u8]) {
    let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..end]).unwrap();
    let shape = header.split_once("'shape': ").unwrap().1.split_once(", }").unwrap().0;
    (shape.to_owned(), &bytes[end..])
}

#[test]
fn a_batch_writes_all_copies_and_a_table() {
    let place = place();
    let arguments = "run scene.toml --batch sweep.toml -o x.npy --velocities v.npy --table t.csv --json";
    let ended = place.succeed(&format!("{arguments} --sequence states --fps 10"));
    let summary: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(
        (&summary["copies"], &summary["nodes_per_copy"], &summary["nodes"]),
        (&6.into(), &30.into(), &180.into())
    );
    assert_eq!((&summary["solver"], &summary["iterations"]), (&"local-global".into(), &60.into()));
    assert_eq!(summary["failed"].as_array().unwrap().len(), 0);
    assert_eq!(summary["written"].as_array().unwrap().len(), 4);
    let steps = 6.0 * 6.0 * summary["substeps"].as_f64().unwrap();
    let rate = steps / summary["wall"].as_f64().unwrap();
    assert!((summary["copy_steps_per_second"].as_f64().unwrap() / rate - 1.0).abs() < 1e-9, "{summary}");
    assert_eq!(place.names(), ["scene.toml", "states", "sweep.toml", "t.csv", "v.npy", "x.npy"]);

    let (positions, velocities) = (place.read("x.npy"), place.read("v.npy"));
    assert_eq!((array(&positions).0, array(&velocities).0), ("(6, 30, 3)".into(), "(6, 30, 3)".into()));
    assert_eq!(array(&place.read("states/000000.npy")).0, "(6, 30, 3)");
    assert_eq!(array(&place.read("states/000001.npy")).1, array(&positions).1);
    let table = String::from_utf8(place.read("t.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 7);
    assert_eq!(
        lines[0],
        "copy,body.fabric.tensile,body.velocity,world.gravity,largest_stretch,peak_strain,mean_error,failed_step,failure"
    );
    assert!(
        lines[6].starts_with("5,") && lines[6].contains("\"[0.0, 0.0, 1.0]\",\"[0, -1.62, 0]\",0."),
        "{table}"
    );

    // The same seed gives the same bits, and a copy alone those of the batch.
    place.succeed("run scene.toml --batch sweep.toml -o y.npy --table t.json");
    assert!(place.read("y.npy") == positions);
    let rows: Value = serde_json::from_slice(&place.read("t.json")).unwrap();
    assert_eq!(rows[5]["parameters"]["world.gravity"], serde_json::json!([0, -1.62, 0]));
    assert!(rows[5]["failure"].is_null() && rows[5]["largest_stretch"].as_f64().unwrap() > 0.0, "{rows}");
    let peaks: Vec<f64> = (0..6).map(|copy| rows[copy]["peak_strain"].as_f64().unwrap()).collect();
    assert!((0..6).all(|copy| peaks[copy] >= rows[copy]["largest_stretch"].as_f64().unwrap()), "{rows}");
    assert!(peaks[0] != peaks[5], "{rows}");
    place.succeed("run scene.toml --batch sweep.toml --copy 4 -o 4.npy -o 4.obj --image 4.png --size 32x32");
    let bytes = 30 * 12;
    assert_eq!(array(&place.read("4.npy")).1, &array(&positions).1[4 * bytes..5 * bytes]);
}

#[test]
fn copies_that_end_far_from_their_minimum_are_told() {
    let place = place();
    // The last breaks down.
    place.write("sweep.toml", "[vary]\nworld.gravity.0 = [0, 50, 9, 1e6]\n");
    let arguments = "run scene.toml --batch sweep.toml --solver newton-multigrid --substeps 1 --seconds 0.2";
    let run = |more: &str| place.run(&format!("{arguments} --largest-stretch 2 {more}"));
    let ended = run("--iterations 2 --table t.json --json");
    let summary: Value = serde_json::from_str(&ended.out).unwrap();
    let rows: Value = serde_json::from_slice(&place.read("t.json")).unwrap();
    let errors: Vec<Option<f64>> =
        rows.as_array().unwrap().iter().map(|row| row["mean_error"].as_f64()).collect();
    let worst = &summary["convergence"];
    assert_eq!((&worst["copy"], &worst["far"], worst["mean"].as_f64()), (&1.into(), &2.into(), errors[1]));
    assert!(errors[0] < Some(0.05) && errors[2] > Some(0.05) && errors[3].is_none(), "{errors:?}");
    assert!(ended.err.contains("substeps of 2 of 4 copies end further"), "{}", ended.err);
    let told = summary["warnings"].as_array().unwrap().iter().any(|warning| warning["key"] == "iterations");
    assert!(told, "{}", summary["warnings"]);
    // Each is that of the copy alone.
    let alone = place.succeed(&format!("{arguments} --copy 2 --iterations 2 --json"));
    let alone: Value = serde_json::from_str(&alone.out).unwrap();
    assert_eq!(alone["convergence"]["mean"].as_f64(), errors[2]);

    let ended = run("--iterations 6 --table t.csv");
    assert!(!ended.err.contains("further from their minimum"), "{}", ended.err);
    assert!(ended.out.contains("\nerror         copy 1, the worst: estimated 0.5"), "{}", ended.out);
    let table = String::from_utf8(place.read("t.csv")).unwrap();
    let fields: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((fields[0][4], fields[4][4]), ("mean_error", ""));
    assert!(
        (0.005..0.006).contains(&fields[2][4].parse::<f64>().unwrap()) && fields[2][5].is_empty(),
        "{table}"
    );
}

#[test]
fn copies_that_break_down_are_told_and_the_others_written() {
    let place = place();
    place.write("sweep.toml", "[vary]\nbody.fabric.tensile = [1000, 1e7, 500]\n");
    let arguments = "--solver symplectic-euler --substeps 40 --force --contact false -o x.npy --table t.json --seconds 0.3";
    let ended = place.run(&format!("run scene.toml --batch sweep.toml {arguments} --json"));
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert_eq!(ended.errors().len(), 1, "{}", ended.err);
    assert!(
        ended.err.contains("error: 1 of 3 copies broke down (1), the others are sound; copy 1 broke"),
        "{}",
        ended.err
    );
    let summary: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(summary["failed"][0]["copy"], 1);
    let rows: Value = serde_json::from_slice(&place.read("t.json")).unwrap();
    assert!(
        rows[1]["failure"].as_str().unwrap().contains("spring") && rows[0]["failure"].is_null(),
        "{rows}"
    );
    let bytes = place.read("x.npy");
    let numbers: Vec<f32> =
        array(&bytes).1.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    let sound: Vec<bool> = numbers.chunks(90).map(|copy| copy.iter().all(|x| x.is_finite())).collect();
    assert_eq!(sound, [true, false, true]);
    assert!(numbers[90..180].iter().all(|x| x.is_nan()));
    // Where none is left there is no stretch to tell.
    place.write("sweep.toml", "[vary]\nbody.fabric.tensile = [2e7, 1e7]\n");
    let arguments = "--solver symplectic-euler --substeps 40 --force --contact false --seconds 0.3";
    let ended = place.run(&format!("run scene.toml --batch sweep.toml {arguments} --json"));
    let summary: Value = serde_json::from_str(&ended.out).unwrap();
    assert!(ended.code == Some(1) && summary["largest_stretch"].is_null(), "{summary}");
}

#[test]
fn wrong_batches_are_refused() {
    let place = place();
    let before = place.names();
    let refused = |arguments: &str, parts: &[&str]| {
        let ended = place.run(&format!("run scene.toml {arguments}"));
        assert_eq!((ended.code, ended.errors().len()), (Some(2), 1), "{arguments}: {}", ended.err);
        for part in parts {
            assert!(ended.err.contains(part), "'{part}' is not in {}", ended.err);
        }
        assert!(ended.out.is_empty(), "{arguments}");
    };
    refused("--batch none.toml", &["none.toml: it cannot be read"]);
    refused(
        "--batch scene.toml",
        &["scene.toml:", "no key '", "Allowed: copies, seed, combine, vary, jitter"],
    );
    refused("--copy 1", &["--batch"]);
    refused("--table t.csv", &["--batch"]);
    refused("--batch sweep.toml --copy 6", &["--copy 6: the batch has the copies 0 to 5"]);
    refused("--batch sweep.toml --copy 1 --table t.csv", &["--table", "--copy"]);
    for velocities in ["x.npy", "./x.npy"] {
        let arguments = format!("--batch sweep.toml -o x.npy --velocities {velocities}");
        refused(&arguments, &[&format!("--velocities {velocities}: it is given twice")]);
    }
    refused("--batch sweep.toml --image a.png", &["--image: a batch draws no pictures; --copy N"]);
    refused("--batch sweep.toml -o a.obj", &["--output a.obj: a batch is written as .npy of shape (copies"]);
    refused("--batch sweep.toml --velocities a.ply", &["--velocities a.ply: a batch is written as .npy"]);
    refused("--batch sweep.toml --table t.txt", &["--table t.txt: a table is written as .csv or .json"]);
    refused("--batch sweep.toml --table no/t.csv", &["--table no/t.csv: the directory 'no' does not exist"]);
    refused(
        "--batch sweep.toml --sequence s --sequence-format obj",
        &["--sequence-format obj: the states of a batch"],
    );
    refused("--batch sweep.toml --solver verlet --substeps 1", &["--substeps 1: verlet is unstable"]);
    assert_eq!(place.names(), before);
    place.write("sweep.toml", "[vary]\nbody.fabric.tensile = [900, -1]\n");
    refused(
        "--batch sweep.toml",
        &["sweep.toml:2: copy 1 (body.fabric.tensile = -1): scene.toml:1", "above"],
    );
}

#[test]
fn the_batch_that_comes_with_the_program_runs() {
    let place = Place::with_sheet();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/batch");
    let files = format!("{folder}/napkin.toml --batch {folder}/sweep.toml");
    let ended = place.succeed(&format!("run {files} --seconds 0.05 -o x.npy"));
    for part in ["64 copies of 256 nodes, grid form", "0 copies", "copies x steps/s"] {
        assert!(ended.out.contains(part), "{part} is not in\n{}", ended.out);
    }
    assert!(array(&place.read("x.npy")).0 == "(64, 256, 3)");
}

#[test]
fn bench_compares_a_batch_with_its_copies_one_after_another() {
    let place = Place::with_sheet();
    let json = place
        .succeed("bench --nodes 256 --forms grid --copies 64 --solvers symplectic-euler,local-global --json");
    let report: Value = serde_json::from_str(&json.out).unwrap();
    for row in report["batches"].as_array().unwrap() {
        let rate = |key: &str| row[key].as_f64().unwrap();
        assert!((rate("ratio") - rate("together") / rate("alone")).abs() < 1e-9, "{row}");
        assert!(rate("together") > 0.0 && rate("alone") > 0.0, "{row}");
    }
    assert_eq!(report["batches"].as_array().unwrap().len(), 2);
    let table =
        place.succeed("bench --nodes 256 --forms grid --copies 4 --solvers symplectic-euler --repeats 1").out;
    assert!(table.contains("one after another") && table.contains("copies x steps/s"), "{table}");
}
