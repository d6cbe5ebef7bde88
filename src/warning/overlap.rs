//! Surfaces of two bodies that start within their thickness, or at the same place.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use rayon::prelude::*;

use super::{Warning, digits};
use crate::measure::crossings::tree::{Bounds, Forest};
use crate::measure::distance::from_triangle;
use crate::method::contact::thickness;
use crate::method::touch;
use crate::model::{BodyRange, Model};
use crate::settings::Settings;

/// Layers at rest keep this part of their thickness at least; what starts nearer is pushed apart.
const KEPT: f64 = 0.8;
/// What is nearer than this part of its coordinates is at one place.
const AT_ONE_PLACE: f64 = 1e-5;
/// Nodes that a thread looks at together.
const CHUNK: usize = 1024;

/// Two bodies, the lower index first.
type Pair = [usize; 2];

/// Warns of bodies that contact throws apart at the start, as what they have too little of distance becomes speed, and of those that it does not keep apart. Bodies that springs join are
/// left out.
pub(super) fn of(model: &Model, settings: &Settings) -> Option<Warning> {
    touch(model, settings)?;
    let bodies = &model.bodies()[..model.bodies().len() / model.copies() as usize];
    let thicknesses: Vec<f32> = bodies.iter().map(|body| thickness(model, body)).collect();
    let nearest = nearest(model, bodies, &thicknesses);
    let part = |&(pair, gap): &(&Pair, &f64)| gap / between(&thicknesses, *pair);
    let (pair, gap) = nearest.iter().min_by(|a, b| part(a).total_cmp(&part(b)))?;
    let [name, other] = pair.map(|body| &bodies[body].name);
    let others = match nearest.len() - 1 {
        0 => String::new(),
        1 => " (so does another pair of bodies)".to_owned(),
        n => format!(" (so do {n} more pairs of bodies)"),
    };
    let text = match *gap {
        0.0 => format!(
            "it starts at the same place as '{other}', at least in part{others}: what touches there has no force, and goes through each \
             other. Start them apart"
        ),
        gap => format!(
            "it starts {} mm from '{other}', within their thickness of {} mm{others}: contact throws them apart, the faster the shorter the \
             step. Start them farther apart, or give them a smaller thickness",
            digits(1e3 * gap),
            digits(1e3 * between(&thicknesses, *pair))
        ),
    };
    Some(Warning { body: Some(name.clone()), key: "thickness", text })
}

/// The mean thickness of two bodies \[m\].
fn between(thicknesses: &[f32], [a, b]: Pair) -> f64 {
    0.5 * f64::from(thicknesses[a] + thicknesses[b])
}

/// The pairs of bodies that start within their thickness, and how far a node of one is from a triangle of the other \[m\], 0 at one place, where both are
/// tangled and have no force. Pins do not move.
fn nearest(model: &Model, bodies: &[BodyRange], thicknesses: &[f32]) -> BTreeMap<Pair, f64> {
    let touches = |body: &&BodyRange| body.touches();
    if bodies.iter().filter(touches).count() < 2 {
        return BTreeMap::new();
    }
    let body_of = |node: u32| bodies.partition_point(|body| body.nodes.end <= node);
    let joined: BTreeSet<Pair> =
        model.attachments().map(|spring| ordered(spring.nodes.map(body_of))).collect();
    let position = &model.initial_state().position;
    let most = bodies.iter().zip(thicknesses).filter(|(body, _)| touches(body)).map(|(_, t)| *t);
    let most = most.fold(0.0, f32::max);
    let forest = Forest::new(model);
    let boxes = forest.boxes(position);
    let mut nodes: Vec<u32> = bodies
        .iter()
        .filter(touches)
        .flat_map(|body| model.triangles()[body.triangles.clone()].iter().flatten().copied())
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    let of_nodes = |nodes: &[u32]| {
        let mut found: BTreeMap<Pair, f64> = BTreeMap::new();
        for &node in nodes {
            let (x, own) = (position[node as usize], body_of(node));
            let reach = Vec3::splat(KEPT as f32 * 0.5 * (thicknesses[own] + most));
            forest.visit(&boxes, 0, &Bounds::of([x - reach, x + reach]), |triangle, _| {
                let other = body_of(triangle[0]);
                let pair = ordered([own, other]);
                if own == other || !bodies[other].touches() || joined.contains(&pair) {
                    return;
                }
                let is_held = [node].iter().chain(triangle).all(|&i| model.pinned()[i as usize]);
                let corners = triangle.map(|i| position[i as usize].as_dvec3());
                let gap = from_triangle(x.as_dvec3(), corners).length();
                let is_apart = gap > AT_ONE_PLACE * f64::from(x.abs().element_sum());
                if !is_held && gap < KEPT * between(thicknesses, pair) {
                    keep_least(&mut found, pair, if is_apart { gap } else { 0.0 });
                }
            });
        }
        found
    };
    let each: Vec<BTreeMap<Pair, f64>> = nodes.par_chunks(CHUNK).map(of_nodes).collect();
    let mut all: BTreeMap<Pair, f64> = BTreeMap::new();
    each.into_iter().flatten().for_each(|(pair, gap)| keep_least(&mut all, pair, gap));
    all
}

fn keep_least(all: &mut BTreeMap<Pair, f64>, pair: Pair, gap: f64) {
    all.entry(pair).and_modify(|least| *least = least.min(gap)).or_insert(gap);
}

fn ordered([a, b]: Pair) -> Pair {
    [a.min(b), a.max(b)]
}
