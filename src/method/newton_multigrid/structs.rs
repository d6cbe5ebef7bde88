//! Host twins of the structs that the solver's kernels share.

use crate::gpu::{HostStruct, twin};

twin! {
    /// Host twin of WGSL `Control`.
    #[derive(Debug)]
    pub struct Control = "Control" {
        /// Least t, the stiffness of a spring across it over that along it, in even and in odd iterations.
        pub least: [f32; 2],
        /// Objective at the start of the last iteration \[J\].
        pub phi: f32,
        /// Iterations that began with a higher objective than the one before.
        pub rises: u32,
        /// Objective at the start of the substep \[J\].
        pub first: f32,
        /// Iteration that was converged, or [`UNKNOWN`].
        pub last: u32,
        /// Iterations of the substep.
        pub used: u32,
        /// Most iterations of any substep.
        pub most: u32,
        /// Iterations of all substeps.
        pub total: u32,
        /// Substeps.
        pub substeps: u32,
        /// Substeps that used all iterations and did not reach the tolerance.
        pub unfinished: u32,
        /// Substeps that ended above the tolerance, because f32 holds no smaller error.
        pub rounded: u32,
        /// Estimated rms error of a node at the end of the last measured substep \[m\].
        pub error: f32,
        /// This error as a part of the motion \[1\].
        pub share: f32,
        /// Largest share of any measured substep \[1\].
        pub worst: f32,
        /// Sum of the shares of all measured substeps \[1\].
        pub shares: f32,
        /// Number of measured substeps.
        pub looks: u32,
        /// Number of measured substeps with a share above [`crate::method::TOO_MUCH`].
        pub over: u32,
        /// Step length of conjugate gradients along the search direction \[1\].
        pub alpha: f32,
        /// Weight of the last search direction in the next one \[1\].
        pub beta: f32,
        /// p . A p of the search direction p \[J\].
        pub curvature: f32,
        /// Whether any spring of the copy has a multiplier.
        pub has_multipliers: u32,
        /// s; iterations begin at x_0 + s h v \[1\].
        pub start: f32,
        /// Whether surfaces of the copy have touched in this substep.
        pub is_touching: u32,
    }
}

/// No iteration was converged yet.
pub const UNKNOWN: u32 = u32::MAX;

/// Layout of [`Control`], compared with WGSL when a shader loads.
pub const CONTROL_STRUCT: HostStruct = Control::TWIN;

twin! {
    /// Host twin of WGSL `Iteration`, padded to the stride of dynamic offsets.
    #[derive(Debug)]
    pub struct Iteration = "Iteration" in 16 {
        /// From zero in each substep.
        pub index: u32,
        /// Whether no momentum was used before.
        pub is_first_momentum: u32,
        /// Nesterov's weight of the next iteration.
        pub momentum: f32,
        /// Iterations of the substep.
        pub count: u32,
        /// Up to the stride.
        pub padding: [u32; 60],
    }
}

/// Layout of [`Iteration`], compared with WGSL when a shader loads.
pub const ITERATION_STRUCT: HostStruct = Iteration::TWIN;
