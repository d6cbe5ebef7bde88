//! `[[body]]`: a shape, with its position and velocity at the start.

use std::path::Path;

use glam::Vec3;

use super::material;
use super::table::{Table, Value};
use crate::Error;
use crate::foreign::excerpt;
use crate::io;
use crate::model::{Body, Layer, MOST_FRICTION};
use crate::shape::{
    Align, AxialStiffness, Cloth, Disc, Font, Islands, Lattice, Mesh, Perturbation, Placement, Resolution,
    Rope, ShapeError, Sphere, Text,
};
use crate::warning::SizedBy;

const COMMON: &[&str] = &[
    "shape",
    "name",
    "velocity",
    "positions",
    "velocities",
    "perturb",
    "contact",
    "thickness",
    "friction",
    "pin",
    "handle",
    "force",
];
/// Keys of `perturb`.
pub(super) const PERTURB: &[&str] = &["amplitude", "seed"];

/// Largest coordinate \[m\] and component of a velocity [m/s]: beyond it f32 has too few digits.
const LARGEST: f32 = 1e6;

/// Largest font file [bytes]; fonts of all Chinese characters have about 20 MB.
const MAX_FONT_BYTES: u64 = 64 << 20;

/// A shape that a body can have.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Rope,
    Cloth,
    Disc,
    Sphere,
    Lattice,
    Mesh,
    Text,
    Network,
}

const SHAPES: [(&str, Shape); 8] = [
    ("rope", Shape::Rope),
    ("cloth", Shape::Cloth),
    ("disc", Shape::Disc),
    ("sphere", Shape::Sphere),
    ("lattice", Shape::Lattice),
    ("mesh", Shape::Mesh),
    ("text", Shape::Text),
    ("network", Shape::Network),
];

impl Shape {
    /// The keys of this shape alone.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Shape::Rope => &["start", "end", "nodes"],
            Shape::Cloth => &["corner", "u", "v", "columns", "rows", "fabric", "raw"],
            Shape::Disc => &["center", "normal", "radius", "spacing", "fabric", "raw"],
            Shape::Sphere => &["center", "radius", "spacing", "fabric", "raw"],
            Shape::Lattice => &["corner", "u", "v", "w", "cells", "solid", "raw"],
            Shape::Mesh => &["file", "scale", "rotate", "translate", "fabric", "raw"],
            Shape::Text => TEXT,
            Shape::Network => &["file"],
        }
    }
}

const TEXT: &[&str] = &[
    "text",
    "font",
    "size",
    "spacing",
    "nodes",
    "thickness",
    "letter-spacing",
    "line-spacing",
    "align",
    "islands",
    "rotate",
    "translate",
    "fabric",
    "solid",
    "raw",
];

/// All keys of bodies, except those of a rope's material.
#[cfg(test)]
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    SHAPES.into_iter().flat_map(|(_, shape)| shape.keys()).chain(COMMON).copied()
}

/// Opens the table of a body and checks its keys, which depend on its shape.
pub(super) fn open<'a>(value: Value<'a>, index: usize) -> Result<(Shape, Table<'a>), Error> {
    let name =
        value.peek("name").map_or_else(|| format!("number {}", index + 1), |n| format!("'{}'", excerpt(n)));
    let value = value.named(format!("[[body]] {name}"));
    let word = value.peek("shape").unwrap_or_default();
    let Some(&(_, shape)) = SHAPES.iter().find(|s| s.0 == word) else {
        // Allow any key: the error is about the shape.
        let table = value.any_table()?;
        table.read("shape", |v| v.word(&SHAPES))?;
        let shapes = SHAPES.map(|s| s.0).join("\", \"");
        return Err(table.error(format!("key 'shape' is missing; it must be one of \"{shapes}\"")));
    };
    let rope = if shape == Shape::Rope { material::ROPE } else { &[] };
    Ok((shape, value.table(&[COMMON, shape.keys(), rope])?))
}

/// A body as its table describes it.
pub(super) struct Read {
    pub body: Body,
    pub sized_by: SizedBy,
    /// An additional note for the summary.
    pub note: Option<String>,
}

