//! Composition of WGSL text: `//!import FILE` lines are resolved by concatenation, each file once.
//!
//! WGSL lets a name be used before it is declared, so the order does not matter.

use super::GpuError;

/// The shader files that a program embeds: (name under `shaders/`, text).
pub type Library = [(&'static str, &'static str)];

/// A composed shader and where each of its lines came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The root file's name.
    pub name: String,
    /// The composed text.
    pub text: String,
    origin: Vec<(String, usize)>,
    is_trusted: bool,
}

impl Source {
    /// Composes `root`. `replace` maps imported names to files that stand in for them, for shaders
    /// that exist in several forms.
    pub fn compose(library: &Library, root: &str, replace: &[(&str, &str)]) -> Result<Self, GpuError> {
        let mut source = Self::empty(root);
        let mut done = Vec::new();
        source.append(library, root, replace, &mut done, ("", 0))?;
        Ok(source)
    }

    /// [`Source::compose`] with text of the user's own in the place of a file: the imported name, the name that messages
    /// give it, and the text. What it compiles to is not trusted.
    pub fn with_own(
        library: &Library,
        root: &str,
        replace: &[(&str, &str)],
        own: (&str, &str, &str),
    ) -> Result<Self, GpuError> {
        let mut source = Self { is_trusted: false, ..Self::empty(root) };
        source.text.extend(own.2.lines().flat_map(|line| [line, "\n"]));
        source.origin.extend((1..=own.2.lines().count()).map(|line| (own.1.to_owned(), line)));
        source.append(library, root, replace, &mut vec![own.0.to_owned()], ("", 0))?;
        Ok(source)
    }

    fn empty(root: &str) -> Self {
        Self { name: root.to_owned(), text: String::new(), origin: Vec::new(), is_trusted: true }
    }

    /// Whether all of it is the library's own.
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The file and line that a line (from one) of the composed text came from.
    pub fn origin(&self, line: usize) -> (&str, usize) {
        match self.origin.get(line.wrapping_sub(1)) {
            Some((file, line)) => (file, *line),
            None => (&self.name, line),
        }
    }

    fn append(
        &mut self,
        library: &Library,
        name: &str,
        replace: &[(&str, &str)],
        done: &mut Vec<String>,
        importer: (&str, usize),
    ) -> Result<(), GpuError> {
        let name = replace.iter().find(|r| r.0 == name).map_or(name, |r| r.1);
        if done.iter().any(|d| d == name) {
            return Ok(());
        }
        done.push(name.to_owned());
        let Some((_, text)) = library.iter().find(|f| f.0 == name) else {
            let (file, line) = (importer.0.to_owned(), importer.1);
            return Err(GpuError::Shader { file, line, message: format!("no shader file '{name}'") });
        };
        for (index, line) in text.lines().enumerate() {
            if let Some(import) = line.strip_prefix("//!import ") {
                self.append(library, import.trim(), replace, done, (name, index + 1))?;
            }
        }
        for (index, line) in text.lines().enumerate() {
            self.text.push_str(line);
            self.text.push('\n');
            self.origin.push((name.to_owned(), index + 1));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &Library = &[
        ("a.wgsl", "//!import b.wgsl\n//!import c.wgsl\nfn a() {}\n"),
        ("b.wgsl", "//!import c.wgsl\nfn b() {}\n"),
        ("c.wgsl", "fn c() {}\n"),
        ("d.wgsl", "fn d() {}\n"),
        ("bad.wgsl", "fn x() {}\n//!import nowhere.wgsl\n"),
    ];

    #[test]
    fn each_file_is_taken_once_and_lines_know_their_origin() {
        let source = Source::compose(LIBRARY, "a.wgsl", &[]).unwrap();
        assert_eq!(source.text.matches("fn c()").count(), 1);
        let line = source.text.lines().position(|l| l == "fn b() {}").unwrap() + 1;
        assert_eq!(source.origin(line), ("b.wgsl", 2));
    }

    #[test]
    fn a_file_can_stand_in_for_another() {
        let source = Source::compose(LIBRARY, "a.wgsl", &[("c.wgsl", "d.wgsl")]).unwrap();
        assert!(source.text.contains("fn d()") && !source.text.contains("fn c()"));
    }

    #[test]
    fn an_unknown_import_names_file_and_line() {
        let error = Source::compose(LIBRARY, "bad.wgsl", &[]).unwrap_err();
        assert_eq!(error.to_string(), "shader bad.wgsl:2: no shader file 'nowhere.wgsl'");
    }
}
