//! Builds a simulation from a model and settings: checks, uploads, compiles.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec4;

use super::moment::{self, Moments};
use super::network::{self, Network};
use super::pace::{self, Pace};
use super::pins::{self, Pins};
use super::surface::Surface;
use super::user_force::{self, BadForces};
use super::watch::Watch;
use super::world::{self, Places, World};
use super::{Handles, MOST_HANDLES, Simulation, copies, handles};
use crate::Error;
use crate::contact::{self, Guard};
use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Kernel, Requirements, Usage};
use crate::method::contact::{Forces, Memory, Soft};
use crate::method::{self, Fields, FrictionHistory, Pushes, Setup, Stability, Touch};
use crate::model::{Load, MOST_LOADS, Model};
use crate::numbers::{NARROW_SIZE, WIDE_SIZE};
use crate::settings::{ITERATIONS, Iterations, Settings, TOLERANCE};

/// Most copies of a batch: solvers give each copy a workgroup of up to 256 threads, and count threads in 32 bits.
const MOST_COPIES: u32 = u32::MAX / 256;

impl Simulation {
    /// The requirements of this model on the GPU; open the GPU with them.
    pub fn requirements(model: &Model, settings: &Settings) -> Result<Requirements, Error> {
        settings.user_force.as_ref().map_or(Ok(()), user_force::check)?;
        method::check_held(model, settings.solver)?;
        let form = network::form(model, settings.step.form)?;
        let nodes = model.node_count() as u64;
        let corners = 24 * model.triangles().len() as u64;
        let springs = 8 * model.springs().len() as u64; // the renderer's line list
        let rows = method::rows(model, settings);
        let largest = corners.max(springs).max(16 * rows * nodes + 88 * u64::from(model.copies()));
        let step = f64::from(settings.step.frame_time)
            / f64::from(Stability::of(model, settings).substeps(settings)?);
        let multipliers = settings.solver.multipliers(model.in_memory(), step as f32);
        let largest = largest
            .max(network::largest_buffer(model.in_memory(), form, &multipliers))
            .max(handles::pull_bytes(model))
            .max(method::touch(model, settings).map_or(0, |_| contact_bytes(model)))
            .max(settings.solver.largest_buffer(model.in_memory(), settings, &multipliers));
        Ok(Requirements::buffer(largest))
    }

