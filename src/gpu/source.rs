//! Composes WGSL text: resolves `//!import FILE` lines by concatenation, with each file once.
//!
//! In WGSL, a name can be used before it is declared, so the order does not matter. If several files stand for each
//! other, an import names them all, as in `network/{grid|mesh}.wgsl`, and a word chooses one.

use std::sync::Arc;

use super::GpuError;
use super::names::Names;
use super::namespace;
use super::near::hint;

/// The shader files that a program embeds: (name under `shaders/`, text).
pub type Library = [(&'static str, &'static str)];

/// The beginning of an import line.
const IMPORT: &str = "//!import ";

/// A user's own text that replaces a file.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// The imported file.
    pub import: &'a str,
    /// The name of the text in messages.
    pub file: &'a str,
    /// The text.
    pub text: &'a str,
    /// The name that it defines for other files; its other names are private.
    pub defines: &'a str,
}

/// A composed shader and the origin of each line.
#[derive(Clone, Debug)]
pub struct Source {
    /// The root file's name.
    pub name: String,
    /// The composed text.
    pub text: String,
    origin: Vec<(String, usize)>,
    is_trusted: bool,
    /// The names that shaders of the library declare.
    pub(super) names: Arc<Names>,
}

/// State of the composition.
struct Composer<'a> {
    library: &'static Library,
    words: &'a [&'a str],
    done: Vec<String>,
}

impl Source {
    /// Composes `root`. `words` choose between files that stand for each other: they must have one of the words in the
    /// braces of each import. Words for imports that `root` does not have are ignored.
    pub fn compose(library: &'static Library, root: &str, words: &[&str]) -> Result<Self, GpuError> {
        Composer::new(library, words, root)?.compose(Self::empty(root), root)
    }

    /// [`Source::compose`] with a user's own text in place of a file. Its names are made distinct from the library's,
    /// so it may use any names. The result is not trusted.
    pub fn with_own(
        library: &'static Library,
        root: &str,
        words: &[&str],
        own: &Own<'_>,
    ) -> Result<Self, GpuError> {
        let mut source = Self { is_trusted: false, ..Self::empty(root) };
        let text = namespace::apart(own.text, own.defines);
        source.text.extend(text.lines().flat_map(|line| [line, "\n"]));
        source.origin.extend((1..=text.lines().count()).map(|line| (own.file.to_owned(), line)));
        let mut composer = Composer::new(library, words, root)?;
        composer.done.push(own.import.to_owned());
        composer.compose(source, root)
    }

    /// A user's own text alone, with its names unchanged.
    pub fn own(own: &Own<'_>) -> Self {
        let mut source = Self { is_trusted: false, ..Self::empty(own.file) };
        source.text.extend(own.text.lines().flat_map(|line| [line, "\n"]));
        source.origin.extend((1..=own.text.lines().count()).map(|line| (own.file.to_owned(), line)));
        source
    }

    fn empty(root: &str) -> Self {
        Self {
            name: root.to_owned(),
            text: String::new(),
            origin: Vec::new(),
            is_trusted: true,
            names: Arc::default(),
        }
    }

    /// Whether all of it belongs to the library.
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The file and line of origin of a line (from one) of the composed text.
    pub fn origin(&self, line: usize) -> (&str, usize) {
        match self.origin.get(line.wrapping_sub(1)) {
            Some((file, line)) => (file, *line),
            None => (&self.name, line),
        }
    }

    /// The files of which it consists, each with its text, in the order of the composed text.
    pub fn parts(&self) -> Vec<(&str, String)> {
        let mut parts: Vec<(&str, String)> = Vec::new();
        for (line, (file, _)) in self.text.lines().zip(&self.origin) {
            if parts.last().is_none_or(|part| part.0 != file) {
                parts.push((file, String::new()));
            }
            if let Some((_, text)) = parts.last_mut() {
                text.extend([line, "\n"]);
            }
        }
        parts
    }
}

