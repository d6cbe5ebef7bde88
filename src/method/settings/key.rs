//! Keys of settings: what each is called, which values it takes, and what it means.
//!
//! All of the following is made from these keys: the reader of scenes, the options of the command line and their help, the
//! tables of `docs/scene-file.md`, the marks of checkpoints, and warnings about keys that a method does not use.

use std::fmt;
use std::marker::PhantomData;

use glam::Vec3;

use super::{Air, Settings, SolverKind};

/// What is known of a key.
#[derive(Debug)]
pub struct Spec {
    /// The name in scene files, in kebab-case; with two dashes before it the option.
    pub name: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// Their unit; empty where they have none.
    pub unit: &'static str,
    /// What it is where it is not given, in words or as in a scene file; of keys of methods each method says it ([`Use`]).
    pub default: &'static str,
    /// One line on what it is.
    pub help: &'static str,
    /// Where its value is kept.
    pub place: Place,
}

/// Where settings keep the value of a key.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Among what the method has of its own, if it is given.
    Own,
    /// In a field that always has a value.
    Field(fn(&Settings) -> Given, fn(&mut Settings, Given)),
}

/// The place of a value in a field of [`Settings`].
macro_rules! field {
    ($($field:ident).+) => {
        $crate::settings::key::Place::Field(
            |settings| {
                $crate::settings::key::Value::given(settings.$($field).+.clone()).unwrap_or($crate::settings::key::Given::Word("auto"))
            },
            |settings, given| {
                if let Some(value) = $crate::settings::key::Value::of(&given) {
                    settings.$($field).+ = value;
                }
            },
        )
    };
}
pub(super) use field;

/// A value of any key.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A whole number.
    Count(u32),
    /// A number.
    Number(f32),
    /// True or false.
    Flag(bool),
    /// One of the words of its key.
    Word(&'static str),
    /// Three numbers.
    Vector(Vec3),
    /// Density and coefficients.
    Air(Air),
}

/// A word that a key takes, and a line on what it stands for.
pub type Word = (&'static str, &'static str);

/// Which values a key takes.
#[derive(Debug)]
pub enum Kind {
    /// A whole number, or one of the words.
    Count {
        /// The least.
        least: u32,
        /// The largest.
        most: u32,
        /// Words that are allowed, too.
        words: &'static [&'static str],
    },
    /// A number, or one of the words.
    Number {
        /// Whether a finite number is allowed.
        allows: fn(f32) -> bool,
        /// The same in words.
        range: &'static str,
        /// Words that are allowed, too.
        words: &'static [&'static str],
    },
    /// True or false.
    Flag,
    /// One of a list of words, which may be made by a program.
    Words(fn() -> Vec<Word>),
    /// Three numbers of at most a million.
    Vector,
    /// A table of density and coefficients.
    Air,
}

/// Largest component of a vector.
pub const MOST_COMPONENT: f32 = 1e6;

impl Kind {
    /// The range in words, as in tables and messages; empty where there is nothing to say.
    pub fn range(&self) -> String {
        let or = |words: &[&str]| words.iter().map(|word| format!(", or \"{word}\"")).collect::<String>();
        match self {
            Kind::Count { least, most, words } => {
                format!("a whole number from {least} to {most}{}", or(words))
            }
            Kind::Number { range, words: [], .. } => (*range).to_owned(),
            Kind::Number { range, words, .. } => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!("{} or a number {range}", words.join(", "))
            }
            Kind::Flag => "true or false".to_owned(),
            Kind::Words(words) => {
                let words: Vec<String> = words().iter().map(|(word, _)| format!("\"{word}\"")).collect();
                words.join(", ")
            }
            Kind::Vector => "three finite numbers, none above 1e6".to_owned(),
            Kind::Air => "{ density, normal, tangential }".to_owned(),
        }
    }

    /// What is wrong with a value: the part of it, and what is allowed.
    pub fn refuses(&self, given: &Given) -> Option<Refused> {
        let not = |range: String| {
            let allowed = format!("it must be {range}");
            Some(Refused { part: None, value: given.to_string(), allowed })
        };
        match (self, given) {
            (Kind::Count { least, most, .. }, Given::Count(n)) if !(least..=most).contains(&n) => {
                not(self.range())
            }
            (Kind::Number { allows, .. }, Given::Number(x)) if !(x.is_finite() && allows(*x)) => {
                not(self.range())
            }
            (Kind::Vector, Given::Vector(v))
                if !(v.is_finite() && v.abs().max_element() <= MOST_COMPONENT) =>
            {
                not(self.range())
            }
            (Kind::Air, Given::Air(air)) => {
                let parts =
                    [("density", air.density), ("normal", air.normal), ("tangential", air.tangential)];
                let (part, x) = parts.into_iter().find(|(_, x)| !NOT_NEGATIVE.allows(*x))?;
                Some(Refused {
                    part: Some(part),
                    value: x.to_string(),
                    allowed: format!("it must be {}", NOT_NEGATIVE.range),
                })
            }
            (Kind::Count { .. }, Given::Count(_))
            | (Kind::Number { .. }, Given::Number(_))
            | (Kind::Vector, Given::Vector(_))
            | (Kind::Flag, Given::Flag(_)) => None,
            (Kind::Count { words, .. } | Kind::Number { words, .. }, Given::Word(word))
                if words.contains(word) =>
            {
                None
            }
            (Kind::Words(words), Given::Word(word)) if words().iter().any(|known| known.0 == *word) => None,
            _ => not(self.range()),
        }
    }
}

