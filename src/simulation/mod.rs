//! Owns the state on the GPU, steps it and reads it back.

mod checkpoint;
mod copies;
mod handles;
mod interaction;
mod moment;
mod network;
mod pick;
mod pins;
mod surface;
mod user_force;
mod watch;
mod world;

pub use copies::Outcome;
pub use handles::{Handle, Handles, MOST_HANDLES};
pub use pick::Pick;
pub use surface::Surface;
pub use watch::Failure;

use std::collections::VecDeque;

use glam::{Vec3, Vec4};

use crate::Error;
use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Requirements, Timer, Usage};
use crate::model::{MOST_LOADS, Model};
use crate::settings::{Form, Settings};
use crate::solver::{self, Effort, Fields, Pushes, Setup, Solver, Stability};
use crate::state::State;
use checkpoint::Kept;
use moment::Moments;
use network::Network;
use pins::Pins;
use user_force::BadForces;
use watch::Watch;
use world::World;

/// Frames that may be submitted before the first of them has run.
const FRAMES_IN_FLIGHT: usize = 3;

/// Most copies of a batch: solvers give each a workgroup of up to 256 threads, which are counted in 32 bits.
const MOST_COPIES: u32 = u32::MAX / 256;

/// A model with its state on the GPU.
pub struct Simulation {
    gpu: Gpu,
    model: Model,
    settings: Settings,
    stability: Stability,
    substeps: u32,
    world: World,
    /// Whether the buffer holds an older world.
    world_is_stale: bool,
    world_buffer: Buffer<World>,
    fields: Fields,
    surface: Surface,
    form: Form,
    network_bytes: u64,
    solver: Box<dyn Solver>,
    pins: Option<Pins>,
    moments: Moments,
    handles: Handles,
    watch: Watch,
    frames: u64,
    start_time: f64,
    in_flight: VecDeque<wgpu::SubmissionIndex>,
    dispatches: u32,
    /// The last state that was kept and the one before.
    kept: [Option<Kept>; 2],
}

impl Simulation {
    /// What the GPU must have for this model; open it with these.
    pub fn requirements(model: &Model, settings: &Settings) -> Result<Requirements, Error> {
        settings.user_force.as_ref().map_or(Ok(()), user_force::check)?;
        let form = network::form(model, settings.form)?;
        let nodes = model.node_count() as u64;
        let corners = 24 * model.triangles().len() as u64;
        let springs = 8 * model.springs().len() as u64; // the renderer's line list
        let rows = solver::rows(model, settings);
        let largest = corners.max(springs).max(16 * rows * nodes + 64 * u64::from(model.copies()));
        let largest = largest.max(network::largest_buffer(model, form)).max(handles::pull_bytes(model));
        let largest = largest.max(solver::largest_buffer(model, settings));
        Ok(Requirements::buffer(largest))
    }

