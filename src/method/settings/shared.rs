//! Keys that several methods use. Each method gives the meaning of a key and its default itself
//! ([`crate::method::Method::keys`]).

use super::LinearSolver;
use super::MAX_ITERATIONS;
use super::key::{Key, Kind, PART, Place, Spec};
use super::values::{Chebyshev, Iterations, Start};

/// Iterations a substep.
pub const ITERATIONS: Key<Iterations> = Key::new(&Spec {
    name: "iterations",
    kind: Kind::Count { least: 1, most: MAX_ITERATIONS, words: &["auto"] },
    unit: "",
    default: "",
    help: "iterations a substep; with `tolerance` the most",
    place: Place::Own,
});

/// A tolerance at which iterations end.
pub const TOLERANCE: Key<f32> = Key::new(&Spec {
    name: "tolerance",
    kind: PART.kind(),
    unit: "",
    default: "",
    help: "iterate until the error or the residual is this part of what it is measured against",
    place: Place::Own,
});

/// How linear systems are solved, or in which order springs move.
pub const LINEAR_SOLVER: Key<LinearSolver> = Key::new(&Spec {
    name: "linear-solver",
    kind: Kind::Words(|| LinearSolver::WORDS.to_vec()),
    unit: "",
    default: "",
    help: "how linear systems are solved, or in which order springs move",
    place: Place::Own,
});

/// Chebyshev acceleration.
pub const CHEBYSHEV: Key<Chebyshev> = Key::new(&Spec {
    name: "chebyshev",
    kind: PART.or(&["auto", "off"]),
    unit: "",
    default: "",
    help: "Chebyshev acceleration: off, or by this spectral radius",
    place: Place::Own,
});

/// The vector that an iteration starts from.
pub const START: Key<Start> = Key::new(&Spec {
    name: "start",
    kind: Kind::Words(|| Start::WORDS.to_vec()),
    unit: "",
    default: "",
    help: "vector that the iteration starts from: \"inertial\" (x + h v + h^2 f/m), \"velocity\" (x + h v) or \"previous\" (x)",
    place: Place::Own,
});