/// A value that a key does not take.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The part of it that is wrong, where it has parts.
    pub part: Option<&'static str>,
    /// The value found.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

/// A range of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Whether a number is in it.
    allows: fn(f32) -> bool,
    /// The same in words.
    range: &'static str,
}

/// Zero and above.
pub const NOT_NEGATIVE: Range =
    Range { allows: |x| x.is_finite() && x >= 0.0, range: "finite and not negative" };
/// A part of something.
pub const PART: Range = Range { allows: |x| x > 0.0 && x < 1.0, range: "above 0 and below 1" };

impl Range {
    /// A range by a function, and the same in words.
    pub const fn new(allows: fn(f32) -> bool, range: &'static str) -> Self {
        Self { allows, range }
    }

    fn allows(&self, x: f32) -> bool {
        (self.allows)(x)
    }

    /// Numbers of this range.
    pub const fn kind(self) -> Kind {
        self.or(&[])
    }

    /// The same, or one of these words.
    pub const fn or(self, words: &'static [&'static str]) -> Kind {
        Kind::Number { allows: self.allows, range: self.range, words }
    }
}

/// As in a scene file.
impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Count(n) => n.fmt(f),
            Given::Number(x) => x.fmt(f),
            Given::Flag(flag) => flag.fmt(f),
            Given::Word(word) => write!(f, "\"{word}\""),
            Given::Vector(v) => v.fmt(f),
            Given::Air(Air { density, normal, tangential }) => {
                write!(f, "{{ density = {density}, normal = {normal}, tangential = {tangential} }}")
            }
        }
    }
}

/// A key of a method's own settings, as the method sees it.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The key.
    pub spec: &'static Spec,
    /// What it counts or chooses for this method; empty where the key's own line says all.
    pub what: &'static str,
    /// What it is where it is not given.
    pub default: &'static str,
}

/// A type that settings are read and written as.
pub trait Value: Sized {
    /// As a key keeps it; `None` for what stands for "not given".
    fn given(self) -> Option<Given>;

    /// The opposite; `None` for a value of another kind.
    fn of(given: &Given) -> Option<Self>;
}

/// A key with the type of its values.
pub struct Key<T> {
    /// What is known of it.
    pub spec: &'static Spec,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

impl<T> Key<T> {
    /// Gives a key its type.
    pub const fn new(spec: &'static Spec) -> Self {
        Self { spec, value: PhantomData }
    }

    /// How a method uses it: what it is for the method, and what it is where it is not given.
    pub const fn by(self, what: &'static str, default: &'static str) -> Use {
        Use { spec: self.spec, what, default }
    }
}

macro_rules! plain_values {
    ($($type:ty => $variant:ident),* $(,)?) => {
        $(impl Value for $type {
            fn given(self) -> Option<Given> {
                Some(Given::$variant(self))
            }

            fn of(given: &Given) -> Option<Self> {
                match given {
                    Given::$variant(value) => Some(value.clone()),
                    _ => None,
                }
            }
        })*
    };
}
plain_values! { u32 => Count, f32 => Number, bool => Flag, Vec3 => Vector, Air => Air }

impl<T: Value> Value for Option<T> {
    fn given(self) -> Option<Given> {
        self.and_then(T::given)
    }

    fn of(given: &Given) -> Option<Self> {
        T::of(given).map(Some)
    }
}

impl Value for SolverKind {
    fn given(self) -> Option<Given> {
        Some(Given::Word(self.name()))
    }

    fn of(given: &Given) -> Option<Self> {
        match given {
            Given::Word(name) => name.parse().ok(),
            _ => None,
        }
    }
}
