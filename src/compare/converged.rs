//! The converged solution, and its own error.
//!
//! There are two runs of the scene; the second has half the step of the first. The second is the converged solution. Its root
//! mean square distance to the first is the estimate of its error, on the safe side for methods of first and of second order.
//!
//! Both are f64 Verlet on the CPU ([`crate::reference::verlet`]), below its stability limit, up to [`MOST_VISITS`] visits of
//! springs, which take a few minutes on one core. The coarser run has the largest recommended step, or a half, a quarter and
//! so on of it as long as this is quick ([`QUICK_VISITS`]). Larger scenes have the default solver on the GPU instead, with
//! [`LEAST_SUBSTEPS`] substeps a frame or more. This is f32 and of first order, and the output says so.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use glam::DVec3;
use serde::Serialize;

use super::millimeters;
use super::sampling::Sampling;
use super::trajectory::Trajectory;
use crate::Error;
use crate::gpu::Gpu;
use crate::method::{Stability, check_held};
use crate::model::Model;
use crate::reference::{Forces, Instant, Pull, State64, verlet};
use crate::settings::{FORCE, ITERATIONS, Iterations, SOLVER, SUBSTEPS, Settings, SolverKind, Substeps};
use crate::simulation::{Simulation, first_size};

/// The solver of large scenes.
pub(super) const FALLBACK: SolverKind = SolverKind::NewtonMultigrid;
/// Most visits of springs of the finer run of the f64 reference.
const MOST_VISITS: f64 = 3e9;
/// The step is finer than stability needs if the run takes at most this many visits of springs, about ten seconds.
const QUICK_VISITS: f64 = 5e8;
/// Divisors of the largest recommended step for the coarser run, the finest first.
const REFINEMENTS: [u32; 6] = [32, 16, 8, 4, 2, 1];
/// Fewest substeps a frame of the f64 reference, even if springs allow fewer.
const LEAST_REFERENCE_SUBSTEPS: u32 = 8;
/// Fewest substeps a frame of the finer run on the GPU.
const LEAST_SUBSTEPS: u32 = 8;
/// Substeps of the finer run on the GPU over those of the finest solver in the comparison.
const FINER: u32 = 4;
/// Time between two checks of the runs on the CPU.
const LOOK: Duration = Duration::from_millis(50);

/// The solution that counts as converged. Field names are keys of JSON objects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Converged {
    /// Name of the method.
    pub method: &'static str,
    /// Whether it is an f64 reference on the CPU, rather than a run on the GPU.
    pub reference: bool,
    /// Substeps a frame.
    pub substeps: u32,
    /// Length of a substep \[s\].
    pub step: f64,
    /// Root mean square distance between its end and the end of a run with twice the step \[m\].
    pub error: f64,
}

impl fmt::Display for Converged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.reference { "f64 on the CPU" } else { "f32 on the GPU" };
        write!(
            f,
            "{}, {place}, {} substeps a frame (h = {:.2e} s), own error {}",
            self.method,
            self.substeps,
            self.step,
            millimeters(self.error)
        )
    }
}

