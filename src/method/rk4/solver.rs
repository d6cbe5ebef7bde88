//! The classical Runge-Kutta method, W. Kutta, "Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen",
//! Z. Math. Phys. 46, 435 (1901); Hairer, Norsett, Wanner, *Solving Ordinary Differential Equations I*, section II.1,
//! doi:10.1007/978-3-540-78862-1.
//!
//! Four stages of y' = (v, a(x, v)), each with the forces of springs, dashpots, bending, handles and gravity; what air,
//! colliders, loads and the user's force do is frozen at the substep's start, as with every other method, and is first
//! order. A wave loses (h omega)^6 / 72 of its amplitude squared a step. Limit: h < 2.83 / omega undamped.

use glam::Vec4;

use crate::gpu::{Bound, Buffer, GpuError, Pass, Usage};
use crate::method::external::External;
use crate::method::{Setup, Solver, Substep};

/// Rows of `work`.
pub const ROWS: u64 = 3;

/// The solver's kernels.
pub struct Rk4 {
    external: Option<External>,
    /// Of each stage its slope, and what follows from it.
    stages: [[Bound; 2]; 4],
    nodes: u32,
}

impl Rk4 {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let (gpu, fields, nodes) = (setup.gpu, setup.fields, setup.nodes as usize);
        let stage = |label| Buffer::<Vec4>::zeroed(gpu, label, nodes, Usage::empty());
        let (position, velocity) = (stage("stage position")?, stage("stage velocity")?);
        let work = Buffer::<Vec4>::zeroed(gpu, "work", ROWS as usize * nodes, Usage::empty())?;
        let pairs = [
            (&fields.position[0], &fields.velocity[0]),
            (&fields.position[1], &fields.velocity[1]),
            (&position, &velocity),
        ];
        let shader = setup.shader("methods/rk4/substep.wgsl", &[])?;
        let slope = setup.kernel(&shader, "slope")?;
        let bind = |entry, from: usize, to: usize| -> Result<[Bound; 2], GpuError> {
            let bindings = setup
                .bindings
                .clone()
                .with("position_in", pairs[from].0)
                .with("velocity_in", pairs[from].1)
                .with("position_out", pairs[to].0)
                .with("velocity_out", pairs[to].1)
                .with("start_position", pairs[0].0)
                .with("start_velocity", pairs[0].1)
                .with("applied", &fields.applied)
                .with("work", &work);
            Ok([slope.bind(gpu, &bindings)?, setup.kernel(&shader, entry)?.bind(gpu, &bindings)?])
        };
        // The last stage ends where the substep began.
        let stages =
            [bind("first", 0, 1)?, bind("second", 1, 2)?, bind("third", 2, 1)?, bind("fourth", 1, 0)?];
        Ok(Self { external: External::of_first(setup)?, stages, nodes: setup.nodes })
    }
}

impl Solver for Rk4 {
    fn record(&self, pass: &mut Pass<'_>, _substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        for kernel in self.stages.iter().flatten() {
            pass.dispatch(kernel, self.nodes);
        }
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }
}
