//! Implicit Euler as a minimization by multigrid cycles of the Newton matrix.
//!
//! x+ minimizes the objective of [`crate::method::local_global`]. An iteration is x <- z - e, where e is one V-cycle with
//! a block Jacobi smoother (V(1,1) on the finest level, V(0,1) on coarser ones, the coarsest solved exactly) of the
//! Newton matrix at z, applied to the gradient, without line search and dot products. With `cg-steps`, where bending is
//! stiff, and on hard networks ([`crate::hierarchy::is_hard`]), e is the result of a few steps of conjugate gradients that
//! such cycles precondition. The matrix is the projected one (D. Baraff, A. Witkin, "Large Steps in Cloth Simulation",
//! SIGGRAPH 1998, doi:10.1145/280814.280821) with at least 0.003 of a spring's stiffness across it.
//!
//! Coarser levels of a regular grid are small cloths of their own whose spring stiffnesses are averages of finer
//! ones; pins, handles and air enter through a ground block per node (W. Briggs, V. Henson, S. McCormick, "A
//! Multigrid Tutorial", 2000, doi:10.1137/1.9780898719505, for the cycle). Any other network has the levels of
//! [`crate::hierarchy::Hierarchy::galerkin`], made when the solver is built (`tests/full/network_levels.rs`). From the
//! fourth iteration on, z is x with Nesterov's momentum (Y. Nesterov, 1983), restarted with each step. The iteration
//! starts from x + h v: a cloth at rest is a fixed point and has the right sag with any number of iterations. Where x + h v
//! would stretch springs to many times their length, it starts nearer to x (`start.rs`); else bodies would gain energy.
//!
//! The GPU estimates how far the last iteration is from the minimum. With a tolerance the substep ends with the first
//! iteration that is close enough; the kernels that are recorded behind it return at once.

use crate::settings::{CG_STEPS, START, TOLERANCE};
use bytemuck::Zeroable;
use glam::Vec4;

use super::conjugate_gradients::ConjugateGradients;
use super::estimate::Estimate;
use super::grid_levels::GridLevels;
use super::grid_table::GridTable;
use super::multipliers::{MultiplierPlaces, Multipliers};
use super::network_levels::NetworkLevels;
use super::rigid::Rigid;
use super::start::Start;
use super::structs::{CONTROL_STRUCT, Control, ITERATION_STRUCT, Iteration, UNKNOWN};
use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Reading, UNIFORM_STRIDE, Usage, Words,
};
use crate::hierarchy;
use crate::method::contact::{Iterates, Meeting, Place};
use crate::method::external::External;
use crate::method::{Convergence, Effort, Setup, Solver, Substep};
use crate::model::{self, Model};
use crate::numbers::LEAST_ACROSS;
use crate::settings;

const _: () = assert!(size_of::<Iteration>() == UNIFORM_STRIDE as usize);
/// Rows of vectors for contact between surfaces.
pub const CONTACT_ROWS: u32 = 3;
/// Rows of `work` of the ground blocks of nodes that hang on pins, where there is room for them.
const HELD_ROWS: u32 = 2;
/// Rows of vectors that the matrix is multiplied with, as `shaders/methods/newton_multigrid/bindings.wgsl` numbers them.
pub const CORRECTION: u32 = 1;
pub const DIRECTION: u32 = 5;
const MULTIPLIED: [u32; 2] = [CORRECTION, DIRECTION];
/// Nesterov's weights grow up to this iteration.
const MOST_MOMENTUM: u32 = 30;

/// The coarser levels, which make the coarse-grid correction.
enum Levels {
    /// Of a regular grid.
    Grid(Box<GridLevels>),
    /// Of any other network.
    Network(Box<NetworkLevels>),
}

/// The solver's kernels.
pub struct NewtonMultigrid {
    external: Option<External>,
    start: Option<Start>,
    predict: Bound,
    gradient: [Bound; 2],
    residual: [Bound; 2],
    advance: [Bound; 2],
    advance_with_momentum: [Bound; 2],
    finish: [Bound; 2],
    /// Contact between surfaces on the finest level.
    meeting: Option<Meeting>,
    rigid: Option<Rigid>,
    levels: Levels,
    cg: Option<ConjugateGradients>,
    estimate: Estimate,
    control: Buffer<Control>,
    has_multipliers: Vec<bool>,
    multipliers: Multipliers,
    nodes: u32,
    iterations: u32,
}

