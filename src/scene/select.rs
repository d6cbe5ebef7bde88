//! Selections of nodes: by index, by a named part of the shape, or by position at the start.

use glam::Vec3;

use super::body::Shape;
use super::table::{Table, Value};
use crate::Error;
use crate::model::Body;

/// Keys of a selection.
pub(super) const KEYS: &[&str] =
    &["nodes", "corner", "edge", "end", "box", "sphere", "nearest", "patch", "glyph"];

/// A selection has exactly one of these keys, or with `glyph` possibly none.
const SELECTORS: &[&str] = &["nodes", "corner", "edge", "end", "box", "sphere", "nearest"];

/// Whether the table selects anything.
pub(super) fn is_given(table: &Table) -> Result<bool, Error> {
    Ok(table.has("glyph") || table.has("patch") || table.one_of(SELECTORS)?.is_some())
}

/// The selected nodes with their distance from the middle of a sphere as a fraction of its radius
/// (zero for all other selections); at least one.
pub(super) fn read(table: &Table, shape: Shape, body: &Body) -> Result<Vec<(u32, f32)>, Error> {
    read_among(table, shape, body, body.position.as_ref().unwrap_or(&body.rest_position))
}

/// Like `read`, with nodes at `points` \[m\] for the keys that select by position.
pub(super) fn read_among(
    table: &Table,
    shape: Shape,
    body: &Body,
    points: &[Vec3],
) -> Result<Vec<(u32, f32)>, Error> {
    let glyphs = table.read("glyph", |v| by_glyph(v, body))?;
    let key = match (&glyphs, table.one_of(SELECTORS)?) {
        (Some(nodes), None) => return Ok(nodes.iter().map(|&n| (n, 0.0)).collect()),
        (None, None) => table.need_one_of(SELECTORS)?,
        (_, Some(key)) => key,
    };
    let among = |n: u32| glyphs.as_ref().is_none_or(|nodes| nodes.binary_search(&n).is_ok());
    let mut nodes = match key {
        "nodes" => table.need(key, |v| by_index(v, points.len()))?,
        "corner" => table.need(key, |v| corner(v, body))?,
        "edge" => table.need(key, |v| edge(v, body))?,
        "end" => table.need(key, |v| end(v, shape, points.len()))?,
        "box" => table.need(key, |v| in_box(v, points))?,
        "nearest" => table.need(key, |v| nearest(v, points, among))?,
        _ => {
            let mut nodes = table.need(key, |v| in_sphere(v, points))?;
            nodes.retain(|n| among(n.0));
            return found(table, key, nodes);
        }
    };
    if let Some(radius) = table.read("patch", |v| v.positive())? {
        if !["corner", "end", "nearest"].contains(&key) {
            return Err(table.error_at("patch", "patch: it goes with corner, end or nearest"));
        }
        let rest = &body.rest_position;
        let middle = rest[nodes[0] as usize];
        // Slightly more, so that a patch of whole cells includes its last row.
        nodes = where_true(rest, |p| p.distance(middle) <= radius * 1.0001);
    }
    nodes.retain(|&n| among(n));
    found(table, key, nodes.into_iter().map(|n| (n, 0.0)).collect())
}

fn found(table: &Table, key: &str, nodes: Vec<(u32, f32)>) -> Result<Vec<(u32, f32)>, Error> {
    if nodes.is_empty() {
        let mend = match key {
            "nodes" => "give the index of at least one",
            _ => "move or enlarge it (positions are those at time zero, before perturb and before pins move)",
        };
        let message = format!("{key}: it selects no node; {mend}");
        return Err(table.error_at(key, message));
    }
    Ok(nodes)
}

fn where_true(points: &[Vec3], test: impl Fn(Vec3) -> bool) -> Vec<u32> {
    (0..points.len() as u32).filter(|&i| test(points[i as usize])).collect()
}

fn by_index(value: Value, count: usize) -> Result<Vec<u32>, Error> {
    let index = |item: &Value| match item.count() {
        Ok(i) if (i as usize) < count => Ok(i),
        _ => {
            Err(item.wrong(format!("it must be a node of the body: a whole number from 0 to {}", count - 1)))
        }
    };
    let mut nodes = value.items()?.iter().map(index).collect::<Result<Vec<u32>, _>>()?;
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
}