    /// Checks the settings, uploads the model and compiles the kernels.
    pub fn new(gpu: &Gpu, model: &Model, settings: &Settings) -> Result<Self, Error> {
        settings.check()?;
        if model.handles().len() > MOST_HANDLES {
            let message = format!("{} handles; at most {MOST_HANDLES} at once", model.handles().len());
            return Err(Error::Argument(message));
        }
        if model.loads().len() > MOST_LOADS {
            let message = format!("{} loads; at most {MOST_LOADS} at once", model.loads().len());
            return Err(Error::Argument(message));
        }
        settings.user_force.as_ref().map_or(Ok(()), user_force::check)?;
        let form = network::form(model, settings.form)?;
        if model.copies() > MOST_COPIES {
            return Err(Error::Argument(format!("{} copies; at most {MOST_COPIES}", model.copies())));
        }
        if model.copies() > 1 && settings.tolerance.is_some() {
            // The decision would be one of all copies.
            let message = "a batch has no tolerance: its copies take the same iterations; give their number";
            return Err(Error::Argument(message.into()));
        }
        if settings.planar {
            model.check_planar()?;
        }
        let stability = Stability::of(model, settings);
        let substeps = stability.substeps(settings)?;
        let step = (f64::from(settings.frame_time) / f64::from(substeps)) as f32;
        let nodes = model.node_count();
        let world = World::new(settings, [substeps, nodes as u32], step, copies::first_size(model));
        let surroundings = copies::surroundings(model, settings, step)?;
        let world_buffer = Buffer::from_slice(gpu, "world", &[world], Usage::UNIFORM)?;
        let network = Network::new(gpu, model, form)?;
        let surface = Surface::new(gpu, model)?;
        let pushes = Pushes::of(model, settings);
        let fields = fields(gpu, nodes, pushes, &surroundings)?;
        let mut moments = Moments::new(gpu, model, pushes.user_force)?;
        let bindings = Bindings::new().with("world", &world_buffer);
        let mut bindings = moments.bind(surface.bind(network.bind(bindings)));
        let bad_forces = if pushes.user_force { Some(BadForces::new(gpu, model.copies())?) } else { None };
        if let Some(bad) = &bad_forces {
            bindings = bad.bind(bindings);
        }
        let network_bytes = network.bytes();
        let mut constants = network.constants();
        constants.extend([
            ("HAS_AIR", f64::from(u8::from(pushes.air))),
            ("COLLIDERS", f64::from(pushes.colliders)),
            ("LOADS", model.loads().len() as f64),
            ("HAS_PUSH", f64::from(u8::from(pushes.has_push()))),
            ("HAS_DRAG", f64::from(u8::from(pushes.has_drag()))),
            ("IS_PLANAR", f64::from(u8::from(settings.planar))),
            ("IS_IMPLICIT", f64::from(u8::from(!settings.solver.is_explicit()))),
            ("COPIES", f64::from(model.copies())),
            ("COPY_NODES", model.nodes_per_copy() as f64),
            ("OWN_SURROUNDINGS", f64::from(u8::from(!surroundings.is_empty()))),
            ("SURROUNDINGS_START", (fields.applied.len() - surroundings.len()) as f64),
        ]);
        let structs: Vec<&HostStruct> = [&world::WORLD_STRUCT]
            .into_iter()
            .chain(network::NETWORK_STRUCTS)
            .chain(moment::MOMENT_STRUCTS)
            .chain([&user_force::BAD_FORCE_STRUCT])
            .collect();
        let setup = Setup {
            gpu,
            model,
            settings,
            substeps,
            nodes: nodes as u32,
            copies: model.copies(),
            slots: network.slots(nodes),
            pushes,
            loaded_nodes: moments.loaded_nodes(),
            stiffness_ratio: f64::from(step).powi(2) * stability.omega_squared / 2.0,
            fields: &fields,
            bindings,
            network: network.files(),
            constants,
            structs: &structs,
        };
        let state_bindings = setup
            .bindings
            .clone()
            .with("position", &fields.position[0])
            .with("velocity", &fields.velocity[0])
            .with("position_in", &fields.position[0])
            .with("applied_out", &fields.applied);
        let compile = |file, entry, structs: &[&HostStruct]| -> Result<Kernel, GpuError> {
            setup.kernel(&setup.shader(file, structs)?, entry)
        };
        let pins = Pins::new(
            gpu,
            model,
            || compile("forces/pins.wgsl", "move_pins", &pins::PIN_STRUCTS),
            state_bindings.clone(),
        )?;
        moments.compile(gpu, || compile("forces/clock.wgsl", "advance", &[]), &state_bindings)?;
        let gather = compile("forces/handles.wgsl", "gather_pulls", &handles::HANDLE_STRUCTS)?;
        let handles = Handles::new(gpu, model, substeps, gather, state_bindings)?;
        let watch = Watch::new(&setup, &fields.position[0], bad_forces)?;
        let solver = solver::build(&setup)?;
        let mut simulation = Self {
            gpu: gpu.clone(),
            model: model.clone(),
            settings: settings.clone(),
            stability,
            substeps,
            world,
            world_is_stale: false,
            world_buffer,
            fields,
            surface,
            form,
            network_bytes,
            solver,
            pins,
            moments,
            handles,
            watch,
            frames: 0,
            start_time: 0.0,
            in_flight: VecDeque::new(),
            dispatches: 0,
            kept: [None, None],
        };
        simulation.set_state(model.initial_state())?;
        Ok(simulation)
    }

    /// Advances by one frame: records all substeps and submits once, without waiting.
    pub fn step(&mut self) -> Result<(), Error> {
        self.step_timed(None)
    }