impl<'a> Composer<'a> {
    /// Fails if no import in the whole library has one of the words, which then could not choose anything.
    fn new(library: &'static Library, words: &'a [&'a str], root: &str) -> Result<Self, GpuError> {
        let known = || library.iter().flat_map(|file| imports(file.1)).flat_map(|(_, name)| choices(name));
        match words.iter().find(|word| !known().any(|known| known == **word)) {
            None => Ok(Self { library, words, done: Vec::new() }),
            Some(word) => {
                let message = format!("no import has the word '{word}'{}", hint(word, known()));
                Err(GpuError::Shader { file: root.to_owned(), line: 0, message })
            }
        }
    }

    fn compose(mut self, mut source: Source, root: &str) -> Result<Source, GpuError> {
        source.names = Names::of(self.library);
        self.append(&mut source, root, (root, 0))?;
        Ok(source)
    }

    fn append(&mut self, source: &mut Source, name: &str, importer: (&str, usize)) -> Result<(), GpuError> {
        let failed = |message| GpuError::Shader { file: importer.0.to_owned(), line: importer.1, message };
        let name = chosen(name, self.words).map_err(failed)?;
        if self.done.contains(&name) {
            return Ok(());
        }
        let Some((_, text)) = self.library.iter().find(|f| f.0 == name) else {
            let near = hint(&name, self.library.iter().map(|f| f.0));
            return Err(failed(format!("no shader file '{name}'{near}")));
        };
        self.done.push(name.clone());
        for (line, import) in imports(text) {
            self.append(source, import, (&name, line))?;
        }
        for (index, line) in text.lines().enumerate() {
            source.text.extend([line, "\n"]);
            source.origin.push((name.clone(), index + 1));
        }
        Ok(())
    }
}

/// The imports of a file: line, from one, and name as written.
pub fn imports(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter_map(|(line, text)| Some((line, text.strip_prefix(IMPORT)?.trim())))
}

/// The words among which an import chooses; none if it names one file.
pub fn choices(import: &str) -> impl Iterator<Item = &str> {
    let braces = import.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    braces.into_iter().flat_map(|(words, _)| words.split('|'))
}

/// The file that an import stands for; fails unless exactly one of its words is given.
pub fn chosen(import: &str, words: &[&str]) -> Result<String, String> {
    let (Some((before, _)), Some((_, after))) = (import.split_once('{'), import.split_once('}')) else {
        return Ok(import.to_owned());
    };
    let mut found = choices(import).filter(|choice| words.contains(choice));
    match (found.next(), found.next()) {
        (Some(word), None) => Ok(format!("{before}{word}{after}")),
        (None, _) => {
            let near = words.iter().map(|word| hint(word, choices(import))).find(|hint| !hint.is_empty());
            Err(format!("no word chooses in '{import}'{}", near.unwrap_or_default()))
        }
        (Some(one), Some(other)) => Err(format!("'{one}' and '{other}' exclude each other in '{import}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &Library = &[
        ("a.wgsl", "//!import b.wgsl\n//!import c.wgsl\nfn a() {}\n"),
        ("b.wgsl", "//!import c.wgsl\nfn b() {}\n"),
        ("c.wgsl", "fn c() {}\n"),
        ("bad.wgsl", "fn x() {}\n//!import nowhere.wgsl\n"),
        ("form.wgsl", "//!import net/{grid|mesh}.wgsl\nfn form() {}\n"),
        ("net/grid.wgsl", "fn grid() {}\n"),
        ("net/mesh.wgsl", "fn mesh() {}\n"),
    ];

    fn error(root: &str, words: &[&str]) -> String {
        Source::compose(LIBRARY, root, words).unwrap_err().to_string()
    }

    #[test]
    fn each_file_is_taken_once_and_lines_know_their_origin() {
        let source = Source::compose(LIBRARY, "a.wgsl", &[]).unwrap();
        assert_eq!(source.text.matches("fn c()").count(), 1);
        let line = source.text.lines().position(|l| l == "fn b() {}").unwrap() + 1;
        assert_eq!(source.origin(line), ("b.wgsl", 2));
        let files: Vec<&str> = source.parts().iter().map(|part| part.0).collect();
        assert_eq!(files, ["c.wgsl", "b.wgsl", "a.wgsl"]);
        assert_eq!(source.parts().into_iter().map(|part| part.1).collect::<String>(), source.text);
    }

    #[test]
    fn a_word_chooses_between_files_that_stand_for_each_other() {
        for (word, other) in [("grid", "mesh"), ("mesh", "grid")] {
            let text = Source::compose(LIBRARY, "form.wgsl", &[word]).unwrap().text;
            assert!(text.contains(&format!("fn {word}()")) && !text.contains(&format!("fn {other}()")));
        }
        assert!(Source::compose(LIBRARY, "a.wgsl", &["grid"]).is_ok(), "it has no use for the word");
    }

    #[test]
    fn an_unknown_import_names_file_and_line() {
        assert_eq!(error("bad.wgsl", &[]), "shader bad.wgsl:2: no shader file 'nowhere.wgsl'");
        let near = error("net/grit.wgsl", &[]);
        assert!(near.ends_with("no shader file 'net/grit.wgsl'; did you mean 'net/grid.wgsl'?"), "{near}");
    }

    #[test]
    fn words_that_choose_nothing_or_too_much_are_errors() {
        assert_eq!(
            error("form.wgsl", &["gird"]),
            "shader form.wgsl:0: no import has the word 'gird'; did you mean 'grid'?"
        );
        assert_eq!(error("form.wgsl", &[]), "shader form.wgsl:1: no word chooses in 'net/{grid|mesh}.wgsl'");
        let both = error("form.wgsl", &["grid", "mesh"]);
        assert!(both.ends_with("'grid' and 'mesh' exclude each other in 'net/{grid|mesh}.wgsl'"), "{both}");
    }
}