/// Builds the body of an opened table. Paths of files are relative to `folder`.
pub(super) fn read(shape: Shape, table: &Table, folder: &Path) -> Result<Read, Error> {
    let mut note = None;
    let mut strain_limit = None;
    let mut scale = 1.0;
    let file = |value: Value| value.text().map(|text| folder.join(text));
    let built = match shape {
        Shape::Rope => {
            let rope = rope(table)?;
            let (AxialStiffness::PerSpring(along) | AxialStiffness::Axial(along)) = rope.stiffness;
            strain_limit = material::strain_limit(table, along)?;
            rope.build()
        }
        Shape::Cloth => {
            let (cloth, unsaid, limit) = cloth(table)?;
            strain_limit = limit;
            note =
                unsaid.map(|shear| format!("shear = {shear}, a tenth of tensile; shear = 0.0 leaves it out"));
            cloth.build()
        }
        Shape::Disc => disc(table)?.build(),
        Shape::Sphere => sphere(table)?.build(),
        Shape::Lattice => lattice(table)?.build(),
        Shape::Mesh => {
            let mesh = mesh(table, &table.need("file", file)?)?;
            scale = mesh.placement.scale;
            mesh.build()
        }
        Shape::Text => {
            let text = text(table, folder)?;
            text.mesh().and_then(|mesh| {
                note = Some(format!("spacing {:.3} mm, {}", 1e3 * mesh.spacing, mesh.quality));
                text.body(&mesh)
            })
        }
        Shape::Network => {
            let path = table.need("file", file)?;
            Ok(network(&path).map_err(|e| in_file(table, "file", &e))?)
        }
    };
    let wrong = |e: ShapeError| {
        // The default shear stiffness may be the cause.
        let unsaid = note.as_ref().filter(|_| shape == Shape::Cloth && ["shear", "flexion"].contains(&e.key));
        table.error_at(e.key, unsaid.map_or_else(|| e.to_string(), |note| format!("{e} ({note})")))
    };
    let mut body = built.map_err(wrong)?;
    body.strain_limit = strain_limit;
    body.layer = layer(shape, table)?;
    if let Some(name) = table.read("name", |v| v.label())? {
        body.name = name.to_owned();
    }
    let count = body.rest_position.len();
    if let Some(path) = table.read("positions", file)? {
        body.position = Some(points(table, "positions", &path, count)?);
    }
    match table.one_of(&["velocity", "velocities"])? {
        Some(key @ "velocity") => body.velocity = Some(vec![table.need(key, velocity)?; count]),
        Some(key) => body.velocity = Some(points(table, key, &table.need(key, file)?, count)?),
        None => {}
    }
    let sized_by = match shape {
        Shape::Mesh => SizedBy::Scale(scale),
        Shape::Rope => SizedBy::Key("end"),
        Shape::Cloth | Shape::Lattice => SizedBy::Key("u"),
        Shape::Disc | Shape::Sphere => SizedBy::Key("radius"),
        Shape::Text => SizedBy::Key("size"),
        Shape::Network => SizedBy::Key("file"),
    };
    Ok(Read { body, sized_by, note })
}

/// How the body's surface touches.
fn layer(shape: Shape, table: &Table) -> Result<Layer, Error> {
    let mut layer = Layer::default();
    // That of a text is how thick the letters are.
    if shape != Shape::Text {
        layer.thickness = table.read("thickness", |v| v.positive())?;
    }
    if let Some(touches) = table.read("contact", |v| v.flag())? {
        layer.touches = touches;
    }
    let allowed = format!("from 0 to {MOST_FRICTION}");
    if let Some(friction) = table.read("friction", |v| v.within(0.0..=MOST_FRICTION, &allowed))? {
        layer.friction = friction;
    }
    Ok(layer)
}

/// Displaces the nodes that are not pinned, if the table has `perturb`; in a planar scene within its plane.
pub(super) fn perturb(table: &Table, body: &mut Body, planar: bool) -> Result<(), Error> {
    let Some(keys) = table.read("perturb", |v| v.table(&[PERTURB]))? else { return Ok(()) };
    let perturbation = Perturbation {
        amplitude: keys.need("amplitude", |v| v.positive())?,
        seed: keys.read("seed", |v| v.count())?.unwrap_or(0),
        planar,
    };
    let positions = body.position.get_or_insert_with(|| body.rest_position.clone());
    perturbation.apply(positions, &body.pinned).map_err(|e| keys.error_at(e.key, e.to_string()))
}

fn velocity(value: Value) -> Result<Vec3, Error> {
    let velocity = value.vec3()?;
    if velocity.abs().max_element() > LARGEST {
        return Err(value.wrong(format!("it must be three numbers of at most {LARGEST:e} m/s each")));
    }
    Ok(velocity)
}

/// An error about a file that the scene names under `key`.
fn in_file(table: &Table, key: &str, error: &Error) -> Error {
    table.error_at(key, format!("{key}: {error}"))
}

fn points(table: &Table, key: &str, path: &Path, count: usize) -> Result<Vec<Vec3>, Error> {
    let points = io::read_points(path).map_err(|e| in_file(table, key, &e))?;
    if let Some(row) = points.iter().position(|p| p.abs().max_element() > LARGEST) {
        let file = path.display();
        let message = format!("{key}: row {row} of '{file}' is {}; at most {LARGEST:e} each", points[row]);
        return Err(table.error_at(key, message));
    }
    if points.len() == count {
        return Ok(points);
    }
    let message = format!("{key}: '{}' has {} points for {count} nodes", path.display(), points.len());
    Err(table.error_at(key, message))
}