/// The converged solution and its trajectory; `None` if `watch` cut it short. `finest`: most substeps of an implicit
/// solver in the comparison.
pub(super) fn find(
    gpu: &Gpu,
    model: &Model,
    settings: &Settings,
    finest: u32,
    sampling: &Sampling,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<(Converged, Trajectory)>, Error> {
    if let Some(substeps) = reference_substeps(model, settings, sampling.frames) {
        // Bounds the force of handles as on the GPU.
        let reference = Reference { model, settings, reach: first_size(model).into(), sampling };
        match reference.pair(substeps, watch) {
            None => return Ok(None),
            Some([coarse, fine]) if is_sound(&coarse) && is_sound(&fine) => {
                return Ok(Some(judge("verlet", true, 2 * substeps, settings, &coarse, fine)));
            }
            // Air on light triangles may be stiffer than the springs.
            Some(_) => {}
        }
    }
    let substeps = LEAST_SUBSTEPS.max(finest.saturating_mul(FINER)).next_multiple_of(2);
    let mut runs = Vec::new();
    for (part, substeps) in [substeps / 2, substeps].into_iter().enumerate() {
        let run = on_gpu(gpu, model, settings, substeps, sampling, &mut |done| {
            watch([done / 3.0, (1.0 + 2.0 * done) / 3.0][part])
        })?;
        let Some(run) = run else { return Ok(None) };
        runs.push(run);
    }
    let fine = runs.pop().unwrap_or_default();
    Ok(Some(judge(FALLBACK.name(), false, substeps, settings, &runs[0], fine)))
}

fn is_sound(trajectory: &Trajectory) -> bool {
    trajectory.end().iter().all(|x| x.is_finite())
}

fn judge(
    method: &'static str,
    reference: bool,
    substeps: u32,
    settings: &Settings,
    coarse: &Trajectory,
    fine: Trajectory,
) -> (Converged, Trajectory) {
    let error = fine.distance(fine.last(), coarse.end()).unwrap_or(f64::NAN);
    let step = f64::from(settings.step.frame_time) / f64::from(substeps);
    (Converged { method, reference, substeps, step, error }, fine)
}

/// Substeps a frame of the coarser f64 run; `None` if it is not affordable.
fn reference_substeps(model: &Model, settings: &Settings, frames: u64) -> Option<u32> {
    if settings.user_force.is_some() {
        return None; // it is known to the GPU only
    }
    if check_held(model, SolverKind::Verlet).is_err() {
        return None; // it has no springs that keep their length, nor limits of stretch
    }
    let settings =
        settings.clone().with(SOLVER, SolverKind::Verlet).with(SUBSTEPS, Substeps::Auto).with(FORCE, false);
    let recommended = Stability::of(model, &settings).substeps(&settings).ok()?.max(LEAST_REFERENCE_SUBSTEPS);
    let mut bending = 0.0;
    model.for_each_bending_stencil(|nodes, _| bending += nodes.len() as f64 / 2.0);
    let air = if settings.has_air() { 4.0 * model.triangles().len() as f64 } else { 0.0 };
    let contact = (model.node_count() * model.colliders().len()) as f64;
    let visits = model.springs().len() as f64 + model.node_count() as f64 + bending + air + contact;
    let of_fine_run = |refinement: u32| visits * frames as f64 * 2.0 * f64::from(refinement * recommended);
    let quick = REFINEMENTS.into_iter().find(|refinement| of_fine_run(*refinement) <= QUICK_VISITS);
    let affordable = quick.or((of_fine_run(1) <= MOST_VISITS).then_some(1));
    Some(affordable? * recommended)
}

/// f64 Verlet on the CPU.
struct Reference<'a> {
    model: &'a Model,
    settings: &'a Settings,
    /// Distance beyond which the pull of handles stops growing \[m\].
    reach: f64,
    sampling: &'a Sampling,
}

