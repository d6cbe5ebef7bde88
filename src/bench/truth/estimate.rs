//! What the solver says about its own error, against the true one: rms over the free nodes to the minimum that the f64
//! minimiser finds from the same start. Where a sheet wrinkles there are several: where that one is too far away, the one
//! that is found from where the solver ended counts, and a row says how many states had such another one.

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
use crate::settings::Settings;
use crate::simulation::Simulation;
use crate::state::State;

/// Frames, each a step; fewer where exact ones take too long.
const FRAMES: u32 = 60;
/// True errors below that are rounding in f32 \[m\].
const ROUNDING: f64 = 1e-6;
/// Of the minima.
const EXACTNESS: Exactness = Exactness { left: 1e-5, stretch: 1e-8 };
/// Estimates this many times too large are too many if they are more than [`MOST_FAR`] \[%\].
const FAR: f64 = 25.0;
const MOST_FAR: f64 = 5.0;
/// Least estimate over the true error.
const LEAST: f64 = 1.0 / 3.0;
/// Tolerances, and the most that the true error may be over the tolerance and the motion.
const TOLERANCES: [f32; 3] = [0.1, 0.01, 0.001];
const MOST: f64 = 3.0;

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
                settings.gravity = Vec3::ZERO;
            }
            rows(gpu, &name, &model, &settings)
        })
    };
    networks.map(job).into()
}

fn rows(gpu: &Gpu, name: &str, model: &Model, settings: &Settings) -> Result<Vec<Row>, Error> {
    let mut simulation = Simulation::new(gpu, model, settings)?;
    let with =
        |tolerance| Simulation::new(gpu, model, &Settings { tolerance: Some(tolerance), ..settings.clone() });
    let mut bounded: Vec<Simulation> = TOLERANCES.into_iter().map(with).collect::<Result<_, _>>()?;
    let (mut ratios, mut worst, mut state) = (Vec::new(), [0.0f64; 3], model.initial_state().clone());
    let (mut unknown, mut elsewhere, mut frames, started) = (0, 0, 0, Instant::now());
    while frames < FRAMES && started.elapsed() < PATIENCE {
        frames += 1;
        let truth = Truth::of(model, settings, &state);
        simulation.step()?;
        let next = simulation.state()?;
        let estimate = simulation.convergence()?.first().map_or(0.0, |found| found.error);
        match &truth {
            Some(truth) => {
                let (error, is_other) = truth.error(settings, &next, estimate / LEAST);
                elsewhere += u32::from(is_other);
                if error > ROUNDING {
                    ratios.push(estimate / error);
                }
                for (i, simulation) in bounded.iter_mut().enumerate() {
                    simulation.set_state(&state)?;
                    simulation.step()?;
                    let allowed = f64::from(TOLERANCES[i]) * truth.motion;
                    let (error, is_other) = truth.error(settings, &simulation.state()?, MOST * allowed);
                    elsewhere += u32::from(is_other);
                    if error > ROUNDING {
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
    let what =
        ["tolerance .1: error over it", "tolerance .01: error over it", "tolerance .001: error over it"];
    rows.extend((0..3).map(|i| row(what[i], "").at_most(worst[i], MOST)));
    rows.push(row("ends beside another minimum, of all four runs", "").value(f64::from(elsewhere)));
    Ok(rows)
}

/// What a step should come to, and how far its forces move the nodes.
struct Truth<'a> {
    model: &'a Model,
    before: State64,
    minimum: Vec<DVec3>,
    motion: f64,
}

impl<'a> Truth<'a> {
    /// Of the step from `before`; none where the minimiser does not find it.
    fn of(model: &'a Model, settings: &Settings, before: &State) -> Option<Self> {
        let (h, before) = (track::step_length(settings), State64::from(before));
        let forces = track::forces(model, settings, &before);
        let found = track::minimum(&forces, h, &before, EXACTNESS);
        let drift: Vec<DVec3> =
            before.position.iter().zip(&before.velocity).map(|(x, v)| *x + h * *v).collect();
        let mut motion = rms(model, Objective::of_step(&forces, h, &before).target(), &drift);
        // Where nothing but springs acts.
        if motion < 1e-7 {
            motion = rms(model, &found.position, &drift);
        }
        found.converged.then_some(Self { model, before, minimum: found.position, motion })
    }

    /// How far `state` is from it \[m\], or where that is more than `most` from the minimum beside it; and whether that is
    /// another one.
    fn error(&self, settings: &Settings, state: &State, most: f64) -> (f64, bool) {
        let x = State64::from(state).position;
        let error = rms(self.model, &x, &self.minimum);
        if error <= most.max(ROUNDING) {
            return (error, false);
        }
        let h = track::step_length(settings);
        let forces = track::forces(self.model, settings, &self.before);
        let beside = track::minimum_from(&forces, h, &self.before, x.clone(), EXACTNESS);
        let is_other = beside.converged && rms(self.model, &beside.position, &self.minimum) > 0.1 * error;
        if is_other { (rms(self.model, &x, &beside.position), true) } else { (error, false) }
    }
}

/// Root mean square distance over the free nodes \[m\].
fn rms(model: &Model, a: &[DVec3], b: &[DVec3]) -> f64 {
    let free: Vec<usize> = (0..a.len()).filter(|&i| !model.pinned()[i]).collect();
    (free.iter().map(|&i| (a[i] - b[i]).length_squared()).sum::<f64>() / free.len() as f64).sqrt()
}