fn rope(table: &Table) -> Result<Rope, Error> {
    let (mass, stiffness) = material::rope(table)?;
    Ok(Rope {
        start: table.need("start", |v| v.vec3())?,
        end: table.need("end", |v| v.vec3())?,
        nodes: table.need("nodes", |v| v.count())?,
        mass,
        stiffness,
        flexion: material::flexion(table)?,
        damping: material::damping(table)?,
    })
}

/// The cloth, its shear stiffness if that is the default, and its limit of stretch.
fn cloth(table: &Table) -> Result<(Cloth, Option<f32>, Option<f32>), Error> {
    let (material, unsaid, limit) = material::cloth(table)?;
    let cloth = Cloth {
        corner: table.need("corner", |v| v.vec3())?,
        u: table.need("u", |v| v.vec3())?,
        v: table.need("v", |v| v.vec3())?,
        columns: table.need("columns", |v| v.count())?,
        rows: table.need("rows", |v| v.count())?,
        material,
    };
    Ok((cloth, unsaid, limit))
}

fn disc(table: &Table) -> Result<Disc, Error> {
    Ok(Disc {
        center: table.need("center", |v| v.vec3())?,
        normal: table.read("normal", |v| v.vec3())?.unwrap_or(Vec3::Y),
        radius: table.need("radius", |v| v.f32())?,
        spacing: table.need("spacing", |v| v.f32())?,
        surface: material::surface(table)?,
    })
}

fn sphere(table: &Table) -> Result<Sphere, Error> {
    Ok(Sphere {
        center: table.need("center", |v| v.vec3())?,
        radius: table.need("radius", |v| v.f32())?,
        spacing: table.need("spacing", |v| v.f32())?,
        surface: material::surface(table)?,
    })
}

fn lattice(table: &Table) -> Result<Lattice, Error> {
    let edge = |key| table.need(key, |v| v.vec3());
    let cells = |value: Value| {
        let counts = value.items()?.iter().map(|item| item.count()).collect::<Result<Vec<u32>, _>>()?;
        <[u32; 3]>::try_from(counts).map_err(|_| value.wrong("it must be three whole numbers"))
    };
    Ok(Lattice {
        corner: edge("corner")?,
        edges: [edge("u")?, edge("v")?, edge("w")?],
        cells: table.need("cells", cells)?,
        material: material::lattice(table)?,
    })
}

fn mesh(table: &Table, file: &Path) -> Result<Mesh, Error> {
    let at_rest = Placement::default();
    let placement = Placement {
        scale: table.read("scale", |v| v.f32())?.unwrap_or(at_rest.scale),
        rotate: table.read("rotate", |v| v.vec3())?.unwrap_or(at_rest.rotate),
        translate: table.read("translate", |v| v.vec3())?.unwrap_or(at_rest.translate),
    };
    let surface = material::surface(table)?;
    let mesh = io::read_obj(file).map_err(|e| in_file(table, "file", &e))?;
    Ok(Mesh { positions: mesh.positions, triangles: mesh.triangles, placement, surface })
}

fn text(table: &Table, folder: &Path) -> Result<Text, Error> {
    let form = material::text(table)?;
    let resolution = match table.need_one_of(&["spacing", "nodes"])? {
        key @ "spacing" => Resolution::Spacing(table.need(key, |v| v.f32())?),
        key => Resolution::Nodes(table.need(key, |v| v.count())?),
    };
    let plain =
        Text::new(table.need("text", |v| v.text())?, table.need("size", |v| v.f32())?, resolution, form);
    let aligns = [("left", Align::Left), ("center", Align::Center), ("right", Align::Right)];
    let groups = [("glyph", Islands::Glyph), ("line", Islands::Line), ("free", Islands::Free)];
    Ok(Text {
        font: table.read("font", |v| font(v, folder))?.unwrap_or(plain.font),
        letter_spacing: table.read("letter-spacing", |v| v.f32())?.unwrap_or(plain.letter_spacing),
        line_spacing: table.read("line-spacing", |v| v.f32())?.unwrap_or(plain.line_spacing),
        align: table.read("align", |v| v.word(&aligns))?.unwrap_or(plain.align),
        islands: table.read("islands", |v| v.word(&groups))?.unwrap_or(plain.islands),
        rotate: table.read("rotate", |v| v.vec3())?.unwrap_or(plain.rotate),
        translate: table.read("translate", |v| v.vec3())?.unwrap_or(plain.translate),
        ..plain
    })
}

fn font(value: Value, folder: &Path) -> Result<Font, Error> {
    let path = folder.join(value.text()?);
    let bytes = io::read_bytes(&path, MAX_FONT_BYTES)
        .map_err(|message| value.wrong(format!("'{}': {message}", path.display())))?;
    Font::new(path.display().to_string(), bytes).map_err(|e| value.wrong(e.allowed))
}

#[cfg(feature = "files")]
fn network(path: &Path) -> Result<Body, Error> {
    io::read_network(path)
}

#[cfg(not(feature = "files"))]
fn network(path: &Path) -> Result<Body, Error> {
    Err(Error::file(path, "this program reads no .npz: its taffeta was built without the feature `files`"))
}
