//! External forces other than gravity, damping and handles: air, colliders, loads, and the user's own force. Constant within a
//! substep as f = push - B v (`shaders/forces/applied_rows.wgsl`).

use super::{FrictionHistory, Setup, Touch};
use crate::gpu::{Bound, GpuError, Kernel, Pass, Source};
use crate::model::Model;
use crate::settings::Settings;
use crate::shaders;

/// Rows of contact in a matrix: a force, and two of a block.
const MATRIX_ROWS: usize = 3;

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
    /// Contact between surfaces, and how it acts.
    pub contact: Option<Touch>,
}

impl Pushes {
    /// Those of a model under given settings.
    pub fn of(model: &Model, settings: &Settings) -> Self {
        Self {
            air: settings.has_air(),
            colliders: model.colliders().len() as u32,
            loads: !model.loads().is_empty(),
            user_force: settings.user_force.is_some(),
            contact: super::touch(model, settings),
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
        self.forces_rows()
            + match self.contact {
                None => 0,
                // Only colliders read them.
                Some(Touch::Rows | Touch::Iterates | Touch::Levels) => 2 * usize::from(self.colliders > 0),
                Some(Touch::Force) => 1,
                Some(Touch::Matrix) => MATRIX_ROWS + usize::from(self.colliders > 0),
            }
    }

    /// The first row of `applied` for contact between surfaces; 0: there is none.
    pub fn contact_row(&self) -> usize {
        match self.contact {
            Some(Touch::Force | Touch::Matrix) => self.forces_rows(),
            _ => 0,
        }
    }

    /// The row of `applied` for forces of contact that colliders count: of explicit methods those of the substep, of implicit
    /// ones what lasts of those at the end of the substep before; 0: there is none.
    pub fn touch_row(&self) -> usize {
        match self.contact {
            Some(Touch::Force) => self.contact_row(),
            Some(Touch::Rows | Touch::Iterates | Touch::Levels) if self.colliders > 0 => self.forces_rows(),
            Some(Touch::Matrix) if self.colliders > 0 => self.forces_rows() + MATRIX_ROWS,
            _ => 0,
        }
    }

    /// The row of `applied` for what arrives on a node in a substep, of implicit methods with colliders; 0: there is none.
    pub fn arrival_row(&self) -> usize {
        match self.contact {
            Some(Touch::Rows | Touch::Iterates | Touch::Levels) if self.colliders > 0 => self.touch_row() + 1,
            // Pairs write theirs later in the substep.
            Some(Touch::Matrix) if self.colliders > 0 => self.contact_row(),
            _ => 0,
        }
    }

    fn forces_rows(&self) -> usize {
        1 + usize::from(self.has_push()) + if self.has_drag() { 2 } else { 0 }
    }

    /// Rows of `anchor` for y, G and the drag matrix.
    pub fn anchor_rows(&self) -> usize {
        if self.has_drag() { 3 } else { 1 }
    }
}

/// The kernels that gather them, reading one of the pairs of [`super::Fields`].
#[derive(Clone)]
pub struct External {
    gather: Bound,
    loads: Option<(Bound, u32)>,
    user_force: Option<Bound>,
    contacts: Option<Bound>,
    nodes: u32,
}

impl External {
    /// Compiles them, and binds them for each of the pairs `from`; none where nothing pushes.
    pub fn new<const N: usize>(setup: &Setup<'_>, from: [usize; N]) -> Result<[Option<Self>; N], GpuError> {
        if !setup.pushes.has_push() {
            return Ok([const { None }; N]);
        }
        let gather = setup.kernel(&setup.shader("forces/external.wgsl", &[])?, "gather")?;
        let loads = match setup.pushes.loads {
            true => Some(setup.kernel(&setup.shader("forces/loads.wgsl", &[])?, "add_loads")?),
            false => None,
        };
        let user_force = user_force(setup)?;
        let contacts = match setup.pushes.colliders {
            0 => None,
            _ => {
                let shader = setup.shader("forces/contact.wgsl", &[&FrictionHistory::TWIN])?;
                Some(setup.kernel(&shader, "gather_contacts")?)
            }
        };
        let mut bound = [const { None }; N];
        for (bound, from) in bound.iter_mut().zip(from) {
            let bindings = setup
                .bindings
                .clone()
                .with("position_in", &setup.fields.position[from])
                .with("velocity_in", &setup.fields.velocity[from])
                .with("applied", &setup.fields.applied)
                .with("applied_out", &setup.fields.applied)
                .with("friction_history", &setup.fields.friction_history);
            let bind = |kernel: &Kernel| kernel.bind(setup.gpu, &bindings);
            let loads = loads.as_ref().map(bind).transpose()?;
            *bound = Some(Self {
                gather: bind(&gather)?,
                loads: loads.map(|kernel| (kernel, setup.loaded_nodes)),
                user_force: user_force.as_ref().map(bind).transpose()?,
                contacts: contacts.as_ref().map(bind).transpose()?,
                nodes: setup.nodes,
            });
        }
        Ok(bound)
    }

    /// The same for a solver that begins every substep in the first pair.
    pub fn of_first(setup: &Setup<'_>) -> Result<Option<Self>, GpuError> {
        Self::new(setup, [0]).map(|[first]| first)
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
        // Last: friction depends on all other forces.
        if let Some(kernel) = &self.contacts {
            pass.dispatch(kernel, self.nodes);
        }
    }
}

fn user_force(setup: &Setup<'_>) -> Result<Option<Kernel>, GpuError> {
    let Some(force) = &setup.settings.user_force else { return Ok(None) };
    let own = shaders::user_force(&force.file, &force.text);
    let source = Source::with_own(shaders::LIBRARY, "forces/user.wgsl", setup.network, &own)?;
    setup.kernel(&setup.shader_of(source, &[])?, "add_user_force").map(Some)
}
