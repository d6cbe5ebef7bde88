//! Every shader composes and validates with every choice of words, without a GPU; shaders/README.md is current.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use taffeta::gpu::{BindingKind, PREFIX, Shader, Source, choices, imports};
use taffeta::shaders::{CHOICES, LIBRARY, kernels, variants};

#[test]
fn every_kernel_composes_and_validates() {
    for name in kernels() {
        for words in variants(name) {
            check(name, &words);
        }
    }
}

/// It validates, and each entry point keeps to the storage buffers that WebGPU grants.
fn check(name: &str, words: &[&str]) {
    let source = Source::compose(LIBRARY, name, words).unwrap();
    let shader = Shader::new(source, &[]).unwrap_or_else(|e| panic!("{name} with {words:?}: {e}"));
    for entry in shader.entry_points() {
        let bindings = shader.bindings(entry).unwrap();
        let storage = bindings.iter().filter(|b| b.kind != BindingKind::Uniform).count();
        assert!(storage <= 8, "{name}:{entry} binds {storage} storage buffers; WebGPU grants 8");
    }
}

#[test]
fn every_part_is_imported() {
    let all = kernels().flat_map(|name| variants(name).into_iter().map(move |words| (name, words)));
    let mut used = BTreeSet::new();
    for (name, words) in all {
        let source = Source::compose(LIBRARY, name, &words).unwrap();
        used.extend(source.parts().iter().map(|part| part.0.to_owned()));
    }
    let unused: Vec<&str> = LIBRARY.iter().map(|f| f.0).filter(|name| !used.contains(*name)).collect();
    assert!(unused.is_empty(), "in no kernel: {unused:?}");
}

#[test]
fn every_import_is_a_file_and_every_choice_is_listed() {
    let mut found = BTreeSet::new();
    for (name, text) in LIBRARY {
        for (line, import) in imports(text) {
            let words: Vec<&str> = choices(import).collect();
            let braces = format!("{{{}}}", words.join("|"));
            let files = words.iter().map(|word| import.replace(&braces, word));
            for file in files.chain(words.is_empty().then(|| import.to_owned())) {
                assert!(
                    LIBRARY.iter().any(|f| f.0 == file),
                    "{name}:{line} imports {file}, which is not there"
                );
            }
            if !words.is_empty() {
                found.insert(import);
            }
        }
    }
    assert_eq!(found, CHOICES.iter().map(|choice| choice.import).collect(), "shaders/list.rs");
    let mut all = BTreeSet::new();
    for choice in CHOICES {
        let words: Vec<&str> = choice.words.iter().map(|word| word.0).collect();
        assert_eq!(words, choices(choice.import).collect::<Vec<_>>(), "{}", choice.import);
        words.iter().for_each(|word| assert!(all.insert(*word), "{word} chooses in two imports"));
    }
}

#[test]
fn no_name_of_the_library_is_one_of_a_users_own() {
    let own = |file: &&(&str, &str)| {
        file.1.split(|c: char| !c.is_alphanumeric() && c != '_').any(|name| name.starts_with(PREFIX))
    };
    assert_eq!(LIBRARY.iter().find(own), None);
}

#[test]
fn what_copies_may_have_of_their_own_is_read_through_surroundings() {
    let (_, surroundings) = LIBRARY.iter().find(|file| file.0 == "state/surroundings.wgsl").unwrap();
    let fields = surroundings.split_once("struct Surroundings {").unwrap().1.split_once('}').unwrap().0;
    let own: Vec<&str> = fields.lines().filter_map(|line| Some(line.split_once(':')?.0.trim())).collect();
    assert!(own.len() > 5 && own.contains(&"reach"), "{own:?}");
    for (name, text) in LIBRARY.iter().filter(|file| file.0 != "state/surroundings.wgsl") {
        for (line, code) in (1..).zip(text.lines()) {
            let read = own.iter().find(|field| code.contains(&format!("world.{field}")));
            assert!(read.is_none(), "{name}:{line} reads world.{} of all copies", read.unwrap());
        }
    }
}

/// With TAFFETA_WRITE set the file is written, as `make tables` does.
#[test]
fn the_list_of_kernels_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/README.md");
    let text = readme();
    if std::env::var_os("TAFFETA_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(current == text, "shaders/README.md is not current; 'make tables' makes it anew");
}

const INTRODUCTION: &str = "\
# Shaders

Written by `make tables` from `list.rs` (a module of `src/shaders.rs`) and the files themselves; a test fails when it is stale.

- `core/`: launch, symmetric matrices, dense inverses, sums over workgroups. Pure: no buffers.
- `state/`: what is the same for all nodes, of a copy of a batch, or at a moment.
- `network/`: springs, in the form of a grid or of a mesh, and the triangles around a node.
- `forces/`: what pushes and pulls nodes beside springs.
- `methods/NAME/`: the kernels of a method; `explicit/`, `implicit/` and `linear/` hold what several methods share.
- `contact/`: the guard that keeps surfaces from crossing.
- `measure/`, `render/`: what watches a simulation, and what draws it.

