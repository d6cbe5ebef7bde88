//! The oracle: every method once more, in f64 on the CPU, in plain loops over the list of springs.
//!
//! It is written from the equations and shares no code with the kernels: here each spring scatters
//! its force to both ends, there each node gathers from its springs. The numbers of the model
//! (masses, rest lengths, stiffnesses) are used exactly as stored in f32, so that what differs
//! between the two is rounding only. [`minimizer`] gives the exact answer that the implicit methods
//! approach. Each has beside it what rounding may do to the GPU's step ([`bound`]).

pub mod air;
pub mod bound;
pub mod colliders;
pub mod contact;
pub mod forces;
pub mod gained;
pub mod guard;
pub mod lengths;
pub mod linear;
mod loads;
pub mod minimizer;
pub mod multigrid;
mod newton;
pub mod objective;

macro_rules! references {
    ($($kind:ident => $module:ident,)*) => {
        $(pub mod $module;)*

        /// That of a method.
        pub fn of(solver: SolverKind) -> &'static dyn Reference {
            match solver {
                $(SolverKind::$kind => &$module::Oracle,)*
            }
        }
    };
}
for_each_method!(references);

#[cfg(test)]
pub(crate) mod fixture;

pub use forces::{Forces, Instant, Pull};

use crate::method::for_each_method;
use crate::model::Model;
use crate::settings::{ITERATIONS, Iterations, SWEEPS, Settings, SolverKind};
pub use crate::state::State64;
use bound::Bounds;

