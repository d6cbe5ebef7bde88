//! `taffeta bench --accuracy`: a table of values, bounds and whether they hold.

use serde_json::Value;

use crate::common::program::Place;

#[test]
fn the_catenary_holds() {
    let place = Place::with_scene("");
    let ended = place.succeed("bench --accuracy catenary --json");
    let found: Value = serde_json::from_str(&ended.out).unwrap();
    assert!(!found["adapter"].as_str().unwrap().is_empty());
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{rows:?}");
    for row in rows {
        assert_eq!((row["group"].as_str(), row["unit"].as_str()), (Some("catenary"), Some("%")));
        let (value, bound) = (row["value"].as_f64().unwrap(), row["bound"]["at_most"].as_f64().unwrap());
        assert_eq!(row["verdict"], if value <= bound { "holds" } else { "over" }, "{row}");
        assert!(value < 1.0, "{row}");
    }
}

#[test]
fn unknown_groups_are_refused() {
    let place = Place::with_scene("");
    let ended = place.run("bench --accuracy falls,speed");
    assert_eq!(ended.code, Some(2));
    for part in ["'speed'", "falls", "catenary", "held-sheet", "lengths", "motion", "energy", "estimate"] {
        assert!(ended.err.contains(part), "{part} is not in\n{}", ended.err);
    }
    assert_eq!(place.run("bench --accuracy --report a").code, Some(2));
}