/// Bytes of the largest buffer of the coarser levels of a grid, or copies of one.
pub fn largest_buffer(model: &Model, multipliers: &model::Multipliers) -> u64 {
    let blocks = model
        .grid()
        .map_or(0, |grid| GridTable::new(grid.columns, grid.rows, grid.copies, &[]).block_bytes());
    if multipliers.is_empty() {
        return blocks;
    }
    // Behind the rows of nodes: in grid form up to three quads and a word a node; in mesh form one multiplier a slot, with
    // less than a quad a node of padding.
    let slots = 2 * model.springs().len() as u64 + 8 * model.node_count() as u64;
    blocks.max(64 * model.node_count() as u64 + 4 * slots.max(13 * model.node_count() as u64))
}

impl NewtonMultigrid {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let mut constants = setup.constants.clone();
        if let Some(tolerance) = setup.settings.get(TOLERANCE) {
            constants.extend([("USE_TOLERANCE", 1.0), ("TOLERANCE", f64::from(tolerance))]);
        }
        let cg_steps = super::cg_steps(setup.model, setup.settings);
        // A number of steps that the user sets has the usual matrix, so that copies of a batch have the bits that they have
        // alone.
        if setup.settings.get(CG_STEPS).is_none() && cg_steps > 0 && hierarchy::is_hard(setup.model) {
            constants.push(("IS_HARD", 1.0));
        }
        constants.push(("CONJUGATE_GRADIENTS", f64::from(u8::from(cg_steps > 0))));
        let iterations = setup.settings.iterations();
        let has_momentum = momentum(iterations.saturating_sub(1)) > 0.0;
        let mut work_rows = match (cg_steps > 0, has_momentum) {
            (true, _) => 7u32,
            (false, true) => 4,
            (false, false) => 3,
        };
        if setup.keeps_moves {
            constants.push(("MOVES", f64::from(work_rows)));
            work_rows += 1;
        }
        let contact_row = work_rows;
        if setup.soft.is_some() {
            constants.push(("WORK_CONTACT", f64::from(contact_row)));
            work_rows += CONTACT_ROWS;
        }
        let (gpu, nodes) = (setup.gpu, setup.nodes as usize);
        if cg_steps > 0 {
            // Their rows are free until the first search direction.
            constants.push(("HELD", f64::from(DIRECTION)));
        } else if setup.model.pinned().contains(&true) {
            let bytes = 16 * u64::from(work_rows + HELD_ROWS) * nodes as u64;
            if bytes <= gpu.device.limits().max_storage_buffer_binding_size {
                constants.push(("HELD", f64::from(work_rows)));
                work_rows += HELD_ROWS;
            }
        }
        let rows = match (setup.model.has_dashpots() || setup.keeps_moves, setup.pushes.has_drag()) {
            (true, _) => 4,
            (false, true) => 3,
            (false, false) => 1,
        };
        let multipliers = Multipliers::new(gpu, setup.multipliers, rows * nodes)?;
        constants.extend(multipliers.constants());
        let touches = if setup.soft.is_some() { ["touching", "coupled"] } else { ["alone", "clear"] };
        let network = &[setup.network, &touches].concat()[..];
        let structs = &[setup.structs, &[&MultiplierPlaces::TWIN]].concat()[..];
        let setup = &Setup { constants, structs, network, bindings: setup.bindings.clone(), ..*setup };
        let anchor = &multipliers.anchor;
        let work = Buffer::<Vec4>::zeroed(gpu, "work", work_rows as usize * nodes, Usage::empty())?;
        let second = Buffer::<Vec4>::zeroed(gpu, "iterate", nodes, Usage::empty())?;
        let control = Buffer::from_slice(gpu, "control", &fresh(setup.has_multipliers), Usage::empty())?;
        let uniforms = iteration_uniforms(iterations);
        // The second position buffer is free: this solver ends every substep in the first.
        let iterates = [&setup.fields.position[1], &second];
        let common = setup
            .bindings
            .clone()
            .with("position", &setup.fields.position[0])
            .with("velocity", &setup.fields.velocity[0])
            .with("applied", &setup.fields.applied)
            .with("anchor", anchor)
            .with("multiplier_places", &multipliers.places)
            .with("work", &work)
            .with("control", &control)
            .with("control_out", &control)
            .with("this_iteration", &Buffer::from_slice(gpu, "iterations", &uniforms, Usage::UNIFORM)?);
        let at = |from: usize| -> Bindings {
            common
                .clone()
                .with("iterate", iterates[from])
                .with("other_iterate", iterates[1 - from])
                .with("position_in", iterates[from])
                .with("position_out", iterates[1 - from])
        };
        let own: [&HostStruct; 2] = [&CONTROL_STRUCT, &ITERATION_STRUCT];
        let ends_shader = setup.shader("methods/newton_multigrid/ends.wgsl", &own)?;
        let step = if cg_steps > 0 { "cg" } else { "cycle" };
        let cycle_shader = setup.shader_with("methods/newton_multigrid/advance.wgsl", &[step], &own)?;
        let keeps = if setup.multipliers.slots > 0 { "multipliers" } else { "none" };
        let gradient_shader = setup.shader_with("methods/newton_multigrid/gradient.wgsl", &[keeps], &own)?;
        let bindings = [at(0), at(1)];
        let estimate = Estimate::new(setup, &bindings)?;
        let has_start = estimate.ends_iterations() || setup.settings.value(START) == settings::Start::Auto;
        let start = has_start.then(|| Start::new(setup, &common)).transpose()?;
        let cg = match cg_steps {
            0 => None,
            steps => Some(ConjugateGradients::new(setup, steps, &bindings)?),
        };
        let with_rows = bindings.clone().map(|at| at.aliased("applied_out", "work"));
        let place = Place { bindings: &with_rows, row: contact_row, multiplied: &MULTIPLIED, product: None };
        let meet = |soft| Meeting::new(setup, soft, &Iterates::Numbered(&own), &place);
        let meeting = setup.soft.map(meet).transpose()?;
        let rigid = setup.soft.map(|soft| Rigid::new(setup, soft, &bindings[0])).transpose()?;
        let constants = &setup.constants[..];
        let compile = || {
            Kernel::compile(
                gpu,
                [
                    (&gradient_shader, "gradient", constants),
                    (&cycle_shader, "advance_with_momentum", constants),
                    (&cycle_shader, "advance", constants),
                    (&cycle_shader, "residual", constants),
                    (&ends_shader, "predict", constants),
                    (&ends_shader, "finish", constants),
                ],
            )
        };
        let (levels, kernels) = rayon::join(|| levels(setup, bindings.clone(), cg_steps > 1), compile);
        let [gradient, with_momentum, advance, residual, predict, finish] = kernels?;
        let both = |kernel: &Kernel| -> Result<[Bound; 2], GpuError> {
            Ok([kernel.bind(gpu, &bindings[0])?, kernel.bind(gpu, &bindings[1])?])
        };
        Ok(Self {
            external: External::of_first(setup)?,
            start,
            predict: predict.bind(gpu, &bindings[0])?,
            gradient: both(&gradient)?,
            residual: both(&residual)?,
            advance: both(&advance)?,
            advance_with_momentum: both(&with_momentum)?,
            finish: both(&finish)?,
            meeting,
            rigid,
            levels: levels?,
            cg,
            estimate,
            control,
            has_multipliers: setup.has_multipliers.to_vec(),
            multipliers,
            nodes: setup.nodes,
            iterations,
        })
    }
}

