//! All that a run needs to continue as if it had never stopped, as plain data. [`crate::Simulation::checkpoint`] makes it,
//! [`crate::Simulation::resume`] continues from it, [`crate::io::write_checkpoint`] writes it to a file.

mod hash;

use std::fmt;

pub use hash::Hash;

/// A moment of a run, between two frames.
///
/// A [`crate::State`] alone is not enough to go on to the last bit: Verlet stores velocities half a step behind the
/// positions, `local-global` remembers how careful it has to be, a node may have been pinned or released. So these are
/// the buffers themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Frames done.
    pub frames: u64,
    /// Simulated time of frame 0 \[s\].
    pub start_time: f64,
    /// Length of a frame \[s\].
    pub frame_time: f32,
    /// Substeps a frame.
    pub substeps: u32,
    /// What tells the model from others: counts and hashes.
    pub model: Vec<Mark>,
    /// The settings, and what else decides over the last bit.
    pub settings: Vec<Mark>,
    /// The buffers.
    pub parts: Vec<Part>,
}

/// Something that a run is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its name, of a setting the one in scene files.
    pub key: String,
    /// Its value, exactly.
    pub value: String,
}

/// A buffer, as words of 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What it held.
    pub words: Vec<u32>,
}

/// A setting that is another one than when the checkpoint was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name.
    pub key: String,
    /// Its value in the checkpoint.
    pub then: String,
    /// Its value now.
    pub now: String,
}

impl Checkpoint {
    /// Simulated time \[s\].
    pub fn time(&self) -> f64 {
        self.start_time + self.frames as f64 * f64::from(self.frame_time)
    }

    /// The words of a buffer.
    pub fn part(&self, name: &str) -> Option<&[u32]> {
        self.parts.iter().find(|part| part.name == name).map(|part| part.words.as_slice())
    }
}

impl Mark {
    /// A value under its name.
    pub fn new(key: &str, value: impl fmt::Display) -> Self {
        Self { key: key.to_owned(), value: value.to_string() }
    }
}

/// Where `now` differs from `then`. A mark that one of them lacks is no number: "none".
pub fn differences(then: &[Mark], now: &[Mark]) -> Vec<Difference> {
    let value = |marks: &[Mark], key: &str| {
        marks.iter().find(|m| m.key == key).map_or("none".to_owned(), |m| m.value.clone())
    };
    let only_then = then.iter().filter(|m| now.iter().all(|n| n.key != m.key));
    let all = now.iter().chain(only_then);
    let pairs =
        all.map(|m| Difference { key: m.key.clone(), then: value(then, &m.key), now: value(now, &m.key) });
    pairs.filter(|d| d.then != d.now).collect()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was {}, is {}", self.key, self.then, self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_what_changed_came_and_went() {
        let then = [Mark::new("drag", 0.5), Mark::new("sweeps", 2), Mark::new("wind", 0)];
        let now = [Mark::new("drag", 1), Mark::new("tolerance", 0.1), Mark::new("wind", 0)];
        let told: Vec<String> = differences(&then, &now).iter().map(Difference::to_string).collect();
        assert_eq!(told, ["drag was 0.5, is 1", "tolerance was none, is 0.1", "sweeps was 2, is none"]);
    }
}
