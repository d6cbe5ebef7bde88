//! Runs: what they write and print, the same twice, cut short, broken down.

use serde_json::Value;

use crate::common::program::{FABRIC, Place, sheet};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e} in {text}"))
}

#[test]
fn a_run_writes_what_was_asked_for_and_sums_up() {
    let place = Place::with_sheet();
    let ended = place.succeed("run scene.toml --seconds 0.2 -o a.obj -o a.ply --output a.npy --json");
    let summary = json(&ended.out);
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["nodes"], 30);
    assert_eq!(summary["solver"], "newton-multigrid");
    assert_eq!(summary["frames"], 12);
    assert_eq!(summary["form"], "grid");
    assert_eq!(summary["guarded"], 0);
    assert_eq!(summary["written"].as_array().unwrap().len(), 3);
    let size =
        serde_json::json!([{ "name": "sheet", "nodes": 30, "size": [1.0, 0.8, 0.0], "thickness": 0.1 }]);
    assert_eq!((&summary["bodies"], &summary["warnings"]), (&size, &serde_json::json!([])));
    let stretch = |key: &str| summary["stretch"][key].as_f64().unwrap();
    assert!(stretch("largest") >= stretch("p999") && stretch("p999") >= stretch("p99"));
    assert!(stretch("largest") > 0.0 && stretch("largest") < 0.2, "{summary}");
    assert!(summary["steps_per_second"].as_f64().unwrap() > 0.0);
    let lowest = summary["lowest"]["position"][1].as_f64().unwrap();
    assert!(lowest < 0.2 && summary["lowest"]["node"].as_u64().unwrap() >= 24, "{summary}");
    assert_eq!(place.names(), ["a.npy", "a.obj", "a.ply", "scene.toml"]);
    assert!(place.read("a.obj").windows(3).filter(|w| w == b"\nv ").count() == 30);
    assert!(place.read("a.npy").starts_with(b"\x93NUMPY"));
}

#[test]
fn xpbd_says_the_substeps_that_a_stretch_needs() {
    let place = Place::with_sheet();
    let ended = place.succeed("run scene.toml --solver xpbd --seconds 0.2 --stretch 0.5 --json");
    let asked = &json(&ended.out)["stretch_asked"];
    assert_eq!((&asked["asked"], asked["substeps"].is_u64()), (&0.5.into(), true), "{asked}");
    let ended = place.succeed("run scene.toml --solver xpbd --seconds 0.2 --stretch 1e-6");
    assert!(ended.out.contains("no substeps do, the springs' own stretch is"), "{}", ended.out);
}

#[test]
fn the_summary_for_people_says_the_same() {
    let place = Place::with_sheet();
    let ended = place.succeed("run scene.toml --solver verlet --form mesh --unchecked");
    for part in [
        "30 nodes",
        "mesh form",
        "verlet",
        "substeps a frame",
        "p99.9",
        "peak strain   |l/r - 1| at most",
        "lowest node",
        "steps/s",
    ] {
        assert!(ended.out.contains(part), "{part} is not in\n{}", ended.out);
    }
    assert!(ended.err.contains("sheet: 30 nodes (6 x 5)"), "{}", ended.err);
    assert!(ended.out.contains("\nsize          sheet: 1 x 0.8 x 0 m, 100.00 mm thick\n"), "{}", ended.out);
    // One warning at most, that of a software driver.
    assert!(ended.err.matches("warning:").count() <= 1, "{}", ended.err);
}

#[test]
fn the_same_run_twice_gives_the_same_bits() {
    let place = Place::with_sheet();
    for solver in ["symplectic-euler", "verlet", "local-global"] {
        place.succeed(&format!("run scene.toml --solver {solver} --output a.npy"));
        place.succeed(&format!("run scene.toml --solver {solver} --output b.npy"));
        assert!(place.read("a.npy") == place.read("b.npy"), "{solver}");
    }
}

