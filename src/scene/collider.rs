//! `[[collider]]`: solids that bodies collide with.

use glam::{Quat, Vec3};

use super::hold;
use super::table::{Table, Value};
use crate::Error;
use crate::model::{COLLIDER_NUMBERS, Collider, ColliderShape};

/// Keys of colliders of any shape.
const COMMON: &[&str] =
    &["shape", "stiffness", "damping", "friction", "slip-speed", "thickness", "path", "spin"];

/// Names and own keys of the shapes.
const SHAPES: [(&str, &[&str]); 4] = [
    ("plane", &["point", "normal"]),
    ("sphere", &["center", "radius"]),
    ("box", &["center", "size", "rotation"]),
    ("capsule", &["start", "end", "radius"]),
];

/// All keys of colliders.
#[cfg(test)]
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    SHAPES.into_iter().flat_map(|(_, keys)| keys).chain(COMMON).copied()
}

/// Reads all colliders, each with its table for messages about its numbers.
pub(super) fn read<'a>(scene: &Table<'a>, planar: bool) -> Result<Vec<(Collider, Table<'a>)>, Error> {
    let tables = scene.read("collider", |v| v.tables("[[collider]]"))?.unwrap_or_default();
    tables.into_iter().enumerate().map(|(index, value)| one(value, index, planar)).collect()
}

fn one(value: Value<'_>, index: usize, planar: bool) -> Result<(Collider, Table<'_>), Error> {
    let value = value.named(format!("[[collider]] number {}", index + 1));
    let word = value.peek("shape").unwrap_or_default();
    let Some((_, own)) = SHAPES.iter().find(|shape| shape.0 == word) else {
        // Allow any key: the error is about the shape.
        let table = value.any_table()?;
        table.read("shape", |v| v.word(&SHAPES.map(|shape| (shape.0, ()))))?;
        let shapes = SHAPES.map(|shape| shape.0).join("\", \"");
        return Err(table.error(format!("key 'shape' is missing; it must be one of \"{shapes}\"")));
    };
    let table = value.table(&[COMMON, own])?;
    let vector = |key| table.need(key, |v| v.vec3());
    let radius = || table.need("radius", |v| v.positive());
    let shape = match word {
        "plane" => ColliderShape::Plane {
            point: table.read("point", |v| v.vec3())?.unwrap_or(Vec3::ZERO),
            normal: table.read("normal", |v| v.vec3())?.unwrap_or(Vec3::Y),
        },
        "sphere" => ColliderShape::Sphere { center: vector("center")?, radius: radius()? },
        "box" => ColliderShape::Box {
            center: vector("center")?,
            size: vector("size")?,
            rotation: table.read("rotation", rotation)?.unwrap_or(Quat::IDENTITY),
        },
        _ => ColliderShape::Capsule { start: vector("start")?, end: vector("end")?, radius: radius()? },
    };
    let mut collider = Collider::new(shape);
    if let Some(stiffness) = number(&table, "stiffness")? {
        collider.stiffness = stiffness;
        collider.damping = Collider::critical_damping(stiffness);
    }
    for (key, to) in [
        ("damping", &mut collider.damping),
        ("friction", &mut collider.friction),
        ("slip-speed", &mut collider.slip_speed),
        ("thickness", &mut collider.thickness),
    ] {
        *to = number(&table, key)?.unwrap_or(*to);
    }
    if let Some(path) = table.read("path", |v| hold::path(v, planar))? {
        collider.path = path;
    }
    collider.spin = table.read("spin", |v| v.vec3())?.unwrap_or(Vec3::ZERO);
    Ok((collider, table))
}

/// One of the numbers of a collider, in its range.
fn number(table: &Table, key: &'static str) -> Result<Option<f32>, Error> {
    let (_, least, most, allowed) =
        *COLLIDER_NUMBERS.iter().find(|range| range.0 == key).expect("a number of colliders");
    table.read(key, |v| v.within(least..=most, allowed))
}

/// A rotation about an axis by the length of the axis in degrees.
fn rotation(value: Value) -> Result<Quat, Error> {
    let degrees = value.vec3()?;
    if degrees.abs().max_element() > 1e4 {
        return Err(value.wrong("it must be the axis times the angle in degrees, at most 1e4 each"));
    }
    Ok(Quat::from_scaled_axis(degrees * (std::f32::consts::PI / 180.0)))
}
