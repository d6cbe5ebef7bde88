//! How many substeps a frame takes where surfaces touch and the settings leave it open: enough that those that may meet come nearer to each
//! other by [`SPACINGS`] in a substep at most, and more where nodes have been held back.
//!
//! Where a frame begins the GPU looks some frames ahead ([`Closing`]). The answer counts [`DELAY`] frames later, whenever it comes: so
//! the number is the same in every run, and nothing waits that would not wait anyway. It holds for some frames more, because
//! forces of contact depend on the step.

use std::collections::VecDeque;

use super::FRAMES_IN_FLIGHT;
use crate::Error;
use crate::contact::{Closing, Guard, Looks};
use crate::gpu::{Gpu, Pass, Reading, Words};
use crate::method::{self, Rubbing, Setup, Stability};
use crate::model::Model;
use crate::settings::{Settings, Substeps};

/// Spacings by which surfaces may come nearer to each other in a substep. With 1.5, piles were stretched by half at times.
const SPACINGS: f32 = 1.0;
/// Spacings by which what may touch counts to come nearer in a frame, however slow it is. That makes three substeps: with two, sharp folds
/// at moving pins and at what has just hit a collider were stretched by half at times, with one layers do not come to rest.
const TOUCHING: f64 = 2.5;
/// Substeps of a frame for friction between surfaces, in methods whose iterations are too few for it in fewer, at most. Where that is not enough,
/// there are no more of them than without friction, and a warning says so.
const MOST_FOR_FRICTION: u32 = 16;
/// Where more than this part of the nodes is held back in a frame, counted in each substep, so many substeps at least follow: motion
/// that nothing foretold.
const HELD: f64 = 1e-3;
const AFTER_HELD: u32 = 8;
/// Frames between a state and the first frame that follows from it: as many as may be under way.
const DELAY: u64 = FRAMES_IN_FLIGHT as u64;
/// Frames for which a number holds. At 60 frames a second a fold that settled was stretched four times as much with 12: it buckled when it
/// had nearly come to rest.
const HOLDS: u64 = 24;
/// Most substeps of a frame, or fewer where f32 would not hold what gravity does in shorter ones.
const MOST: u32 = 64;
const _: () = assert!((DELAY + HOLDS) as usize <= Closing::FRAMES);

/// How many substeps frames took, where their number follows what surfaces do, since the start, or the last
/// [`crate::Simulation::set_state`] or [`crate::Simulation::resume`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Taken {
    /// Frames.
    pub frames: u64,
    /// Substeps of a frame, at least.
    pub least: u32,
    /// On average.
    pub mean: f64,
    /// At most.
    pub most: u32,
    /// Frames in which the most that a frame may take were fewer than surfaces needed.
    pub short: u64,
}

/// The pace of a simulation.
pub struct Pace {
    closing: Closing,
    /// Substeps of a frame in which nothing comes nearer, and at most.
    least: u32,
    most: u32,
    /// Where surfaces may touch, for friction, and where pins move; 0: any number will do, or none.
    for_friction: u32,
    nodes: u32,
    /// The frame that runs.
    frame: u64,
    /// Whether a pin moves in it, and whether its beginning has been looked at.
    is_driven: bool,
    is_looked_at: bool,
    /// Whether nothing is known of the state at which it begins, and whether that is known to a checkpoint.
    is_new: bool,
    is_resumed: bool,
    /// What frames took.
    taken: Taken,
    /// What was found until a frame.
    known: Option<(u64, Looks)>,
    /// What is on its way; what was asked first is at the front.
    asked: VecDeque<(u64, Reading<Looks>)>,
}

impl Taken {
    fn add(&mut self, substeps: u32, is_short: bool) {
        self.least = if self.frames == 0 { substeps } else { self.least.min(substeps) };
        self.frames += 1;
        self.mean += (f64::from(substeps) - self.mean) / self.frames as f64;
        self.most = self.most.max(substeps);
        self.short += u64::from(is_short);
    }

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
    pub fn new(
        setup: &Setup<'_>,
        guard: &Guard,
        stability: &Stability,
        least: u32,
    ) -> Result<Option<Self>, Error> {
        if !is_free(setup.model, setup.settings) {
            return Ok(None);
        }
        let most = most_substeps(setup.model, setup.settings, least);
        let for_friction =
            Rubbing::substeps(setup.model, setup.settings, stability, most.min(MOST_FOR_FRICTION))
                .unwrap_or(0);
        let rubbing = (for_friction as f32 - 0.5).max(0.0);
        Ok(Some(Self {
            // The frame that follows from the answer begins `DELAY` frames later, and lasts one.
            closing: guard.closing(setup, (DELAY + 1) as f64, TOUCHING, rubbing)?,
            least,
            most,
            for_friction,
            nodes: setup.nodes,
            frame: 0,
            is_driven: false,
            is_looked_at: false,
            is_new: true,
            is_resumed: false,
            taken: Taken::default(),
            known: None,
            asked: VecDeque::new(),
        }))
    }

