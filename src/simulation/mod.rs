//! A simulation: owns the state on the GPU, steps it and reads it back.

mod build;
mod checkpoint;
mod copies;
mod handles;
mod interaction;
mod moment;
mod network;
mod normals;
mod pace;
mod pick;
mod pins;
mod step;
mod surface;
#[cfg(test)]
mod tests;
mod user_force;
mod watch;
mod world;

pub use crate::breakdown::{Breakdown, Failure};
#[cfg(feature = "report")]
pub(crate) use copies::first_size;
pub use copies::{Outcome, Peak, largest_stretch};
pub use handles::{Handle, Handles, MOST_HANDLES};
pub use interaction::Positions;
pub use normals::Normals;
pub use pace::Taken;
pub use pick::Pick;
pub use surface::Surface;

use std::collections::VecDeque;
use std::sync::Arc;

use glam::{Vec3, Vec4};

use crate::Error;
use crate::contact::{self, Guard};
use crate::gpu::{Buffer, Gpu, Pass, Reading};
use crate::method::contact::{Forces, Memory, Soft, Touching};
use crate::method::{Convergence, Effort, Fields, Solver, Stability};
use crate::model::{Model, Order};
use crate::settings::{Form, Settings};
use crate::state::State;
use crate::warning::{self, Warning};
use checkpoint::Kept;
pub use checkpoint::Parts;
use moment::Moments;
use pace::Pace;
use pins::Pins;
use watch::Watch;
use world::World;

/// Frames that may be submitted before the first of them has run.
const FRAMES_IN_FLIGHT: usize = 3;

/// A model with its state on the GPU.
pub struct Simulation {
    gpu: Gpu,
    model: Model,
    /// The order of the model, shared with readings that outlive a call.
    order: Arc<Order>,
    settings: Settings,
    stability: Stability,
    /// Of a frame in which nothing asks for more.
    least_substeps: u32,
    /// Of the present frame.
    substeps: u32,
    /// Of all frames since the last state was set.
    substeps_done: u64,
    pace: Option<Pace>,
    world: World,
    /// Whether the buffer holds an older world.
    world_is_stale: bool,
    world_buffer: Buffer<World>,
    fields: Fields,
    surface: Surface,
    form: Form,
    network_bytes: u64,
    multipliers: usize,
    solver: Box<dyn Solver>,
    pins: Option<Pins>,
    moments: Moments,
    handles: Handles,
    watch: Watch,
    guard: Option<Guard>,
    soft: Option<Soft>,
    memory: Option<Memory>,
    touch: Option<Forces>,
    frames: u64,
    start_time: f64,
    in_flight: VecDeque<wgpu::SubmissionIndex>,
    dispatches: u32,
    /// The last two states that were kept.
    kept: [Option<Kept>; 2],
}

impl Simulation {
    /// Waits and reads the state back.
    pub fn state(&self) -> Result<State, Error> {
        Ok(self.ask_state().wait()?)
    }

    /// Asks for the present state; further steps may be taken before it arrives.
    pub fn ask_state(&self) -> Reading<State> {
        let mut velocity = &self.fields.velocity[0];
        if self.settings.solver.is_staggered() {
            // This writes the second pair of buffers, which is free between frames.
            self.synchronize();
            velocity = &self.fields.velocity[1];
        }
        let (time, order) = (self.time(), Arc::clone(&self.order));
        self.fields.position[0].ask(&self.gpu).zip(velocity.ask(&self.gpu)).map(
            move |(position, velocity)| {
                let truncate = |v: Vec<Vec4>| order.by_node(&v).iter().map(|x| x.truncate()).collect();
                State { position: truncate(position), velocity: truncate(velocity), time }
            },
        )
    }

    /// Replaces positions, velocities and time. Pins are reset to those at the model's start; pinned nodes have
    /// only the velocity of their path. Fails if a number is not finite.
    pub fn set_state(&mut self, state: &State) -> Result<(), Error> {
        let nodes = self.model.node_count();
        if state.position.len() != nodes || state.velocity.len() != nodes {
            let (p, v) = (state.position.len(), state.velocity.len());
            let message = format!("a state of {p} positions and {v} velocities for a model of {nodes} nodes");
            return Err(Error::Argument(message));
        }
        let broken = |v: &[Vec3]| v.iter().position(|v| !v.is_finite());
        for (what, values) in [("position", &state.position), ("velocity", &state.velocity)] {
            if let Some(node) = broken(values) {
                let message = format!("the {what} of node {node} in this state is {}", values[node]);
                return Err(Error::Argument(message));
            }
        }
        if !state.time.is_finite() {
            return Err(Error::Argument(format!("the time of this state is {}", state.time)));
        }
        if self.settings.step.planar {
            self.model.check_planar_state(state)?;
        }
        self.set_substeps(self.least_substeps)?;
        let inverse_mass = |i: usize| self.model.inverse_mass(i);
        let position: Vec<Vec4> =
            state.position.iter().enumerate().map(|(i, p)| p.extend(inverse_mass(i))).collect();
        // Every solver moves a pinned node by its velocity, which only a path may set.
        let at_rest = |i: usize, v: Vec3| if self.model.pinned()[i] { Vec3::ZERO } else { v };
        let velocity: Vec<Vec4> =
            state.velocity.iter().enumerate().map(|(i, v)| at_rest(i, *v).extend(0.0)).collect();
        let order = self.model.order();
        self.fields.position[0].write(&self.gpu, 0, &order.by_place(&position));
        self.fields.velocity[0].write(&self.gpu, 0, &order.by_place(&velocity));
        (self.frames, self.substeps_done) = (0, 0);
        self.start_time = state.time;
        self.watch.clear(&self.gpu);
        self.solver.forget(&self.gpu);
        if let Some(guard) = &self.guard {
            guard.begin_at(&self.gpu, &order.by_place(&state.position));
        }
        self.forget_contact();
        self.pace.iter_mut().for_each(|pace| pace.forget(&self.gpu));
        if self.settings.solver.is_staggered() {
            self.stagger()?;
        }
        Ok(())
    }

