//! What touches moves as one rigid body to where the objective is least: `shaders/methods/newton_multigrid/rigid.wgsl`.

use super::structs::{CONTROL_STRUCT, ITERATION_STRUCT};
use crate::gpu::{Bindings, Bound, Buffer, GpuError, Pass, Usage, twin};
use crate::method::Setup;
use crate::method::contact::{PieceCounts, Pieces, Soft};

/// Threads that add up a stretch, as `LANES` there.
const LANES: u32 = 64;

twin! {
    /// Host twin of WGSL `Sums`.
    struct Sums = "Sums" {
        shift: [f32; 8],
        has_pin: u32,
        padding: [u32; 3],
        turn: [f32; 8],
        first: [f32; 4],
        second: [f32; 4],
        third: [f32; 4],
        force: [f32; 4],
        torque: [f32; 4],
    }
}

twin! {
    /// Host twin of WGSL `Move`.
    struct Move = "Move" {
        shift: [f32; 3],
        is_moved: u32,
        turn: [f32; 4],
        origin: [f32; 4],
    }
}

/// The kernels, bound.
pub struct Rigid {
    pieces: Pieces,
    add_stretch: Bound,
    solve_cluster: Bound,
    move_rigidly: Bound,
    nodes: u32,
}

impl Rigid {
    /// Compiles and binds the kernels; `bindings` name the solver's buffers, `position` and `velocity` those of its result.
    pub fn new(setup: &Setup<'_>, soft: &Soft, bindings: &Bindings) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let pieces = Pieces::new(setup, soft)?;
        let bindings = bindings
            .clone()
            .and(pieces.bindings())
            .with(
                "rigid_sums",
                &Buffer::<Sums>::zeroed(gpu, "rigid_sums", pieces.stretches as usize, Usage::empty())?,
            )
            .with(
                "rigid_moves",
                &Buffer::<Move>::zeroed(gpu, "rigid_moves", pieces.count as usize, Usage::empty())?,
            );
        let structs = [&CONTROL_STRUCT, &ITERATION_STRUCT, &Sums::TWIN, &Move::TWIN, &PieceCounts::TWIN];
        let shader = setup.shader("methods/newton_multigrid/rigid.wgsl", &structs)?;
        let bound = |entry| setup.kernel(&shader, entry)?.bind(gpu, &bindings);
        Ok(Self {
            add_stretch: bound("add_stretch")?,
            solve_cluster: bound("solve_cluster")?,
            move_rigidly: bound("move_rigidly")?,
            pieces,
            nodes: setup.nodes,
        })
    }

    /// Records the motion, once the substep's last iterate is the state.
    pub fn record(&self, pass: &mut Pass<'_>) {
        self.pieces.record(pass);
        pass.dispatch(&self.add_stretch, LANES * self.pieces.stretches);
        pass.dispatch(&self.solve_cluster, LANES * self.pieces.count);
        pass.dispatch(&self.move_rigidly, self.nodes);
    }
}