    /// Begins a frame, and returns its substeps. Waits for the answer of [`DELAY`] frames ago; in a browser, which cannot wait, the last
    /// answer counts that has come. `look` records what fits the tree to the
    /// state of a new run.
    pub fn begin(
        &mut self,
        gpu: &Gpu,
        frame: u64,
        is_driven: bool,
        look: impl FnOnce(&mut Pass<'_>),
    ) -> Result<u32, Error> {
        (self.frame, self.is_driven, self.is_looked_at) = (frame, is_driven, false);
        if self.is_resumed && self.take_answer()? {
            self.is_resumed = false;
            if self.known.as_ref().is_some_and(|(_, looks)| looks.are_none()) {
                self.forget(gpu);
            }
        }
        if std::mem::take(&mut self.is_new) {
            let first = frame.saturating_sub(DELAY);
            self.closing.forget(gpu);
            self.closing.know(gpu);
            crate::gpu::submit(gpu, "pace", |pass| {
                look(pass);
                self.closing.record(pass, first, is_driven);
            });
            self.asked.push_back((first, self.closing.ask(gpu)));
            self.is_looked_at = first == frame;
        }
        while (self.known.is_none() || self.asked.len() as u64 >= DELAY) && self.take_answer()? {}
        if !self.is_looked_at {
            self.closing.clear(gpu, frame);
        }
        Ok(self.choose())
    }

    /// Takes the oldest answer, if it has come.
    fn take_answer(&mut self) -> Result<bool, Error> {
        let Some((frame, reading)) = self.asked.front_mut() else { return Ok(false) };
        let Some(looks) = reading.wait_if_possible()? else { return Ok(false) };
        self.known = Some((*frame, looks));
        self.asked.pop_front();
        Ok(true)
    }

    /// Records the look ahead. The tree is fitted to where the frame begins.
    pub fn record(&self, pass: &mut Pass<'_>) {
        if !self.is_looked_at {
            self.closing.record(pass, self.frame, self.is_driven);
        }
    }

    /// Asks for the answer, after the frame has been submitted.
    pub fn ask(&mut self, gpu: &Gpu) {
        self.asked.push_back((self.frame, self.closing.ask(gpu)));
    }

    /// Asks for the number of the frame that began last.
    pub fn ask_closing(&self, gpu: &Gpu) -> Reading<f32> {
        let frame = self.frame;
        self.closing.ask(gpu).map(move |looks| looks.closing(frame))
    }

    /// Forgets all, for another state.
    pub fn forget(&mut self, gpu: &Gpu) {
        self.closing.forget(gpu);
        self.start_anew(true);
    }

    /// What lasts from frame to frame.
    pub fn lasting(&self) -> Words<'_> {
        self.closing.lasting()
    }

    /// Goes on at a frame, after what lasts has been written.
    pub fn go_on(&mut self, gpu: &Gpu, frame: u64) {
        self.start_anew(false);
        self.is_resumed = true;
        // It holds all until the frame before.
        self.asked.push_back((frame.saturating_sub(1), self.closing.ask(gpu)));
    }

    fn start_anew(&mut self, is_new: bool) {
        self.asked.clear();
        (self.known, self.is_new, self.is_resumed) = (None, is_new, false);
        self.taken = Taken::default();
    }

    /// Substeps of a frame in which surfaces touch, on average or more.
    pub fn of_touching(&self) -> f64 {
        self.taken.mean.max(self.for_friction.into())
    }

    /// What frames took so far.
    pub fn taken(&self) -> Taken {
        self.taken
    }

    /// Substeps that the beginning of a frame asks for.
    fn asked_by(&self, frame: u64) -> u32 {
        let Some((_, looks)) = &self.known else { return 0 };
        let before = if frame == 0 { 0 } else { looks.held(frame - 1) };
        let held = looks.held(frame).wrapping_sub(before);
        let after_held = if f64::from(held) > HELD * f64::from(self.nodes) { AFTER_HELD } else { 0 };
        ((looks.closing(frame) / SPACINGS).ceil() as u32).max(after_held)
    }

    fn choose(&mut self) -> u32 {
        let known = self.known.as_ref().map_or(0, |(frame, _)| *frame);
        let last = self.frame.saturating_sub(DELAY).min(known);
        let counts = last.saturating_sub(HOLDS - 1)..=last;
        let asked = counts.map(|frame| self.asked_by(frame)).max().unwrap_or(0);
        // Pins cannot be held back: where springs yield to them, since iterations are too few, they force surfaces through each other.
        let asked = if self.is_driven { asked.max(self.for_friction) } else { asked };
        let substeps = asked.clamp(self.least, self.most);
        self.taken.add(substeps, asked > self.most);
        substeps
    }
}

/// Most substeps of a frame, of a simulation that takes `least` where nothing comes nearer.
pub fn most_substeps(model: &Model, settings: &Settings, least: u32) -> u32 {
    let keeps_moves = |substeps: u32| {
        let step = f64::from(settings.step.frame_time) / f64::from(substeps);
        method::keeps_moves(model, settings, step as f32)
    };
    if !is_free(model, settings) {
        return least;
    }
    let holds = |n: &u32| !keeps_moves(*n);
    if keeps_moves(least) {
        MOST.max(least)
    } else {
        (least..=MOST).take_while(holds).last().unwrap_or(least)
    }
}

/// Whether the number of substeps follows the motion.
pub fn is_free(model: &Model, settings: &Settings) -> bool {
    method::touch(model, settings).is_some()
        && settings.step.substeps == Substeps::Auto
        && !settings.solver.is_explicit()
}
