//! The value of a sweep's key in each copy.

use super::parameter::Parameter;
use super::table::Value;
use crate::Error;

/// The values of one key over the copies.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Spec {
    /// Given values, one after the other.
    List(Vec<Parameter>),
    /// In equal steps from the first copy to the last.
    Line { from: Components, to: Components },
    /// Random between two bounds, each component independently.
    Random { min: Components, max: Components, log: bool },
}

/// One number, or the components of a vector.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Components {
    numbers: Vec<f64>,
    is_vector: bool,
}

const KEYS: &[&str] = &["from", "to", "min", "max", "distribution"];

impl Spec {
    pub fn read(value: &Value) -> Result<Self, Error> {
        let forms = "it must be an array of values, { from = A, to = B }, or { min = A, max = B }";
        if let Ok(items) = value.items() {
            if items.is_empty() {
                return Err(value.wrong("it must hold at least one value"));
            }
            let one = |item: &Value| {
                Parameter::from_toml(item.raw()).ok_or_else(|| item.wrong("it must be a value of a scene"))
            };
            return Ok(Spec::List(items.iter().map(one).collect::<Result<_, _>>()?));
        }
        if value.entries().is_none() {
            return Err(value.wrong(forms));
        }
        let table = value.table(&[KEYS])?;
        let pair = |a, b| -> Result<_, Error> {
            let (first, second) = (table.need(a, components)?, table.need(b, components)?);
            if (first.numbers.len(), first.is_vector) != (second.numbers.len(), second.is_vector) {
                return Err(table.error_at(b, format!("{b}: it must have as many numbers as {a}")));
            }
            Ok((first, second))
        };
        if table.one_of(&["from", "min"])? == Some("from") {
            if let Some(other) = ["max", "distribution"].into_iter().find(|key| table.has(key)) {
                return Err(table.error_at(other, format!("{other}: it goes with min, not with from")));
            }
            let (from, to) = pair("from", "to")?;
            return Ok(Spec::Line { from, to });
        }
        let (min, max) = pair("min", "max")?;
        let log =
            table.read("distribution", |v| v.word(&[("uniform", false), ("log", true)]))?.unwrap_or(false);
        if min.numbers.iter().zip(&max.numbers).any(|(min, max)| min > max) {
            return Err(table.error_at("max", "max: it must not be below min"));
        }
        if log && min.numbers.iter().any(|&x| x <= 0.0) {
            return Err(table.error_at("min", "min: it must be above zero where distribution = \"log\""));
        }
        Ok(Spec::Random { min, max, log })
    }

    /// The number of values of a list; `None` for the other forms.
    pub fn length(&self) -> Option<usize> {
        match self {
            Spec::List(values) => Some(values.len()),
            _ => None,
        }
    }

    /// The value of copy `copy` of `copies`; `turn` counts through a list, `stream` names the random numbers.
    pub fn value(&self, copy: u32, copies: u32, turn: usize, stream: u64) -> Parameter {
        match self {
            Spec::List(values) => values[turn % values.len()].clone(),
            Spec::Line { from, to } => {
                let part = if copies > 1 { f64::from(copy) / f64::from(copies - 1) } else { 0.0 };
                // This gives both ends exactly.
                from.with(to, |_, a, b| a * (1.0 - part) + b * part)
            }
            Spec::Random { min, max, log } => min.with(max, |k, a, b| {
                let part = unit(stream, copy, k as u32);
                let x = if *log {
                    (a.ln() * (1.0 - part) + b.ln() * part).exp()
                } else {
                    a * (1.0 - part) + b * part
                };
                x.clamp(a, b)
            }),
        }
    }
}

impl Components {
    fn with(&self, other: &Self, f: impl Fn(usize, f64, f64) -> f64) -> Parameter {
        let pairs = self.numbers.iter().zip(&other.numbers).enumerate();
        let mut numbers = pairs.map(|(k, (&a, &b))| Parameter::Number(f(k, a, b)));
        match self.is_vector {
            true => Parameter::List(numbers.collect()),
            false => numbers.next().unwrap_or(Parameter::Number(0.0)),
        }
    }
}

fn components(value: Value) -> Result<Components, Error> {
    match value.items() {
        Ok(items) if !items.is_empty() => {
            let numbers = items.iter().map(Value::number).collect::<Result<_, _>>()?;
            Ok(Components { numbers, is_vector: true })
        }
        _ => {
            let number =
                value.number().map_err(|_| value.wrong("it must be a number or an array of numbers"))?;
            Ok(Components { numbers: vec![number], is_vector: false })
        }
    }
}

/// Names a stream of random numbers: other keys and more copies do not change the numbers of this one.
pub(super) fn stream(seed: u64, name: &str) -> u64 {
    name.bytes().fold(mix(seed), |state, byte| mix(state ^ u64::from(byte)))
}

/// A random number in [0, 1) that depends only on its place.
pub(super) fn unit(stream: u64, copy: u32, index: u32) -> f64 {
    let bits = mix(stream ^ mix(u64::from(copy) << 32 | u64::from(index)));
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// SplitMix64's step (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators").
fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_fill_the_interval_evenly() {
        let name = stream(1, "body.fabric.tensile");
        let mut counts = [0; 10];
        let mut sum = 0.0;
        for copy in 0..10_000 {
            let x = unit(name, copy, copy % 3);
            counts[(10.0 * x) as usize] += 1;
            sum += x * unit(stream(1, "world.drag"), copy, copy % 3);
        }
        // Five standard deviations.
        assert!(counts.iter().all(|c| (850..=1150).contains(c)), "{counts:?}");
        assert!((sum / 10_000.0 - 0.25).abs() < 0.011, "streams of two keys hang together: {sum}");
    }

    #[test]
    fn a_logarithmic_choice_has_its_median_at_the_geometric_mean() {
        let ends = |x| Components { numbers: vec![x], is_vector: false };
        let spec = Spec::Random { min: ends(1.0), max: ends(1e4), log: true };
        let below = (0..1000).filter(|&c| match spec.value(c, 1000, 0, 7) {
            Parameter::Number(x) => x < 100.0,
            _ => false,
        });
        let below = below.count();
        assert!((420..=580).contains(&below), "{below}");
    }
}
