//! Implicit Euler as a minimization, by colored vertex block descent.
//!
//! A. Chen, Z. Liu, Y. Yang, C. Yuksel, "Vertex Block Descent", ACM TOG 43(4), 2024,
//! doi:10.1145/3658179, equations 9, 10 and 18. Per node and iteration one Newton step on
//! 1/2 (x - y)^T M (x - y) + h^2 sum k/2 (l - r)^2 with the neighbors held; damping, air and handles
//! enter as in [`crate::method::local_global`], with coefficients frozen at the start of the substep. The
//! Hessian of a compressed spring is projected: k n n^T, nothing across. Bending adds the exact diagonal of its
//! constant matrix. Contact between surfaces adds forces and blocks, those of the iterate that an iteration begins with
//! ([`crate::method::contact`]), and nodes that touched in the substep before start from where they get if they speed up as they did in
//! it (in the first substep from x + h v, where pairs hold them), unless the settings name a start. Differences from the paper, whose adaptive initialization this is: it takes a vector, and nodes in
//! contact alone; and there are no Chebyshev weights unless a radius is given. Stable at any step without them; a radius of .99 and above diverges.
//! Limits: an iteration carries information a few nodes far, so that large cloth needs many iterations; until
//! it has converged the result depends on the order of the colors, so that a symmetric scene does not stay so.
//! Tested by `tests/quick/layers.rs`, `tests/quick/oracle.rs`, `tests/quick/forms.rs`, `tests/full/free_fall.rs` and `tests/full/conservation.rs`.

use glam::Vec4;

use crate::gpu::{Bound, Buffer, Gpu, GpuError, Pass, UNIFORM_STRIDE, Usage, Words};
use crate::method::anchor::{Anchor, Settle};
use crate::method::colors::{COLOR_STRUCT, Colors, uniforms};
use crate::method::contact::Meeting;
use crate::method::external::External;
use crate::method::{Setup, Solver, Substep};
use crate::model::Coloring;
use crate::settings::{CHEBYSHEV, Chebyshev};

/// The solver's kernels.
pub struct Vbd {
    external: Option<External>,
    predict: Bound,
    descend: Bound,
    colors: Colors,
    /// Where there is acceleration: with the one and the other of the last two iterates.
    accelerate: Option<[Bound; 2]>,
    meeting: Option<Meeting>,
    anchor: Anchor,
    settle: Settle,
    finish: Bound,
    nodes: u32,
    iterations: u32,
}

impl Vbd {
    /// Colors the nodes, compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>) -> Result<Self, GpuError> {
        let (gpu, settings, nodes) = (setup.gpu, setup.settings, setup.nodes as usize);
        let colors = Colors::new(setup, &Coloring::of(setup.model))?;
        let anchor = Anchor::new(setup, setup.pushes.anchor_rows())?;
        let setup = &Setup {
            constants: [&setup.constants[..], &anchor.constants()].concat(),
            bindings: setup.bindings.clone(),
            ..*setup
        };
        let common = setup
            .bindings
            .clone()
            .with("position", &setup.fields.position[0])
            .with("velocity", &setup.fields.velocity[0])
            .with("start", &setup.fields.position[0])
            // The second position buffer is free: this solver ends every substep in the first.
            .with("iterate", &setup.fields.position[1])
            .with("applied", &setup.fields.applied)
            .with("anchor", &anchor.buffer);
        let iterate =
            common.clone().with("position_in", &setup.fields.position[1]).with("applied_out", &anchor.buffer);
        let meeting = Meeting::swept(setup, &anchor, &[iterate.clone(), iterate])?;
        let common = colors.bind(common);
        let ends = setup.shader("methods/vbd/ends.wgsl", &[])?;
        let shader = setup.shader("methods/vbd/descend.wgsl", &[&COLOR_STRUCT])?;
        let accelerate = match settings.value(CHEBYSHEV) {
            Chebyshev::Off | Chebyshev::Auto => None,
            Chebyshev::Radius(rho) => {
                let omega = weights(rho.into(), settings.iterations());
                let omega = omega.into_iter().map(|omega| [(omega as f32).to_bits(), 0]);
                let kernel = setup.kernel(&shader, "accelerate")?;
                let with = common.clone().with("omega", &uniforms(setup, omega)?);
                let bind = || -> Result<Bound, GpuError> {
                    let before = Buffer::<Vec4>::zeroed(gpu, "before", nodes, Usage::empty())?;
                    kernel.bind(gpu, &with.clone().with("before", &before))
                };
                Some([bind()?, bind()?])
            }
        };
        Ok(Self {
            external: External::of_first(setup)?,
            predict: setup.kernel(&ends, "predict")?.bind(gpu, &common)?,
            descend: setup.kernel(&shader, "descend")?.bind(gpu, &common)?,
            colors,
            accelerate,
            meeting,
            settle: Settle::new(setup, &anchor, &common)?,
            anchor,
            finish: setup.kernel(&ends, "finish")?.bind(gpu, &common)?,
            nodes: setup.nodes,
            iterations: settings.iterations(),
        })
    }
}

/// Chebyshev weights of `count` iterations for a spectral radius (eq. 18).
fn weights(rho: f64, count: u32) -> Vec<f64> {
    let mut omega = 1.0;
    let each = |t| {
        omega = match t {
            0 => 1.0,
            1 => 2.0 / (2.0 - rho * rho),
            _ => 4.0 / (4.0 - rho * rho * omega),
        };
        omega
    };
    (0..count).map(each).collect()
}

impl Solver for Vbd {
    fn record(&self, pass: &mut Pass<'_>, substep: Substep) {
        if let Some(external) = &self.external {
            external.record(pass);
        }
        pass.dispatch(&self.predict, self.nodes);
        for iteration in 0..self.iterations {
            let meet = |pass: &mut Pass<'_>| {
                self.meeting.iter().for_each(|meeting| meeting.record(pass, 0, iteration));
            };
            meet(pass);
            if iteration == 0 {
                self.settle.record(pass, substep, self.nodes, meet);
                if let Some([_, second]) = &self.accelerate {
                    // With the first weight, which is one, this only stores the start for the second iteration.
                    pass.dispatch_at(second, self.nodes, &[0]);
                }
            }
            self.colors.record(pass, &self.descend);
            if let Some(accelerate) = &self.accelerate {
                let kernel = &accelerate[iteration as usize % 2];
                pass.dispatch_at(kernel, self.nodes, &[iteration * UNIFORM_STRIDE]);
            }
        }
        pass.dispatch(&self.finish, self.nodes);
        self.meeting.iter().for_each(|meeting| meeting.record_end(pass));
    }

    fn result(&self, _substeps: u32) -> usize {
        0
    }

    fn forget(&self, gpu: &Gpu) {
        self.anchor.forget(gpu);
    }

    fn lasting(&self) -> Vec<Words<'_>> {
        self.anchor.lasting().into_iter().collect()
    }
}
