//! Files, texts and signals that mean no good: what cannot be taken is refused at once and in one line, and nothing that
//! looks complete is left behind.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::common::hands::Hands;
use crate::common::program::{Ended, FABRIC, Place, interrupt, sheet};
#[cfg(target_os = "linux")]
use crate::common::screen::Screen;

/// Runs the program with 2 s of processor time and 2 GB of address space, of which a deep stack takes some.
fn limited(place: &Place, arguments: &str) -> Ended {
    let program = place.command(arguments);
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -t 2; ulimit -v 2000000; exec \"$0\" \"$@\""]).arg(program.get_program());
    shell.args(program.get_args()).current_dir(program.get_current_dir().unwrap());
    shell.env_remove("RUST_LOG").stdin(Stdio::null());
    let output = shell.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// That `check` refuses a scene so, in one short line without control characters.
fn refused(place: &Place, scene: &str, parts: &[&str]) {
    place.write("scene.toml", scene);
    let ended = limited(place, "check scene.toml");
    assert_eq!((ended.code, ended.errors().len()), (Some(2), 1), "{}", ended.err);
    assert!(ended.err.len() < 1000 && !ended.err.contains('\u{1b}'), "{}", ended.err);
    for part in parts {
        assert!(ended.err.contains(part), "'{part}' is not in {}", ended.err);
    }
}

