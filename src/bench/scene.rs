//! The network for measurements, and the time of one unit of work.

use glam::Vec3;

use super::design::Work;
use super::{Clock, Floors, Row, fixed};
use crate::Error;
use crate::model::{Model, ModelBuilder};
use crate::settings::{CHEBYSHEV, Chebyshev, Form, ITERATIONS, Iterations, Settings, SolverKind};
use crate::shape::{Cloth, ClothMaterial, RawSprings};
use crate::simulation::Simulation;

/// A square sheet with structural, shear and flexion springs, six per node.
pub fn sheet(nodes: u32) -> Result<Model, Error> {
    let side = f64::from(nodes).sqrt().round().max(2.0) as u32;
    let mut builder = ModelBuilder::new();
    builder.add(cloth(side).build()?);
    Ok(builder.build()?)
}

/// Its shape, with `side` nodes along a side.
pub(super) fn cloth(side: u32) -> Cloth {
    Cloth {
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
    }
}

/// Settings for `count` iterations of an implicit solver or one substep of another, without damping and air.
pub fn settings(solver: SolverKind, form: Form, count: u32, chebyshev: Chebyshev) -> Settings {
    fixed(solver, form).with(ITERATIONS, Iterations::Fixed(count)).with(CHEBYSHEV, chebyshev)
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
    work: Work,
}

impl Unit {
    pub fn row(self, floors: &Floors) -> Row {
        let floor = self.work.bytes.map(|bytes| bytes as f64 / floors.bandwidth);
        Row {
            nodes: self.nodes,
            springs: self.springs,
            solver: self.solver.name(),
            form: form_name(self.form),
            unit: self.name,
            microseconds: self.seconds * 1e6,
            dispatches: self.work.dispatches,
            bytes: self.work.bytes,
            bytes_floor: floor.map(|floor| floor * 1e6),
            launch_floor: floors.launch * 1e6 * f64::from(self.work.dispatches),
            bandwidth_ratio: floor.map(|floor| floor / self.seconds).filter(|ratio| ratio.is_finite()),
        }
    }
}

/// Measures a substep of an explicit solver, a plain and a default sweep of `local-global`, or an iteration of any
/// other solver.
pub fn measure(clock: &Clock<'_>, model: &Model, solver: SolverKind, form: Form) -> Result<Vec<Unit>, Error> {
    let unit = |name, seconds, work| Unit {
        nodes: model.node_count() as u32,
        springs: model.springs().len(),
        solver,
        form,
        name,
        seconds,
        work,
    };
    // Enough work for the resolution of timestamps, but not so much that a software driver takes minutes.
    let count = if clock.gpu.is_software() { 10 } else { 100 };
    if solver.is_explicit() {
        let simulation = Simulation::new(clock.gpu, model, &settings(solver, form, 1, Chebyshev::Off))?;
        let record = |pass: &mut crate::gpu::Pass<'_>| {
            (0..count).for_each(|s| simulation.record_substep(pass, s));
        };
        let seconds = clock.median(record)? / f64::from(count);
        return Ok(vec![unit("substep", seconds, Work::of_substep(&simulation))]);
    }
    // The difference of two runs excludes the beginning and the end of a substep.
    let iteration = |name, chebyshev| -> Result<Unit, Error> {
        let take = |iterations| -> Result<(f64, Work), Error> {
            let settings = settings(solver, form, iterations, chebyshev);
            let simulation = Simulation::new(clock.gpu, model, &settings)?;
            let seconds = clock.median(|pass| simulation.record_substep(pass, 0))?;
            Ok((seconds, Work::of_substep(&simulation)))
        };
        let ((long, all), (short, half)) = (take(2 * count)?, take(count)?);
        Ok(unit(name, (long - short).max(0.0) / f64::from(count), all.beyond(half, count)))
    };
    match solver {
        SolverKind::LocalGlobal => {
            Ok(vec![iteration("plain sweep", Chebyshev::Off)?, iteration("default sweep", Chebyshev::Auto)?])
        }
        _ => Ok(vec![iteration("iteration", Chebyshev::Off)?]),
    }
}
