//! Embeds every file below `shaders/`: the library's texts are a list of names and `include_str!` that follows the folder.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("shaders");
    let mut files = Vec::new();
    find(&root, &mut files);
    files.sort();
    let mut text = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).expect("found below it").to_string_lossy().replace('\\', "/");
        // Not by the path that it has now: a project may be moved, and checkouts may share a target folder.
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?})", format!("/shaders/{name}"));
        writeln!(text, "    ({name:?}, include_str!({path})),").expect("a string takes it");
    }
    text.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("shaders.rs");
    fs::write(&out, text).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
    println!("cargo::rerun-if-changed=shaders");
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|kind| kind == "wgsl") {
            files.push(path);
        }
    }
}
