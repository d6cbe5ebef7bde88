//! The accuracy of the default solver: bodies are compared with closed forms, with exact steps that another method finds in
//! f64 (`track`), and with bounds that hold for any solution (lengths, energy).

pub mod bodies;
mod catenary;
mod energy;
mod estimate;
mod falls;
mod held_sheet;
mod lengths;
mod motion;
pub mod random;
mod row;
mod track;
mod wild;

pub use row::{Bound, Row, Verdict};

use std::sync::mpsc;

use serde::Serialize;

use crate::Error;
use crate::gpu::Gpu;

/// A group of measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// Ropes and sheets of any stiffness let go from the horizontal.
    Falls,
    /// A rope between two pins at rest.
    Catenary,
    /// A sheet held at two corners let go from the horizontal.
    HeldSheet,
    /// Springs that keep their length or a limit of stretch.
    Lengths,
    /// Dragged pins, tumbling sheets and wild starts.
    Motion,
    /// Energy and angular momentum of free networks in motion.
    Energy,
    /// The solver's estimate of its own error.
    Estimate,
}

impl Group {
    /// All groups, in the order of the table.
    pub const ALL: [Group; 7] = [
        Group::Falls,
        Group::Catenary,
        Group::HeldSheet,
        Group::Lengths,
        Group::Motion,
        Group::Energy,
        Group::Estimate,
    ];

    /// Its name in the table and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Group::Falls => "falls",
            Group::Catenary => "catenary",
            Group::HeldSheet => "held-sheet",
            Group::Lengths => "lengths",
            Group::Motion => "motion",
            Group::Energy => "energy",
            Group::Estimate => "estimate",
        }
    }

    /// A summary for help.
    pub fn summary(self) -> &'static str {
        match self {
            Group::Falls => {
                "ropes and sheets of 1e2 to inf N let go: mean fall against exact steps and fine explicit ones in f64"
            }
            Group::Catenary => "sag of a rope at rest against the closed form",
            Group::HeldSheet => "a sheet on two corners let go: mean height against exact steps",
            Group::Lengths => "stretch of inextensible springs, and of those with a limit",
            Group::Motion => "stretch on dragged pins, angular momentum of tumbling sheets, wild starts",
            Group::Energy => "energy and angular momentum of free networks in fast motion",
            Group::Estimate => "the solver's estimate of its own error against the true one, and tolerances",
        }
    }

    fn jobs(self) -> Vec<Job> {
        match self {
            Group::Falls => falls::jobs(),
            Group::Catenary => catenary::jobs(),
            Group::HeldSheet => held_sheet::jobs(),
            Group::Lengths => lengths::jobs(),
            Group::Motion => motion::jobs().into_iter().chain(wild::jobs()).collect(),
            Group::Energy => energy::jobs(),
            Group::Estimate => estimate::jobs(),
        }
    }
}

/// A body whose rows are measured together.
struct Job {
    /// Name in the progress.
    name: String,
    work: Box<Work>,
}

type Work = dyn FnOnce(&Gpu) -> Result<Vec<Row>, Error> + Send;

impl Job {
    fn new(name: String, work: impl FnOnce(&Gpu) -> Result<Vec<Row>, Error> + Send + 'static) -> Self {
        Self { name, work: Box::new(work) }
    }
}

/// A message of a run.
pub enum News<'a> {
    /// A measurement begins: its name, and the number of all measurements.
    Begins(&'a str, usize),
    /// The next rows of the table.
    Rows(&'a [Row]),
}

enum Message {
    Begins(usize),
    Ends(usize, Result<Vec<Row>, Error>),
}

/// Measures `groups`, with one body per core at the same time, because most of the time goes into exact steps on the
/// CPU. Rows come in the order of the table.
pub fn run(gpu: &Gpu, groups: &[Group], mut tell: impl FnMut(News<'_>)) -> Result<(), Error> {
    let jobs: Vec<Job> = groups.iter().flat_map(|group| group.jobs()).collect();
    let names: Vec<String> = jobs.iter().map(|job| job.name.clone()).collect();
    let (sender, receiver) = mpsc::channel();
    rayon::in_place_scope_fifo(|scope| {
        for (index, job) in jobs.into_iter().enumerate() {
            let sender = sender.clone();
            // After an error there is no receiver any more.
            scope.spawn_fifo(move |_| {
                if sender.send(Message::Begins(index)).is_ok() {
                    let _ = sender.send(Message::Ends(index, (job.work)(gpu)));
                }
            });
        }
        drop(sender);
        let mut done: Vec<Option<Vec<Row>>> = vec![None; names.len()];
        let mut told = 0;
        for message in receiver {
            match message {
                Message::Begins(index) => tell(News::Begins(&names[index], names.len())),
                Message::Ends(index, rows) => done[index] = Some(rows?),
            }
            while let Some(rows) = done.get_mut(told).and_then(Option::take) {
                tell(News::Rows(&rows));
                told += 1;
            }
        }
        Ok(())
    })
}
