//! What a scene says and probably does not mean: allowed, and yet worth a line.
//!
//! [`of`] collects everything about a model and its settings; a [`crate::scene::Scene`] that was read from a file has
//! its own in `warnings`, which name keys of the file. Each says what was found, why it matters and how to mend it.

mod attached;
mod edges;
mod idle;
mod inside;
mod outcome;
mod overlap;
mod size;
mod slow;
#[cfg(all(test, feature = "scene"))]
mod tests;
mod touching;

use std::fmt;

use crate::method::Stability;
use crate::model::Model;
use crate::settings::Settings;

pub use outcome::{is_far, is_torn, rubbery, torn, unconverged};
pub(crate) use size::of_body;
pub use size::{SizedBy, size_text};

/// One warning. Field names are the keys of the JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Warning {
    /// Name of the body that it is about, if it is about one.
    pub body: Option<String>,
    /// The key of the scene file that mends it.
    pub key: &'static str,
    /// What was found, why it matters and how to fix it.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Some(body) => write!(f, "body '{body}': {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Everything that there is to say about a model and its settings; of a batch about its first copy.
pub fn of(model: &Model, settings: &Settings) -> Vec<Warning> {
    let bodies = &model.bodies()[..model.bodies().len() / model.copies() as usize];
    let sizes =
        bodies.iter().filter_map(|b| of_body(&b.name, model.size_of(b), SizedBy::Key("rest_position")));
    let mut found: Vec<Warning> = sizes.collect();
    found.extend(of_scene(model, settings));
    found.extend(method(model, settings));
    found
}

/// What there is to say about the method: settings that the solver has no use for, bodies that are too stiff for it, surfaces that start within
/// their thickness, and bodies that start inside colliders.
pub fn method(model: &Model, settings: &Settings) -> Vec<Warning> {
    let starts = overlap::of(model, settings).into_iter().chain(inside::of(model, settings));
    idle::settings(settings).chain(slow::of(model, settings)).chain(starts).collect()
}

/// What there is to say of contact between surfaces after a run with substeps of `step` \[s\] where surfaces touch, in which the guard has held back
/// the part `held` of the nodes in a substep, on average, and something has touched or not. `stability` is that of the model.
pub fn contact(
    model: &Model,
    settings: &Settings,
    stability: &Stability,
    step: f64,
    held: f64,
    has_touched: bool,
) -> Vec<Warning> {
    let of_method = touching::of(model, settings, stability, step).filter(|_| has_touched);
    of_method.into_iter().chain(touching::held(held)).collect()
}

/// The same without sizes, whose keys differ from shape to shape, and without settings, which may still be replaced.
pub(crate) fn of_scene(model: &Model, settings: &Settings) -> Vec<Warning> {
    let bodies = edges::of(model).into_iter().chain(attached::of(model)).chain(idle::layers(model));
    bodies.chain(idle::air(model, settings)).collect()
}

#[cfg(feature = "scene")]
/// Those of all copies of a batch, each once: that of the first copy which has it, and how many have.
pub(crate) fn merge(copies: Vec<Vec<Warning>>) -> Vec<Warning> {
    struct Merged {
        warning: Warning,
        first: usize,
        count: usize,
        alike: bool,
    }
    let all = copies.len();
    let mut merged: Vec<Merged> = Vec::new();
    for (copy, warnings) in copies.into_iter().enumerate() {
        for warning in warnings {
            let same = |m: &&mut Merged| (&m.warning.body, m.warning.key) == (&warning.body, warning.key);
            match merged.iter_mut().find(same) {
                Some(known) => {
                    known.count += 1;
                    known.alike &= known.warning.text == warning.text;
                }
                None => merged.push(Merged { warning, first: copy, count: 1, alike: true }),
            }
        }
    }
    let finish = |Merged { mut warning, first, count, alike }: Merged| {
        if count < all || !alike {
            warning.text += &format!(" (so in copy {first}; {count} of {all} copies are warned of it)");
        }
        warning
    };
    merged.into_iter().map(finish).collect()
}

/// A number with three digits, no more than it needs.
fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let decimals = (2.0 - x.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{x:.decimals$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The next number above zero of two digits that is not below `x`.
fn round_up(x: f64) -> f64 {
    let unit = 10f64.powf(x.log10().floor() - 1.0);
    (x / unit - 1e-9).ceil() * unit
}
