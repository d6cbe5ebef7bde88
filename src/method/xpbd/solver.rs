//! XPBD on springs.
//!
//! M. Macklin, M. Mueller, N. Chentanez, "XPBD: Position-Based Simulation of Compliant Constrained Dynamics", Motion in
//! Games 2016, doi:10.1145/2994258.2994272, equations 18 and 26; small steps instead of many iterations: M. Macklin et
//! al., "Small Steps in Physics Simulation", SCA 2019, doi:10.1145/3309486.3340247. Either all springs at once, gathered
//! by node without atomics and averaged by mass splitting (R. Tonge, F. Benevolenski, A. Voroshilov, ACM TOG 31(4), 2012,
//! doi:10.1145/2185520.2185601), or color by color. Damping, air and handles act implicitly, bending as a force at the
//! substep's start, which limits the step. Pairs of surfaces in touch are constraints, too, behind each iteration over springs.
//! Multipliers begin at zero in every substep: springs are
//! softer than their stiffness by a part that falls with the square of the substep ([`super::Softening`]).
//! Tested by `tests/quick/oracle.rs`, `tests/quick/xpbd.rs` and `tests/full/conservation.rs`.

use glam::Vec4;

use super::pairs::Pairs;
use crate::gpu::{Bound, Buffer, GpuError, HostStruct, Kernel, Pass, Usage, twin};
use crate::method::colors::{COLOR_STRUCT, Colors};
use crate::method::external::External;
use crate::method::{Setup, Solver, Substep};
use crate::model::{Coloring, stored_stiffness};
use crate::settings::LinearSolver;

twin! {
    /// Host twin of WGSL `SpringData`.
    struct SpringData = "SpringData" {
        nodes: [u32; 2],
        rest_length: f32,
        stiffness: f32,
        dashpot: f32,
        padding: u32,
    }
}

const SPRING_STRUCT: HostStruct = SpringData::TWIN;

/// The solver's kernels.
pub struct Xpbd {
    external: Option<External>,
    predict: Bound,
    pairs: Option<Pairs>,
    method: Method,
    /// Reading the first and the second iterate.
    finish: [Bound; 2],
    nodes: u32,
    iterations: u32,
}

/// An iteration; the first one and the others.
enum Method {
    /// All springs at once, reading the first and the second iterate.
    AtOnce([[Bound; 2]; 2]),
    /// Color by color, in place.
    InTurn([Bound; 2], Colors),
}

impl Xpbd {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let (gpu, settings, nodes) = (setup.gpu, setup.settings, setup.nodes as usize);
        let at_once = settings.linear_solver() == LinearSolver::Jacobi;
        let rows = setup.pushes.anchor_rows();
        let anchor = Buffer::<Vec4>::zeroed(gpu, "anchor", rows * nodes, Usage::empty())?;
        let second = Buffer::<Vec4>::zeroed(gpu, "iterate", if at_once { nodes } else { 0 }, Usage::empty())?;
        // The second position buffer is free: this solver ends every substep in the first.
        let iterates = [&setup.fields.position[1], &second];
        let multipliers = if at_once { setup.slots } else { setup.model.springs().len() };
        let common = setup
            .bindings
            .clone()
            .with("position", &setup.fields.position[0])
            .with("velocity", &setup.fields.velocity[0])
            .with("start", &setup.fields.position[0])
            .with("applied", &setup.fields.applied)
            .with("anchor", &anchor)
            .with("lambda", &Buffer::<f32>::zeroed(gpu, "lambda", multipliers, Usage::empty())?);
        let at =
            |from: usize| common.clone().with("iterate", iterates[from]).with("next", iterates[1 - from]);
        let flag = |on: bool| f64::from(u8::from(on));
        let constants = |is_first: bool| {
            let own = [
                ("SHARES", flag(at_once)),
                ("IS_FIRST", flag(is_first)),
                ("RELAXATION", f64::from(super::relaxation(settings))),
            ];
            [&setup.constants[..], &own].concat()
        };
        let ends = setup.shader("methods/xpbd/ends.wgsl", &[])?;
        let finish = Kernel::new(gpu, &ends, "finish", &constants(false))?;
        let method = if at_once {
            let shader = setup.shader("methods/xpbd/jacobi.wgsl", &[])?;
            let both = |is_first| -> Result<[Bound; 2], GpuError> {
                let kernel = Kernel::new(gpu, &shader, "relax", &constants(is_first))?;
                Ok([kernel.bind(gpu, &at(0))?, kernel.bind(gpu, &at(1))?])
            };
            Method::AtOnce([both(true)?, both(false)?])
        } else {
            let colors = Colors::new(setup, &Coloring::of_springs(setup.model))?;
            let bindings = colors.bind(at(0)).with("springs", &springs(setup)?);
            let shader = setup.shader("methods/xpbd/gauss_seidel.wgsl", &[&COLOR_STRUCT, &SPRING_STRUCT])?;
            let relax =
                |is_first| Kernel::new(gpu, &shader, "relax", &constants(is_first))?.bind(gpu, &bindings);
            Method::InTurn([relax(true)?, relax(false)?], colors)
        };
        Ok(Self {
            external: External::of_first(setup)?,
            predict: Kernel::new(gpu, &ends, "predict", &constants(false))?.bind(gpu, &at(0))?,
            pairs: setup
                .soft
                .map(|soft| Pairs::new(setup, soft, [0, 1].map(|k| at(k).with("position_in", iterates[k]))))
                .transpose()?,
            method,
            finish: [finish.bind(gpu, &at(0))?, finish.bind(gpu, &at(1))?],
            nodes: setup.nodes,
            iterations: settings.iterations(),
        })
    }
}

fn springs(setup: &Setup<'_>) -> Result<Buffer<SpringData>, GpuError> {
    let springs: Vec<SpringData> = (setup.model.springs().iter())
        .map(|s| SpringData {
            nodes: s.nodes,
            rest_length: s.rest_length,
            stiffness: stored_stiffness(s.stiffness),
            dashpot: s.dashpot,
            padding: 0,
        })
        .collect();
    Buffer::from_slice(setup.gpu, "springs", &springs, Usage::empty())
}

impl Solver for Xpbd {
    fn record(&self, pass: &mut Pass<'_>, _substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        pass.dispatch(&self.predict, self.nodes);
        for k in 0..self.iterations as usize {
            let iterate = match &self.method {
                Method::AtOnce(relax) => {
                    pass.dispatch(&relax[k.min(1)][k % 2], self.nodes);
                    (k + 1) % 2
                }
                Method::InTurn(relax, colors) => {
                    colors.record(pass, &relax[k.min(1)]);
                    0
                }
            };
            self.pairs.iter().for_each(|pairs| pairs.record(pass, iterate, k as u32));
        }
        let last = match self.method {
            Method::AtOnce(_) => self.iterations as usize % 2,
            Method::InTurn(..) => 0,
        };
        pass.dispatch(&self.finish[last], self.nodes);
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }
}
