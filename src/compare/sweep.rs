//! A setting that takes several values in a comparison.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::settings::{ITERATIONS, Iterations, MAX_ITERATIONS, MAX_SUBSTEPS, Settings, Substeps};

/// Most values; each value is a run of every solver.
const MOST_VALUES: usize = 16;

/// The setting of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SweepKey {
    /// Substeps a frame.
    Substeps,
    /// Iterations a substep, for implicit solvers.
    Iterations,
}

impl SweepKey {
    /// All settings.
    pub const ALL: [SweepKey; 2] = [SweepKey::Substeps, SweepKey::Iterations];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SweepKey::Substeps => "substeps",
            SweepKey::Iterations => "iterations",
        }
    }

    fn most(self) -> u32 {
        match self {
            SweepKey::Substeps => MAX_SUBSTEPS,
            SweepKey::Iterations => MAX_ITERATIONS,
        }
    }
}

/// A setting and its values, in ascending order. Read from text such as `substeps=1,2,4`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sweep {
    /// The setting.
    pub key: SweepKey,
    /// Its values, ascending, each once.
    pub values: Vec<u32>,
}

impl Sweep {
    /// Puts one of the values into settings.
    pub(super) fn apply(&self, value: u32, settings: &mut Settings) {
        match self.key {
            SweepKey::Substeps => settings.step.substeps = Substeps::Fixed(value),
            SweepKey::Iterations => settings.set(ITERATIONS, Iterations::Fixed(value)),
        }
    }
}

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "it must be KEY=N,N,... such as substeps=1,2,4,8; the keys are substeps and iterations";
        let (name, list) = text.split_once('=').ok_or(form)?;
        let key = SweepKey::ALL.into_iter().find(|key| key.name() == name.trim());
        let key = key.ok_or_else(|| format!("no key '{}': {form}", name.trim()))?;
        let mut values = Vec::new();
        for item in list.split(',').map(str::trim) {
            let value = item.parse().ok().filter(|n| (1..=key.most()).contains(n));
            let value = value.ok_or_else(|| {
                format!("'{item}' for {}: it must be a whole number from 1 to {}", key.name(), key.most())
            })?;
            if values.contains(&value) {
                return Err(format!("{value} is given twice"));
            }
            values.push(value);
        }
        if values.len() > MOST_VALUES {
            return Err(format!(
                "{} values; at most {MOST_VALUES}, for each is a run of every solver",
                values.len()
            ));
        }
        values.sort_unstable();
        Ok(Self { key, values })
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(u32::to_string).collect();
        write!(f, "{}={}", self.key.name(), values.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_is_read_in_order_and_nonsense_is_refused() {
        let sweep: Sweep = "substeps=8,1, 4".parse().unwrap();
        assert_eq!((sweep.key, sweep.to_string().as_str()), (SweepKey::Substeps, "substeps=1,4,8"));
        assert_eq!("iterations=20".parse::<Sweep>().unwrap().values, [20]);
        for (text, part) in [
            ("substeps", "KEY=N,N"),
            ("", "KEY=N,N"),
            ("steps=1", "no key 'steps'"),
            ("substeps=", "'' for substeps: it must be a whole number from 1 to 100000"),
            ("substeps=0", "'0' for substeps"),
            ("substeps=1,,2", "'' for substeps"),
            ("iterations=abc", "'abc' for iterations"),
            ("substeps=200000", "'200000'"),
            ("substeps=2,2", "2 is given twice"),
        ] {
            let error = text.parse::<Sweep>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        let many = (1..=17).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
        assert!(format!("substeps={many}").parse::<Sweep>().unwrap_err().contains("at most 16"));
    }
}
