//! The built program once through: a run, a picture, a comparison with the reference, a mistake.

use serde_json::Value;

use crate::common::program::{FABRIC, Place, sheet};

#[test]
fn a_scene_is_run_checked_and_refused() {
    let place = Place::with_sheet();
    let ended = place.succeed("run scene.toml -o a.obj --image a.png --size 64x48 --json");
    let summary: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&summary["complete"], &summary["frames"]), (&true.into(), &6.into()), "{summary}");
    assert_eq!(place.names(), ["a.obj", "a.png", "scene.toml"]);
    assert!(place.read("a.png").starts_with(b"\x89PNG\r\n\x1a\n"));
    place.succeed("check scene.toml");
    assert!(place.succeed("info").out.starts_with("* 0: "));

    place.write("scene.toml", sheet("solvr = \"xpbd\"", FABRIC));
    let refused = place.run("run scene.toml");
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.errors()[0].contains("scene.toml:3"), "{}", refused.err);
}