#[test]
fn a_sequence_has_the_start_and_a_file_for_each_time() {
    let place = Place::with_sheet();
    place.succeed("run scene.toml --seconds 0.5 --sequence states --sequence-format ply --fps 10");
    for number in 0..=5 {
        assert!(place.read(&format!("states/00000{number}.ply")).starts_with(b"ply\n"));
    }
    assert!(!place.path("states/000006.ply").exists());
    let ended = place.succeed("run scene.toml --sequence states");
    assert!(ended.err.contains("states already holds 6 entries"), "{}", ended.err);
    assert!(place.path("states/000006.obj").exists());
}

#[test]
fn pictures_have_the_size_asked_for() {
    let place = Place::with_sheet();
    place.succeed("run scene.toml --image a.png --frames pictures --fps 10 --size 64x48 --show stretch");
    for name in ["a.png", "pictures/000000.png", "pictures/000001.png"] {
        let bytes = place.read(name);
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
        assert_eq!(bytes[16..24], [0, 0, 0, 64, 0, 0, 0, 48], "{name}");
    }
    assert!(!place.path("pictures/000002.png").exists());
}

/// A ground that is a collider stays, however far below the start it lies.
#[test]
fn what_falls_on_a_plane_keeps_its_ground() {
    let scene = format!(
        "[simulation]\nseconds = 0.5\n[camera]\neye = [0, 1, 3]\ntarget = [0, 0.3, 0]\n\
         [[collider]]\nshape = \"plane\"\n[[body]]\nshape = \"cloth\"\ncorner = [-0.2, 0.6, -0.2]\n\
         u = [0.4, 0, 0]\nv = [0, 0, 0.4]\ncolumns = 4\nrows = 4\n{FABRIC}\n"
    );
    let place = Place::with_scene(&scene);
    place.succeed("run scene.toml --frames pictures --fps 4 --size 64x48");
    let corner = |name: &str| -> [i32; 3] {
        let file = std::io::Cursor::new(place.read(name));
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        [0, 1, 2].map(|k| i32::from(pixels[3 * (64 * 40 + 4) + k]))
    };
    let first = corner("pictures/000000.png");
    for name in ["pictures/000001.png", "pictures/000002.png"] {
        let change: i32 = first.iter().zip(corner(name)).map(|(a, b)| (a - b).abs()).sum();
        assert!(change < 15, "{name}: {:?} instead of {first:?}", corner(name));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_windows_says_so() {
    let place = Place::with_sheet();
    let mut command = place.command("view scene.toml");
    let output = command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("error: no window can be opened here"), "{error}");
}

#[test]
fn a_run_that_breaks_down_names_node_spring_and_step() {
    let place = Place::with_scene(&sheet("solver = \"explicit-euler\"\ncontact = false", FABRIC));
    let ended = place.run("run scene.toml --force --substeps 4 --seconds 5 --output a.obj --sequence states");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    let error = ended.errors().join("\n");
    for part in ["broke down by step ", "node", "spring", "'sheet'", "use more substeps"] {
        assert!(error.contains(part), "{part} is not in\n{error}");
    }
    assert!(ended.out.is_empty() && ended.err.contains("only from before the run failed"), "{}", ended.err);
    // A state from before: see checkpoints.rs.
    assert_eq!(place.names(), ["a.taffeta", "scene.toml", "states"]);
}

#[test]
fn check_compares_every_solver_with_its_reference() {
    let place = Place::with_scene(&sheet("", &format!("{FABRIC}\nvelocity = [0, 0, 1]")));
    let ended = place.succeed("check scene.toml --all");
    for solver in taffeta::settings::SolverKind::ALL {
        assert!(ended.out.contains(&format!("\n{solver} ")), "{}", ended.out);
    }
    assert!(ended.out.contains("of node ") && ended.out.contains("error/bound"), "{}", ended.out);
    let one = place.succeed("check scene.toml --solver verlet --after 0.2").out;
    assert!(
        one.contains("\nverlet ") && !one.contains("local-global") && one.contains("from 0.2000 s"),
        "{one}"
    );
}

/// A small sheet that falls edge first, and a larger one below it that is held along two sides.
fn sheets(height: f64) -> String {
    format!(
        "{}[[body.pin]]\nedge = \"bottom\"\n[[body]]\nname = \"small\"\nshape = \"cloth\"\ncorner = [0.3, {height}, 0.31]\n\
         u = [0.4, 0, 0]\nv = [0, 0.4, 0]\ncolumns = 5\nrows = 5\n{FABRIC}\n",
        sheet("", FABRIC).replace("corner = [0, 1, 0]", "corner = [0, 0, 0]").replace("-0.8, 0]", "0, 0.8]")
    )
}

#[test]
fn check_counts_where_cloth_crosses() {
    let place = Place::with_scene(&sheets(0.1));
    place.succeed("check scene.toml --crossings --seconds 0.2");

    place.write("scene.toml", sheets(0.1).replace("[simulation]", "[simulation]\ncontact = false"));
    let ended = place.succeed("check scene.toml --crossings");
    assert!(
        ended.out.contains("after each of 6 frames") && ended.out.ends_with("\nno crossings\n"),
        "{}",
        ended.out
    );
    let summary = json(&place.succeed("run scene.toml --json").out);
    assert_eq!(summary["crossings"], 0);
    assert!(!place.succeed("run scene.toml").out.contains("crosses"));

    // After 0.15 s it is through.
    let ended = place.run("check scene.toml --crossings --seconds 0.2");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(
        ended.errors()[0].contains("scene crosses itself in ") && ended.errors().len() == 1,
        "{}",
        ended.err
    );
    for part in [
        "\nfirst     frame ",
        "\nworst     frame ",
        "\n  'sheet' and 'small' cross in ",
        "\n  the edge of nodes ",
    ] {
        assert!(ended.out.contains(part), "{part} is not in\n{}", ended.out);
    }
    let ended = place.run("check scene.toml --crossings --seconds 0.2 --json");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    let report = json(&ended.out);
    let (first, worst) = (&report["first"], &report["worst"]);
    assert_eq!((&report["frames"], &report["complete"]), (&12.into(), &true.into()));
    assert!((7..12).contains(&first["frame"].as_u64().unwrap()), "{report}");
    assert_eq!(worst["bodies"][0]["bodies"], serde_json::json!(["sheet", "small"]));
    assert_eq!(worst["bodies"][0]["count"], worst["count"]);
    assert_eq!(worst["examples"].as_array().unwrap().len(), 5);
    let ended = place.succeed("run scene.toml --seconds 0.2 --json");
    assert_eq!(json(&ended.out)["crossings"], report["last"]);
    let mends = "with contact it would not";
    let line = format!("\ncrossings     crosses itself in {} places; {mends}\n", report["last"]);
    assert!(place.succeed("run scene.toml --seconds 0.2").out.contains(&line), "{line}");

    // Through from the start.
    place.write("scene.toml", sheets(-0.17));
    let ended = place.run("check scene.toml --crossings --seconds 0.01");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.out.contains("\nfirst     at the start, in "), "{}", ended.out);
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_frame_and_writes_what_was_asked_for() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    use crate::common::program::interrupt;

    let place = Place::with_sheet();
    let mut command = place.command("run scene.toml --seconds 1e6 --output a.npy --json");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // From the heading on Ctrl-C is listened to.
    assert!(lines.any(|line| line.unwrap().starts_with("newton-multigrid, substeps")));
    interrupt(&child);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.iter().any(|line| line.starts_with("interrupted at ")), "{rest:?}");
    let summary = json(&out);
    assert_eq!(summary["complete"], false);
    assert_eq!(summary["seconds"], 1e6);
    assert_eq!(place.names(), ["a.npy", "scene.toml"]);
}

