//! Bodies that attachments hold by a single node.

use std::collections::{BTreeMap, BTreeSet};

use super::{Warning, digits};
use crate::model::Model;

/// Warns of bodies with a surface that hang on others by one node each. A rope ends in one node anyway.
pub(super) fn of(model: &Model) -> Vec<Warning> {
    // By body and partner: the nodes of the body that are joined to the partner.
    let mut joints: BTreeMap<(usize, usize), BTreeSet<u32>> = BTreeMap::new();
    let bodies = model.bodies();
    let body_of = |node: u32| bodies.partition_point(|body| body.nodes.end <= node);
    for [a, b] in model.attachments().map(|spring| spring.nodes) {
        let (i, j) = (body_of(a), body_of(b));
        if i != j {
            joints.entry((i, j)).or_default().insert(a);
            joints.entry((j, i)).or_default().insert(b);
        }
    }
    let depth = depths(model, &joints, body_of);
    let warning = |i: usize| {
        // A tassel hangs on the cloth, and not the cloth on it.
        let holds = |&j: &usize| depth[j].is_some_and(|d| depth[i].is_some_and(|own| own > 0 && d <= own));
        let of_body = joints.range((i, 0)..(i + 1, 0));
        let holders: Vec<_> = of_body.filter(|((_, j), _)| holds(j)).collect();
        if bodies[i].triangles.is_empty() || holders.is_empty() || holders.iter().any(|h| h.1.len() > 1) {
            return None;
        }
        let names: Vec<String> = holders.iter().map(|((_, j), _)| format!("'{}'", bodies[*j].name)).collect();
        // The first of them, as it should be.
        let ((_, j), nodes) = holders[0];
        let (holder, name) = (&bodies[*j], &bodies[i].name);
        let [x, y, z] = model.initial_state().position[*nodes.first()? as usize].to_array();
        let to = joints[&(*j, i)].first()? - holder.nodes.start;
        let text = format!(
            "{} {} it by a single node{}. What pulls a single node draws it out to a spike. Attach a patch instead: \
             body = \"{name}\", nearest = [{x}, {y}, {z}], patch = {}, to = \"{}\", to-nodes = [{to}]",
            names.join(" and "),
            if holders.len() == 1 { "holds" } else { "hold" },
            if holders.len() == 1 { "" } else { " each" },
            digits(patch(model, i)),
            holder.name
        );
        Some(Warning { body: Some(name.clone()), key: "patch", text })
    };
    (0..bodies.len() / model.copies() as usize).filter_map(warning).collect()
}

/// By how many attachments each body hangs on one that is held by itself; 0 of such a body, none where nothing holds it.
fn depths(
    model: &Model,
    joints: &BTreeMap<(usize, usize), BTreeSet<u32>>,
    body_of: impl Fn(u32) -> usize,
) -> Vec<Option<u32>> {
    let is_pinned = |body: &crate::model::BodyRange| body.nodes.clone().any(|n| model.pinned()[n as usize]);
    let mut depth: Vec<Option<u32>> =
        model.bodies().iter().map(|body| is_pinned(body).then_some(0)).collect();
    for (node, _) in model.handles().iter().flat_map(|handle| &handle.nodes) {
        depth[body_of(*node)] = Some(0);
    }
    for level in 0.. {
        let next: Vec<usize> = joints
            .keys()
            .filter(|(i, j)| depth[*i].is_none() && depth[*j] == Some(level))
            .map(|(i, _)| *i)
            .collect();
        if next.is_empty() {
            break;
        }
        next.into_iter().for_each(|i| depth[i] = Some(level + 1));
    }
    depth
}

/// A radius \[m\] that spreads the pull: a few hundredths of the body, and no less than its neighbors.
fn patch(model: &Model, body: usize) -> f64 {
    let body = &model.bodies()[body];
    let longest = model.springs()[body.springs.clone()].iter().map(|s| s.rest_length).fold(0.0, f32::max);
    let wanted = f64::from((0.03 * model.size_of(body).max_element()).max(longest));
    super::round_up(wanted)
}