    /// [`Simulation::step`] with its GPU time taken.
    pub fn step_timed(&mut self, timer: Option<&Timer>) -> Result<(), Error> {
        let time = self.time();
        let frame = f64::from(self.settings.frame_time);
        if let Some(pins) = &self.pins {
            pins.prepare(&self.gpu, time, frame);
        }
        self.prepare_handles(time, frame)?;
        self.moments.prepare(&self.gpu, time, frame, self.steps());
        self.frames += 1;
        self.upload_world();

        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = Pass::begin(&mut encoder, "frame", timer);
        if let Some(pins) = &self.pins {
            pins.record(&mut pass);
        }
        for substep in 0..self.substeps {
            self.moments.record(&mut pass);
            self.handles.record(&mut pass, substep);
            self.solver.record(&mut pass, substep);
        }
        let swapped = self.solver.result(self.substeps) == 1;
        if !swapped {
            self.watch.record(&mut pass);
        }
        self.dispatches = pass.dispatches();
        drop(pass);
        if swapped {
            self.copy_back(&mut encoder);
            self.watch.record(&mut Pass::begin(&mut encoder, "watch", None));
        }
        if let Some(timer) = timer {
            timer.resolve(&mut encoder);
        }
        let submission = self.gpu.queue.submit([encoder.finish()]);
        self.in_flight.push_back(submission);
        self.gpu.check()?;
        self.limit_frames_in_flight()
    }

    /// Waits and reads the state back.
    pub fn state(&self) -> Result<State, Error> {
        let mut velocity = &self.fields.velocity[0];
        if self.solver.is_staggered() {
            // Into the second pair, which is free between frames.
            self.synchronise();
            velocity = &self.fields.velocity[1];
        }
        let truncate = |v: Vec<Vec4>| v.into_iter().map(Vec4::truncate).collect();
        Ok(State {
            position: truncate(self.fields.position[0].read(&self.gpu)?),
            velocity: truncate(velocity.read(&self.gpu)?),
            time: self.time(),
        })
    }

