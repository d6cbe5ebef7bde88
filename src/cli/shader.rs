//! `taffeta info --shader`: the composed WGSL of a kernel.

use std::fmt::Write;

use taffeta::gpu::{GpuError, Source};
use taffeta::shaders::{CHOICES, LIBRARY, variants};

use super::failure::Failure;

/// The composed text of a file under `shaders/`, each part after the name of its file. `words` choose between files
/// that stand for each other; where they leave a choice open, the first file is taken.
pub fn composed(name: &str, words: &[String]) -> Result<String, Failure> {
    let wrong = |error: GpuError| match error {
        GpuError::Shader { message, .. } => Failure::input(format!("--shader {name}"), message),
        error => error.into(),
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let root = file(name);
    let all = variants(&root);
    let suits = |variant: &&Vec<&'static str>| words.iter().all(|word| variant.contains(word));
    let Some(chosen) = all.iter().find(suits) else {
        let is_known =
            |word: &&str| CHOICES.iter().flat_map(|choice| choice.words).any(|known| known.0 == *word);
        if !words.iter().all(is_known) {
            Source::compose(LIBRARY, &root, &words).map_err(wrong)?;
        }
        // The file itself may be unknown, too.
        let alone = Source::compose(LIBRARY, &root, &[]);
        let message = match all.iter().any(|words| !words.is_empty()) {
            true => format!("it goes {}; not with {}", list(&all), words.join(",")),
            false => {
                alone.map_err(wrong)?;
                format!("there is nothing to choose; leave out --choose {}", words.join(","))
            }
        };
        return Err(Failure::input(format!("--shader {name}"), message));
    };
    let source = Source::compose(LIBRARY, &root, &[&words[..], chosen].concat()).map_err(wrong)?;
    let mut text = format!("// {root}");
    if !chosen.is_empty() {
        // Writing to a String cannot fail.
        let _ = write!(text, " --choose {}; it goes {}", chosen.join(","), list(&all));
    }
    text.push('\n');
    for word in chosen {
        let meaning = CHOICES.iter().flat_map(|choice| choice.words).find(|known| known.0 == *word);
        let _ = writeln!(text, "//   {word}: {}", meaning.map_or("", |known| known.1));
    }
    for (file, part) in source.parts() {
        let _ = write!(text, "\n// ---- {file}\n{part}");
    }
    Ok(text)
}

fn list(variants: &[Vec<&str>]) -> String {
    let each: Vec<String> = variants.iter().map(|words| words.join(",")).collect();
    format!("with {}", each.join(" or "))
}

/// The file with this name; the name may lack the extension and the folder `methods`.
fn file(name: &str) -> String {
    let whole = if name.ends_with(".wgsl") { name.to_owned() } else { format!("{name}.wgsl") };
    let of_method = format!("methods/{whole}");
    let exists = |name: &str| LIBRARY.iter().any(|file| file.0 == name);
    if !exists(&whole) && exists(&of_method) { of_method } else { whole }
}