/// Nodes of a character of a text, or of several, in ascending order.
fn by_glyph(value: Value, body: &Body) -> Result<Vec<u32>, Error> {
    if body.glyphs.is_empty() {
        return Err(value.wrong("only a body of shape \"text\" has it"));
    }
    let last = body.glyphs.len() - 1;
    let nodes = |item: &Value| match item.count() {
        Ok(i) if i as usize > last => {
            Err(item.wrong(format!("the text has characters 0 to {last}; spaces and line breaks count")))
        }
        Ok(i) if body.glyphs[i as usize].start == body.glyphs[i as usize].end => {
            Err(item
                .wrong("this character is a space or line break and has no nodes; characters count from 0"))
        }
        Ok(i) => Ok(body.glyphs[i as usize].clone()),
        Err(_) => {
            Err(item.wrong(format!("it must be a character of the text: a whole number from 0 to {last}")))
        }
    };
    let ranges = match value.raw().is_array() {
        true => value.items()?.iter().map(nodes).collect::<Result<Vec<_>, _>>()?,
        false => vec![nodes(&value)?],
    };
    if ranges.is_empty() {
        return Err(value.wrong("it must name at least one character"));
    }
    let mut nodes: Vec<u32> = ranges.into_iter().flatten().collect();
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
}

fn size(value: &Value, body: &Body) -> Result<(u32, u32), Error> {
    let grid = body.grid.as_ref();
    grid.map(|g| (g.columns, g.rows)).ok_or_else(|| value.wrong("only a body of shape \"cloth\" has it"))
}

/// Row 0 is the top, column 0 the left.
fn corner(value: Value, body: &Body) -> Result<Vec<u32>, Error> {
    let (columns, rows) = size(&value, body)?;
    let node = value.word(&[
        ("top-left", 0),
        ("top-right", columns - 1),
        ("bottom-left", columns * (rows - 1)),
        ("bottom-right", columns * rows - 1),
    ])?;
    Ok(vec![node])
}

fn edge(value: Value, body: &Body) -> Result<Vec<u32>, Error> {
    let (columns, rows) = size(&value, body)?;
    let (first, step, count) = value.word(&[
        ("top", (0, 1, columns)),
        ("bottom", (columns * (rows - 1), 1, columns)),
        ("left", (0, columns, rows)),
        ("right", (columns - 1, columns, rows)),
    ])?;
    Ok((0..count).map(|i| first + i * step).collect())
}

fn end(value: Value, shape: Shape, count: usize) -> Result<Vec<u32>, Error> {
    if shape != Shape::Rope {
        return Err(value.wrong("only a body of shape \"rope\" has it"));
    }
    Ok(vec![value.word(&[("start", 0), ("end", count as u32 - 1)])?])
}

fn in_box(value: Value, points: &[Vec3]) -> Result<Vec<u32>, Error> {
    let table = value.table(&[&["min", "max"]])?;
    let (min, max) = (table.need("min", |v| v.vec3())?, table.need("max", |v| v.vec3())?);
    if min.cmpgt(max).any() {
        return Err(table.error_at("max", format!("max = {max}: it must not be below min = {min}")));
    }
    Ok(where_true(points, |p| p.cmpge(min).all() && p.cmple(max).all()))
}

fn in_sphere(value: Value, points: &[Vec3]) -> Result<Vec<(u32, f32)>, Error> {
    let table = value.table(&[&["center", "radius"]])?;
    let center = table.need("center", |v| v.vec3())?;
    let radius = table.need("radius", |v| v.positive())?;
    let fractions = points.iter().enumerate().map(|(i, p)| (i as u32, p.distance(center) / radius));
    Ok(fractions.filter(|n| n.1 <= 1.0).collect())
}

fn nearest(value: Value, points: &[Vec3], among: impl Fn(u32) -> bool) -> Result<Vec<u32>, Error> {
    let place = value.vec3()?;
    let distance = |i: &u32| points[*i as usize].distance_squared(place);
    let node =
        (0..points.len() as u32).filter(|&n| among(n)).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    Ok(node.into_iter().collect())
}