/// A method in f64, as [`crate::check`] compares it with the GPU's.
pub trait Reference: Send + Sync {
    /// One substep of length `h` \[s\].
    fn step(&self, forces: &Forces<'_>, h: f64, state: &mut State64);

    /// Turns the velocities at the time of the positions into those that [`Reference::step`] expects, `h` \[s\] the length of
    /// the step that follows.
    fn stagger(&self, _forces: &Forces<'_>, _h: f64, _state: &mut State64) {}

    /// The opposite, `h` \[s\] the length of the step before.
    fn synchronize(&self, _forces: &Forces<'_>, _h: f64, _state: &mut State64) {}

    /// What rounding may do to a step of `h` \[s\] from `before` to `after`.
    fn bounds(&self, forces: &Forces<'_>, h: f64, before: &State64, after: &State64) -> Bounds;

    /// Leaves of many iterations the first few, which run every kernel: beyond, rounding alone could explain too much.
    fn shorten(&self, settings: &mut Settings) {
        keep_first_sweeps(settings);
    }

    /// Has the step take as many iterations as the GPU's tolerance asked for.
    fn take(&self, settings: &mut Settings, iterations: u32) {
        settings.set(ITERATIONS, Iterations::Fixed(iterations));
    }
}

/// A substep of more sweeps than this is compared on its first [`FIRST_SWEEPS`] only.
const MANY_SWEEPS: u32 = 9;
/// The plain sweeps before Chebyshev acceleration begins, and one accelerated.
const FIRST_SWEEPS: u32 = 6;

fn keep_first_sweeps(settings: &mut Settings) {
    if settings.iterations().saturating_mul(settings.sweeps()) > MANY_SWEEPS {
        let sweeps = settings.sweeps().clamp(1, FIRST_SWEEPS);
        settings.set(SWEEPS, Some(sweeps));
        settings.set(ITERATIONS, Iterations::Fixed(settings.iterations().min(FIRST_SWEEPS / sweeps)));
    }
}

/// One substep of length `h` \[s\] with the solver of the settings.
///
/// `pulls` are the handles as they act during this substep and `reach` \[m\] the distance beyond
/// which their force no longer grows. A pinned node moves with the velocity it is given. Verlet
/// expects and leaves the staggered velocity: see [`verlet::stagger`] and [`verlet::synchronize`].
/// Colors and levels follow from the order of the nodes: those that the GPU has are those of [`Model::in_memory`].
/// Multipliers begin at zero. Substeps, frame time, the user's own force and paths of pins of the settings and the model are the caller's business.
pub fn step(model: &Model, settings: &Settings, h: f64, pulls: &[Pull], reach: f64, state: &mut State64) {
    let at = Instant { time: state.time, step: h };
    let forces = Forces { pulls, reach, at, ..Forces::of(model, settings) };
    of(settings.solver).step(&forces, h, state);
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::measure::energy;
    use crate::settings::{AIR, Air, DAMPING, DRAG, GRAVITY, NODE_DAMPING, SolverKind};
    use crate::state::State;

    #[test]
    fn every_method_falls_by_its_own_amount() {
        let model = fixture::cloth(4, 4, &[]);
        let (h, n) = (0.01, 20.0);
        for solver in SolverKind::ALL {
            let settings = Settings::of(solver);
            let forces = Forces::of(&model, &settings);
            let mut state = fixture::at_rest(&model);
            of(solver).stagger(&forces, h, &mut state);
            let before = state.position[5].y;
            for _ in 0..20 {
                step(&model, &settings, h, &[], 1.0, &mut state);
            }
            let steps = match solver.name() {
                "explicit-euler" => n * (n - 1.0) / 2.0,
                "symplectic-euler" | "implicit-euler" | "local-global" | "newton-multigrid" | "vbd"
                | "soft-constraint" | "xpbd" => n * (n + 1.0) / 2.0,
                "verlet" | "rk4" => n * n / 2.0,
                name => panic!("how does {name} fall?"),
            };
            let expected = f64::from(settings.world.gravity.y) * h * h * steps;
            let fall = state.position[5].y - before;
            assert!((fall / expected - 1.0).abs() < 1e-5, "{solver}: {fall} instead of {expected}");
            assert!((state.time - n * h).abs() < 1e-12);
        }
    }

    #[test]
    fn pinned_nodes_move_with_their_velocity_whatever_acts_on_them() {
        let model = fixture::cloth(4, 4, &[0, 3]);
        let air = Air { density: 1.2, ..Air::NONE };
        let pulls = [Pull { node: 0, stiffness: 50.0, target: DVec3::ONE }];
        let v = DVec3::new(0.3, -0.2, 0.1);
        for solver in SolverKind::ALL {
            let settings = Settings::of(solver)
                .with(AIR, air)
                .with(DAMPING, 1.0)
                .with(NODE_DAMPING, 0.1)
                .with(DRAG, 2.0);
            let mut state = fixture::disturbed(&model);
            state.velocity[0] = v;
            let before = state.position[0];
            step(&model, &settings, 0.01, &pulls, 0.1, &mut state);
            assert_eq!(state.velocity[0], v, "{solver}");
            assert!((state.position[0] - before - 0.01 * v).length() < 1e-15, "{solver}");
        }
    }

    #[test]
    fn undamped_methods_conserve_momentum() {
        let model = fixture::cloth(4, 4, &[]);
        for solver in SolverKind::ALL {
            let gravity = glam::Vec3::ZERO;
            let settings =
                Settings::of(solver).with(GRAVITY, gravity).with(ITERATIONS, Iterations::Fixed(2000));
            let mut state = fixture::disturbed(&model);
            let linear = energy::linear_momentum(&model, &state);
            let angular = energy::angular_momentum(&model, &state);
            for _ in 0..50 {
                step(&model, &settings, 2e-3, &[], 1.0, &mut state);
            }
            let error = (energy::linear_momentum(&model, &state) - linear).length();
            assert!(error < 1e-13, "{solver}: {error}");
            let error = (energy::angular_momentum(&model, &state) - angular).length();
            let exact = matches!(solver, SolverKind::SymplecticEuler | SolverKind::Verlet);
            assert!(!exact || error < 1e-14, "{solver}: {error}");
        }
    }

    #[test]
    fn a_state_survives_the_way_to_f64_and_back() {
        let state = fixture::cloth(3, 3, &[]).initial_state().clone();
        assert_eq!(State::from(&State64::from(&state)), state);
    }
}