impl NewtonMultigrid {
    /// Records what contact adds to the product of the matrix with a row of vectors.
    fn record_contact(&self, pass: &mut Pass<'_>, row: u32) {
        self.meeting.iter().for_each(|meeting| meeting.products().record(pass, row));
    }

    /// Records a cycle without its pre-smoothing and post-smoothing on the finest level; `again`: with the matrix of the
    /// cycle before.
    fn record_cycle(&self, pass: &mut Pass<'_>, iterate: usize, iteration: u32, again: bool) {
        self.record_contact(pass, CORRECTION);
        pass.dispatch_at(&self.residual[iterate], self.nodes, &[iteration]);
        match &self.levels {
            Levels::Grid(levels) => levels.record(pass, iterate, iteration, again),
            Levels::Network(levels) => levels.record(pass, iterate, iteration, again),
        }
    }
}

/// The coarser levels that suit the form of the network; `again`: also for several cycles with one matrix.
fn levels(setup: &Setup<'_>, bindings: [Bindings; 2], again: bool) -> Result<Levels, GpuError> {
    let is_grid = setup.network.contains(&"grid");
    Ok(match setup.model.grid() {
        Some(grid) if is_grid => {
            let size = [grid.columns, grid.rows, grid.copies];
            Levels::Grid(Box::new(GridLevels::new(setup, size, bindings, again)?))
        }
        _ => Levels::Network(Box::new(NetworkLevels::new(setup, bindings, again)?)),
    })
}

