//! The solver's estimate of its error against the true error: the rms distance of the free nodes to the minimum that the f64
//! minimizer finds from the same start. Where a sheet wrinkles there are several minima. If that minimum is too far away, the
//! one that is found from the solver's end counts. A step that ends at a saddle, with minima on two sides, is not judged. Rows
//! count both kinds of ends. A tolerance is judged by the steps that end because they reach it. Another row counts the steps
//! that did not reach it, because all iterations were used or because f32 holds no smaller error.

use std::time::Instant;

use glam::{DVec3, Vec3};

use super::bodies::{self, loose_net, one_substep, swing, throw};
use super::track::{self, Exactness, PATIENCE};
use super::{Group, Job, Row};
use crate::Error;
use crate::gpu::Gpu;
use crate::model::Model;
use crate::reference::State64;
use crate::reference::objective::Objective;
use crate::settings::{Settings, TOLERANCE};
use crate::simulation::Simulation;
use crate::state::State;

/// Frames, each one step; fewer if exact steps take too long.
const FRAMES: u32 = 60;
/// True errors below this are rounding in f32 \[m\].
const ROUNDING: f64 = 1e-6;
/// Exactness of the minima.
const EXACTNESS: Exactness = Exactness { left: 1e-5, stretch: 1e-8 };
/// Minima count as one if their distance is below this fraction of the error.
const SAME: f64 = 0.1;
/// A second minimum is on the other side of the end if it is at most this many times as far from it as the first.
const FAR_SIDE: f64 = 3.0;
/// At most [`MOST_FAR`] \[%\] of the estimates may be more than this many times too large.
const FAR: f64 = 25.0;
const MOST_FAR: f64 = 5.0;
/// Least estimate over the true error.
const LEAST: f64 = 1.0 / 3.0;
/// Tolerances, and the most that the true error over the motion may be, in tolerances.
const TOLERANCES: [f32; 3] = [0.1, 0.01, 0.001];
const MOST: f64 = 3.0;

/// Rows of each tolerance.
const TOLERANCE_ROWS: [[&str; 2]; 3] = [
    ["tolerance .1: error over it", "tolerance .1: told as unfinished"],
    ["tolerance .01: error over it", "tolerance .01: told as unfinished"],
    ["tolerance .001: error over it", "tolerance .001: told as unfinished"],
];

/// A network and whether there is gravity.
type Network = fn() -> Result<(Model, bool), Error>;

pub fn jobs() -> Vec<Job> {
    let networks: [(&str, Network); 5] = [
        ("swinging sheet of 33 x 33, 1e3 N/m", || {
            let body = bodies::level_sheet(33, [1e3, 5e2, 1e2], Vec::new())?;
            Ok((bodies::model(swing(body))?, true))
        }),
        ("thrown net of 1e3 N/m", || {
            let (body, random) = loose_net(|_| 1e3)?;
            Ok((bodies::model(throw(body, random, 2.0, 1.0))?, false))
        }),
        ("thrown net over four decades of k", || {
            let (body, random) = loose_net(|u| 10f32.powf(1.0 + 4.0 * u))?;
            Ok((bodies::model(throw(body, random, 2.0, 1.0))?, false))
        }),
        ("swinging triangles 1:20", || Ok((bodies::model(swing(bodies::triangles(9, 161)?))?, true))),
        ("falling rope of 100 springs, EA 1e5 N", || Ok((bodies::model(bodies::rope(100, 1e5))?, true))),
    ];
    let job = |(name, network): (&str, Network)| {
        let name = name.to_owned();
        Job::new(name.clone(), move |gpu| {
            let (model, has_gravity) = network()?;
            let mut settings = one_substep();
            if !has_gravity {
                settings.world.gravity = Vec3::ZERO;
            }
            rows(gpu, &name, &model, &settings)
        })
    };
    networks.map(job).into()
}

