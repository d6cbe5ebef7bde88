//! Checkpoints: a run that is resumed leaves the files that it would have left; wrong files are refused.

use super::errors::refused;
use crate::common::program::{FABRIC, Place, sheet};

/// A sheet whose pins move, with a verlet that has something to lose.
fn moving() -> Place {
    let path = "path = [[0.0, 0.0, 0.0, 0.0], [0.3, 0.0, 0.0, 0.2]]\n";
    Place::with_scene(&format!(
        "{}{path}",
        sheet("solver = \"verlet\"", &format!("{FABRIC}\nvelocity = [0, 0, 1]"))
    ))
}

#[test]
fn a_resumed_run_leaves_the_same_files() {
    let place = moving();
    let outputs = |name: &str| {
        format!(
            "--output {name}.ply --sequence {name} --sequence-format ply --frames {name}-pictures --fps 30 --size 32x32"
        )
    };
    place.succeed(&format!("run scene.toml --seconds 0.3 {}", outputs("whole")));
    let first =
        place.succeed(&format!("run scene.toml --seconds 0.15 --checkpoint-every 4 {}", outputs("half")));
    assert!(first.out.contains("half.taffeta"), "{}", first.out);
    let second =
        place.succeed(&format!("run scene.toml --seconds 0.3 --resume half.taffeta {}", outputs("half")));
    assert!(second.err.contains("resumed after 9 frames, at 0.1500 s\n"), "{}", second.err);
    assert!(second.out.contains("18 frames, resumed after 9"), "{}", second.out);
    assert!(place.read("whole.ply") == place.read("half.ply"));
    for number in 0..=9 {
        for name in [format!("/{number:06}.ply"), format!("-pictures/{number:06}.png")] {
            let [whole, half] = ["whole", "half"].map(|run| place.read(&format!("{run}{name}")));
            assert!(whole == half, "{name} is not the same");
        }
    }
    assert!(!place.path("half/000010.ply").exists());
    // At its end a run has nothing left to do but to write, and it can be made longer.
    place.succeed(
        "run scene.toml --seconds 0.15 --resume half.taffeta --output again.ply --checkpoint b.taffeta",
    );
    assert!(place.read("b.taffeta") == place.read("half.taffeta"));
    refused(
        &place,
        "run scene.toml --seconds 0.1 --resume b.taffeta",
        &["--resume: 0.1500 s is beyond the end"],
    );
}

#[test]
fn wrong_checkpoints_are_refused() {
    let place = moving();
    place.succeed("run scene.toml --checkpoint a.taffeta");
    let whole = place.read("a.taffeta");
    place.write("short.taffeta", &whole[..whole.len() - 100]);
    let mut damaged = whole.clone();
    damaged[whole.len() - 100] ^= 1;
    place.write("damaged.taffeta", damaged);
    place.write("mesh.obj", "v 0 0 0\n");
    place.write("larger.toml", sheet("solver = \"verlet\"", FABRIC).replace("rows = 5", "rows = 6"));
    let resume = |scene: &str, file: &str, parts: &[&str]| {
        let place_of_error = format!("--resume {file}: ");
        let parts = [&[place_of_error.as_str()], parts].concat();
        refused(&place, &format!("run {scene} --resume {file} --output a.npy"), &parts);
    };
    resume("scene.toml", "none.taffeta", &["it cannot be read", "No such file"]);
    resume(
        "scene.toml",
        "mesh.obj",
        &["it is no checkpoint; 'taffeta run --checkpoint-every N' writes them"],
    );
    resume("scene.toml", "short.taffeta", &["it is not complete: it ends after", "of", "bytes"]);
    resume("scene.toml", "damaged.taffeta", &["it is damaged: its checksum"]);
    resume(
        "larger.toml",
        "a.taffeta",
        &["another scene: 36 nodes here, 30 in the file; continue with the scene"],
    );
    let other = "scene.toml --solver xpbd";
    resume(other, "a.taffeta", &["another solver: xpbd here, verlet in the file; continue with verlet"]);
    refused(
        &place,
        "run scene.toml --checkpoint a.obj",
        &["--checkpoint a.obj: a checkpoint is written as .taffeta"],
    );
    refused(&place, "run scene.toml --checkpoint no/a.taffeta", &["the directory 'no' does not exist"]);
    refused(&place, "run scene.toml --checkpoint-every 0", &["'0' for '--checkpoint-every", "at least 1"]);
}

