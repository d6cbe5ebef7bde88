//! Dependencies between the library's modules point one way.

use std::fs;
use std::path::{Path, PathBuf};

use taffeta::settings::SolverKind;

/// What each module may use of the others.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "bench",
        &[
            "chart",
            "error",
            "gpu",
            "measure",
            "method",
            "model",
            "reference",
            "shaders",
            "shape",
            "simulation",
            "state",
        ],
    ),
    ("breakdown", &["model"]),
    ("chart", &[]),
    ("check", &["error", "gpu", "method", "model", "reference", "simulation", "state"]),
    ("checkpoint", &[]),
    (
        "compare",
        &[
            "bench",
            "chart",
            "error",
            "gpu",
            "measure",
            "method",
            "model",
            "reference",
            "render",
            "simulation",
            "state",
        ],
    ),
    ("contact", &["gpu", "measure", "method", "model", "numbers"]),
    ("error", &["breakdown", "foreign", "gpu", "method", "model", "shape"]),
    ("foreign", &[]),
    ("gpu", &[]),
    ("hierarchy", &["model", "numbers"]),
    ("io", &["checkpoint", "error", "foreign", "model", "state"]),
    ("measure", &["method", "model", "state"]),
    ("method", &["gpu", "hierarchy", "model", "numbers", "shaders", "state"]),
    ("model", &["numbers", "state"]),
    ("panics", &[]),
    ("numbers", &[]),
    ("reference", &["hierarchy", "measure", "method", "model", "numbers", "state"]),
    ("render", &["error", "gpu", "io", "model", "shaders", "simulation", "state"]),
    ("scene", &["error", "foreign", "io", "method", "model", "shape", "state", "warning"]),
    ("shaders", &["gpu"]),
    ("shape", &["foreign", "model", "panics"]),
    (
        "simulation",
        &[
            "breakdown",
            "checkpoint",
            "contact",
            "error",
            "foreign",
            "gpu",
            "method",
            "model",
            "numbers",
            "shaders",
            "state",
            "warning",
        ],
    ),
    ("state", &[]),
    (
        "viewer",
        &[
            "checkpoint",
            "contact",
            "error",
            "foreign",
            "gpu",
            "method",
            "model",
            "panics",
            "render",
            "scene",
            "shaders",
            "simulation",
            "state",
            "warning",
        ],
    ),
    ("warning", &["hierarchy", "measure", "method", "model"]),
];

/// Names that `lib.rs` lifts to the root, and where they live.
const LIFTED: &[(&str, &str)] = &[
    ("Checkpoint", "checkpoint"),
    ("Error", "error"),
    ("Gpu", "gpu"),
    ("Model", "model"),
    ("Settings", "method"),
    ("Simulation", "simulation"),
    ("State", "state"),
    ("settings", "method"),
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

/// The references are written from the papers: of the methods they know how a method describes itself, what settings mean,
/// and which springs have multipliers; nothing of what runs on the GPU.
#[test]
fn references_know_no_gpu() {
    const KNOWN: &[&str] = &["cg_steps", "for_each_method", "projects"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/reference");
    let mut files = Vec::new();
    files_below(&source, &["rs"], &mut files);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        for gpu in ["crate::gpu", "wgpu"] {
            assert!(!text.contains(gpu), "{} names {gpu}", path.display());
        }
        for used in text.split("crate::method::").skip(1) {
            let list = match used.strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap(),
                None => used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap(),
            };
            for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                assert!(KNOWN.contains(&name), "{} uses {name} of the methods", path.display());
            }
        }
    }
}

/// A method is named in its own folders, and where a particular one is meant: what others stand on, and studies of single
/// methods.
#[test]
fn few_files_name_a_method() {
    const NAMING: [&str; 6] = [
        "bench/report/accuracy.rs",
        "bench/scene.rs",
        "bench/truth/falls.rs",
        "compare/converged.rs",
        "method/mod.rs",
        "numbers.rs",
    ];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&source, &["rs"], &mut files);
    let mut naming = Vec::new();
    for path in files.iter().filter(|path| !path.ends_with("tests.rs")) {
        let file = path.strip_prefix(&source).unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("\nmod tests {").next().unwrap();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let words: Vec<&str> = code
            .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-'))
            .collect();
        let names = SolverKind::ALL.iter().any(|kind| {
            let (name, module, variant) = (kind.name(), kind.name().replace('-', "_"), format!("{kind:?}"));
            let is_own = file.split('/').any(|part| part.trim_end_matches(".rs") == module);
            !is_own && words.iter().any(|word| *word == name || *word == module || *word == variant)
        });
        if names && !file.starts_with("cli/") && file != "method/list.rs" {
            naming.push(file.to_owned());
        }
    }
    naming.sort();
    assert_eq!(naming, NAMING, "files that name a method");
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

/// A few lines of TOML: tables, and the strings in them.
fn toml(file: &str) -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn the_list_of_licenses_is_current() {
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
    let cure = "THIRD-PARTY.md is not current; 'make licenses' makes it anew";
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

/// What cargo knows of the packages of the lock file that this machine builds, without asking anyone.
fn packages() -> Vec<serde_json::Value> {
    let cargo = |arguments: &[&str]| {
        let cargo = std::process::Command::new(env!("CARGO"))
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
        String::from_utf8(cargo.stdout).unwrap()
    };
    let version = cargo(&["--version", "--verbose"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let found =
        cargo(&["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host]);
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    found["packages"].as_array().unwrap().clone()
}

#[test]
fn the_rust_version_is_enough_for_every_package() {
    let number = |version: &str| -> Vec<u32> { version.split('.').map(|n| n.parse().unwrap()).collect() };
    let ours = env!("CARGO_PKG_RUST_VERSION");
    let packages = packages();
    assert!(packages.len() > 100);
    for package in packages {
        let Some(needs) = package["rust_version"].as_str() else { continue };
        let name = &package["name"];
        assert!(number(needs) <= number(ours), "{name} needs Rust {needs}, rust-version says {ours}");
    }
}

/// A program that links the library gets no allocator with it.
#[test]
fn the_allocator_belongs_to_the_program_alone() {
    let cargo = toml("Cargo.toml");
    let mut tables = vec![&cargo["dependencies"]];
    tables.extend(cargo["target"].as_table().unwrap().values().filter_map(|t| t.get("dependencies")));
    let with_it = tables.iter().filter_map(|table| table.get("mimalloc"));
    assert!(with_it.into_iter().all(|mimalloc| mimalloc["optional"].as_bool() == Some(true)));
    let features = cargo["features"].as_table().unwrap();
    let asking = features.iter().filter(|(_, asks)| {
        asks.as_array().unwrap().iter().any(|name| name.as_str() == Some("dep:mimalloc"))
    });
    assert_eq!(asking.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["cli"]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&source, &["rs"], &mut files);
    for path in files.iter().filter(|path| !path.ends_with("main.rs")) {
        assert!(!fs::read_to_string(path).unwrap().contains("global_allocator"), "{}", path.display());
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
