//! How many substeps a frame takes where surfaces touch and the settings leave it open: enough that those that may meet come nearer to each
//! other by [`SPACINGS`] in a substep at most.
//!
//! Where a frame begins the GPU looks some frames ahead ([`Closing`]). The answer counts [`DELAY`] frames later, whenever it comes: so
//! the number is the same in every run, and nothing waits that would not wait anyway. It holds for some frames more, because
//! forces of contact depend on the step.

use std::collections::VecDeque;

use super::FRAMES_IN_FLIGHT;
use crate::Error;
use crate::contact::{Closing, Guard};
use crate::gpu::{Gpu, Pass, Reading, Words};
use crate::method::Setup;
use crate::settings::{Settings, Substeps};

/// Spacings by which surfaces may come nearer to each other in a substep. With 1.5, piles were stretched by half at times.
const SPACINGS: f32 = 1.0;
/// Spacings by which what may touch counts to come nearer in a frame, however slow it is. That makes three substeps: with two, sharp folds
/// at moving pins and at what has just hit a collider were stretched by half at times, with one layers do not come to rest.
const TOUCHING: f64 = 2.5;
/// Frames between a state and the first frame that follows from it: as many as may be under way.
const DELAY: u64 = FRAMES_IN_FLIGHT as u64;
/// Frames for which a number holds.
const HOLDS: u64 = 12;
/// Most substeps of a frame.
const MOST: u32 = 64;
const _: () = assert!((DELAY + HOLDS) as usize <= Closing::FRAMES);

/// How many substeps frames took, where their number follows what surfaces do, since the start or the last
/// [`crate::Simulation::set_state`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Taken {
    /// Substeps of a frame, at least.
    pub least: u32,
    /// On average.
    pub mean: f64,
    /// At most.
    pub most: u32,
    /// Frames in which the most that a frame may take, 64, were fewer than surfaces needed.
    pub short: u64,
}

/// The pace of a simulation.
pub struct Pace {
    closing: Closing,
    /// Substeps of a frame in which nothing comes nearer.
    least: u32,
    /// The frame that runs.
    frame: u64,
    /// Whether nothing is known of the state at which it begins.
    is_new: bool,
    /// What frames took.
    taken: Taken,
    frames: u64,
    /// The numbers of the last frames, as far as they are known.
    known: Option<Vec<f32>>,
    /// Those that are on their way, of the frame that was asked first at the front.
    asked: VecDeque<Reading<Vec<f32>>>,
}

impl Taken {
    /// A few words for people.
    pub fn text(&self) -> String {
        let mut text = match self.least == self.most {
            true => self.most.to_string(),
            false => format!("{} to {}, {:.1} on average", self.least, self.most, self.mean),
        };
        if self.short > 0 {
            text += &format!(", too few in {} frames, as surfaces came near so fast", self.short);
        }
        text
    }
}

impl Pace {
    /// Of a simulation that takes `least` substeps where nothing comes nearer; `None` where the number is fixed. Explicit methods
    /// have steps of stability, in which nothing comes far.
    pub fn new(setup: &Setup<'_>, guard: &Guard, least: u32) -> Result<Option<Self>, Error> {
        if !is_free(setup.settings) {
            return Ok(None);
        }
        Ok(Some(Self {
            // The frame that follows from the answer begins `DELAY` frames later, and lasts one.
            closing: guard.closing(setup, (DELAY + 1) as f64, TOUCHING)?,
            least,
            frame: 0,
            is_new: true,
            taken: Taken::default(),
            frames: 0,
            known: None,
            asked: VecDeque::new(),
        }))
    }

    /// Begins a frame, and returns its substeps. Waits for the answer of [`DELAY`] frames ago; in a browser, which cannot wait, the last
    /// answer counts that has come.
    pub fn begin(&mut self, gpu: &Gpu, guard: &Guard, frame: u64) -> Result<u32, Error> {
        self.frame = frame;
        if std::mem::take(&mut self.is_new) {
            let first = frame.saturating_sub(DELAY);
            self.closing.forget(gpu);
            crate::gpu::submit(gpu, "pace", |pass| {
                guard.record_start(pass, 0);
                guard.record_fit(pass);
                self.closing.record(pass, first);
            });
            self.ask(gpu);
        }
        while self.known.is_none() || self.asked.len() as u64 >= DELAY {
            let Some(reading) = self.asked.front_mut() else { break };
            let Some(numbers) = reading.wait_if_possible()? else { break };
            self.known = Some(numbers);
            self.asked.pop_front();
        }
        self.closing.clear(gpu, frame);
        Ok(self.choose())
    }

    /// What frames took so far.
    pub fn taken(&self) -> Taken {
        self.taken
    }

    /// Records the look ahead. The tree is fitted to where the frame begins.
    pub fn record(&self, pass: &mut Pass<'_>) {
        self.closing.record(pass, self.frame);
    }

    /// Asks for the answer, after the frame has been submitted.
    pub fn ask(&mut self, gpu: &Gpu) {
        self.asked.push_back(self.closing.ask(gpu));
    }

    /// Asks for the number of the frame that began last.
    pub fn ask_closing(&self, gpu: &Gpu) -> Reading<f32> {
        let place = Closing::place(self.frame);
        self.closing.ask(gpu).map(move |numbers| numbers[place])
    }

    /// Forgets all, for another state.
    pub fn forget(&mut self) {
        self.asked.clear();
        (self.known, self.is_new) = (None, true);
        (self.taken, self.frames) = (Taken::default(), 0);
    }

    /// What lasts from frame to frame.
    pub fn lasting(&self) -> Words<'_> {
        self.closing.lasting()
    }

    /// Goes on after what lasts has been written.
    pub fn go_on(&mut self, gpu: &Gpu) {
        self.forget();
        self.is_new = false;
        self.ask(gpu);
    }

    fn choose(&mut self) -> u32 {
        let last = self.frame.saturating_sub(DELAY);
        let counts = last.saturating_sub(HOLDS - 1)..=last;
        let number = |frame| self.known.as_ref().map_or(0.0, |known| known[Closing::place(frame)]);
        let asked = (counts.map(number).fold(0.0, f32::max) / SPACINGS).ceil() as u32;
        let most = most_of(self.least);
        let substeps = asked.clamp(self.least, most);
        let taken = &mut self.taken;
        taken.least = if self.frames == 0 { substeps } else { taken.least.min(substeps) };
        self.frames += 1;
        taken.mean += (f64::from(substeps) - taken.mean) / self.frames as f64;
        taken.most = taken.most.max(substeps);
        taken.short += u64::from(asked > most);
        substeps
    }
}

/// Most substeps of a frame, of a simulation that takes `least` where nothing comes nearer.
pub fn most_substeps(settings: &Settings, least: u32) -> u32 {
    if is_free(settings) { most_of(least) } else { least }
}

fn most_of(least: u32) -> u32 {
    MOST.max(least)
}

/// Whether the number of substeps follows the motion.
fn is_free(settings: &Settings) -> bool {
    settings.step.contact && settings.step.substeps == Substeps::Auto && !settings.solver.is_explicit()
}