A file begins with what it imports. Where files stand for each other, an import names them all, and a word chooses one.
`taffeta info --shader newton_multigrid/gradient --choose mesh` prints a kernel as it is composed.

## Buffers

A buffer of vectors has one or more rows of as many vectors as there are nodes, one behind the other; `NAME[row * node_count + i]`
is what row `row` has of node i. What rows and the fourth component of a vector mean stands beside the declaration, in
`methods/NAME/bindings.wgsl`, for what implicit methods share in `methods/implicit/rows.wgsl`, and for forces in
`forces/applied_rows.wgsl`.

Numbers of groups keep shared files out of each other's way: 0 is the world, 1 the network, 2 the method, 3 a uniform that
changes from dispatch to dispatch. Pipelines have one group, into which the others are merged (`src/gpu/shader.rs`); programs
bind buffers by name.
";

fn readme() -> String {
    let mut text = format!("{INTRODUCTION}\n## Choices\n\n| import | word | meaning |\n|---|---|---|\n");
    for choice in CHOICES {
        for (word, meaning) in choice.words {
            let import = choice.import.replace('|', "\\|");
            writeln!(text, "| `{import}` | `{word}` | {meaning} |").unwrap();
        }
    }
    text += "\n## Kernels\n\nBuffers of all variants: `*` marks those that are bound for writing, `(*)` in some variants; uniforms are in \
             brackets.\n";
    for name in kernels() {
        text += &kernel(name);
    }
    text
}

/// A section about a kernel file.
fn kernel(name: &str) -> String {
    let first = LIBRARY.iter().find(|f| f.0 == name).unwrap().1.lines();
    let about: Vec<&str> = first.map_while(|l| l.strip_prefix("// ")).collect();
    let about = about.join(" ");
    // A letter before the point is an initial.
    let ends = about.match_indices(". ").map(|(at, _)| at);
    let end =
        ends.into_iter().find(|&at| at < 2 || &about[at - 2..at - 1] != " ").map_or(about.len(), |at| at + 1);
    let mut text = format!("\n### {name}\n\n{}\n\n", &about[..end]);
    let variants = variants(name);
    if variants.iter().any(|words| !words.is_empty()) {
        let words: Vec<String> = variants.iter().map(|words| format!("`{}`", words.join(","))).collect();
        writeln!(text, "Variants: {}.\n", words.join(", ")).unwrap();
    }
    let mut entries = BTreeMap::<String, Vec<(String, BindingKind)>>::new();
    for words in &variants {
        let source = Source::compose(LIBRARY, name, words).unwrap();
        let shader = Shader::new(source, &[]).unwrap();
        for entry in shader.entry_points() {
            let buffers = entries.entry(entry.to_owned()).or_default();
            for binding in shader.bindings(entry).unwrap() {
                let buffer = (binding.name, binding.kind);
                if !buffers.contains(&buffer) {
                    buffers.push(buffer);
                }
            }
        }
    }
    for (entry, buffers) in entries {
        let is_both = |name: &str| buffers.iter().filter(|buffer| buffer.0 == *name).count() > 1;
        let shown = |(name, kind): &(String, BindingKind)| match kind {
            BindingKind::Uniform => Some(format!("({name})")),
            BindingKind::Read if is_both(name) => None,
            BindingKind::Read => Some(name.clone()),
            BindingKind::Write if is_both(name) => Some(format!("{name}(*)")),
            BindingKind::Write => Some(format!("{name}*")),
        };
        let shown: Vec<String> = buffers.iter().filter_map(shown).collect();
        writeln!(text, "- `{entry}`: {}", shown.join(", ")).unwrap();
    }
    let text_of = LIBRARY.iter().find(|f| f.0 == name).unwrap().1;
    let direct: Vec<String> = imports(text_of).map(|(_, import)| format!("`{import}`")).collect();
    if !direct.is_empty() {
        writeln!(text, "- imports {}", direct.join(", ")).unwrap();
    }
    text
}

/// All files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn the_library_has_every_shader_file_as_it_is_now() {
    let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let wgsl = files_below(&shaders).into_iter().filter(|path| path.extension().is_some_and(|e| e == "wgsl"));
    let there: BTreeSet<String> =
        wgsl.map(|file| file.strip_prefix(&shaders).unwrap().to_str().unwrap().replace('\\', "/")).collect();
    let embedded = LIBRARY.iter().map(|f| f.0.to_owned()).collect();
    assert_eq!(there, embedded, "build.rs embedded other files");
    for (name, text) in LIBRARY {
        assert_eq!(std::fs::read_to_string(shaders.join(name)).unwrap(), *text, "{name} has changed since");
    }
}
