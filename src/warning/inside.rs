//! Bodies that start inside colliders.

use rayon::prelude::*;

use super::{Warning, digits};
use crate::measure::surface::Placed;
use crate::method::{Stability, touch};
use crate::model::{BodyRange, Collider, Model};
use crate::settings::{Settings, Substeps};

/// Slower than this nothing is told of [m/s]. Cloth that lies on a collider of the default stiffness without its thickness moves out at .1 m/s in steps
/// of 1/60 s.
const SLOW: f64 = 0.5;
/// Substeps of a frame, at least, where `substeps = "auto"` finds that a surface may meet something.
const NEAR: u32 = 3;
/// Most steps in which a node goes out: all but the first are for steps that are short for the stiffness.
const MOST_STEPS: usize = 10_000;

/// Where a body is deepest inside a collider.
#[derive(Clone, Copy)]
struct Start<'a> {
    body: &'a BodyRange,
    collider: usize,
    /// \[m\]
    depth: f64,
}

/// Warns of bodies that colliders throw out at the start. Of a batch those of the first copy.
pub(super) fn of(model: &Model, settings: &Settings) -> Option<Warning> {
    let bodies = &model.bodies()[..model.bodies().len() / model.copies() as usize];
    let colliders = model.colliders().iter().enumerate();
    let starts: Vec<Start<'_>> = colliders
        .flat_map(|(collider, one)| {
            let placed = Placed::new(one, 0.0);
            bodies.iter().map(move |body| Start {
                body,
                collider,
                depth: deepest(model, body, &placed, settings.step.planar),
            })
        })
        .filter(|start| start.depth > 0.0)
        .collect();
    if starts.is_empty() {
        return None;
    }
    let least = Stability::of(model, settings).substeps(settings).ok()?;
    let is_explicit = settings.solver.is_explicit();
    let follows =
        touch(model, settings).is_some() && settings.step.substeps == Substeps::Auto && !is_explicit;
    let step = |body: &BodyRange| {
        let substeps = if follows && body.touches() { least.max(NEAR) } else { least };
        f64::from(settings.step.frame_time) / f64::from(substeps)
    };
    let speed = |start: &Start<'_>| {
        let collider = &model.colliders()[start.collider];
        match is_explicit {
            true => undamped(collider, start.depth),
            false => damped(collider, start.depth, step(start.body)),
        }
    };
    let mut thrown: Vec<(f64, Start<'_>)> = starts.iter().map(|start| (speed(start), *start)).collect();
    thrown.retain(|(speed, _)| *speed > SLOW);
    let &(speed, Start { body, collider, depth }) = thrown.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let others = bodies.iter().filter(|one| thrown.iter().any(|(_, start)| start.body.name == one.name));
    let others = match others.count() - 1 {
        0 => String::new(),
        1 => " (so does another body)".to_owned(),
        n => format!(" (so do {n} more bodies)"),
    };
    let thickness = match f64::from(model.colliders()[collider].thickness) {
        0.0 => String::new(),
        thickness => format!(" (its thickness of {} mm included)", digits(1e3 * thickness)),
    };
    let text = format!(
        "it starts {} mm deep in [[collider]] number {}{thickness}{others}, and is thrown out at about {} m/s with steps of {} s. Start it outside",
        digits(1e3 * depth),
        collider + 1,
        digits(speed),
        digits(step(body))
    );
    Some(Warning { body: Some(body.name.clone()), key: "collider", text })
}

/// How deep a node of a body is inside a collider at most \[m\]; pins do not move. In the plane of a planar scene, as far as the normal is in it.
fn deepest(model: &Model, body: &BodyRange, collider: &Placed<'_>, is_planar: bool) -> f64 {
    let position = &model.initial_state().position;
    let free = body.nodes.clone().into_par_iter().filter(|&node| !model.pinned()[node as usize]);
    let depth = |node: u32| {
        let (distance, normal) = collider.at(position[node as usize].as_dvec3());
        -distance * if is_planar { normal.truncate().length() } else { 1.0 }
    };
    free.map(depth).reduce(|| 0.0, f64::max)
}

/// The speed [m/s] with which a node leaves that starts at rest at a depth d \[m\], with steps of implicit Euler of h \[s\], as long as contact pushes:
/// per mass,
///
/// ```text
/// v' = v + h (k d' - c v'),   d' = d - h v'
/// ```
fn damped(collider: &Collider, mut depth: f64, h: f64) -> f64 {
    let (k, c) = (f64::from(collider.stiffness), f64::from(collider.damping));
    let mut speed = 0.0;
    for _ in 0..MOST_STEPS {
        if k * depth <= (h * k + c) * speed {
            break;
        }
        speed = (speed + h * k * depth) / (1.0 + h * (h * k + c));
        depth -= h * speed;
    }
    speed
}

/// The speed [m/s] by all of the energy of the spring, which explicit methods damp only while a node approaches.
fn undamped(collider: &Collider, depth: f64) -> f64 {
    f64::from(collider.stiffness).sqrt() * depth
}
