//! Dependencies between the library's modules point one way.

use std::fs;
use std::path::{Path, PathBuf};

/// What each module may use of the others.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "bench",
        &[
            "chart",
            "error",
            "gpu",
            "model",
            "reference",
            "settings",
            "shaders",
            "shape",
            "simulation",
            "solver",
            "state",
        ],
    ),
    ("chart", &[]),
    (
        "check",
        &["error", "gpu", "hierarchy", "model", "reference", "settings", "simulation", "solver", "state"],
    ),
    ("checkpoint", &[]),
    (
        "compare",
        &[
            "bench",
            "chart",
            "error",
            "gpu",
            "model",
            "reference",
            "render",
            "settings",
            "simulation",
            "solver",
            "state",
        ],
    ),
    ("error", &["foreign", "gpu", "model", "settings", "shape", "solver"]),
    ("foreign", &[]),
    ("gpu", &[]),
    ("hierarchy", &["model"]),
    ("io", &["checkpoint", "error", "foreign", "model", "state"]),
    ("model", &["state"]),
    ("reference", &["hierarchy", "model", "settings", "state"]),
    ("render", &["error", "gpu", "io", "model", "shaders", "simulation", "state"]),
    ("scene", &["error", "foreign", "io", "model", "settings", "shape", "solver", "state", "warning"]),
    ("settings", &[]),
    ("shaders", &["gpu"]),
    ("panics", &[]),
    ("shape", &["foreign", "model", "panics"]),
    (
        "simulation",
        &["checkpoint", "error", "foreign", "gpu", "model", "settings", "shaders", "solver", "state"],
    ),
    ("solver", &["gpu", "hierarchy", "model", "settings", "shaders"]),
    ("state", &[]),
    (
        "viewer",
        &[
            "checkpoint",
            "error",
            "foreign",
            "gpu",
            "model",
            "panics",
            "render",
            "scene",
            "settings",
            "shaders",
            "simulation",
            "state",
        ],
    ),
    ("warning", &["hierarchy", "model", "settings", "solver"]),
];

/// Names that `lib.rs` lifts to the root, and where they live.
const LIFTED: &[(&str, &str)] = &[
    ("Checkpoint", "checkpoint"),
    ("Error", "error"),
    ("Model", "model"),
    ("Settings", "settings"),
    ("Simulation", "simulation"),
    ("State", "state"),
];

/// Files of these kinds below a folder.
fn files_below(folder: &Path, kinds: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            files_below(&entry, kinds, found);
        } else if entry.extension().is_some_and(|e| kinds.iter().any(|kind| e == *kind)) {
            found.push(entry);
        }
    }
}

/// The module that a file below `src` belongs to, and the modules it uses. Tests may use anything.
fn uses(path: &Path, source: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap();
    let first = path.strip_prefix(source).unwrap().components().next().unwrap();
    let module = Path::new(first.as_os_str()).file_stem().unwrap().to_str().unwrap().to_owned();
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    let mut used = Vec::new();
    for line in code {
        for rest in line.split("crate::").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let lifted = LIFTED.iter().find(|l| l.0 == name).map(|l| l.1.to_owned());
            used.push(lifted.unwrap_or(name));
        }
    }
    (module, used)
}

#[test]
fn modules_use_only_what_is_below_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&source, &["rs"], &mut files);
    let mut wrong = Vec::new();
    for path in files.iter().filter(|p| !p.ends_with("tests.rs") && !p.ends_with("fixture.rs")) {
        let (module, used) = uses(path, &source);
        let Some((_, allowed)) = ALLOWED.iter().find(|a| a.0 == module) else { continue };
        for name in used.iter().filter(|n| **n != module && !n.is_empty()) {
            if !allowed.contains(&name.as_str()) {
                wrong.push(format!("{} uses crate::{name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows the wrong way:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_of_the_library_is_listed() {
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    for line in lib.lines() {
        if let Some(name) = line.strip_prefix("pub mod ").and_then(|l| l.strip_suffix(';')) {
            assert!(ALLOWED.iter().any(|a| a.0 == name), "module {name} has no rule");
        }
    }
}

#[test]
fn every_shader_file_is_embedded() {
    let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    for folder in fs::read_dir(&shaders).unwrap().map(|e| e.unwrap().path()) {
        for file in fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()) {
            let name = file.strip_prefix(&shaders).unwrap().to_str().unwrap().to_owned();
            assert!(taffeta::shaders::LIBRARY.iter().any(|f| f.0 == name), "{name} is not embedded");
        }
    }
}

/// A few lines of TOML: tables, and the strings in them.
fn toml(file: &str) -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn the_list_of_licences_is_current() {
    let list = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("THIRD-PARTY.md")).unwrap();
    let listed: Vec<&str> = list
        .lines()
        .take_while(|l| !l.starts_with("## "))
        .filter_map(|l| Some(l.strip_prefix("- ")?.split_once(':')?.0))
        .collect();
    let lock = toml("Cargo.lock");
    let text = |package: &toml::Value, key: &str| package[key].as_str().unwrap().to_owned();
    let locked: Vec<[String; 2]> =
        lock["package"].as_array().unwrap().iter().map(|p| [text(p, "name"), text(p, "version")]).collect();
    let cure = "THIRD-PARTY.md is not current; 'make licences' makes it anew";
    for name in &listed {
        assert!(locked.iter().any(|[n, v]| format!("{n} {v}") == *name), "{name}: {cure}");
    }
    let cargo = toml("Cargo.toml");
    let targets = cargo["target"].as_table().unwrap().values().map(|target| &target["dependencies"]);
    for dependencies in targets.chain([&cargo["dependencies"]]) {
        for name in dependencies.as_table().unwrap().keys() {
            let versions = locked.iter().filter(|[n, _]| n == name);
            let is_listed = |[n, v]: &[String; 2]| listed.contains(&format!("{n} {v}").as_str());
            assert!(versions.into_iter().any(is_listed), "{name}: {cure}");
        }
    }
}

/// Paths below `tests` that a text names.
fn named_tests(text: &str) -> impl Iterator<Item = String> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    text.split("`tests/").skip(1).map(move |rest| {
        let end = rest.find(|c| !is_of_path(c)).unwrap_or(rest.len());
        format!("tests/{}", &rest[..end])
    })
}

#[test]
fn tests_that_pages_and_sources_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md"), root.join("fuzz/cases.rs")];
    for folder in ["docs", "src", "shaders", "tests"] {
        files_below(&root.join(folder), &["md", "rs", "wgsl"], &mut files);
    }
    let mut missing = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let gone = named_tests(&text).filter(|name| !root.join(name).exists());
        missing.extend(gone.map(|name| format!("{} names {name}", path.display())));
    }
    assert!(missing.is_empty(), "these tests are not there:\n{}", missing.join("\n"));
}
