//! The network that is measured, and how the time of one unit is found.

use glam::Vec3;

use super::{Clock, Floors, Row, fixed};
use crate::Error;
use crate::model::{Model, ModelBuilder};
use crate::settings::{Chebyshev, Form, Settings, SolverKind};
use crate::shape::{Cloth, ClothMaterial, RawSprings};
use crate::simulation::Simulation;

/// A square sheet with structural, shear and flexion springs: six a node.
pub fn sheet(nodes: u32) -> Result<Model, Error> {
    let side = f64::from(nodes).sqrt().round().max(2.0) as u32;
    let body = Cloth {
        corner: Vec3::ZERO,
        u: Vec3::X,
        v: Vec3::NEG_Y,
        columns: side,
        rows: side,
        material: ClothMaterial::Raw(RawSprings {
            structural: 10.0,
            shear: 5.0,
            flexion: 1.0,
            node_mass: 0.2 / (side * side) as f32,
            dashpot: 0.0,
        }),
    };
    let mut builder = ModelBuilder::new();
    builder.add(body.build()?);
    Ok(builder.build()?)
}

/// `count` iterations of an implicit solver or one substep of another; no damping, no air.
pub fn settings(solver: SolverKind, form: Form, count: u32, chebyshev: Chebyshev) -> Settings {
    Settings { iterations: Some(count), chebyshev, ..fixed(solver, form) }
}

/// The form's name in tables.
pub fn form_name(form: Form) -> &'static str {
    if form == Form::Grid { "grid" } else { "mesh" }
}

/// A measured unit of work.
pub struct Unit {
    nodes: u32,
    springs: usize,
    solver: SolverKind,
    form: Form,
    name: &'static str,
    seconds: f64,
    bytes: u64,
}

impl Unit {
    pub fn row(self, floors: &Floors) -> Row {
        let floor = self.bytes as f64 / floors.bandwidth;
        Row {
            nodes: self.nodes,
            springs: self.springs,
            solver: self.solver.name(),
            form: form_name(self.form),
            unit: self.name,
            microseconds: self.seconds * 1e6,
            bytes: self.bytes,
            bytes_floor: floor * 1e6,
            launch_floor: floors.launch * 1e6,
            bandwidth_ratio: floor / self.seconds,
        }
    }
}

/// Measures a solver: a substep of an explicit one; an iteration of `vbd`; a plain and a default sweep of
/// `local-global`.
pub fn measure(clock: &Clock<'_>, model: &Model, solver: SolverKind, form: Form) -> Result<Vec<Unit>, Error> {
    let nodes = model.node_count() as u32;
    // Neighbours and their springs are read as well, where they are stored.
    let unit = |name, seconds, state_bytes: u64, network_bytes| Unit {
        nodes,
        springs: model.springs().len(),
        solver,
        form,
        name,
        seconds,
        bytes: state_bytes * u64::from(nodes) + network_bytes,
    };
    // Enough work to dwarf the timestamps' resolution, not so much that a software driver takes minutes.
    let count = if clock.gpu.is_software() { 10 } else { 100 };
    if solver.is_explicit() {
        let simulation = Simulation::new(clock.gpu, model, &settings(solver, form, 1, Chebyshev::Off))?;
        let record = |pass: &mut crate::gpu::Pass<'_>| {
            (0..count).for_each(|s| simulation.record_substep(pass, s));
        };
        let seconds = clock.median(record)? / f64::from(count);
        // Position and velocity, read and written.
        return Ok(vec![unit("substep", seconds, 64, simulation.network_bytes())]);
    }
    // The difference of two lengths leaves out the beginning and end of a substep.
    let sweep = |name, chebyshev, state_bytes| -> Result<Unit, Error> {
        let time = |sweeps| -> Result<(f64, u64), Error> {
            let simulation = Simulation::new(clock.gpu, model, &settings(solver, form, sweeps, chebyshev))?;
            Ok((clock.median(|pass| simulation.record_substep(pass, 0))?, simulation.network_bytes()))
        };
        let ((long, _), (short, network_bytes)) = (time(2 * count)?, time(count)?);
        Ok(unit(name, (long - short).max(0.0) / f64::from(count), state_bytes, network_bytes))
    };
    if solver == SolverKind::Vbd {
        // y and the node's place in its colour read, x written; and x of all nodes read for each of five colours.
        return Ok(vec![sweep("iteration", Chebyshev::Off, 36 + 5 * 16)?]);
    }
    // x and y read and x written; with Chebyshev weights the x before is read as well.
    Ok(vec![sweep("plain sweep", Chebyshev::Off, 48)?, sweep("default sweep", Chebyshev::Auto, 64)?])
}