#[test]
fn arrays_are_refused_by_their_headers() {
    let place = Place::with_sheet();
    let npy = |text: &str| {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        bytes
    };
    let scene = sheet("", &format!("{FABRIC}\npositions = \"x.npy\""));
    for (text, expected) in [
        (
            format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {}", "[".repeat(24)),
            "where '(' should be",
        ),
        (" ".repeat(65_000), "its header has 65000 bytes; the most is 10000"),
        (format!("{{'descr': '{}'", "\u{1b}[31m".repeat(1000)), "no support for type '\\u001b[31m"),
    ] {
        place.write("x.npy", npy(&text));
        refused(&place, &scene, &["scene.toml:", "x.npy: ", expected]);
    }
}

#[test]
fn files_without_an_end_are_refused() {
    let place = Place::with_sheet();
    let good = sheet("", FABRIC);
    let zeros = limited(&place, "check /dev/zero");
    assert_eq!(zeros.code, Some(2));
    assert!(zeros.err.contains("/dev/zero: it is a binary file; a scene is text in TOML"), "{}", zeros.err);
    let sweep = limited(&place, "run scene.toml --batch /dev/zero");
    assert_eq!(sweep.code, Some(2));
    assert!(sweep.err.contains("/dev/zero: it is a binary file"), "{}", sweep.err);
    refused(
        &place,
        &format!("[world]\nuser-force-file = \"/dev/zero\"\n{good}"),
        &["scene.toml:2", "binary file"],
    );
    let body = |keys: &str| format!("[[body]]\n{keys}\nfabric = {{ density = 0.2, tensile = 100 }}\n");
    refused(
        &place,
        &body("shape = \"mesh\"\nfile = \"/dev/zero\""),
        &["scene.toml:3", "binary file; a mesh is text"],
    );
    let text = "shape = \"text\"\ntext = \"a\"\nsize = 1\nspacing = 0.1\nfont = \"/dev/zero\"";
    refused(&place, &body(text), &["scene.toml:6", "more than", "bytes"]);
    let network = "[[body]]\nshape = \"network\"\nfile = \"/dev/zero\"\n";
    refused(&place, network, &["scene.toml:", "/dev/zero: it is no file"]);
    let resumed = limited(&place, "run scene.toml --resume /dev/zero -o a.npy");
    assert!(resumed.code == Some(2) || resumed.err.contains("no checkpoint"), "{}", resumed.err);
}

#[test]
fn texts_that_compilers_choke_on_are_refused_at_their_line() {
    let place = Place::with_sheet();
    let good = sheet("", FABRIC);
    let head = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {";
    let doubling: String = (1..40)
        .map(|i| format!("fn g{i}(x: f32) -> f32 {{ return g{0}(x) + g{0}(-x); }}\n", i - 1))
        .collect();
    let texts = [
        (
            format!("{head}\nlet a = 1.0{};\nreturn position;\n}}", "+1.0".repeat(20_000)),
            4,
            "bytes are too many",
        ),
        (
            format!("{head}\nlet a = 1.0{};\nreturn position;\n}}", "+1.0".repeat(10_000)),
            4,
            "a statement has at most 1000",
        ),
        (
            format!("{head}\nlet a = {} 1.0;\nreturn position;\n}}", "- ".repeat(20_000)),
            4,
            "a statement has at most 1000",
        ),
        (
            format!("{head}\nlet a = position{};\nreturn a;\n}}", ".xyz".repeat(9000)),
            4,
            "a statement has at most 1000",
        ),
        (
            format!("{head}\nlet a = {}1.0{};\nreturn position;\n}}", "(".repeat(400), ")".repeat(400)),
            4,
            "at most 64 brackets",
        ),
        (
            format!(
                "{head}\nif mass > 1 {{ return velocity; }}{}\nreturn position;\n}}",
                " else if mass > 2 {}".repeat(3000)
            ),
            3,
            "at most 64 blocks can be nested",
        ),
        (
            format!("{head}\nvar a: array<f32, 2000000>;\nreturn a[0] * position;\n}}"),
            4,
            "a type has at most 16384 bytes",
        ),
        (
            format!(
                "{head}\nvar a: array<f32, 4000>; var b: array<f32, 4000>;\nreturn (a[0] + b[1]) * position;\n}}"
            ),
            4,
            "at most 16384 bytes",
        ),
        (
            format!(
                "{head}\nreturn g39(mass) * position;\n}}\nfn g0(x: f32) -> f32 {{ return x; }}\n{doubling}"
            ),
            0,
            "a function computes at most",
        ),
        (
            format!(
                "{head}\nreturn position;\n}}\n{}",
                (0..600).map(|i| format!("const c{i} = {i};")).collect::<String>()
            ),
            6,
            "at most 500 declarations",
        ),
    ];
    for (text, line, expected) in texts {
        let line = if line == 0 || expected.contains("bytes are too") {
            String::new()
        } else {
            format!(":{line}: ")
        };
        let scene = format!("[world]\nuser-force = \"\"\"\n{text}\n\"\"\"\n{good}");
        refused(&place, &scene, &["scene.toml", &line, "user-force: ", expected]);
    }
    // What may be as long as it can be compiles.
    let long = format!("{head}\nlet a = 1.0{};\nreturn a * position * 0.0;\n}}", "+mass".repeat(490));
    place.write("scene.toml", format!("[world]\nuser-force = \"\"\"\n{long}\n\"\"\"\n{good}"));
    place.succeed("run scene.toml --seconds 0.02");
    // A file that was named by mistake is not shown.
    place.write("secret.txt", "root:x:0:0:secret\n");
    refused(
        &place,
        &format!("[world]\nuser-force-file = \"secret.txt\"\n{good}"),
        &["secret.txt:1: user-force: "],
    );
    assert!(!limited(&place, "check scene.toml").err.contains("secret\n"));
}

#[test]
fn no_text_of_a_file_or_user_is_obeyed_by_the_terminal() {
    let place = Place::with_sheet();
    let red = "\\u001b[31m";
    refused(
        &place,
        &format!("name = \"{red}\"\n{}", sheet("", FABRIC)),
        &["scene.toml:1", "no control characters"],
    );
    refused(
        &place,
        &sheet("", FABRIC).replace("\"sheet\"", "\"a\\nb\""),
        &["scene.toml:", "no control characters"],
    );
    refused(
        &place,
        &format!("\"{red}\" = 1\n{}", sheet("", FABRIC)),
        &["scene.toml:1", "no key '\\u001b[31m'"],
    );
    place.write("scene.toml", sheet("", FABRIC));
    for arguments in [["run", "\u{1b}[31m.toml"], ["\u{1b}[31m", "x"]] {
        let ended = place.command("").args(arguments).output().unwrap();
        assert_eq!(ended.status.code(), Some(2));
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(!told.contains('\u{1b}') && told.contains("error: "), "{told}");
    }
    // The scene's name where it gives none.
    place.write("a\nb\u{9b}.toml", sheet("", FABRIC).replace("name = \"sheet\"", ""));
    let ended = place.command("run --json --seconds 0.02").arg("a\nb\u{9b}.toml").output().unwrap();
    let (out, told) = (String::from_utf8(ended.stdout).unwrap(), String::from_utf8(ended.stderr).unwrap());
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["scene"], "a\nb\u{9b}");
    assert!(!out.contains('\u{9b}') && !told.contains('\u{9b}'), "{told}");
}

/// A run that goes on for long, begun with `sh -c "script"`, which has it as its arguments.
fn begin(place: &Place, script: &str) -> std::process::Child {
    let program = place.command("run scene.toml --seconds 100000 -o a.obj");
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).arg(program.get_program()).args(program.get_args());
    shell.current_dir(program.get_current_dir().unwrap()).stderr(Stdio::piped()).stdout(Stdio::null());
    let child = shell.process_group(0).spawn().unwrap();
    // It watches for signals by the time its threads have names.
    let comm = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
    let watches = || {
        let tasks = fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten();
        tasks.map(comm).any(|name| name.trim() == "signals")
    };
    let started = std::time::Instant::now();
    while !watches() {
        assert!(started.elapsed().as_secs() < 60, "it does not watch for signals");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child
}

fn signal(child: &std::process::Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn what_ends_a_run_leaves_what_was_asked_for_or_says_that_it_does_not() {
    for name in ["-TERM", "-HUP"] {
        let place = Place::with_sheet();
        let child = begin(&place, "exec \"$0\" \"$@\"");
        signal(&child, name);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{name}: {}", String::from_utf8_lossy(&ended.stderr));
        assert_eq!(place.names(), ["a.obj", "scene.toml"], "{name}");
    }
    // With nohup the terminal may go.
    let place = Place::with_sheet();
    let child = begin(&place, "trap '' HUP; exec \"$0\" \"$@\"");
    signal(&child, "-HUP");
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(place.names(), ["scene.toml"]);
    interrupt(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    // A second one does not wait: here the file is a pipe that nobody reads.
    let place = Place::with_sheet();
    assert!(Command::new("mkfifo").arg(place.path("a.obj")).status().unwrap().success());
    let child = begin(&place, "exec \"$0\" \"$@\"");
    signal(&child, "-TERM");
    std::thread::sleep(std::time::Duration::from_millis(500));
    signal(&child, "-TERM");
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{told}");
    assert!(told.contains("not all that was asked for has been written"), "{told}");
    assert_eq!(place.names(), ["a.obj", "scene.toml"]);
}

#[test]
fn what_fails_is_told_in_json_and_at_its_line() {
    let place = Place::with_scene(&sheet(
        "solver = \"explicit-euler\"\nsubsteps = 20\nforce = true\ncontact = false",
        FABRIC,
    ));
    let broken = place.run("run scene.toml --seconds 1 --json");
    let told: Value = serde_json::from_str(&broken.out).unwrap();
    assert_eq!((broken.code, &told["exit_code"]), (Some(1), &Value::from(1)), "{}", broken.err);
    assert_eq!(broken.errors(), [format!("error: {}", told["error"].as_str().unwrap())]);
    let missing = place.run("check none.toml --json");
    let told: Value = serde_json::from_str(&missing.out).unwrap();
    assert_eq!(told["exit_code"], 2);

    refused(
        &place,
        &sheet("substeps = 2\nsolver = \"verlet\"", FABRIC),
        &["scene.toml:3: verlet is unstable at 2 substeps"],
    );
    let stiff = FABRIC.replace("tensile = 1000", "tensile = 1e16");
    refused(
        &place,
        &sheet("substeps = 2\nsolver = \"verlet\"", &stiff),
        &["scene.toml:3: verlet needs", "more than 100000"],
    );
    let rope = "[simulation]\nform = \"grid\"\n[[body]]\nshape = \"rope\"\nstart = [0, 0, 0]\nend = [1, 0, 0]\nnodes = 3\n\
                node-mass = 1\nstructural = 1\n";
    refused(&place, rope, &["scene.toml:2: "]);
    let hard =
        format!("[simulation]\nsolver = \"vbd\"\n{}", rope.replace("structural = 1", "structural = inf"));
    refused(
        &place,
        &hard.replace("[simulation]\nform = \"grid\"\n", ""),
        &["scene.toml:2: ", "inextensible"],
    );
}

/// All keys of a value.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            found.push(key.clone());
            keys(value, found);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn every_key_of_json_is_documented() {
    let documented = include_str!("../../../docs/json.md");
    let place = Place::with_sheet();
    place.write("sweep.toml", "copies = 2\n[jitter]\nposition = 1e-5\n");
    for arguments in [
        "run scene.toml --seconds 0.05 --tolerance 0.1 --json",
        "run scene.toml --seconds 0.05 --solver xpbd --stretch 0.5 --json",
        "run scene.toml --seconds 0.05 --solver local-global --json",
        "run scene.toml --seconds 0.05 --batch sweep.toml --json",
        "check scene.toml --json",
        "info --json",
        "bench --nodes 64 --forms grid --copies 2 --solvers symplectic-euler --json",
    ] {
        let value: Value = serde_json::from_str(&place.succeed(arguments).out).unwrap();
        let mut found = Vec::new();
        keys(&value, &mut found);
        for key in found {
            assert!(documented.contains(&format!("`{key}`")), "{arguments}: '{key}' is not in docs/json.md");
        }
    }
}

#[test]
fn a_batch_without_room_is_refused_before_it_is_built() {
    let place =
        Place::with_scene(&sheet("", FABRIC).replace("columns = 6\nrows = 5", "columns = 64\nrows = 64"));
    // 8 million nodes: as many as a few seconds are enough to build, and more than WebGPU's limits have room for.
    place.write("sweep.toml", "copies = 2000\n[vary]\nbody.fabric.tensile = { from = 500, to = 1000 }\n");
    let ended = limited(&place, "run scene.toml --batch sweep.toml --adapter llvmpipe --seconds 0.01");
    if ended.err.contains("--adapter llvmpipe: ") {
        eprintln!("no software driver here: not tested");
        return;
    }
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(
        ended.errors()[0]
            .contains("use fewer nodes, another adapter or, where surfaces touch, contact = false"),
        "{}",
        ended.err
    );
    assert_eq!(place.names(), ["scene.toml", "sweep.toml"]);
}

#[cfg(target_os = "linux")]
#[test]
fn windows_whose_screen_goes_say_so() {
    let Some(screen) = Screen::open() else { return };
    let place = Place::with_sheet();
    // Six, which paint in each other's way: most of them find the screen gone while they paint, where winit panics.
    let views: Vec<_> = (0..6)
        .map(|_| {
            let mut view = place.command("view scene.toml --solver symplectic-euler");
            screen.show(&mut view).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let hands = Hands::at(&screen.display);
    hands.wait_for_windows(views.len(), " fps");
    drop(screen);
    for view in views {
        let ended = view.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{told}");
        assert!(!told.contains("panicked"), "{told}");
    }
}