impl Reference<'_> {
    /// Makes the runs with `substeps` a frame and with twice as many, in parallel; `None` if `watch` cut them short.
    fn pair(&self, substeps: u32, watch: &mut dyn FnMut(f64) -> ControlFlow<()>) -> Option<[Trajectory; 2]> {
        let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let frames = self.sampling.frames;
        std::thread::scope(|scope| {
            let coarse = scope.spawn(|| self.run(substeps, &stop, &AtomicU64::new(0)));
            let fine = scope.spawn(|| self.run(2 * substeps, &stop, &done));
            while !(coarse.is_finished() && fine.is_finished()) {
                std::thread::sleep(LOOK.min(Duration::from_millis(frames)));
                if watch(done.load(Ordering::Relaxed) as f64 / frames as f64).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            // A thread that panicked has no result.
            Some([coarse.join().ok()??, fine.join().ok()??])
        })
    }

    fn run(&self, substeps: u32, stop: &AtomicBool, done: &AtomicU64) -> Option<Trajectory> {
        let frame_time = f64::from(self.settings.step.frame_time);
        let h = frame_time / f64::from(substeps);
        let mut state = State64::from(self.model.initial_state());
        for (v, pinned) in state.velocity.iter_mut().zip(self.model.pinned()) {
            if *pinned {
                *v = DVec3::ZERO;
            }
        }
        let mut trajectory = Trajectory::default();
        trajectory.push(self.model, &state);
        self.move_pins(0.0, frame_time, &mut state);
        verlet::stagger(&self.forces(&self.pulls(h), state.time, h), h, &mut state);
        for frame in 0..self.sampling.frames {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let time = self.sampling.time(frame);
            self.move_pins(time, frame_time, &mut state);
            for substep in 0..substeps {
                let pulls = self.pulls(time + f64::from(substep + 1) * h);
                verlet::step(&self.forces(&pulls, state.time, h), h, &mut state);
            }
            if self.sampling.is_due(frame + 1) {
                let mut now = state.clone();
                let pulls = self.pulls(time + frame_time);
                verlet::synchronize(&self.forces(&pulls, now.time, h), h, &mut now);
                trajectory.push(self.model, &now);
            }
            done.store(frame + 1, Ordering::Relaxed);
        }
        Some(trajectory)
    }

    fn forces<'f>(&'f self, pulls: &'f [Pull], time: f64, step: f64) -> Forces<'f> {
        let at = Instant { time, step };
        Forces { pulls, reach: self.reach, at, ..Forces::of(self.model, self.settings) }
    }

    /// The pulls of handles at `time` \[s\].
    fn pulls(&self, time: f64) -> Vec<Pull> {
        let start = &self.model.initial_state().position;
        let active = self.model.handles().iter().filter(|handle| handle.active.contains(&time));
        let pulls = active.flat_map(|handle| {
            handle.nodes.iter().map(move |&(node, weight)| Pull {
                node,
                stiffness: f64::from(weight * handle.stiffness),
                target: (start[node as usize] + handle.path.at(time)).as_dvec3(),
            })
        });
        pulls.collect()
    }

    /// Sets moving pins to the positions of their paths, with the velocity of the coming frame, as the GPU does.
    fn move_pins(&self, time: f64, frame_time: f64, state: &mut State64) {
        for pin in self.model.moving_pins().iter().filter(|pin| !pin.is_still()) {
            for &node in &pin.nodes {
                let place = pin.place(self.model.initial_state().position[node as usize]);
                let (from, to) =
                    (pin.at(place, time).as_dvec3(), pin.at(place, time + frame_time).as_dvec3());
                state.position[node as usize] = from;
                state.velocity[node as usize] = (to - from) / frame_time;
            }
        }
    }
}

/// Runs the default solver on the GPU with many substeps; `None` if `watch` cut it short.
fn on_gpu(
    gpu: &Gpu,
    model: &Model,
    settings: &Settings,
    substeps: u32,
    sampling: &Sampling,
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<Trajectory>, Error> {
    let iterations = match settings.value(ITERATIONS) {
        Iterations::Fixed(n) => Iterations::Fixed(n.max(FALLBACK.default_iterations())),
        own => own,
    };
    let substeps = Substeps::Fixed(substeps);
    let settings =
        settings.clone().with(SOLVER, FALLBACK).with(SUBSTEPS, substeps).with(ITERATIONS, iterations);
    let mut simulation = Simulation::new(gpu, model, &settings)?;
    let mut trajectory = Trajectory::default();
    trajectory.push(model, &State64::from(&simulation.state()?));
    for frame in 1..=sampling.frames {
        if watch(frame as f64 / sampling.frames as f64).is_break() {
            return Ok(None);
        }
        simulation.step()?;
        if sampling.is_due(frame) {
            simulation.largest_stretch()?;
            trajectory.push(model, &State64::from(&simulation.state()?));
        }
    }
    Ok(Some(trajectory))
}
