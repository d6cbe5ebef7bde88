//! `[[body.pin]]`, `[[body.handle]]` and `[[body.force]]`, which hold, pull and push nodes.

use glam::Vec3;

use super::body::Shape;
use super::select;
use super::table::{Table, Value};
use crate::Error;
use crate::model::{Body, Load, MAX_PULL, Path, Push, ScriptedHandle, Turn};

/// Largest displacement \[m\]: beyond it f32 has too few digits. The same as for coordinates.
const MOST_METERS: f64 = 1e6;

/// Nodes of a body that are pinned, and how they move, if they do.
pub(super) struct Pin {
    pub nodes: Vec<u32>,
    pub path: Option<Path>,
    pub turn: Option<Turn>,
}

/// Reads all pins of a body.
pub(super) fn pins(table: &Table, shape: Shape, body: &Body, planar: bool) -> Result<Vec<Pin>, Error> {
    let mut moving = vec![false; body.rest_position.len()];
    let pin = |item: Value| {
        let table = item.table(&[select::KEYS, &["path", "turn"]])?;
        let nodes: Vec<u32> = select::read(&table, shape, body)?.into_iter().map(|n| n.0).collect();
        let path = table.read("path", |v| path(v, planar))?;
        let turn = table.read("turn", |v| turn(v, body, &nodes, planar))?;
        if path.is_some() || turn.is_some() {
            let key = if path.is_some() { "path" } else { "turn" };
            for &node in &nodes {
                if std::mem::replace(&mut moving[node as usize], true) {
                    let message =
                        format!("{key}: node {node} already moves with another pin; select it once");
                    return Err(table.error_at(key, message));
                }
            }
        }
        Ok(Pin { nodes, path, turn })
    };
    tables(table, "pin")?.into_iter().map(pin).collect()
}

/// Keys of the rotation of a pin.
pub(super) const TURN: &[&str] = &["axis", "center", "angle"];
/// Largest angle [degrees]: beyond it f32 has too few digits.
const MOST_DEGREES: f64 = 1e5;

/// Largest distance of the axis from the nodes \[m\], for the same reason.
const MOST_ARM: f64 = 1e3;

/// A rotation over time, about an axis through the middle of the nodes where nothing else is said.
fn turn(value: Value, body: &Body, nodes: &[u32], planar: bool) -> Result<Turn, Error> {
    let table = value.table(&[TURN])?;
    let axis = table.need("axis", |v| {
        let axis = v.vec3()?;
        let length = axis.as_dvec3().length();
        if !(1e-6..=1e6).contains(&length) {
            return Err(v.wrong("it must be a direction, as [1, 0, 0], of any length from 1e-6 to 1e6"));
        }
        let axis = (axis.as_dvec3() / length).as_vec3();
        if planar && (axis.x != 0.0 || axis.y != 0.0) {
            return Err(v.wrong("with planar = true nothing leaves the plane: the axis must be [0, 0, 1]"));
        }
        Ok(axis)
    })?;
    let points = body.position.as_ref().unwrap_or(&body.rest_position);
    let middle = nodes.iter().map(|&n| points[n as usize]).sum::<Vec3>() / nodes.len() as f32;
    // The point of the axis that is nearest to the nodes: any other one would cost digits.
    let nearest = |v: Value| {
        let away = (v.vec3()? - middle).as_dvec3();
        let aside = away - away.dot(axis.as_dvec3()) * axis.as_dvec3();
        if aside.length() > MOST_ARM {
            return Err(v.wrong(format!("the axis must pass the nodes within {MOST_ARM} m")));
        }
        Ok(middle + aside.as_vec3())
    };
    let center = table.read("center", nearest)?.unwrap_or(middle);
    let allowed = "it is [[time, angle], ...] in s and degrees";
    let angle = table.need("angle", |v| {
        let key = |item: &Value| {
            let [t, degrees]: [f64; 2] = item.numbers().map_err(|_| item.wrong(allowed))?;
            if degrees.abs() > MOST_DEGREES {
                return Err(item.wrong(format!("angles must be at most {MOST_DEGREES:e} degrees")));
            }
            Ok((t, degrees.to_radians() as f32))
        };
        let keys = v.items().map_err(|_| v.wrong(allowed))?.iter().map(key).collect::<Result<Vec<_>, _>>()?;
        Path::new(keys).map_err(|e| v.wrong(format!("{e}; {allowed}")))
    })?;
    Ok(Turn { center, axis, angle })
}

/// Reads all handles of a body; node indices are the body's.
pub(super) fn handles(
    table: &Table,
    shape: Shape,
    body: &Body,
    planar: bool,
) -> Result<Vec<ScriptedHandle>, Error> {
    let handle = |item: Value| {
        let table = item.table(&[select::KEYS, &["stiffness", "path", "from", "until"]])?;
        // Decreases smoothly toward the surface of a sphere, and is never quite zero.
        let weight = |fraction: f32| (1.0 - fraction * fraction).powi(2).max(1e-6);
        let nodes = select::read(&table, shape, body)?.into_iter().map(|(n, f)| (n, weight(f))).collect();
        let from = table.read("from", |v| v.number())?.unwrap_or(0.0);
        let until = table.read("until", |v| v.number())?.unwrap_or(f64::INFINITY);
        if until <= from {
            return Err(table.error_at("until", format!("until = {until}: it must be after from = {from} s")));
        }
        Ok(ScriptedHandle {
            nodes,
            stiffness: table.need("stiffness", pull)?,
            path: table.read("path", |v| path(v, planar))?.unwrap_or_else(Path::still),
            active: from..until,
        })
    };
    tables(table, "handle")?.into_iter().map(handle).collect()
}

