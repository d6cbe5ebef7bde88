//! `taffeta bench --report`: one page and its figures, of every solver.

use serde_json::Value;
use taffeta::settings::SolverKind;

use crate::common::program::Place;

/// Panics unless every element is closed in order, every attribute quoted and every `&` an entity.
pub fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert_text(&rest[..start]);
        let end = rest[start..].find('>').expect("an element that does not end") + start;
        let element = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = element.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed out of order");
            continue;
        }
        let (inside, closes) = element.strip_suffix('/').map_or((element, false), |inside| (inside, true));
        let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
        assert!(!name.is_empty() && name.chars().all(char::is_alphanumeric), "<{element}>");
        let parts: Vec<&str> = attributes.split('"').collect();
        assert!(parts.len() % 2 == 1 && parts[parts.len() - 1].trim().is_empty(), "<{element}>");
        for pair in parts.chunks_exact(2) {
            assert!(pair[0].trim().ends_with('=') && !pair[1].contains('<'), "<{element}>");
            assert_text(pair[1]);
        }
        if !closes {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}

fn assert_text(text: &str) {
    for entity in text.split('&').skip(1) {
        let name = entity.split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "&{entity}");
    }
}

/// Names of the solvers in a list of objects.
fn solvers(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|row| row["solver"].as_str().unwrap()).collect()
}

#[test]
fn a_report_holds_every_solver() {
    let place = Place::with_scene("");
    let ended = place.succeed("bench --report a/speed --sizes 64,100 --sides 6 --budget 300 --repeats 1");
    assert!(ended.out.contains("report.html") && ended.out.contains("report.json"), "{}", ended.out);
    assert!(ended.err.contains("frames of vbd at 100 nodes"), "no progress: {}", ended.err);

    let json: Value = serde_json::from_slice(&place.read("a/speed/report.json")).unwrap();
    let curves = &json["accuracy"][0]["curves"];
    for kind in SolverKind::ALL {
        let frames = solvers(&json["frames"]["rows"]);
        assert_eq!(frames.iter().filter(|s| **s == kind.name()).count(), 2, "{kind}: {frames:?}");
        assert_eq!(solvers(curves).contains(&kind.name()), !kind.is_explicit(), "{kind}");
        if !json["roofline"].is_null() {
            assert!(solvers(&json["roofline"]["kernels"]).contains(&kind.name()), "{kind}");
        }
    }
    for row in json["frames"]["rows"].as_array().unwrap() {
        for time in ["seconds", "recording", "setup"] {
            assert!(row[time].as_f64().unwrap() > 0.0, "{time} of {row}");
        }
    }
    // Every batch is there, or is said to be left out.
    let batches = json["batches"].as_array().unwrap();
    let left_out = json["skipped"].as_array().unwrap().iter();
    let left_out = left_out.filter(|row| row["what"].as_str().unwrap().contains(" copies with ")).count();
    assert!(!batches.is_empty());
    assert_eq!((batches.len() + left_out) % SolverKind::ALL.len(), 0, "{left_out} left out of {batches:?}");
    for batch in batches {
        let [together, alone, ratio] = ["together", "alone", "ratio"].map(|key| batch[key].as_f64().unwrap());
        assert!(alone > 0.0 && (together / alone - ratio).abs() < 1e-9 * ratio, "{batch}");
    }
    // A small sheet converges: errors fall by a hundred within the ladder of iterations.
    let start = json["accuracy"][0]["start_error"].as_f64().unwrap();
    let errors = |curve: &Value| -> Vec<f64> {
        curve["runs"].as_array().unwrap().iter().filter_map(|run| run["error"].as_f64()).collect()
    };
    let best = curves.as_array().unwrap().iter().flat_map(errors).fold(f64::INFINITY, f64::min);
    assert!(best < 0.05 * start, "best {best} m of {start} m");

    let page = String::from_utf8(place.read("a/speed/report.html")).unwrap();
    let pictures: Vec<&str> = page.split("<svg").skip(1).map(|s| s.split("</svg>").next().unwrap()).collect();
    assert!(pictures.len() >= 3, "{} charts", pictures.len());
    for picture in pictures {
        assert_well_formed(&format!("<svg{picture}</svg>"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    }
    assert!(page.contains("<h2>Batches"));
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("href="));
    assert_eq!(place.names(), ["a", "scene.toml"]);
    assert_eq!(std::fs::read_dir(place.path("a/speed")).unwrap().count(), 2);
}