    /// Forgets what is known of surfaces in touch and of friction on colliders, for another state.
    fn forget_contact(&self) {
        self.fields.friction_history.clear(&self.gpu);
        self.soft.iter().for_each(|soft| soft.forget(&self.gpu));
        self.memory.iter().for_each(|memory| memory.forget(&self.gpu));
    }

    /// What friction on colliders has kept.
    #[cfg(test)]
    pub(crate) fn friction_history(&self) -> &Buffer<crate::method::FrictionHistory> {
        &self.fields.friction_history
    }

    /// Goes back to the model's initial state.
    pub fn reset(&mut self) -> Result<(), Error> {
        let initial = self.model.initial_state().clone();
        self.set_state(&initial)
    }

    /// Positions \[m\] and inverse masses [1/kg] of all nodes, in the order of [`Model::in_memory`].
    ///
    /// It stays the same buffer for the simulation's whole life. Any renderer on its device can draw from it: as
    /// storage or as a vertex buffer (`Float32x4`, 16 bytes apart), with the triangles of [`Simulation::surface`] as
    /// `Uint32` indices and [`Normals`]. Later submissions see the state after the last submitted frame.
    pub fn positions(&self) -> &Buffer<Vec4> {
        &self.fields.position[0]
    }

    /// The triangles of [`Model::in_memory`] in GPU memory.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Largest |l / r - 1| of the springs at each node after the last frame, in the order of [`Model::in_memory`].
    pub fn stretch(&self) -> &Buffer<f32> {
        self.watch.stretch()
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The present settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The GPU it runs on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Substeps a frame, chosen or given. Those of the last frame, where [`Simulation::substeps_taken`] is there.
    pub fn substeps(&self) -> u32 {
        self.substeps
    }

    /// Substeps of all frames since the start, or the last [`Simulation::set_state`] or [`Simulation::resume`].
    pub fn substeps_done(&self) -> u64 {
        self.substeps_done
    }

    /// How many substeps frames took so far, where their number follows how fast surfaces come near each other: with contact,
    /// substeps = "auto", and a solver that is not explicit. `None` where all frames take as many.
    pub fn substeps_taken(&self) -> Option<Taken> {
        self.pace.as_ref().map(Pace::taken)
    }

    /// By how many spacings surfaces that may meet soon come nearer to each other in the last frame, at most \[1\], as seen where it began;
    /// `None` where all frames take as many substeps.
    pub fn ask_closing(&self) -> Reading<Option<f32>> {
        match &self.pace {
            Some(pace) => pace.ask_closing(&self.gpu).map(Some),
            None => Reading::ready(None),
        }
    }

    /// Length of a substep as the kernels use it \[s\].
    pub fn step_length(&self) -> f32 {
        self.world.step()
    }

    /// Bounds on frequency and damping that limit explicit methods.
    pub fn stability(&self) -> &Stability {
        &self.stability
    }

    /// The form of the network in use: grid or mesh.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Number of springs whose tension is found as a multiplier, because they are so stiff for the step
    /// ([`crate::model::Multipliers`]); 0 for solvers other than `newton-multigrid`.
    pub fn multipliers(&self) -> usize {
        self.multipliers
    }

    /// Bytes of stored neighbors and their springs, read in each visit of all springs; 0 in the grid form.
    pub fn network_bytes(&self) -> u64 {
        self.network_bytes
    }

    /// Simulated time \[s\].
    pub fn time(&self) -> f64 {
        self.start_time + self.frames as f64 * f64::from(self.settings.step.frame_time)
    }

    /// Simulated time of frame 0 \[s\]: the time of the state that was set last.
    pub fn start_time(&self) -> f64 {
        self.start_time
    }

    /// Frames since the start or the last [`Simulation::set_state`].
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Dispatches that the last frame recorded.
    pub fn dispatches(&self) -> u32 {
        self.dispatches
    }

    /// Substeps since the last [`Simulation::set_state`] in which an accelerated iteration fell back to plain sweeps;
    /// for `newton-multigrid` the iterations that started from a higher objective than the one before.
    pub fn falls(&self) -> Result<u32, Error> {
        Ok(self.ask_falls().wait()?)
    }

    /// [`Simulation::falls`] without waiting.
    pub fn ask_falls(&self) -> Reading<u32> {
        self.solver.falls(&self.gpu)
    }

    /// Iterations used since the last [`Simulation::set_state`], if there is a tolerance and the solver uses it.
    pub fn effort(&self) -> Result<Option<Effort>, Error> {
        Ok(self.ask_effort().wait()?)
    }

    /// [`Simulation::effort`] without waiting.
    pub fn ask_effort(&self) -> Reading<Option<Effort>> {
        self.solver.effort(&self.gpu)
    }

    /// What the guard against crossings did since the last [`Simulation::set_state`]; `None` where contact is off.
    pub fn ask_contact(&self) -> Reading<Option<contact::Report>> {
        match &self.guard {
            Some(guard) => guard.ask(&self.gpu).map(Some),
            None => Reading::ready(None),
        }
    }

    /// What touches at the end of the last substep, and the force of contact on each body; `None` where contact is off.
    pub fn ask_touching(&self) -> Reading<Option<Touching>> {
        match &self.memory {
            Some(memory) => memory.ask(&self.gpu).map(Some),
            None => Reading::ready(None),
        }
    }

    /// Whether anything touches at the end of the last substep.
    pub fn ask_touches(&self) -> Reading<bool> {
        match &self.memory {
            Some(memory) => {
                memory.nearness().ask(&self.gpu).map(|near| near.into_iter().any(|near| near >= 1.0))
            }
            None => Reading::ready(false),
        }
    }

    /// What there is to say of contact so far: `guard` is what [`Simulation::ask_contact`] found, and `touches` whether anything has been
    /// seen to touch ([`Simulation::ask_touches`]). Where the guard held nodes back, something has touched.
    pub fn warnings_of_contact(&self, guard: &contact::Report, touches: bool) -> Vec<Warning> {
        let frame = f64::from(self.settings.step.frame_time);
        let of_touching = self.pace.as_ref().map(Pace::of_touching);
        let step = of_touching.map_or(self.step_length().into(), |substeps| frame / substeps.max(1.0));
        let has_touched = guard.cut > 0 || touches;
        warning::contact(&self.model, &self.settings, &self.stability, step, guard.share(), has_touched)
    }

    /// How near each node was at the end of the last substep to what it may touch \[1\]: 1 at the thickness of the two and
    /// below, 0 at twice that and beyond, linear in between. `None` where [`Simulation::ask_touching`] has nothing. Nodes are in
    /// the order of [`Model::in_memory`].
    pub fn nearness(&self) -> Option<&Buffer<f32>> {
        self.memory.as_ref().map(Memory::nearness)
    }

    /// The GPU's estimate of the distance at which substeps ended from their minimum, for each copy of a batch; empty
    /// if the solver has no estimate. Only `newton-multigrid` has one.
    pub fn convergence(&self) -> Result<Vec<Convergence>, Error> {
        Ok(self.ask_convergence().wait()?)
    }

    /// [`Simulation::convergence`] without waiting.
    pub fn ask_convergence(&self) -> Reading<Vec<Convergence>> {
        self.solver.convergence(&self.gpu)
    }

    /// The pulls of handles at the end of the next substep (node, stiffness [N/m], target \[m\]) and the
    /// distance \[m\] beyond which they stop growing, for the f64 reference.
    pub fn pulls(&self) -> (Vec<(u32, f32, Vec3)>, f32) {
        let part = 1.0 / f64::from(self.substeps);
        let mut pulls = self.handles.pulls(self.time(), f64::from(self.settings.step.frame_time), part);
        pulls.iter_mut().for_each(|pull| pull.0 = self.model.order().node(pull.0));
        (pulls, self.world.reach())
    }

    /// If the solver's velocities are not at the time of the positions, writes synchronized ones into the second pair.
    fn synchronize(&self) {
        self.moments.hold(&self.gpu, self.time(), f64::from(self.settings.step.frame_time), self.steps());
        crate::gpu::submit(&self.gpu, "synchronize", |pass| self.solver.synchronize(pass));
    }

    /// Turns the uploaded velocities into the solver's own form.
    fn stagger(&mut self) -> Result<(), Error> {
        let (time, frame) = (self.time(), f64::from(self.settings.step.frame_time));
        self.prepare_handles(time, frame)?;
        if let Some(pins) = &mut self.pins {
            // Air and dashpots of neighbors need the future velocity of the pins.
            pins.prepare(&self.gpu, time, frame);
        }
        self.moments.hold(&self.gpu, time, frame, self.steps());
        self.upload_world();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = Pass::begin(&mut encoder, "stagger", None);
        if let Some(pins) = &self.pins {
            pins.record(&mut pass);
        }
        self.handles.record(&mut pass, 0);
        self.solver.stagger(&mut pass);
        drop(pass);
        let [to, from] = &self.fields.velocity;
        encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, to.bytes());
        self.gpu.queue.submit([encoder.finish()]);
        Ok(self.gpu.check()?)
    }
}