    /// Replaces positions, velocities and time. Which nodes are pinned goes back to the model's start; pinned
    /// nodes get no velocity but their path's. Numbers that are not finite are refused.
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
        if self.settings.planar {
            self.model.check_planar_state(state)?;
        }
        let inverse_mass = |i: usize| self.model.inverse_mass(i);
        let position: Vec<Vec4> =
            state.position.iter().enumerate().map(|(i, p)| p.extend(inverse_mass(i))).collect();
        // Every solver moves a pinned node by its velocity; only a path may give it one.
        let at_rest = |i: usize, v: Vec3| if self.model.pinned()[i] { Vec3::ZERO } else { v };
        let velocity: Vec<Vec4> =
            state.velocity.iter().enumerate().map(|(i, v)| at_rest(i, *v).extend(0.0)).collect();
        self.fields.position[0].write(&self.gpu, 0, &position);
        self.fields.velocity[0].write(&self.gpu, 0, &velocity);
        self.frames = 0;
        self.start_time = state.time;
        self.watch.clear(&self.gpu);
        self.solver.forget(&self.gpu);
        if self.solver.is_staggered() {
            self.stagger()?;
        }
        Ok(())
    }

    /// Back to the model's initial state.
    pub fn reset(&mut self) -> Result<(), Error> {
        let initial = self.model.initial_state().clone();
        self.set_state(&initial)
    }

    /// Positions \[m\] and inverse masses [1/kg] of all nodes; the renderer draws from this buffer.
    pub fn positions(&self) -> &Buffer<Vec4> {
        &self.fields.position[0]
    }

    /// Triangles in GPU memory.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Largest |l / r - 1| of the springs at each node after the last frame.
    pub fn stretch(&self) -> &Buffer<f32> {
        self.watch.stretch()
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The settings, as they are now.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The GPU it runs on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Substeps a frame, chosen or given.
    pub fn substeps(&self) -> u32 {
        self.substeps
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

    /// Bytes of stored neighbours and their springs, which each visit of all springs reads; 0 in the grid form.
    pub fn network_bytes(&self) -> u64 {
        self.network_bytes
    }

    /// Simulated time \[s\].
    pub fn time(&self) -> f64 {
        self.start_time + self.frames as f64 * f64::from(self.settings.frame_time)
    }

    /// Simulated time of frame 0 \[s\]: that of the state that was set last.
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
    /// of `newton-multigrid` the iterations that began higher than the one before.
    pub fn falls(&self) -> Result<u32, Error> {
        Ok(self.solver.falls(&self.gpu)?)
    }

    /// Iterations used since the last [`Simulation::set_state`], where the settings have a tolerance and the solver
    /// keeps it.
    pub fn effort(&self) -> Result<Option<Effort>, Error> {
        Ok(self.solver.effort(&self.gpu)?)
    }

    /// Records one substep alone, for measurements. The state afterwards is not to be used.
    pub fn record_substep(&self, pass: &mut Pass<'_>, substep: u32) {
        self.solver.record(pass, substep);
    }

    /// The pulls of handles at the end of the next substep (node, stiffness [N/m], target \[m\]) and the
    /// distance \[m\] beyond which they grow no further: what the f64 reference needs.
    pub fn pulls(&self) -> (Vec<(u32, f32, Vec3)>, f32) {
        let part = 1.0 / f64::from(self.substeps);
        (self.handles.pulls(self.time(), f64::from(self.settings.frame_time), part), self.world.reach())
    }

    fn prepare_handles(&mut self, time: f64, frame: f64) -> Result<(), Error> {
        if self.handles.is_stale() {
            // Only grabbed nodes are written; the others must not keep the pull of a released handle.
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(self.fields.applied.raw(), 0, Some(self.fields.position[0].bytes()));
            self.gpu.queue.submit([encoder.finish()]);
        }
        let has_pulls = u32::from(self.handles.prepare(&self.gpu, time, frame)?);
        self.world_is_stale |= has_pulls != self.world.has_pulls;
        self.world.has_pulls = has_pulls;
        Ok(())
    }

    /// Substeps done since the last [`Simulation::set_state`], as far as 32 bits count.
    fn steps(&self) -> u32 {
        (self.frames * u64::from(self.substeps)).min(u64::from(u32::MAX / 2)) as u32
    }

    /// Brings the uniform up to date; most frames have nothing new.
    fn upload_world(&mut self) {
        if std::mem::take(&mut self.world_is_stale) {
            self.world_buffer.write(&self.gpu, 0, &[self.world]);
        }
    }

    /// Puts velocities at the time of the positions into the second pair, of a solver whose own are not.
    fn synchronise(&self) {
        self.moments.hold(&self.gpu, self.time(), f64::from(self.settings.frame_time), self.steps());
        crate::gpu::submit(&self.gpu, "synchronise", |pass| self.solver.synchronise(pass));
    }

    /// Turns the uploaded velocities into the solver's own form.
    fn stagger(&mut self) -> Result<(), Error> {
        let (time, frame) = (self.time(), f64::from(self.settings.frame_time));
        self.prepare_handles(time, frame)?;
        if let Some(pins) = &self.pins {
            // Air and dashpots at neighbours see the velocity that the pins will have.
            pins.prepare(&self.gpu, time, frame);
        }
        self.upload_world();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = Pass::begin(&mut encoder, "stagger", None);
        if let Some(pins) = &self.pins {
            pins.record(&mut pass);
        }
        self.moments.hold(&self.gpu, time, frame, self.steps());
        self.handles.record(&mut pass, 0);
        self.solver.stagger(&mut pass);
        drop(pass);
        let [to, from] = &self.fields.velocity;
        encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, to.bytes());
        self.gpu.queue.submit([encoder.finish()]);
        Ok(self.gpu.check()?)
    }

    fn copy_back(&self, encoder: &mut wgpu::CommandEncoder) {
        for [to, from] in [&self.fields.position, &self.fields.velocity] {
            encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, to.bytes());
        }
    }

    fn limit_frames_in_flight(&mut self) -> Result<(), Error> {
        if self.in_flight.len() >= FRAMES_IN_FLIGHT
            && let Some(submission) = self.in_flight.pop_front()
        {
            let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
            self.gpu.device.poll(wait).map_err(|e| GpuError::Lost(e.to_string()))?;
        }
        Ok(self.gpu.check()?)
    }
}

fn fields(gpu: &Gpu, nodes: usize, pushes: Pushes, surroundings: &[Vec4]) -> Result<Fields, GpuError> {
    let make = |label| Buffer::zeroed(gpu, label, nodes, Usage::empty());
    let rows = pushes.rows();
    let applied = Buffer::zeroed(gpu, "applied", rows * nodes + surroundings.len(), Usage::empty())?;
    applied.write(gpu, rows * nodes, surroundings);
    Ok(Fields {
        position: [make("position")?, make("position 2")?],
        velocity: [make("velocity")?, make("velocity 2")?],
        applied,
    })
}