#[test]
fn a_file_that_could_not_be_written_is_not_counted() {
    let place = Place::with_sheet();
    // As when the disk is full at the fourth: a folder that holds something cannot be replaced by a file.
    std::fs::create_dir_all(place.path("states/000003.obj/kept")).unwrap();
    let ended = place.run("run scene.toml --sequence states");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains("states (3 .obj files): only from before the run failed"), "{}", ended.err);
    assert!(ended.errors()[0].contains("000003.obj"), "{}", ended.err);
}

#[test]
fn a_reader_of_stderr_that_has_gone_does_not_matter() {
    use std::process::Stdio;

    let place = Place::with_sheet();
    let mut command = place.command("run scene.toml --output a.npy");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(place.names(), ["a.npy", "scene.toml"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_summary_that_cannot_be_written_is_a_failure() {
    let place = Place::with_sheet();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = place.command("run scene.toml --json").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("error: stdout cannot be written: No space left"), "{told}");
}

#[test]
fn air_that_nothing_feels_is_told() {
    let world = |lines: &str| format!("[world]\n{lines}\n{}", sheet("", FABRIC));
    let told = |text: &str| Place::with_scene(text).succeed("run scene.toml").err;
    assert!(told(&world("wind = [1, 0, 0]")).contains("scene.toml: wind does nothing without air; add air"));
    assert!(!told(&world("wind = [1, 0, 0]\nair = { density = 1.2 }")).contains("does nothing"));
    let rope =
        "shape = \"rope\"\nstart = [0, 0, 0]\nend = [1, 0, 0]\nnodes = 4\nnode-mass = 1\nstructural = 1";
    let text = format!("[simulation]\nseconds = 0.1\n[world]\nair = {{ density = 1.2 }}\n[[body]]\n{rope}\n");
    assert!(told(&text).contains("scene.toml: air does nothing here"));
}

/// By every command in the same words, once, and in JSON.
#[test]
fn warnings_of_a_scene_are_told_once() {
    let text = sheet("iterations = 3", FABRIC).replace("[[body]]", "[world]\nwind = [1, 0, 0]\n[[body]]");
    let place = Place::with_scene(
        &text.replace("u = [1, 0, 0]", "u = [30, 0, 0]").replace("columns = 6", "columns = 101"),
    );
    place.write("sweep.toml", "copies = 3\n[vary]\nbody.fabric.tensile = [1000]\n");
    let large = "scene.toml: body 'sheet': it is 30 x 0.8 x 0 m, larger than 20 m";
    let wind = "scene.toml: wind does nothing without air";
    let short = "--seconds 0.02";
    for arguments in [
        format!("run scene.toml {short} --json"),
        format!("run scene.toml --batch sweep.toml {short} --json"),
        format!("run scene.toml --batch sweep.toml --copy 1 {short} --json"),
        format!("compare scene.toml --solvers newton-multigrid {short} --json"),
        "check scene.toml --after 0.02".into(),
    ] {
        let ended = place.succeed(&arguments);
        for part in [large, wind] {
            assert_eq!(
                ended.err.matches(&format!("warning: {part}")).count(),
                1,
                "{arguments}: {}",
                ended.err
            );
        }
        if arguments.ends_with("--json") {
            let told = &json(&ended.out)["warnings"];
            assert_eq!((&told[0]["body"], &told[0]["key"]), (&"sheet".into(), &"u".into()), "{arguments}");
            assert_eq!((&told[1]["body"], &told[1]["key"]), (&Value::Null, &"air".into()), "{arguments}");
            assert!(told[0]["text"].as_str().unwrap().starts_with("it is 30 x 0.8 x 0 m"), "{told}");
            assert_eq!(told.as_array().unwrap().len(), 2, "{arguments}");
        }
    }
    // Options of another solver are told with the others, before anything is refused.
    let ended = place.run("run scene.toml --solver verlet --substeps 1 --cg-steps 2 --json");
    assert!(ended.code == Some(2) && ended.err.contains(large), "{}", ended.err);
    assert!(ended.err.contains("warning: scene.toml: verlet has no use for cg-steps"), "{}", ended.err);
    assert!(!ended.err.contains("use for iterations"), "{}", ended.err);
}

#[test]
fn what_falls_freely_is_in_the_picture() {
    let scene = sheet("", FABRIC).replace("[[body.pin]]\nedge = \"top\"\n", "");
    let place = Place::with_scene(&scene);
    place.succeed("run scene.toml --seconds 1 --image a.png --size 160x90");
    let file = std::io::BufReader::new(std::fs::File::open(place.path("a.png")).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    // Fabric has a color; sky and ground are gray.
    let colored = |p: &&[u8]| p.iter().max().unwrap() - p.iter().min().unwrap() > 40;
    let count = pixels.chunks(3).filter(colored).count();
    assert!(count > 50, "{count} of 14400 pixels are fabric");
}
