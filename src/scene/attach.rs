//! `[[attach]]`: springs between the nodes of two bodies.

use std::fmt::Write;

use glam::Vec3;

use super::body::Shape;
use super::table::{Table, Value};
use super::{Part, material, select};
use crate::Error;
use crate::model::{Body, Family, MAX_PULL, Spring};

/// Keys of an attachment, without those of a selection and of damping.
pub(super) const KEYS: &[&str] = &["body", "to", "to-nodes", "stiffness", "rest-length"];
const DAMPING: &[&str] = &["dashpot", "damping-time"];

/// A body that may be attached.
struct Member<'a> {
    shape: Shape,
    body: &'a Body,
    /// Positions of its nodes for selections \[m\].
    unmoved: &'a [Vec3],
    /// Positions of its nodes at time zero, moved by their pins \[m\].
    points: Vec<Vec3>,
    /// The model's index of its node 0.
    first: u32,
}

impl<'a> Member<'a> {
    /// The bodies of a scene, in order.
    fn all(parts: &'a [Part<'_>]) -> Vec<Self> {
        let mut first = 0;
        let member = |Part { shape, body, unperturbed, pins, .. }: &'a Part<'_>| {
            let points = body.position.as_ref().unwrap_or(&body.rest_position);
            let unmoved = unperturbed.as_ref().unwrap_or(points);
            let mut points = points.clone();
            for (pin, path) in pins.iter().filter_map(|pin| Some((pin, pin.path.as_ref()?))) {
                pin.nodes.iter().for_each(|&node| points[node as usize] += path.at(0.0));
            }
            let member = Self { shape: *shape, body, unmoved, points, first };
            first += body.rest_position.len() as u32;
            member
        };
        parts.iter().map(member).collect()
    }
}

/// Largest rest length \[m\], the same as for coordinates.
const MOST_METERS: f32 = 1e6;
/// Nodes touch if they are this near, as a fraction of their coordinates.
const TOUCHING: f32 = 1e-5;

/// Reads all attachments of a scene; node indices are the model's.
pub(super) fn read(scene: &Table, parts: &[Part<'_>], summary: &mut String) -> Result<Vec<Spring>, Error> {
    let mut springs = Vec::new();
    let Some(tables) = scene.read("attach", |v| v.tables("[[attach]]"))? else { return Ok(springs) };
    let members = Member::all(parts);
    for (index, value) in tables.into_iter().enumerate() {
        let table =
            value.named(format!("[[attach]] number {}", index + 1)).table(&[KEYS, select::KEYS, DAMPING])?;
        let name = |v: &Value| member(v, &members);
        let (from, to) = (table.need("body", |v| name(&v))?, table.need("to", |v| name(&v))?);
        let nodes: Vec<u32> = select::read_among(&table, from.shape, from.body, from.unmoved)?
            .into_iter()
            .map(|n| n.0)
            .collect();
        let others = match table.read("to-nodes", |v| by_index(&v, nodes.len(), to.points.len()))? {
            Some(others) => others,
            None if from.first == to.first => {
                let message =
                    "to: it is the body itself, where each node is nearest to itself; give to-nodes";
                return Err(table.error_at("to", message));
            }
            None => nearest(&from.points, &nodes, &to.points),
        };
        let stiffness = table.need("stiffness", stiffness)?;
        let rest_length = table.read("rest-length", rest_length)?;
        let damping = material::damping(&table)?;
        damping.check().map_err(|e| table.error_at(e.key, e.to_string()))?;
        let dashpot = damping.dashpot(stiffness);
        if !dashpot.is_finite() {
            let message = format!("damping-time times stiffness is {dashpot} N s/m; it must be finite");
            return Err(table.error_at("damping-time", message));
        }
        // Writing to a String cannot fail.
        let springs_are = if nodes.len() == 1 { "spring" } else { "springs" };
        let _ = writeln!(summary, "{} to {}: {} {springs_are}", from.body.name, to.body.name, nodes.len());
        for (&a, b) in nodes.iter().zip(others) {
            let [p, q] = [from.points[a as usize], to.points[b as usize]];
            let touches = p.distance(q) <= TOUCHING * p.abs().max(q.abs()).max_element();
            let between = if touches { 0.0 } else { p.distance(q) };
            let nodes = [from.first + a, to.first + b];
            if nodes[0] == nodes[1] {
                return Err(table.error_at("to-nodes", format!("to-nodes: node {a} is attached to itself")));
            }
            let rest_length = rest_length.unwrap_or(between);
            if stiffness.is_infinite() && rest_length == 0.0 {
                let message = "stiffness = inf keeps a length above 0, and this one is 0: give rest-length (nodes that touch \
                               have 0 by default), or a finite stiffness";
                return Err(table.error_at("stiffness", message));
            }
            springs.push(Spring { nodes, rest_length, stiffness, dashpot, family: Family::Raw });
        }
    }
    Ok(springs)
}

fn member<'a, 'b>(value: &Value, members: &'a [Member<'b>]) -> Result<&'a Member<'b>, Error> {
    let names: Vec<(&str, &Member)> = members.iter().map(|m| (m.body.name.as_str(), m)).collect();
    value.word(&names)
}

