//! The embedded WGSL files, and what can be made of them.

use crate::gpu::{Library, Own, chosen, imports};

#[path = "../shaders/list.rs"]
mod list;

pub use list::CHOICES;

/// Every file below `shaders/` with its text, embedded by `build.rs`.
pub const LIBRARY: &Library = include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// An import that has a choice.
pub struct Choice {
    /// As it stands in `//!import` lines.
    pub import: &'static str,
    /// The words between its braces, each with its meaning.
    pub words: &'static [(&'static str, &'static str)],
}

/// What takes the place of the library's own `user_force`.
pub fn user_force<'a>(file: &'a str, text: &'a str) -> Own<'a> {
    Own { import: "forces/user_force.wgsl", file, text, defines: "user_force" }
}

/// The files that have entry points.
pub fn kernels() -> impl Iterator<Item = &'static str> {
    let starts =
        |line: &str| ["@compute", "@vertex", "@fragment"].iter().any(|stage| line.starts_with(stage));
    LIBRARY.iter().filter(move |file| file.1.lines().any(starts)).map(|file| file.0)
}

/// Every choice of words with which `root` composes. A kernel in a folder that is called as a word is for that word alone.
pub fn variants(root: &str) -> Vec<Vec<&'static str>> {
    let (mut found, mut open) = (Vec::new(), vec![Vec::new()]);
    while let Some(words) = open.pop() {
        let Some(choice) = open_choice(root, &words, &mut Vec::new()) else {
            found.push(words);
            continue;
        };
        let all = || choice.words.iter().map(|word| word.0);
        let own = all().find(|word| root.split('/').any(|folder| folder == *word));
        // What is put last comes out first.
        open.extend(all().rev().filter(|word| own.is_none_or(|own| own == *word)).map(|word| {
            let mut more = words.clone();
            more.push(word);
            more
        }));
    }
    found
}

/// The first import of a file, or of what it imports, in which none of the words chooses.
fn open_choice(name: &str, words: &[&str], seen: &mut Vec<String>) -> Option<&'static Choice> {
    let text = LIBRARY.iter().find(|file| file.0 == name).map_or("", |file| file.1);
    for (_, import) in imports(text) {
        let Ok(file) = chosen(import, words) else {
            return CHOICES.iter().find(|choice| choice.import == import);
        };
        if !seen.contains(&file) {
            seen.push(file.clone());
            if let Some(choice) = open_choice(&file, words, seen) {
                return Some(choice);
            }
        }
    }
    None
}