    /// Checks the settings, uploads the model and compiles the kernels.
    pub fn new(gpu: &Gpu, model: &Model, settings: &Settings) -> Result<Self, Error> {
        settings.check()?;
        method::check_held(model, settings.solver)?;
        if model.handles().len() > MOST_HANDLES {
            let message = format!("{} handles; at most {MOST_HANDLES} in a scene", model.handles().len());
            return Err(Error::Argument(message));
        }
        if model.loads().len() > MOST_LOADS {
            let message = format!(
                "{} forces and pressures on selections; at most {MOST_LOADS} at once (those that differ between the copies \
                 of a batch count by copy)",
                model.loads().len()
            );
            return Err(Error::Argument(message));
        }
        settings.user_force.as_ref().map_or(Ok(()), user_force::check)?;
        let form = network::form(model, settings.step.form)?;
        if model.copies() > MOST_COPIES {
            return Err(Error::Argument(format!("{} copies; at most {MOST_COPIES}", model.copies())));
        }
        let decides = settings.get(TOLERANCE).is_some() || settings.value(ITERATIONS) == Iterations::Auto;
        if model.copies() > 1 && decides {
            // All copies would share the decision to stop.
            let message = "a batch has no tolerance, and no iterations = \"auto\": its copies take the same iterations; \
                           give their number";
            return Err(Error::Argument(message.into()));
        }
        if settings.step.planar {
            model.check_planar()?;
        }
        let stability = Stability::of(model, settings);
        let substeps = stability.substeps(settings)?;
        let step = (f64::from(settings.step.frame_time) / f64::from(substeps)) as f32;
        let nodes = model.node_count();
        let surroundings = copies::surroundings(model, settings, step)?;
        let in_memory = model.in_memory();
        let multipliers = settings.solver.multipliers(in_memory, step);
        let settings = &settings.for_multipliers(!multipliers.is_empty(), model.copies());
        let network = Network::new(gpu, in_memory, form, &multipliers)?;
        let surface = Surface::new(gpu, model)?;
        let pushes = Pushes::of(model, settings);
        let keeps_moves = method::keeps_moves(model, settings, step);
        let friction_history = method::friction_history(gpu, nodes, pushes, settings.solver.is_explicit())?;
        let fields = fields(gpu, nodes, pushes, &surroundings, friction_history)?;
        let places = Places {
            nodes: nodes as u32,
            copies: model.copies(),
            surroundings: (fields.applied.len() - surroundings.len()) as u32,
        };
        let world = World::new(settings, substeps, places, step, copies::first_size(model));
        let world_buffer = Buffer::from_slice(gpu, "world", &[world], Usage::UNIFORM)?;
        let mut moments = Moments::new(gpu, in_memory, pushes.user_force)?;
        let bindings = Bindings::new().with("world", &world_buffer);
        let mut bindings = moments.bind(surface.bind(network.bind(bindings)));
        let bad_forces = if pushes.user_force { Some(BadForces::new(gpu, model.copies())?) } else { None };
        if let Some(bad) = &bad_forces {
            bindings = bad.bind(bindings);
        }
        let network_bytes = network.bytes();
        let mut constants = network.constants();
        constants.extend([
            ("IS_WIDE", f64::from(gpu.is_wide())),
            ("DENSE_SIZE", f64::from(if gpu.is_wide() { WIDE_SIZE } else { NARROW_SIZE })),
            ("HAS_AIR", f64::from(u8::from(pushes.air))),
            ("COLLIDERS", f64::from(pushes.colliders)),
            ("HAS_PRESSURE", f64::from(u8::from(model.loads().iter().any(Load::is_pressure)))),
            ("LOADS", model.loads().len() as f64),
            ("HAS_PUSH", f64::from(u8::from(pushes.has_push()))),
            ("HAS_DRAG", f64::from(u8::from(pushes.has_drag()))),
            ("CONTACT_ROW", pushes.contact_row() as f64),
            ("TOUCH_ROW", pushes.touch_row() as f64),
            ("ARRIVAL_ROW", pushes.arrival_row() as f64),
            ("ACTS_AHEAD", f64::from(u8::from(settings.solver.acts_ahead()))),
            ("IS_PLANAR", f64::from(u8::from(settings.step.planar))),
            ("IS_IMPLICIT", f64::from(u8::from(!settings.solver.is_explicit()))),
            ("IS_STAGGERED", f64::from(u8::from(settings.solver.is_staggered()))),
            ("KEEPS_MOVES", f64::from(u8::from(keeps_moves))),
            ("IS_BATCH", f64::from(u8::from(model.copies() > 1))),
            ("OWN_SURROUNDINGS", f64::from(u8::from(!surroundings.is_empty()))),
        ]);
        let structs: Vec<&HostStruct> = [&world::WORLD_STRUCT]
            .into_iter()
            .chain(network::NETWORK_STRUCTS)
            .chain(moment::MOMENT_STRUCTS)
            .chain([&user_force::BAD_FORCE_STRUCT, &contact::TREE_STRUCT])
            .collect();
        let layout = network.multiplier_layout(in_memory, &multipliers);
        let has_multipliers: Vec<bool> = (0..model.copies()).map(|copy| multipliers.is_in(copy)).collect();
        let setup = Setup {
            gpu,
            model: in_memory,
            settings,
            nodes: nodes as u32,
            copies: model.copies(),
            slots: network.slots(nodes),
            pushes,
            keeps_moves,
            loaded_nodes: moments.loaded_nodes(),
            multipliers: &layout,
            has_multipliers: &has_multipliers,
            stiffness_ratio: f64::from(step).powi(2) * stability.omega_squared / 2.0,
            fields: &fields,
            soft: None,
            bindings,
            network: network.words(),
            constants,
            structs: &structs,
        };
        let state_bindings = setup
            .bindings
            .clone()
            .with("position", &fields.position[0])
            .with("velocity", &fields.velocity[0])
            .with("position_in", &fields.position[0])
            .with("applied_out", &fields.applied);
        let compile = |file, entry, structs: &[&HostStruct]| -> Result<Kernel, GpuError> {
            setup.kernel(&setup.shader(file, structs)?, entry)
        };
        let pins = Pins::new(
            gpu,
            in_memory,
            || compile("forces/pins.wgsl", "move_pins", &pins::PIN_STRUCTS),
            state_bindings.clone(),
        )?;
        moments.compile(gpu, || compile("forces/clock.wgsl", "advance", &[]), &state_bindings)?;
        let gather = compile("forces/handles.wgsl", "gather_pulls", &handles::HANDLE_STRUCTS)?;
        let handles = Handles::new(
            gpu,
            in_memory,
            pace::most_substeps(in_memory, settings, substeps),
            gather,
            state_bindings,
        )?;
        let watch = Watch::new(&setup, &fields.position[0], bad_forces)?;
        let guard = match pushes.contact {
            Some(_) => Guard::new(&setup)?,
            None => None,
        };
        let soft = match &guard {
            Some(guard) => Some(Soft::new(&setup, guard.tree())?),
            None => None,
        };
        let memory = match &soft {
            Some(soft) => Some(Memory::new(&setup, soft)?),
            None => None,
        };
        let touch = match &soft {
            Some(soft) if pushes.contact == Some(Touch::Force) => Some(Forces::new(&setup, soft)?),
            _ => None,
        };
        let pace = match &guard {
            Some(guard) => Pace::new(&setup, guard, &stability, substeps)?,
            None => None,
        };
        let setup = Setup { soft: soft.as_ref(), ..setup };
        let solver = settings.solver.build(&setup)?;
        let mut simulation = Self {
            gpu: gpu.clone(),
            order: Arc::new(model.order().clone()),
            model: model.clone(),
            settings: settings.clone(),
            stability,
            least_substeps: substeps,
            substeps,
            substeps_done: 0,
            pace,
            world,
            world_is_stale: false,
            world_buffer,
            fields,
            surface,
            form,
            network_bytes,
            multipliers: multipliers.count(),
            solver,
            pins,
            moments,
            handles,
            watch,
            guard,
            soft,
            memory,
            touch,
            frames: 0,
            start_time: 0.0,
            in_flight: VecDeque::new(),
            dispatches: 0,
            kept: [None, None],
        };
        simulation.set_state(model.initial_state())?;
        Ok(simulation)
    }
}

