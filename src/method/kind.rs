//! A method by name.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use super::Method;
use super::list::for_each_method;

macro_rules! kinds {
    ($($kind:ident => $module:ident,)*) => {
        /// A time integrator. What it says of itself is [`Method`], which this dereferences to: `kind.name()`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SolverKind {
            $(#[doc = concat!("The method of `src/method/", stringify!($module), "`, which has a page in `docs/methods`.")] $kind,)*
        }

        impl SolverKind {
            /// All of them, in the order of menus, tables and charts.
            pub const ALL: [SolverKind; [$(stringify!($kind)),*].len()] = [$(SolverKind::$kind),*];

            /// The methods for which `is_so` holds, as TOML has their names, for messages.
            pub fn names(is_so: impl Fn(SolverKind) -> bool) -> String {
                let so = Self::ALL.into_iter().filter(|kind| is_so(*kind));
                so.map(|kind| format!("\"{kind}\"")).collect::<Vec<_>>().join(", ")
            }

            /// What it says of itself.
            pub fn method(self) -> &'static dyn Method {
                match self {
                    $(SolverKind::$kind => &super::$module::About,)*
                }
            }
        }
    };
}

for_each_method!(kinds);

impl Deref for SolverKind {
    type Target = dyn Method;

    fn deref(&self) -> &Self::Target {
        self.method()
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SolverKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        SolverKind::ALL.into_iter().find(|k| k.name() == name).ok_or_else(|| {
            let names = SolverKind::ALL.map(|kind| kind.name()).join(", ");
            format!("no solver '{name}'; the solvers are {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::fixture;
    use crate::settings::Settings;
    use crate::settings::key::{Given, Kind, Spec};

    /// A run that goes on under another value would not be the same run.
    #[test]
    fn every_key_of_a_method_has_a_mark() {
        let model = fixture::cloth(3, 3, &[]);
        for kind in SolverKind::ALL {
            for used in kind.keys() {
                let settings = some_value(kind, used.spec);
                let mark = kind.resolved(used.spec, &model, &settings);
                assert!(
                    mark.is_some() || !kind.takes(&settings, used.spec.name),
                    "{kind}: {}",
                    used.spec.name
                );
            }
        }
    }

    fn some_value(kind: SolverKind, spec: &'static Spec) -> Settings {
        let value = match &spec.kind {
            Kind::Count { most, .. } => Given::Count(*most),
            Kind::Number { .. } => Given::Number(0.5),
            Kind::Words(words) => Given::Word(words()[0].0),
            _ => Given::Flag(false),
        };
        let mut settings = Settings::of(kind);
        settings.put(spec, Some(value));
        settings
    }

    #[test]
    fn names_are_those_of_folders_and_pages() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut names = Vec::new();
        for kind in SolverKind::ALL {
            let name = kind.name();
            assert_eq!(name.parse(), Ok(kind));
            assert!(!names.contains(&name), "two methods are called {name}");
            assert_eq!(
                super::super::DEFAULT == format!("\"{name}\""),
                kind == SolverKind::default(),
                "{name}"
            );
            names.push(name);
            let folder = root.join("src/method").join(name.replace('-', "_"));
            assert!(folder.is_dir(), "{} is missing", folder.display());
            let page = root.join("docs/methods").join(name).with_extension("md");
            let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
            let (_, settings) = text.split_once("\n## Settings\n").expect("a page has its settings");
            let settings = settings.split("\n## ").next().unwrap_or_default();
            for used in kind.keys() {
                let row = format!("\n| `{}` |", used.spec.name);
                assert!(
                    settings.contains(&row),
                    "{}: its settings have no {}",
                    page.display(),
                    used.spec.name
                );
            }
        }
    }
}
