//! One line of the table.

use serde::Serialize;

use super::Group;

/// A bound on a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
}

/// The verdict on a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The value is within its bound.
    Holds,
    /// The value is not within its bound.
    Over,
    /// There is no bound.
    Value,
    /// There is no reference to compare with.
    NoReference,
}

impl Verdict {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Over => "over",
            Verdict::Value => "-",
            Verdict::NoReference => "no reference",
        }
    }
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The group.
    pub group: Group,
    /// What was measured.
    pub what: &'static str,
    /// The body and the settings.
    pub case: String,
    /// The value, in `unit`; `None` if there is no reference or it is not finite.
    pub value: Option<f64>,
    /// "%", or "" for plain numbers.
    pub unit: &'static str,
    /// Its bound, in `unit`.
    pub bound: Option<Bound>,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why there is no reference.
    pub note: Option<String>,
}

impl Row {
    /// A row without a value; `unit` is "%" or "".
    pub fn new(group: Group, what: &'static str, case: &str, unit: &'static str) -> Self {
        let (case, verdict) = (case.to_owned(), Verdict::Value);
        Self { group, what, case, value: None, unit, bound: None, verdict, note: None }
    }

    /// The row with a value that must be at most `bound`.
    pub fn at_most(self, value: f64, bound: f64) -> Self {
        self.judge(value, Bound::AtMost(bound), value <= bound)
    }

    /// The row with a value that must be at least `bound`.
    pub fn at_least(self, value: f64, bound: f64) -> Self {
        self.judge(value, Bound::AtLeast(bound), value >= bound)
    }

    /// The row with a value that has no bound.
    pub fn value(self, value: f64) -> Self {
        Self { value: Some(value).filter(|v| v.is_finite()), ..self }
    }

    /// The row without a value, because there is no reference.
    pub fn missing(self, why: &str) -> Self {
        Self { verdict: Verdict::NoReference, note: Some(why.to_owned()), ..self }
    }

    fn judge(self, value: f64, bound: Bound, holds: bool) -> Self {
        let verdict = if holds { Verdict::Holds } else { Verdict::Over };
        Self { bound: Some(bound), verdict, ..self.value(value) }
    }
}
