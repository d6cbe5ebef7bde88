//! Parsers of option values. Each error says what is allowed.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use taffeta::bench::truth::Group;
use taffeta::render::Mode;
use taffeta::settings::{Settings, SolverKind};

use super::failure::Failure;

/// Longest run [s]: frames must be countable. The same as in a scene.
const MOST_SECONDS: f64 = 1e6;

/// Sides of a picture [pixels].
const SIDES: std::ops::RangeInclusive<u32> = 16..=16384;

/// The name of a solver; help lists them with their summaries.
pub fn solver() -> impl TypedValueParser<Value = SolverKind> {
    let names = SolverKind::ALL.map(|kind| PossibleValue::new(kind.name()).help(kind.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<SolverKind>())
}

/// Checks that `--solvers` names each solver once.
pub fn check_distinct(solvers: &[SolverKind]) -> Result<(), Failure> {
    match solvers.iter().enumerate().find(|(i, solver)| solvers[..*i].contains(solver)) {
        None => Ok(()),
        Some((_, twice)) => Err(Failure::input("--solvers", format!("{twice} is given twice"))),
    }
}

/// The name of a group of `bench --accuracy`; help lists them with their summaries.
pub fn group() -> impl TypedValueParser<Value = Group> {
    let names = Group::ALL.map(|group| PossibleValue::new(group.name()).help(group.summary()));
    PossibleValuesParser::new(names).map(|name| {
        let named = Group::ALL.into_iter().find(|group| group.name() == name);
        named.unwrap_or_else(|| unreachable!("one of the possible values"))
    })
}

/// A duration [s].
pub fn seconds(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|&s| s > 0.0 && s <= MOST_SECONDS)
        .ok_or(format!("it must be a number of seconds above 0 and at most {MOST_SECONDS}"))
}

/// A stretch l / r - 1 of springs.
pub fn stretch(text: &str) -> Result<f64, String> {
    number(text).filter(|&s| s > 0.0 && s <= 10.0).ok_or("it must be a number above 0 and at most 10".into())
}

/// A number of frames.
pub fn frames(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or("it must be a whole number of frames, at least 1".into())
}

/// A number of files per simulated second.
pub fn rate(text: &str) -> Result<f64, String> {
    number(text).filter(|&f| f > 0.0).ok_or("it must be a finite number above 0".into())
}

/// Width and height of a picture [pixels].
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']);
    let side = |text: &str| text.parse().ok().filter(|n| SIDES.contains(n));
    sides.and_then(|(width, height)| Some([side(width)?, side(height)?])).ok_or(format!(
        "it must be WIDTHxHEIGHT in pixels, such as 1280x720, each from {} to {}",
        SIDES.start(),
        SIDES.end()
    ))
}

/// The name of what a picture shows; help lists the names.
pub fn mode() -> impl TypedValueParser<Value = Mode> {
    let help = |mode| match mode {
        Mode::Surface => "the triangles as fabric, ropes as cords",
        Mode::Springs => "the springs, colored by family",
        Mode::Stretch => "the triangles colored by stretch, with a legend",
        Mode::Contact => "the triangles colored by how near they are to what they may touch, with a legend",
    };
    PossibleValuesParser::new(Mode::ALL.map(|mode| PossibleValue::new(mode.name()).help(help(mode))))
        .map(|name| Mode::ALL.into_iter().find(|mode| mode.name() == name).unwrap_or_default())
}

/// Fails where a scene with these settings has nothing to show.
pub fn check_mode(mode: Mode, settings: &Settings) -> Result<(), Failure> {
    if mode != Mode::Contact || settings.has_contact() {
        return Ok(());
    }
    let message = "nothing touches with contact = false or planar = true in [simulation]: leave them out, or show something else";
    Err(Failure::input("--show contact", message))
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.is_finite())
}
