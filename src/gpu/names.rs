//! The names that the shaders of a library declare. A name that the host gives but no shader declares is an error,
//! because it must be misspelled: if it were ignored, a constant would silently have no effect.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::Library;
use super::near::hint;

/// Names of overrides, of buffers and of structs.
#[derive(Debug, Default)]
pub(super) struct Names {
    overrides: BTreeSet<&'static str>,
    buffers: BTreeSet<&'static str>,
    structs: BTreeSet<&'static str>,
}

/// The names of the libraries used so far: one, and a few in tests.
static KNOWN: Mutex<Vec<(&Library, Arc<Names>)>> = Mutex::new(Vec::new());

impl Names {
    /// The names of a library, which is read once.
    pub fn of(library: &'static Library) -> Arc<Self> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, names)) = known.iter().find(|(one, _)| std::ptr::eq(*one, library)) {
            return Arc::clone(names);
        }
        let names = Arc::new(Self::read(library));
        known.push((library, Arc::clone(&names)));
        names
    }

    fn read(library: &'static Library) -> Self {
        let mut names = Self::default();
        for line in library.iter().flat_map(|file| file.1.lines()) {
            if let Some(rest) = line.strip_prefix("override ") {
                names.overrides.extend(first_word(rest));
            } else if let Some(rest) = line.strip_prefix("struct ") {
                names.structs.extend(first_word(rest));
            } else if let Some((_, rest)) = line.split_once("var<storage").or(line.split_once("var<uniform"))
            {
                names
                    .buffers
                    .extend(rest.split_once('>').and_then(|(_, rest)| first_word(rest.trim_start())));
            }
        }
        names
    }

    /// An error about the name of an override; `None` if a shader declares it.
    pub fn refuse_override(&self, name: &str) -> Option<String> {
        refuse(&self.overrides, "override", name)
    }

    /// The same for the name of a buffer.
    pub fn refuse_buffer(&self, name: &str) -> Option<String> {
        refuse(&self.buffers, "buffer", name)
    }

    /// The same for the name of a struct.
    pub fn refuse_struct(&self, name: &str) -> Option<String> {
        refuse(&self.structs, "struct", name)
    }
}

fn first_word(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

fn refuse(known: &BTreeSet<&'static str>, kind: &str, name: &str) -> Option<String> {
    let near = || hint(name, known.iter().copied());
    (!known.contains(name)).then(|| format!("no shader has the {kind} '{name}'{}", near()))
}

#[cfg(test)]
mod tests {
    use super::super::{Bindings, Buffer, Gpu, HostStruct, Kernel, Library, Shader, Source, Usage};

    const LIBRARY: &Library = &[
        (
            "a.wgsl",
            "override HAS_DRAG: bool = false;\n@group(0) @binding(0) var<storage, read_write> work: array<f32>;\n\
             @compute @workgroup_size(1)\nfn run() { work[0] = f32(HAS_DRAG); }\n",
        ),
        ("b.wgsl", "override HAS_AIR: bool;\nstruct Level { first: u32, }\nvar<uniform> level: Level;\n"),
    ];

    fn shader(structs: &[&HostStruct]) -> Result<Shader, String> {
        Shader::new(Source::compose(LIBRARY, "a.wgsl", &[]).unwrap(), structs).map_err(|e| e.to_string())
    }

    #[test]
    fn a_name_that_no_shader_has_is_refused_with_those_near_to_it() {
        let level = |name| HostStruct { name, size: 4, fields: &[("first", 0)] };
        assert!(shader(&[&level("Level")]).is_ok(), "another shader has it");
        let error = shader(&[&level("Levle")]).err().unwrap();
        assert_eq!(error, "shader a.wgsl:0: no shader has the struct 'Levle'; did you mean 'Level'?");
        let (gpu, shader) = (Gpu::noop().unwrap(), shader(&[]).unwrap());
        let kernel = |name| Kernel::new(&gpu, &shader, "run", &[(name, 1.0)]).map_err(|e| e.to_string());
        let found = kernel("HAS_AIR").unwrap();
        let error = kernel("HAS_DRAGG").err().unwrap();
        assert_eq!(
            error,
            "shader a.wgsl:0: no shader has the override 'HAS_DRAGG'; did you mean 'HAS_DRAG'?"
        );
        let work = Buffer::<f32>::zeroed(&gpu, "work", 1, Usage::empty()).unwrap();
        let bindings = Bindings::new().with("work", &work).with("level", &work);
        assert!(found.bind(&gpu, &bindings).is_ok());
        let error = found.bind(&gpu, &bindings.with("wrok", &work)).err().unwrap().to_string();
        assert_eq!(error, "kernel a.wgsl:run: no shader has the buffer 'wrok'; did you mean 'work'?");
    }
}