/// Bytes of the largest buffer of contact.
fn contact_bytes(model: &Model) -> u64 {
    method::contact::pair_bytes(model.node_count() as u64).max(contact::boxes_bytes(model))
}

fn fields(
    gpu: &Gpu,
    nodes: usize,
    pushes: Pushes,
    surroundings: &[Vec4],
    friction_history: Buffer<FrictionHistory>,
) -> Result<Fields, GpuError> {
    let make = |label, usage| Buffer::zeroed(gpu, label, nodes, usage);
    let none = Usage::empty();
    let rows = pushes.rows();
    let applied = Buffer::zeroed(gpu, "applied", rows * nodes + surroundings.len(), Usage::empty())?;
    applied.write(gpu, rows * nodes, surroundings);
    Ok(Fields {
        // Renderers draw from the first buffer.
        position: [make("position", Usage::VERTEX)?, make("position 2", none)?],
        velocity: [make("velocity", none)?, make("velocity 2", none)?],
        applied,
        friction_history,
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::gpu::Gpu;
    use crate::model::{Model, ModelBuilder};
    use crate::settings::{AIR, FORCE, FORM, Form, GRAVITY, SUBSTEPS, Settings, SolverKind, Substeps};
    use crate::shape::{Cloth, ClothMaterial, RawSprings};
    use crate::simulation::Simulation;

    fn sheet(columns: u32, stiffness: f32) -> Model {
        sheets(1, columns, stiffness)
    }

    /// Sheets that nothing joins.
    fn sheets(count: u32, columns: u32, stiffness: f32) -> Model {
        let raw = RawSprings {
            structural: stiffness,
            shear: 0.5 * stiffness,
            flexion: 0.1 * stiffness,
            node_mass: 1e-3,
            dashpot: 0.0,
        };
        let material = ClothMaterial::Raw(raw);
        let mut builder = ModelBuilder::new();
        for sheet in 0..count {
            let (corner, u, v) = (Vec3::Y * sheet as f32, Vec3::X, Vec3::Z);
            builder.add(Cloth { corner, u, v, columns, rows: 12, material }.build().unwrap());
        }
        builder.build().unwrap()
    }

    #[test]
    fn a_second_simulation_of_the_same_kind_compiles_nothing() {
        for solver in SolverKind::ALL {
            let gpu = Gpu::noop().unwrap();
            let settings = Settings::of(solver).with(FORCE, true);
            Simulation::new(&gpu, &sheet(12, 10.0), &settings).unwrap();
            let first = gpu.compilations();
            assert!(first.kernels > 3 && first.shaders > 2, "{solver}: {first:?}");
            // A simulation of another stiffness, and one with another gravity.
            let settings = settings.with(GRAVITY, Vec3::X);
            Simulation::new(&gpu.clone(), &sheet(12, 11.0), &settings).unwrap();
            let second = gpu.compilations();
            assert_eq!([second.shaders, second.kernels], [first.shaders, first.kernels], "{solver}");
            assert!(second.found >= first.found + first.kernels + first.shaders, "{solver}: {second:?}");
        }
    }

    /// Drivers compile for long: the number of nodes, of copies, of pieces and of springs is no constant of kernels.
    #[test]
    fn nor_does_one_of_another_size() {
        let two = |columns, stiffness| Model::stack(vec![sheet(columns, stiffness); 2]).unwrap();
        let three = |columns, stiffness| Model::stack(vec![sheet(columns, stiffness); 3]).unwrap();
        let stiff = 1e7;
        for (solver, form) in SolverKind::ALL.into_iter().flat_map(|s| [(s, Form::Grid), (s, Form::Mesh)]) {
            let gpu = Gpu::noop().unwrap();
            let settings =
                Settings::of(solver).with(FORCE, true).with(FORM, form).with(SUBSTEPS, Substeps::Fixed(3));
            let compiled = |model: &Model| {
                Simulation::new(&gpu, model, &settings).unwrap();
                gpu.compilations().kernels
            };
            assert_eq!(compiled(&sheet(12, 10.0)), compiled(&sheet(13, 10.0)), "{solver} {form:?}");
            assert_eq!(compiled(&two(12, 10.0)), compiled(&three(13, 10.0)), "{solver} {form:?}, copies");
            if form == Form::Mesh {
                assert_eq!(
                    compiled(&sheets(2, 12, 10.0)),
                    compiled(&sheets(3, 13, 10.0)),
                    "{solver}, sheets"
                );
            }
            if solver == SolverKind::NewtonMultigrid {
                assert_eq!(compiled(&sheet(12, stiff)), compiled(&sheet(13, stiff)), "{form:?}, stiff");
            }
        }
    }

    #[test]
    fn what_decides_over_a_kernel_is_compiled_anew() {
        let gpu = Gpu::noop().unwrap();
        let of = |solver| Settings { solver, ..Settings::default() };
        Simulation::new(&gpu, &sheet(12, 10.0), &of(SolverKind::Vbd)).unwrap();
        let first = gpu.compilations();
        Simulation::new(&gpu, &sheet(12, 10.0), &of(SolverKind::Xpbd)).unwrap();
        let second = gpu.compilations();
        assert!(second.kernels > first.kernels && second.found > first.found, "{second:?}");
        // Air is switched on in kernels that have an override for it.
        let air = crate::settings::Air { density: 1.0, ..crate::settings::Air::NONE };
        Simulation::new(&gpu, &sheet(12, 10.0), &of(SolverKind::Xpbd).with(AIR, air)).unwrap();
        let third = gpu.compilations();
        assert!(third.kernels > second.kernels && third.found > second.found, "{third:?}");
    }
}
