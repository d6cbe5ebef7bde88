//! Checks every number of bodies, pins, handles and loads, once.

use glam::Vec3;
use rayon::prelude::*;

use super::builder::{MAX_PULL, ModelBuilder};
use super::{
    Body, Family, Layer, Load, MOST_COLLIDERS, MOST_FRICTION, MOST_LOADS, ModelError, Spring, extent,
};

pub(super) fn body(body: &Body) -> Result<(), ModelError> {
    let count = body.rest_position.len();
    let length = |array: &'static str, found: usize| {
        if found == count {
            return Ok(());
        }
        Err(ModelError::Length { body: body.name.clone(), array, found, expected: count })
    };
    length("mass", body.mass.len())?;
    length("position", body.position.as_ref().map_or(count, Vec::len))?;
    length("velocity", body.velocity.as_ref().map_or(count, Vec::len))?;

    let finite = |what, points: &[Vec3]| match points.par_iter().position_first(|p| !p.is_finite()) {
        None => Ok(()),
        Some(i) => Err(value(&body.name, what, "node", i, points[i], "it must be finite")),
    };
    finite("rest position", &body.rest_position)?;
    finite("position", body.position.as_deref().unwrap_or(&[]))?;
    finite("velocity", body.velocity.as_deref().unwrap_or(&[]))?;
    // The inverse must be a normal number, too: GPUs may flush a subnormal one to zero, which would mean
    // pinned.
    let mass_ok = |m: f32| m.is_finite() && m > 0.0 && (1.0 / m).is_normal();
    if let Some(i) = body.mass.par_iter().position_first(|&m| !mass_ok(m)) {
        let allowed = "it must be a positive, finite number of kg (pin a node to hold it)";
        return Err(value(&body.name, "mass", "node", i, body.mass[i], allowed));
    }
    springs(&body.name, "spring", &body.springs, count)?;
    triangles(body, count)?;
    grid(body, count)?;
    strain_limit(body)?;
    layer(body)?;
    match body.pinned.iter().position(|&n| n as usize >= count) {
        None => Ok(()),
        Some(index) => Err(index_error(&body.name, "pin", index, body.pinned[index], count)),
    }
}

/// Checks springs of a body, or (as "attachment") between bodies.
fn springs(body: &str, element: &'static str, springs: &[Spring], count: usize) -> Result<(), ModelError> {
    let number_ok = |x: f32| x.is_finite() && x >= 0.0;
    // An inextensible spring of length zero would have to hold its nodes together in all directions, with one tension.
    let stiffness_ok = |s: &Spring| number_ok(s.stiffness) || s.is_inextensible() && s.rest_length > 0.0;
    let ok = |s: &Spring| {
        (s.nodes[0] as usize) < count
            && (s.nodes[1] as usize) < count
            && s.nodes[0] != s.nodes[1]
            && number_ok(s.rest_length)
            && stiffness_ok(s)
            && number_ok(s.dashpot)
    };
    let Some(index) = springs.par_iter().position_first(|s| !ok(s)) else {
        return Ok(());
    };
    let s = &springs[index];
    if let Some(&node) = s.nodes.iter().find(|&&n| n as usize >= count) {
        return Err(index_error(body, element, index, node, count));
    }
    if s.nodes[0] == s.nodes[1] {
        return Err(ModelError::Degenerate { body: body.into(), element, index, node: s.nodes[0] });
    }
    let allowed = "it must be finite and not negative";
    let (what, number, allowed) = if !number_ok(s.rest_length) {
        ("rest length", s.rest_length, allowed)
    } else if !stiffness_ok(s) {
        let allowed = "it must be a number, not negative, or inf where the rest length is above zero";
        ("stiffness", s.stiffness, allowed)
    } else {
        ("dashpot", s.dashpot, allowed)
    };
    Err(value(body, what, element, index, number, allowed))
}

/// Checks what its surface is like.
fn layer(body: &Body) -> Result<(), ModelError> {
    let wrong = |key, value, allowed| Err(ModelError::Layer { body: body.name.clone(), key, value, allowed });
    let Layer { thickness, friction, stiffness, onset, .. } = body.layer;
    if let Some(value) = thickness.filter(|t| !(t.is_finite() && *t > 0.0)) {
        return wrong("thickness", value, "it must be a finite number above 0");
    }
    if let Some(value) = thickness.filter(|t| *t > extent(&body.rest_position).length()) {
        return wrong(
            "thickness",
            value,
            "it must be at most the size of the body (m), the diagonal of its bounding box",
        );
    }
    if !(0.0..=MOST_FRICTION).contains(&friction) {
        return wrong("friction", friction, "it must be from 0 to 10");
    }
    if let Some(value) = stiffness.filter(|k| !(k.is_finite() && *k > 0.0)) {
        return wrong("contact stiffness", value, "it must be a finite number above 0");
    }
    if !(0.0..0.5).contains(&onset) {
        return wrong("onset of contact", onset, "it must be from 0 to below 0.5");
    }
    Ok(())
}

/// Checks the limit of stretch.
fn strain_limit(body: &Body) -> Result<(), ModelError> {
    let Some(value) = body.strain_limit else { return Ok(()) };
    let wrong = |allowed| Err(ModelError::StrainLimit { body: body.name.clone(), value, allowed });
    if !(value > 0.0 && value <= 1.0) {
        return wrong("it must be above 0 and at most 1 (for none at all give an infinite stiffness)");
    }
    if body.grid.is_none() && !body.triangles.is_empty() {
        return wrong(
            "edges of triangles that are all at their limit hold each other; only ropes and grids can have one",
        );
    }
    if body.springs.iter().any(|s| s.family == Family::Structural && s.is_inextensible()) {
        return wrong("springs of infinite stiffness do not stretch at all; give one of the two");
    }
    Ok(())
}