fn rows(gpu: &Gpu, name: &str, model: &Model, settings: &Settings) -> Result<Vec<Row>, Error> {
    let mut simulation = Simulation::new(gpu, model, settings)?;
    let with = |tolerance| Simulation::new(gpu, model, &settings.clone().with(TOLERANCE, tolerance));
    let mut bounded: Vec<Simulation> = TOLERANCES.into_iter().map(with).collect::<Result<_, _>>()?;
    let (mut ratios, mut worst, mut unfinished) = (Vec::new(), [0.0f64; 3], [0u32; 3]);
    let mut state = model.initial_state().clone();
    let (mut unknown, mut count, mut frames, started) = (0, Count::default(), 0, Instant::now());
    while frames < FRAMES && started.elapsed() < PATIENCE {
        frames += 1;
        let truth = Truth::of(model, settings, &state);
        simulation.step()?;
        let next = simulation.state()?;
        let estimate = simulation.convergence()?.first().map_or(0.0, |found| found.error);
        match &truth {
            Some(truth) => {
                if let Some(error) = count.error(truth.end(settings, &next, estimate / LEAST)) {
                    ratios.push(estimate / error);
                }
                for (i, simulation) in bounded.iter_mut().enumerate() {
                    simulation.set_state(&state)?;
                    simulation.step()?;
                    if simulation.effort()?.is_some_and(|effort| effort.unfinished + effort.rounded > 0) {
                        unfinished[i] += 1;
                        continue;
                    }
                    let allowed = f64::from(TOLERANCES[i]) * truth.motion;
                    let end = truth.end(settings, &simulation.state()?, MOST * allowed);
                    if let Some(error) = count.error(end) {
                        worst[i] = worst[i].max(error / allowed);
                    }
                }
            }
            None => unknown += 1,
        }
        state = next;
    }
    let case = match frames - unknown {
        FRAMES => name.to_owned(),
        known => format!("{name}, {known} frames"),
    };
    let row = |what, unit| Row::new(Group::Estimate, what, &case, unit);
    if ratios.is_empty() {
        return Ok(vec![row("estimate over error", "").missing("no frame has a reference and an error")]);
    }
    let far = ratios.iter().filter(|ratio| **ratio > FAR).count() as f64 / ratios.len() as f64;
    let mut rows = vec![
        row("estimate over error, least", "")
            .at_least(ratios.iter().copied().fold(f64::INFINITY, f64::min), LEAST),
        row("estimate over error, largest", "").value(ratios.iter().copied().fold(0.0, f64::max)),
        row("estimates above 25 times the error", "%").at_most(100.0 * far, MOST_FAR),
    ];
    for (i, [error, told]) in TOLERANCE_ROWS.into_iter().enumerate() {
        let part = 100.0 * f64::from(unfinished[i]) / f64::from(frames - unknown);
        let judged = match unfinished[i] == frames - unknown {
            true => row(error, "").missing("no step reaches it"),
            false => row(error, "").at_most(worst[i], MOST),
        };
        rows.extend([judged, row(told, "%").value(part)]);
    }
    rows.push(row("ends beside another minimum, of all four runs", "").value(f64::from(count.elsewhere)));
    rows.push(row("ends between two minima, of all four runs", "").value(f64::from(count.between)));
    Ok(rows)
}

/// The exact result of a step, and how far its forces move the nodes.
struct Truth<'a> {
    model: &'a Model,
    before: State64,
    minimum: Vec<DVec3>,
    motion: f64,
}

impl<'a> Truth<'a> {
    /// The exact result of the step from `before`; `None` if the minimizer does not find it.
    fn of(model: &'a Model, settings: &Settings, before: &State) -> Option<Self> {
        let (h, before) = (track::step_length(settings), State64::from(before));
        let forces = track::forces(model, settings, &before);
        let found = track::minimum(&forces, h, &before, EXACTNESS);
        let drift: Vec<DVec3> =
            before.position.iter().zip(&before.velocity).map(|(x, v)| *x + h * *v).collect();
        let mut motion = rms(model, Objective::of_step(&forces, h, &before).target(), &drift);
        // If only springs act.
        if motion < 1e-7 {
            motion = rms(model, &found.position, &drift);
        }
        found.converged.then_some(Self { model, before, minimum: found.position, motion })
    }

    /// The distance of `state` from the minimum. If it is above `most`, looks for other minima near `state`.
    fn end(&self, settings: &Settings, state: &State, most: f64) -> End {
        let most = most.max(ROUNDING);
        let x = State64::from(state).position;
        let error = rms(self.model, &x, &self.minimum);
        if error <= most {
            return End::Near(error);
        }
        let h = track::step_length(settings);
        let forces = track::forces(self.model, settings, &self.before);
        // Start from the end of the step, and from the minimum mirrored at this end.
        let beyond = x.iter().zip(&self.minimum).map(|(x, minimum)| 2.0 * *x - *minimum).collect();
        let mut end = End::Near(error);
        for start in [x.clone(), beyond] {
            let other = track::minimum_from(&forces, h, &self.before, start, EXACTNESS);
            let from_end = rms(self.model, &x, &other.position);
            let apart = rms(self.model, &self.minimum, &other.position);
            if !other.converged || apart < SAME * error {
                continue;
            }
            if from_end <= most {
                return End::Elsewhere(from_end);
            }
            if from_end < FAR_SIDE * error && apart > error.max(from_end) {
                end = End::Between;
            }
        }
        end
    }
}

/// Numbers of ends that are not near the minimum.
#[derive(Default)]
struct Count {
    elsewhere: u32,
    between: u32,
}

impl Count {
    /// The error that counts \[m\]; `None` if it is rounding or not defined.
    fn error(&mut self, end: End) -> Option<f64> {
        let error = match end {
            End::Near(error) => error,
            End::Elsewhere(error) => {
                self.elsewhere += 1;
                error
            }
            End::Between => {
                self.between += 1;
                return None;
            }
        };
        Some(error).filter(|error| *error > ROUNDING)
    }
}

/// The end of a step.
enum End {
    /// At this distance from the minimum \[m\].
    Near(f64),
    /// At this distance from another minimum \[m\].
    Elsewhere(f64),
    /// Between two minima.
    Between,
}

/// Root mean square distance over the free nodes \[m\].
fn rms(model: &Model, a: &[DVec3], b: &[DVec3]) -> f64 {
    let free: Vec<usize> = (0..a.len()).filter(|&i| !model.pinned()[i]).collect();
    (free.iter().map(|&i| (a[i] - b[i]).length_squared()).sum::<f64>() / free.len() as f64).sqrt()
}
