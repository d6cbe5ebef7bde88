//! What pushes nodes beside springs, gravity, damping and handles: air, colliders, loads, and the user's own force.
//! Frozen for a substep as f = push - B v (`shared/applied.wgsl`).

use super::Setup;
use crate::gpu::{Bindings, Bound, GpuError, Pass, Source};
use crate::model::Model;
use crate::settings::Settings;
use crate::shaders;

/// Which of them there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pushes {
    /// Air resistance of triangles.
    pub air: bool,
    /// How many colliders.
    pub colliders: u32,
    /// Forces on selections.
    pub loads: bool,
    /// The user's own force.
    pub user_force: bool,
}

impl Pushes {
    /// Those of a model under given settings.
    pub fn of(model: &Model, settings: &Settings) -> Self {
        Self {
            air: settings.has_air(),
            colliders: model.colliders().len() as u32,
            loads: !model.loads().is_empty(),
            user_force: settings.user_force.is_some(),
        }
    }

    /// Whether there is any.
    pub fn has_push(&self) -> bool {
        self.has_drag() || self.loads || self.user_force
    }

    /// Whether nodes have a drag matrix.
    pub fn has_drag(&self) -> bool {
        self.air || self.colliders > 0
    }

    /// Rows of four numbers a node in `applied`, pulls included.
    pub fn rows(&self) -> usize {
        1 + usize::from(self.has_push()) + if self.has_drag() { 2 } else { 0 }
    }

    /// Rows of `anchor` for y, G and the drag matrix.
    pub fn anchor_rows(&self) -> usize {
        if self.has_drag() { 3 } else { 1 }
    }
}

/// The kernels that gather them, reading one of the pairs of [`super::Fields`].
pub struct External {
    gather: Bound,
    loads: Option<(Bound, u32)>,
    user_force: Option<Bound>,
    nodes: u32,
}

impl External {
    /// Compiles and binds them for pair `from`; `None` where nothing pushes.
    pub fn new(setup: &Setup<'_>, from: usize) -> Result<Option<Self>, GpuError> {
        let pushes = setup.pushes;
        if !pushes.has_push() {
            return Ok(None);
        }
        let bindings = setup
            .bindings
            .clone()
            .with("position_in", &setup.fields.position[from])
            .with("velocity_in", &setup.fields.velocity[from])
            .with("applied_out", &setup.fields.applied);
        let shader = setup.shader("forces/external.wgsl", &[])?;
        let loads = match setup.loaded_nodes {
            0 => None,
            nodes => {
                let shader = setup.shader("forces/loads.wgsl", &[])?;
                Some((setup.kernel(&shader, "add_loads")?.bind(setup.gpu, &bindings)?, nodes))
            }
        };
        Ok(Some(Self {
            gather: setup.kernel(&shader, "gather")?.bind(setup.gpu, &bindings)?,
            loads,
            user_force: user_force(setup, &bindings)?,
            nodes: setup.nodes,
        }))
    }

    /// Records them.
    pub fn record(&self, pass: &mut Pass<'_>) {
        pass.dispatch(&self.gather, self.nodes);
        if let Some((kernel, nodes)) = &self.loads {
            pass.dispatch(kernel, *nodes);
        }
        if let Some(kernel) = &self.user_force {
            pass.dispatch(kernel, self.nodes);
        }
    }
}

fn user_force(setup: &Setup<'_>, bindings: &Bindings) -> Result<Option<Bound>, GpuError> {
    let Some(force) = &setup.settings.user_force else { return Ok(None) };
    let source = Source::with_own(
        shaders::LIBRARY,
        "forces/user.wgsl",
        &setup.network,
        ("shared/user_force.wgsl", &force.file, &force.text),
    )?;
    let shader = setup.shader_of(source, &[])?;
    Ok(Some(setup.kernel(&shader, "add_user_force")?.bind(setup.gpu, bindings)?))
}
