//! The fall of ropes and sheets of any stiffness, let go from the horizontal, after 24 frames.

use super::bodies::{self, mean_fall, one_substep};
use super::track::Track;
use super::{Group, Job, Row};
use crate::Error;
use crate::gpu::Gpu;
use crate::model::{Body, Model};
use crate::reference::{Forces, Instant, State64, verlet};
use crate::settings::Settings;
use crate::simulation::Simulation;

/// Frames of the fall, each one step.
const FRAMES: u32 = 24;
/// Largest error, relative to the fall \[%\].
const BOUND: f64 = 1.0;
/// The same against the true motion, from which steps of 1/60 s themselves differ.
const TRUE_BOUND: f64 = 2.0;
/// Step of Verlet, as a fraction of its stability limit.
const SAFE: f64 = 0.4;

pub fn jobs() -> Vec<Job> {
    let stiffnesses = [1e2, 1e4, 1e6, 1e8, 1e10, f64::INFINITY];
    let mut jobs = Vec::new();
    for (springs, k) in [100, 1000].into_iter().flat_map(|n| stiffnesses.map(|k| (n, k))) {
        let name = format!("rope of {springs} springs, EA {k:e} N");
        let has_verlet = springs == 100 && k <= 1e4;
        jobs.push(job(name, has_verlet, move || Ok(bodies::rope(springs, k))));
    }
    for (n, k) in [33, 65, 129].into_iter().flat_map(|n| stiffnesses.map(|k| (n, k))) {
        let name = format!("sheet of {n} x {n}, {k:e} N/m");
        let has_verlet = n == 33 && k <= 1e4;
        jobs.push(job(name, has_verlet, move || bodies::hinged_sheet(n, k as f32)));
    }
    jobs
}

fn job(name: String, has_verlet: bool, body: impl FnOnce() -> Result<Body, Error> + Send + 'static) -> Job {
    Job::new(name.clone(), move |gpu| {
        let model = bodies::model(body()?)?;
        rows(gpu, &name, &model, has_verlet)
    })
}

fn rows(gpu: &Gpu, name: &str, model: &Model, has_verlet: bool) -> Result<Vec<Row>, Error> {
    let settings = one_substep();
    let mut simulation = Simulation::new(gpu, model, &settings)?;
    for _ in 0..FRAMES {
        simulation.step()?;
    }
    let found = mean_fall(model, &State64::from(&simulation.state()?).position);
    let off = |expected: f64| 100.0 * (found / expected - 1.0).abs();
    let row = |what| Row::new(Group::Falls, what, name, "%");
    let mut track = Track::new(model, &settings);
    let mut rows = vec![match track.steps(FRAMES) {
        Ok(()) => row("fall, off exact steps").at_most(off(mean_fall(model, &track.state.position)), BOUND),
        Err(why) => row("fall, off exact steps").missing(&why),
    }];
    if has_verlet {
        rows.push(
            row("fall, off small steps of Verlet").at_most(off(true_fall(model, &settings)), TRUE_BOUND),
        );
    }
    Ok(rows)
}

/// The mean fall \[m\] by Verlet in f64.
fn true_fall(model: &Model, settings: &Settings) -> f64 {
    let forces = Forces { at: Instant::default(), ..Forces::of(model, settings) };
    let stiffness = forces.network_stiffness(1.0);
    let stiffest = (0..stiffness.len()).filter(|&i| forces.is_free(i)).map(|i| stiffness[i] / forces.mass(i));
    // An upper bound on all frequencies by Gershgorin.
    let omega = (2.0 * stiffest.fold(0.0, f64::max)).sqrt();
    let time = f64::from(FRAMES) * f64::from(settings.step.frame_time);
    let steps = (time * omega / (2.0 * SAFE)).ceil();
    let h = time / steps;
    let mut state = State64::from(model.initial_state());
    verlet::stagger(&forces, h, &mut state);
    (0..steps as u64).for_each(|_| verlet::step(&forces, h, &mut state));
    mean_fall(model, &state.position)
}
