//! The tables of keys in `docs/scene-file.md`.

use super::SolverKind;
use super::key::{Kind, Spec};

/// A row for each key: key, meaning, unit and range, default.
pub fn rows(keys: &[&'static Spec]) -> String {
    keys.iter().map(|spec| row(spec) + parts(&spec.kind)).collect()
}

/// Rows of the parts of a value.
fn parts(kind: &Kind) -> &'static str {
    match kind {
        Kind::Air => {
            "| `air` . `density` | density of the air; needed in `air`; 1.2 at sea level | kg/m^3; finite and not negative | |\n\
             | `air` . `normal` | coefficient along the triangle's normal | finite and not negative | 1.3 |\n\
             | `air` . `tangential` | coefficient along the triangle | finite and not negative | 0.05 |\n"
        }
        _ => "",
    }
}

fn row(spec: &'static Spec) -> String {
    let range = match spec.kind {
        Kind::Air => format!("`{}`", spec.kind.range()),
        _ => spec.kind.range(),
    };
    let unit = if spec.unit.is_empty() { String::new() } else { format!("{}; ", spec.unit) };
    code(&format!("| `{}` | {} | {unit}{range} | {} |\n", spec.name, meaning(spec), default(spec)))
}

/// Quoted words as code.
fn code(text: &str) -> String {
    let mut parts = text.split('"');
    let mut marked = parts.next().unwrap_or_default().to_owned();
    while let (Some(word), Some(after)) = (parts.next(), parts.next()) {
        match marked.ends_with('`') {
            true => marked.push_str(&format!("\"{word}\"{after}")),
            false => marked.push_str(&format!("`\"{word}\"`{after}")),
        }
    }
    marked
}

/// What it is, and of keys of methods what it is for each.
fn meaning(spec: &'static Spec) -> String {
    let uses = by_method(spec, |used| used.what);
    let methods: Vec<&str> = uses.iter().flat_map(|(methods, _)| methods).map(String::as_str).collect();
    match uses.iter().all(|(_, what)| what.is_empty()) {
        true if uses.is_empty() => spec.help.to_owned(),
        true => format!("{} ({})", spec.help, methods.join(", ")),
        false => format!("{}. {}", spec.help, told(&uses)),
    }
}

fn default(spec: &'static Spec) -> String {
    let defaults = by_method(spec, |used| used.default);
    match &defaults[..] {
        [] => spec.default.to_owned(),
        [(_, default)] => (*default).to_owned(),
        several => told(several),
    }
}

/// What methods say, those together that say the same.
fn by_method(
    spec: &'static Spec,
    say: impl Fn(&super::key::Use) -> &'static str,
) -> Vec<(Vec<String>, &'static str)> {
    let mut all: Vec<(Vec<String>, &'static str)> = Vec::new();
    for kind in SolverKind::ALL {
        let Some(used) = kind.usage(spec.name) else { continue };
        let (name, said) = (format!("`{kind}`"), say(used));
        match all.iter_mut().find(|(_, other)| *other == said) {
            Some((methods, _)) => methods.push(name),
            None => all.push((vec![name], said)),
        }
    }
    all
}

fn told(all: &[(Vec<String>, &'static str)]) -> String {
    let told = all.iter().map(|(methods, said)| match said.is_empty() {
        true => methods.join(", "),
        false => format!("{}: {said}", methods.join(", ")),
    });
    told.collect::<Vec<_>>().join("; ")
}