fn stiffness(value: Value) -> Result<f32, Error> {
    let stiffness = value.stiffness()?;
    if stiffness > 0.0 && (stiffness <= MAX_PULL || stiffness.is_infinite()) {
        return Ok(stiffness);
    }
    Err(value.wrong(format!("it must be above 0 and at most {MAX_PULL:e} N/m, or inf")))
}

fn rest_length(value: Value) -> Result<f32, Error> {
    let number = value.f32()?;
    if !(0.0..=MOST_METERS).contains(&number) {
        return Err(
            value.wrong(format!("it must be a number of m, not negative and at most {MOST_METERS:e}"))
        );
    }
    Ok(number)
}

/// One partner for each of `count` nodes, or one for all of them.
fn by_index(value: &Value, count: usize, most: usize) -> Result<Vec<u32>, Error> {
    let one = |item: &Value| match item.count() {
        Ok(i) if (i as usize) < most => Ok(i),
        _ => {
            Err(item.wrong(format!("it must be a node of that body: a whole number from 0 to {}", most - 1)))
        }
    };
    let nodes = value.items()?.iter().map(one).collect::<Result<Vec<u32>, _>>()?;
    match nodes[..] {
        [only] => Ok(vec![only; count]),
        _ if nodes.len() == count => Ok(nodes),
        _ => {
            let message =
                format!("{} nodes for {count} selected ones; give as many, or one for all", nodes.len());
            Err(value.wrong(message))
        }
    }
}

/// For each of `nodes` the nearest of `targets`; of equally near ones the lower index.
fn nearest(points: &[Vec3], nodes: &[u32], targets: &[Vec3]) -> Vec<u32> {
    // Sorted along the axis with the largest spread, along which few targets are near.
    let (min, max) = targets.iter().fold((Vec3::MAX, Vec3::MIN), |(a, b), p| (a.min(*p), b.max(*p)));
    let axis = (max - min).max_position();
    let mut order: Vec<u32> = (0..targets.len() as u32).collect();
    let along = |i: &u32| targets[*i as usize][axis];
    order.sort_by(|a, b| along(a).total_cmp(&along(b)));
    let of_one = |&node: &u32| {
        let p = points[node as usize];
        let middle = order.partition_point(|i| along(i) < p[axis]);
        let (mut best, mut least) = (u32::MAX, f32::INFINITY);
        let mut look = |i: u32| {
            let away = targets[i as usize].distance_squared(p);
            if away < least || away == least && i < best {
                (best, least) = (i, away);
            }
            // Whether a nearer one may follow.
            (targets[i as usize][axis] - p[axis]).powi(2) <= least
        };
        let _ = order[middle..].iter().all(|&i| look(i)) | order[..middle].iter().rev().all(|&i| look(i));
        best
    };
    nodes.iter().map(of_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_the_one_that_a_search_of_all_finds() {
        let point = |i: u32| {
            let s = |k: u32| (f64::from(i * 7 + 1) * f64::from(k) * 0.618_034).fract() as f32;
            Vec3::new(s(3), 5.0 * s(11), s(29))
        };
        let points: Vec<Vec3> = (0..300).map(point).collect();
        let targets: Vec<Vec3> = (300..700).map(point).collect();
        let nodes: Vec<u32> = (0..300).collect();
        // Every position twice: the lower index must be chosen.
        let targets = [&targets[..], &targets[..]].concat();
        let found = nearest(&points, &nodes, &targets);
        for (p, found) in points.iter().zip(found) {
            let away = |i: &u32| targets[*i as usize].distance_squared(*p);
            let expected = (0..targets.len() as u32).min_by(|a, b| away(a).total_cmp(&away(b)));
            assert_eq!(Some(found), expected);
        }
    }
}