impl Solver for NewtonMultigrid {
    fn record(&self, pass: &mut Pass<'_>, substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        if let Some(start) = &self.start {
            start.record(pass);
        }
        pass.dispatch(&self.predict, self.nodes);
        match &self.levels {
            Levels::Grid(levels) => levels.record_start(pass),
            Levels::Network(levels) => levels.record_start(pass),
        }
        for k in 0..self.iterations {
            let (iterate, iteration) = (k as usize % 2, k * UNIFORM_STRIDE);
            self.meeting.iter().for_each(|meeting| meeting.record(pass, iterate, k));
            pass.dispatch_at(&self.gradient[iterate], self.nodes, &[iteration]);
            self.record_cycle(pass, iterate, iteration, false);
            for step in 0..self.cg.as_ref().map_or(0, |cg| cg.steps) {
                if step > 0 {
                    self.record_cycle(pass, iterate, iteration, true);
                }
                if let Some(cg) = &self.cg {
                    cg.record(pass, step, iterate, iteration, self.meeting.as_ref());
                }
            }
            // Without a tolerance one estimate at the end of the frame is enough.
            if self.estimate.ends_iterations() || (substep.is_last && k + 1 == self.iterations) {
                self.estimate.estimate_error(pass, iterate, iteration);
            }
            let has_momentum = k + 1 < self.iterations && momentum(k + 1) > 0.0;
            let advance = if has_momentum { &self.advance_with_momentum } else { &self.advance };
            if self.cg.is_some() {
                // No sweep: z, the solution so far and the search direction read, z written; with momentum x, too.
                let bytes = u64::from(self.nodes) * if has_momentum { 96 } else { 64 };
                pass.dispatch_moving(&advance[iterate], self.nodes, &[iteration], bytes);
            } else {
                self.record_contact(pass, CORRECTION);
                pass.dispatch_at(&advance[iterate], self.nodes, &[iteration]);
            }
        }
        // With a tolerance the kernel chooses the iterate.
        let last = if self.estimate.ends_iterations() { 0 } else { self.iterations as usize % 2 };
        pass.dispatch(&self.finish[last], self.nodes);
        self.rigid.iter().for_each(|rigid| rigid.record(pass));
        self.meeting.iter().for_each(|meeting| meeting.record_end(pass));
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }

    fn falls(&self, gpu: &Gpu) -> Reading<u32> {
        self.control.ask(gpu).map(|control| control.iter().map(|c| c.rises).sum())
    }

    fn effort(&self, gpu: &Gpu) -> Reading<Option<Effort>> {
        if !self.estimate.ends_iterations() {
            return Reading::ready(None);
        }
        self.control.ask_range(gpu, 0..1).map(|control| {
            let control = control[0];
            Some(Effort {
                substeps: control.substeps,
                iterations: control.total,
                most: control.most,
                unfinished: control.unfinished,
                rounded: control.rounded,
            })
        })
    }

    fn convergence(&self, gpu: &Gpu) -> Reading<Vec<Convergence>> {
        let of_copy = |c: &Control| Convergence {
            error: c.error.into(),
            share: c.share.into(),
            largest: c.worst.into(),
            mean: f64::from(c.shares) / f64::from(c.looks.max(1)),
            looks: c.looks,
            over: c.over,
        };
        self.control.ask(gpu).map(move |control| control.iter().map(of_copy).collect())
    }

    /// The counters and the multipliers. The guard is reset with every substep.
    fn lasting(&self) -> Vec<Words<'_>> {
        let multipliers = (!self.multipliers.is_empty()).then(|| self.multipliers.anchor.words());
        [self.control.words()].into_iter().chain(multipliers).collect()
    }

    fn forget(&self, gpu: &Gpu) {
        self.control.write(gpu, 0, &fresh(&self.has_multipliers));
        self.multipliers.forget(gpu);
    }
}

/// The control before the first iteration, of each copy by whether it has multipliers.
fn fresh(has_multipliers: &[bool]) -> Vec<Control> {
    let of_copy = |has: &bool| Control {
        least: [LEAST_ACROSS as f32; 2],
        last: UNKNOWN,
        has_multipliers: u32::from(*has),
        start: 1.0,
        ..Control::zeroed()
    };
    has_multipliers.iter().map(of_copy).collect()
}

/// Nesterov's weight of iteration `k`; 0 in the first three.
fn momentum(k: u32) -> f32 {
    let past = k.min(MOST_MOMENTUM).saturating_sub(2) as f32;
    past / (past + 3.0)
}

fn iteration_uniforms(count: u32) -> Vec<Iteration> {
    (0..count)
        .map(|index| Iteration {
            index,
            is_first_momentum: u32::from(momentum(index) == 0.0),
            momentum: momentum(index + 1),
            count,
            padding: [0; 60],
        })
        .collect()
}