/// Largest component of a force \[N\], and largest pressure \[Pa\].
const MOST_PUSH: f64 = 1e12;

/// Reads all forces on a body; node indices are the body's.
pub(super) fn forces(table: &Table, shape: Shape, body: &Body, planar: bool) -> Result<Vec<Load>, Error> {
    let force = |item: Value| {
        let table = item.table(&[select::KEYS, &["force", "total", "pressure"]])?;
        let key = table.need_one_of(&["force", "total", "pressure"])?;
        let nodes: Vec<u32> = match select::is_given(&table)? {
            // The pressure of a whole skin needs no selection.
            false if key == "pressure" => (0..body.rest_position.len() as u32).collect(),
            _ => select::read(&table, shape, body)?.into_iter().map(|n| n.0).collect(),
        };
        let nodes = if key == "pressure" { on_surface(&table, body, nodes)? } else { nodes };
        let push = match key {
            "pressure" => Push::Pressure(table.need(key, |v| pressure(v, planar))?),
            "total" => {
                let share = 1.0 / nodes.len() as f64;
                Push::Force(table.need(key, |v| over_time(v, share, planar))?)
            }
            _ => Push::Force(table.need(key, |v| over_time(v, 1.0, planar))?),
        };
        Ok(Load { nodes, push })
    };
    tables(table, "force")?.into_iter().map(force).collect()
}

/// A vector, or key frames of one, times `share`.
fn over_time(value: Value, share: f64, planar: bool) -> Result<Path, Error> {
    let is_keyed = value.items()?.first().is_some_and(|first| first.raw().is_array());
    let vector = |item: &Value, [x, y, z]: [f64; 3]| {
        let force = glam::DVec3::new(x, y, z);
        if force.abs().max_element() > MOST_PUSH {
            return Err(item.wrong(format!("forces must be at most {MOST_PUSH:e} N")));
        }
        if planar && z != 0.0 {
            return Err(item.wrong("with planar = true nothing leaves the plane: z must be 0"));
        }
        Ok((share * force).as_vec3())
    };
    if !is_keyed {
        let force = vector(&value, value.numbers()?)?;
        return Path::new(vec![(0.0, force)]).map_err(|e| value.wrong(e.to_string()));
    }
    let key = |item: &Value| -> Result<_, Error> {
        let [t, x, y, z] = item.numbers()?;
        Ok((t, vector(item, [x, y, z])?))
    };
    let keys = value.items()?.iter().map(key).collect::<Result<Vec<_>, _>>()?;
    let allowed = "it is [x, y, z] in N, or [[time, x, y, z], ...] in s and N";
    Path::new(keys).map_err(|e| value.wrong(format!("{}; {allowed}", e)))
}

/// The nodes that have triangles; at least one.
fn on_surface(table: &Table, body: &Body, mut nodes: Vec<u32>) -> Result<Vec<u32>, Error> {
    let has_triangle = body.on_surface();
    nodes.retain(|&n| has_triangle[n as usize]);
    if nodes.is_empty() {
        let message = "pressure: it acts on triangles, and no selected node of the body has any";
        return Err(table.error_at("pressure", message));
    }
    Ok(nodes)
}

/// A pressure, or key frames of one.
fn pressure(value: Value, planar: bool) -> Result<Path<f32>, Error> {
    if planar {
        return Err(
            value.wrong("with planar = true nothing leaves the plane, and a pressure would push out of it")
        );
    }
    let number = |item: &Value, pressure: f64| match pressure.abs() > MOST_PUSH {
        true => Err(item.wrong(format!("pressures must be at most {MOST_PUSH:e} Pa"))),
        false => Ok(pressure as f32),
    };
    let allowed = "it is a finite number in Pa, or [[time, pressure], ...] in s and Pa";
    let keys = if value.raw().is_array() {
        let key = |item: &Value| {
            let [t, p] = item.numbers()?;
            Ok((t, number(item, p)?))
        };
        value.items()?.iter().map(key).collect::<Result<Vec<_>, Error>>()?
    } else {
        vec![(0.0, number(&value, value.number().map_err(|_| value.wrong(allowed))?)?)]
    };
    Path::new(keys).map_err(|e| value.wrong(format!("{}; {allowed}", e)))
}

/// The stiffness of a handle [N/m].
fn pull(value: Value) -> Result<f32, Error> {
    let stiffness = value.positive()?;
    if stiffness > MAX_PULL {
        let message = format!("it must be at most {MAX_PULL:e} N/m; a pin holds a node entirely");
        return Err(value.wrong(message));
    }
    Ok(stiffness)
}

fn tables<'a>(table: &Table<'a>, key: &'static str) -> Result<Vec<Value<'a>>, Error> {
    Ok(table.read(key, |v| v.tables(&format!("[[body.{key}]]")))?.unwrap_or_default())
}

/// Displacement over time.
pub(super) fn path(value: Value, planar: bool) -> Result<Path, Error> {
    let key = |item: &Value| {
        let [t, x, y, z]: [f64; 4] = item.numbers()?;
        let displacement = glam::DVec3::new(x, y, z);
        if displacement.abs().max_element() > MOST_METERS {
            return Err(item.wrong(format!("displacements must be at most {MOST_METERS:e} m")));
        }
        if planar && z != 0.0 {
            return Err(item.wrong("with planar = true nothing leaves the plane: dz must be 0"));
        }
        Ok((t, displacement.as_vec3()))
    };
    let keys = value.items()?.iter().map(key).collect::<Result<Vec<_>, _>>()?;
    Path::new(keys).map_err(|e| value.wrong(format!("{e}; a path is [[time, dx, dy, dz], ...] in s and m")))
}
