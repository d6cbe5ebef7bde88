//! How time is stepped, whatever the method.

use super::key::{Key, Kind, Range, Spec, field};
use super::values::{Form, Substeps};
use super::{MAX_SUBSTEPS, SolverKind};
use crate::method;

/// Frames, substeps and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Length of a frame \[s\]; 1/60 by default.
    pub frame_time: f32,
    /// Substeps a frame.
    pub substeps: Substeps,
    /// Form of the network.
    pub form: Form,
    /// Whether everything happens in a plane z = const, as classical systems in two dimensions do. Forces between nodes
    /// of such a plane have no z, so that z stays what it is to the last bit; what could leave the plane is refused.
    pub planar: bool,
    /// Whether surfaces touch each other and themselves. What lies in one plane cannot: [`Settings::has_contact`](super::Settings::has_contact).
    pub contact: bool,
    /// Run even where the step is beyond the stability limit.
    pub force: bool,
    /// The run is stopped once a spring is longer than this many rest lengths.
    pub largest_stretch: f32,
}

impl Default for Step {
    fn default() -> Self {
        Self {
            frame_time: 1.0 / 60.0,
            substeps: Substeps::Auto,
            form: Form::Auto,
            planar: false,
            contact: true,
            force: false,
            largest_stretch: 20.0,
        }
    }
}

/// The time integrator.
pub const SOLVER: Key<SolverKind> = Key::new(&Spec {
    name: "solver",
    kind: Kind::Words(|| SolverKind::ALL.map(|kind| (kind.name(), kind.summary())).to_vec()),
    unit: "",
    default: method::DEFAULT,
    help: "time integrator",
    place: field!(solver),
});

/// [`Step::frame_time`].
pub const FRAME_TIME: Key<f32> = Key::new(&Spec {
    name: "frame-time",
    kind: Range::new(|x| (1e-7..=10.0).contains(&x), "from 1e-7 to 10 s").kind(),
    unit: "s",
    default: "1/60",
    help: "length of a frame",
    place: field!(step.frame_time),
});

/// [`Step::substeps`].
pub const SUBSTEPS: Key<Substeps> = Key::new(&Spec {
    name: "substeps",
    kind: Kind::Count { least: 1, most: MAX_SUBSTEPS, words: &["auto"] },
    unit: "",
    default: "\"auto\"",
    help: "steps a frame is divided into; \"auto\": the fewest that the solver recommends, with contact \
           [more where surfaces come near](contact.md#substeps)",
    place: field!(step.substeps),
});

/// [`Step::form`].
pub const FORM: Key<Form> = Key::new(&Spec {
    name: "form",
    kind: Kind::Words(|| Form::WORDS.to_vec()),
    unit: "",
    default: "\"auto\"",
    help: "form of the network in the kernels; \"grid\" only for one cloth alone",
    place: field!(step.form),
});

/// [`Step::planar`].
pub const PLANAR: Key<bool> = Key::new(&Spec {
    name: "planar",
    kind: Kind::Flag,
    unit: "",
    default: "false",
    help: "everything stays in one plane z = const, [below](#planar-scenes)",
    place: field!(step.planar),
});

/// [`Step::contact`].
pub const CONTACT: Key<bool> = Key::new(&Spec {
    name: "contact",
    kind: Kind::Flag,
    unit: "",
    default: "true",
    help: "surfaces never cross each other or themselves, and [rub](contact.md); planar scenes have no contact",
    place: field!(step.contact),
});

/// [`Step::force`].
pub const FORCE: Key<bool> = Key::new(&Spec {
    name: "force",
    kind: Kind::Flag,
    unit: "",
    default: "false",
    help: "run even where the step is beyond the stability limit, to see it blow up",
    place: field!(step.force),
});

/// [`Step::largest_stretch`].
pub const LARGEST_STRETCH: Key<f32> = Key::new(&Spec {
    name: "largest-stretch",
    kind: Range::new(|x| x > 1.0, "a finite number above one: at rest a spring is one rest length long")
        .kind(),
    unit: "rest lengths",
    default: "20",
    help: "the run is stopped once a spring is longer than this",
    place: field!(step.largest_stretch),
});

/// All of them, in the order of tables.
pub const KEYS: &[&Spec] = &[
    SOLVER.spec,
    FRAME_TIME.spec,
    SUBSTEPS.spec,
    FORM.spec,
    PLANAR.spec,
    CONTACT.spec,
    FORCE.spec,
    LARGEST_STRETCH.spec,
];