#[test]
fn a_run_that_breaks_down_leaves_a_good_state() {
    let place = Place::with_scene(&sheet("contact = false\nsolver = \"symplectic-euler\"", FABRIC));
    let broken = place.run("run scene.toml --seconds 3 --force --substeps 4 --output a.obj");
    assert_eq!(broken.code, Some(1), "{}", broken.err);
    for part in ["broke down by step", "A state from before, of 0.", "is in a.taffeta", "--resume a.taffeta"]
    {
        assert!(broken.err.contains(part), "'{part}' is not in\n{}", broken.err);
    }
    assert_eq!(place.names(), ["a.taffeta", "scene.toml"]);
    let mended = place.succeed("run scene.toml --seconds 1 --resume a.taffeta --output a.obj");
    // After one frame of four it is well; the state that breaks down in the third would not have come through.
    assert!(mended.err.contains("resumed after 1 frames, at 0.0167 s"), "{}", mended.err);
    let told = "not to the same bits as without the stop: substeps was 4, is ";
    assert!(mended.err.contains(told), "{}", mended.err);
    assert_eq!(place.names(), ["a.obj", "a.taffeta", "scene.toml"]);
    // What is there is not replaced unasked.
    let before = place.read("a.taffeta");
    let again = place.run("run scene.toml --seconds 3 --force --substeps 4 --output a.obj");
    assert!(again.err.contains("is in a.rescue.taffeta"), "{}", again.err);
    assert!(place.read("a.taffeta") == before && place.names().contains(&"a.rescue.taffeta".into()));
    // Nothing is written for a run that writes nothing.
    let place = Place::with_scene(&sheet("contact = false\nsolver = \"symplectic-euler\"", FABRIC));
    assert_eq!(place.run("run scene.toml --seconds 3 --force --substeps 4").code, Some(1));
    assert_eq!(place.names(), ["scene.toml"]);
}

#[test]
fn checkpoints_go_beside_the_first_output_or_here() {
    let place = moving();
    place.succeed("run scene.toml --checkpoint-every 100");
    place.succeed("run scene.toml --checkpoint-every 100 --sequence states/");
    assert_eq!(place.names(), ["scene.taffeta", "scene.toml", "states", "states.taffeta"]);
    assert!(place.read("scene.taffeta") == place.read("states.taffeta"));
}

#[test]
fn a_batch_has_no_checkpoints() {
    let place = moving();
    place.write("sweep.toml", "copies = 2\n[vary]\nbody.fabric.tensile = [500, 1000]\n");
    let batch = "run scene.toml --batch sweep.toml --checkpoint-every 5";
    refused(&place, batch, &["--checkpoint-every: a batch has no checkpoints; --copy N"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_checkpoint_where_they_are_asked_for() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    use crate::common::program::interrupt;

    let place = moving();
    let mut command = place.command("run scene.toml --seconds 1e6 --checkpoint a.taffeta");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // Progress is shown after many frames.
    assert!(lines.any(|line| line.unwrap().contains(" steps/s, ")));
    interrupt(&child);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.iter().any(|line| line.ends_with("; --resume a.taffeta goes on from there")), "{rest:?}");
    assert_eq!(place.names(), ["a.taffeta", "scene.toml"]);
    refused(&place, "run scene.toml --seconds 1e-6 --resume a.taffeta", &["is beyond the end of the run"]);
}