/// Checks the numbers that the grid form uses in place of the springs.
fn grid(body: &Body, count: usize) -> Result<(), ModelError> {
    let Some(grid) = &body.grid else { return Ok(()) };
    let found = grid.columns as usize * grid.rows as usize;
    if found != count {
        return Err(ModelError::Length { body: body.name.clone(), array: "grid", found, expected: count });
    }
    let ok = |x: f32| x.is_finite() && x >= 0.0;
    for (index, link) in grid.links.iter().enumerate() {
        let stiffness = if link.stiffness == f32::INFINITY { 0.0 } else { link.stiffness };
        let numbers = [link.rest_length, stiffness, link.dashpot, grid.border_factor];
        if let Some(&bad) = numbers.iter().find(|x| !ok(**x)) {
            let allowed = "rest length, dashpot and border factor are finite and not negative, and so is the \
                           stiffness where it is not inf";
            return Err(value(&body.name, "a number", "grid link", index, bad, allowed));
        }
    }
    Ok(())
}

fn triangles(body: &Body, count: usize) -> Result<(), ModelError> {
    for (index, t) in body.triangles.iter().enumerate() {
        if let Some(&node) = t.iter().find(|&&n| n as usize >= count) {
            return Err(index_error(&body.name, "triangle", index, node, count));
        }
        if t[0] == t[1] || t[1] == t[2] || t[0] == t[2] {
            let node = if t[0] == t[1] { t[0] } else { t[2] };
            let body = body.name.clone();
            return Err(ModelError::Degenerate { body, element: "triangle", index, node });
        }
    }
    Ok(())
}

/// Checks springs between bodies.
pub(super) fn attachments(builder: &ModelBuilder) -> Result<(), ModelError> {
    springs("model", "attachment", &builder.attachments, builder.node_count)
}

pub(super) fn loads_and_colliders(builder: &ModelBuilder) -> Result<(), ModelError> {
    let few = |what, count: usize, most| match count > most {
        true => Err(ModelError::TooMany { what, count, most }),
        false => Ok(()),
    };
    few("colliders", builder.colliders.len(), MOST_COLLIDERS)?;
    few("loads", builder.loads.len(), MOST_LOADS)?;
    for (index, load) in builder.loads.iter().enumerate() {
        if let Some(node) = load.nodes.iter().find(|&&node| node as usize >= builder.node_count) {
            let message = format!("it names node {node}, but the model has {} nodes", builder.node_count);
            return Err(ModelError::Load { index, message });
        }
    }
    pressures(builder)?;
    builder.colliders.iter().enumerate().try_for_each(|(index, collider)| collider.check(index))
}

/// Checks that pressures have triangles to act on.
fn pressures(builder: &ModelBuilder) -> Result<(), ModelError> {
    if !builder.loads.iter().any(Load::is_pressure) {
        return Ok(());
    }
    let has_triangle: Vec<bool> = builder.bodies.iter().flat_map(Body::on_surface).collect();
    for (index, load) in builder.loads.iter().enumerate().filter(|(_, load)| load.is_pressure()) {
        if let Some(node) = load.nodes.iter().find(|&&node| !has_triangle[node as usize]) {
            let message = format!("a pressure acts on triangles, and node {node} has none");
            return Err(ModelError::Load { index, message });
        }
    }
    Ok(())
}

pub(super) fn pins_and_handles(builder: &ModelBuilder) -> Result<(), ModelError> {
    let count = builder.node_count;
    let index_error = |element, index, node| {
        let body = "model".to_owned();
        Err(ModelError::Index { body, element, index, node, count })
    };
    for (index, pin) in builder.moving_pins.iter().enumerate() {
        if let Some(&node) = pin.nodes.iter().find(|&&n| n as usize >= count) {
            return index_error("moving pin", index, node);
        }
        let Some(turn) = &pin.turn else { continue };
        if !((1e-6..=1e6).contains(&turn.axis.length()) && turn.center.is_finite()) {
            return Err(ModelError::Value {
                body: "model".into(),
                what: "turn",
                element: "moving pin",
                index,
                value: format!("axis {} through {}", turn.axis, turn.center),
                allowed: "the axis has a length from 1e-6 to 1e6, and all numbers are finite",
            });
        }
    }
    for (index, handle) in builder.handles.iter().enumerate() {
        if let Some(&(node, _)) = handle.nodes.iter().find(|n| n.0 as usize >= count) {
            return index_error("handle", index, node);
        }
        let stiffness_ok = (0.0..=MAX_PULL).contains(&handle.stiffness);
        let bad_weight = handle.nodes.iter().map(|n| n.1).find(|w| !(*w > 0.0 && *w <= 1.0));
        if !stiffness_ok || bad_weight.is_some() {
            return Err(ModelError::Value {
                body: "model".into(),
                what: if stiffness_ok { "weight" } else { "stiffness" },
                element: "handle",
                index,
                value: bad_weight.filter(|_| stiffness_ok).unwrap_or(handle.stiffness).to_string(),
                allowed: "a stiffness lies between 0 and 1e12 N/m, a weight in (0, 1]",
            });
        }
    }
    Ok(())
}

fn value(
    body: &str,
    what: &'static str,
    element: &'static str,
    index: usize,
    value: impl std::fmt::Display,
    allowed: &'static str,
) -> ModelError {
    ModelError::Value { body: body.into(), what, element, index, value: value.to_string(), allowed }
}

fn index_error(body: &str, element: &'static str, index: usize, node: u32, count: usize) -> ModelError {
    ModelError::Index { body: body.into(), element, index, node, count }
}
