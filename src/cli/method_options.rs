//! Options of steps and methods, one for each key of `[simulation]`, generated from the registry of keys.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use taffeta::settings::key::{Given, Kind, Spec};
use taffeta::settings::{self, SOLVER, Settings, SolverKind};

const HEADING: &str = "Simulation (default: what the scene says)";

/// Settings that override the scene file, except the solver.
#[derive(Clone, Debug, Default)]
pub struct MethodOverrides {
    given: Vec<(&'static Spec, Given)>,
}

impl MethodOverrides {
    /// Whether there is an option of this name.
    pub fn gives(&self, key: &str) -> bool {
        self.given.iter().any(|(spec, _)| spec.name == key)
    }

    /// The option that gives a key, as written on the command line.
    pub fn written(&self, key: &str) -> Option<String> {
        let (spec, given) = self.given.iter().find(|(spec, _)| spec.name == key)?;
        Some(match given {
            Given::Flag(true) => format!("--{}", spec.name),
            Given::Word(word) => format!("--{} {word}", spec.name),
            given => format!("--{} {given}", spec.name),
        })
    }

    /// Puts the options into the settings.
    pub fn apply(&self, settings: &mut Settings) {
        for (spec, given) in &self.given {
            settings.put(spec, Some(given.clone()));
        }
    }
}

/// The keys that have an option.
fn keys() -> impl Iterator<Item = &'static Spec> {
    settings::simulation().into_iter().filter(|spec| spec.name != SOLVER.spec.name)
}

impl clap::Args for MethodOverrides {
    fn augment_args(command: Command) -> Command {
        keys().fold(command, |command, spec| command.arg(option(spec)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for MethodOverrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |spec: &'static Spec| {
            let value = match is_switch(spec) {
                true => matches.get_flag(spec.name).then_some(Given::Flag(true)),
                false => matches.get_one::<Given>(spec.name).cloned(),
            };
            value.map(|given| (spec, given))
        };
        Ok(Self { given: keys().filter_map(given).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Whether the option takes no value: the key is false by default, and the option makes it true.
fn is_switch(spec: &Spec) -> bool {
    matches!(spec.kind, Kind::Flag) && spec.default == "false"
}

fn option(spec: &'static Spec) -> Arg {
    let arg = Arg::new(spec.name).long(spec.name).help(help(spec)).help_heading(HEADING);
    if is_switch(spec) {
        return arg.action(ArgAction::SetTrue);
    }
    arg.value_name(value_name(&spec.kind)).value_parser(parser(spec)).allow_negative_numbers(true)
}

/// The help text: meaning, values, and the methods that have the key, with their defaults.
fn help(spec: &'static Spec) -> String {
    let plain = |text: &str| text.replace('`', "");
    let mut help = upper_first(&plain_links(spec.help)).replace(", below", "");
    let unit = if spec.unit.is_empty() { String::new() } else { format!(" [{}]", spec.unit) };
    if !matches!(spec.kind, Kind::Flag | Kind::Words(_)) {
        help.push_str(&format!("{unit}: {}", plain(&spec.kind.range())));
    }
    let uses = SolverKind::ALL.iter().filter_map(|kind| {
        let used = kind.usage(spec.name)?;
        Some(format!("{kind} [default: {}]", plain_links(used.default)))
    });
    let uses: Vec<String> = uses.collect();
    if !uses.is_empty() {
        help.push_str(&format!(". Of {}", uses.join(", ")));
    }
    help
}

/// Markdown text with the code marks and links removed.
fn plain_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((label, after)) = link.split_once("](") else { break };
        let Some((_, after)) = after.split_once(')') else { break };
        plain.push_str(before);
        plain.push_str(label);
        rest = after;
    }
    plain.push_str(rest);
    plain.replace('`', "")
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn value_name(kind: &Kind) -> String {
    match kind {
        Kind::Count { words, .. } => [&["N"], *words].concat().join("|"),
        Kind::Number { words, .. } => [&["NUMBER"], *words].concat().join("|"),
        Kind::Flag => "true|false".to_owned(),
        Kind::Words(_) => "NAME".to_owned(),
        Kind::Vector | Kind::Air => unreachable!("no key of [simulation] has such a value"),
    }
}

fn parser(spec: &'static Spec) -> ValueParser {
    if let Kind::Words(words) = &spec.kind {
        let words = words();
        let values = words.iter().map(|(word, help)| PossibleValue::new(*word).help(*help));
        let values = PossibleValuesParser::new(values);
        let word = move |text: String| {
            let known = words.iter().find(|(word, _)| *word == text);
            Given::Word(known.map_or("", |(word, _)| word))
        };
        return values.map(word).into();
    }
    ValueParser::from(move |text: &str| given(spec, text))
}

fn given(spec: &Spec, text: &str) -> Result<Given, String> {
    let wrong = || format!("it must be {}", spec.kind.range().replace('"', "'"));
    let value = match &spec.kind {
        Kind::Count { words, .. } | Kind::Number { words, .. } if words.contains(&text) => {
            words.iter().find(|word| **word == text).map(|word| Given::Word(word))
        }
        Kind::Count { .. } => text.parse().ok().map(Given::Count),
        Kind::Number { .. } => text.parse().ok().map(Given::Number),
        Kind::Flag => text.parse().ok().map(Given::Flag),
        Kind::Words(_) | Kind::Vector | Kind::Air => None,
    };
    value.filter(|value| spec.kind.refuses(value).is_none()).ok_or_else(wrong)
}
