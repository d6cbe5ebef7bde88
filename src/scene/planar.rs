//! `planar = true`: checks that a body lies and starts in the scene's plane z = const. Errors name the key at fault.

use super::body::Shape;
use super::table::Table;
use crate::Error;
use crate::model::Body;

/// Checks the body of a table. `plane` is the z of the bodies before it \[m\], if there are any.
pub(super) fn check(table: &Table, shape: Shape, body: &Body, plane: &mut Option<f32>) -> Result<(), Error> {
    let position = body.position.as_ref().unwrap_or(&body.rest_position);
    let Some(z) = position.first().map(|x| x.z) else { return Ok(()) };
    if let Some(node) = position.iter().position(|x| x.z != z) {
        let found = format!("node 0 is at z = {z} m, node {node} at z = {} m", position[node].z);
        let message =
            format!("with planar = true all nodes must lie in one plane z = const; {found}{}", hint(shape));
        return Err(at(table, shaping_key(table, shape)?, &message));
    }
    let plane = *plane.get_or_insert(z);
    if z != plane {
        let message = format!(
            "with planar = true all bodies must lie in one plane; this one has z = {z} m, the first {plane} m"
        );
        return Err(at(table, placing_key(table, shape), &message));
    }
    let velocity = body.velocity.iter().flatten().enumerate();
    if let Some((node, v)) = velocity.into_iter().find(|(_, v)| v.z != 0.0) {
        let key = ["velocity", "velocities"].into_iter().find(|key| table.has(key)).unwrap_or("shape");
        let message = format!("with planar = true z must be 0; node {node} has z = {} m/s", v.z);
        return Err(at(table, key, &message));
    }
    Ok(())
}

/// An error about a key and its value.
fn at(table: &Table, key: &str, message: &str) -> Error {
    let written = table.written(key).unwrap_or_default();
    table.error_at(key, format!("{key} = {written}: {message}"))
}

/// The key that bends the body out of the plane.
fn shaping_key(table: &Table, shape: Shape) -> Result<&'static str, Error> {
    let is_level = |key| table.read(key, |v| v.vec3()).map(|v| v.is_none_or(|v| v.z == 0.0));
    let keys: &[&'static str] = match shape {
        _ if table.has("positions") => &["positions"],
        Shape::Rope => &["end"],
        Shape::Cloth if is_level("u")? => &["v"],
        Shape::Cloth => &["u"],
        Shape::Disc => &["normal"],
        Shape::Sphere => &["radius"],
        Shape::Lattice => &["w"],
        Shape::Mesh => &["rotate", "file"],
        Shape::Text => &["thickness", "rotate"],
        Shape::Network => &["file"],
    };
    Ok(keys.iter().copied().find(|key| table.has(key)).unwrap_or("shape"))
}

/// The key that places the body.
fn placing_key(table: &Table, shape: Shape) -> &'static str {
    let key = match shape {
        _ if table.has("positions") => "positions",
        Shape::Rope => "start",
        Shape::Cloth | Shape::Lattice => "corner",
        Shape::Disc | Shape::Sphere => "center",
        Shape::Mesh | Shape::Text => "translate",
        Shape::Network => "file",
    };
    if table.has(key) { key } else { "shape" }
}

/// A hint for a body of this shape, because the key at fault may be absent.
fn hint(shape: Shape) -> &'static str {
    match shape {
        Shape::Disc => "; its normal must be [0, 0, 1]",
        Shape::Sphere => "; take a disc",
        Shape::Lattice => "; a lattice is a solid, take a cloth",
        _ => "",
    }
}
