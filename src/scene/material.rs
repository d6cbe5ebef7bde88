//! Materials: `fabric`, `raw`, and the keys of a rope.

use super::table::Table;
use crate::Error;
use crate::shape::{
    AxialStiffness, ClothMaterial, Damping, EdgeStiffness, Fabric, Flexion, LatticeMaterial, RawSprings,
    RopeMass, Solid, Surface, SurfaceMass, TextForm,
};

/// Keys of `raw` of cloths and lattices.
const RAW: &[&str] = &["structural", "shear", "flexion", "node-mass", "dashpot"];

/// Keys of a rope's material, which are in the body itself.
pub(super) const ROPE: &[&str] = &[
    "node-mass",
    "line-density",
    "structural",
    "axial-stiffness",
    "flexion",
    "flexion-ratio",
    "dashpot",
    "damping-time",
    "strain-limit",
];

pub(super) fn rope(table: &Table) -> Result<(RopeMass, AxialStiffness), Error> {
    let mass = match table.need_one_of(&["node-mass", "line-density"])? {
        key @ "node-mass" => RopeMass::PerNode(table.need(key, |v| v.f32())?),
        key => RopeMass::LineDensity(table.need(key, |v| v.f32())?),
    };
    let stiffness = match table.need_one_of(&["structural", "axial-stiffness"])? {
        key @ "structural" => AxialStiffness::PerSpring(table.need(key, |v| v.stiffness())?),
        key => AxialStiffness::Axial(table.need(key, |v| v.stiffness())?),
    };
    Ok((mass, stiffness))
}

/// Default shear stiffness of a fabric, as a fraction of its tensile stiffness: that of common cloth. Without shear
/// stiffness, nothing would hold the threads at right angles.
const SHEAR: f32 = 0.1;

/// Reads `fabric` or `raw` of a rectangular cloth, the shear stiffness if it is the default, and the limit of stretch.
pub(super) fn cloth(body: &Table) -> Result<(ClothMaterial, Option<f32>, Option<f32>), Error> {
    if body.need_one_of(&["fabric", "raw"])? == "fabric" {
        let keys: &[&str] =
            &["density", "tensile", "shear", "flexion", "bending", "damping-time", "strain-limit"];
        let table = body.need("fabric", |v| v.table(&[keys]))?;
        let tensile = table.need("tensile", |v| v.stiffness())?;
        let given = table.read("shear", |v| v.finite_stiffness(DIAGONAL))?;
        if given.is_none() && tensile.is_infinite() {
            let message = "tensile = inf needs shear in N/m (0 for none): a tenth of tensile, the default, would be \
                           infinite, too";
            return Err(table.error_at("tensile", message));
        }
        let shear = given.unwrap_or(SHEAR * tensile);
        let fabric = ClothMaterial::Fabric(Fabric {
            density: table.need("density", |v| v.f32())?,
            tensile,
            shear,
            flexion: stiffness_or_zero(&table, "flexion", SKIPPING)?,
            bending: or_zero(&table, "bending")?,
            damping_time: or_zero(&table, "damping-time")?,
        });
        return Ok((fabric, given.is_none().then_some(shear), strain_limit(&table, tensile)?));
    }
    let table = body.need("raw", |v| v.table(&[RAW]))?;
    let structural = table.need("structural", |v| v.stiffness())?;
    Ok((ClothMaterial::Raw(raw(&table, structural)?), None, None))
}

/// Reads `strain-limit` of a rope or a fabric, whose springs have `stiffness` [N/m].
pub(super) fn strain_limit(table: &Table, stiffness: f32) -> Result<Option<f32>, Error> {
    let limit = table.read("strain-limit", |v| match v.f32()? {
        limit if limit > 0.0 && limit <= 1.0 => Ok(limit),
        _ => Err(v.wrong("it must be above 0 and at most 1: 0.01 lets springs get 1 % longer")),
    })?;
    if limit.is_some() && stiffness.is_infinite() {
        let message = "strain-limit: an infinite stiffness allows no stretch at all; give one of the two";
        return Err(table.error_at("strain-limit", message));
    }
    Ok(limit)
}

/// Why some springs cannot be inextensible.
const DIAGONAL: &str = "with inextensible diagonals cloth could hardly fold";
const SKIPPING: &str = "springs over a node that keep their length would make it rigid";
const EDGES: &str = "edges of triangles that all keep their length hold each other, and leave no room to bend; ropes and \
                     rectangular cloths can be inextensible";
const INSIDE: &str =
    "a solid whose springs keep their length cannot move; ropes and rectangular cloths can be inextensible";

/// Reads `raw` of a cloth or a lattice, except its structural stiffness.
fn raw(table: &Table, structural: f32) -> Result<RawSprings, Error> {
    Ok(RawSprings {
        structural,
        shear: stiffness_or_zero(table, "shear", DIAGONAL)?,
        flexion: stiffness_or_zero(table, "flexion", SKIPPING)?,
        node_mass: table.need("node-mass", |v| v.f32())?,
        dashpot: or_zero(table, "dashpot")?,
    })
}

/// Reads `fabric` or `raw` of a triangle mesh.
pub(super) fn surface(body: &Table) -> Result<Surface, Error> {
    if body.need_one_of(&["fabric", "raw"])? == "fabric" {
        let keys: &[&str] =
            &["density", "tensile", "flexion", "flexion-ratio", "bending", "damping-time", "strain-limit"];
        let table = body.need("fabric", |v| v.table(&[keys]))?;
        if table.has("strain-limit") {
            let message = "strain-limit: edges of triangles that are all at their limit hold each other, and leave no room to \
                           bend; ropes and rectangular cloths can have one";
            return Err(table.error_at("strain-limit", message));
        }
        return Ok(Surface {
            mass: SurfaceMass::Density(table.need("density", |v| v.f32())?),
            stiffness: EdgeStiffness::Tensile(table.need("tensile", |v| v.finite_stiffness(EDGES))?),
            flexion: flexion(&table)?,
            bending: or_zero(&table, "bending")?,
            damping: Damping::Time(or_zero(&table, "damping-time")?),
        });
    }
    let keys: &[&str] = &["structural", "flexion", "flexion-ratio", "node-mass", "total-mass", "dashpot"];
    let table = body.need("raw", |v| v.table(&[keys]))?;
    let mass = match table.need_one_of(&["node-mass", "total-mass"])? {
        key @ "node-mass" => SurfaceMass::PerNode(table.need(key, |v| v.f32())?),
        key => SurfaceMass::Total(table.need(key, |v| v.f32())?),
    };
    Ok(Surface {
        mass,
        stiffness: EdgeStiffness::PerSpring(table.need("structural", |v| v.finite_stiffness(EDGES))?),
        flexion: flexion(&table)?,
        bending: 0.0,
        damping: Damping::Dashpot(or_zero(&table, "dashpot")?),
    })
}

/// Reads `solid` or `raw` of a lattice.
pub(super) fn lattice(body: &Table) -> Result<LatticeMaterial, Error> {
    if body.need_one_of(&["solid", "raw"])? == "solid" {
        let table = body.need("solid", |v| v.table(&[&["density", "young", "damping-time"]]))?;
        return Ok(LatticeMaterial::Solid(Solid {
            density: table.need("density", |v| v.f32())?,
            young: table.need("young", |v| v.finite_stiffness(INSIDE))?,
            damping_time: or_zero(&table, "damping-time")?,
        }));
    }
    let table = body.need("raw", |v| v.table(&[RAW]))?;
    let structural = table.need("structural", |v| v.finite_stiffness(INSIDE))?;
    Ok(LatticeMaterial::Raw(raw(&table, structural)?))
}

/// Reads `fabric` or `raw` of a text that is a sheet, or `thickness` and `solid` or `raw` of a text that is a volume.
pub(super) fn text(body: &Table) -> Result<TextForm, Error> {
    let wrong = |key: &'static str, why: &str| match body.has(key) {
        true => Err(body.error_at(key, format!("{key}: {why}"))),
        false => Ok(()),
    };
    let Some(thickness) = body.read("thickness", |v| v.f32())? else {
        wrong("solid", "a text without a thickness is a sheet; give it a thickness, or a fabric")?;
        return Ok(TextForm::Sheet(surface(body)?));
    };
    wrong(
        "fabric",
        "a text with a thickness is a solid; give it a solid or raw, or take the thickness away",
    )?;
    Ok(TextForm::Volume { thickness, material: lattice(body)? })
}

/// `flexion` or `flexion-ratio`; none if both are absent.
pub(super) fn flexion(table: &Table) -> Result<Flexion, Error> {
    Ok(match table.one_of(&["flexion", "flexion-ratio"])? {
        None => Flexion::None,
        Some(key @ "flexion") => Flexion::PerSpring(table.need(key, |v| v.finite_stiffness(SKIPPING))?),
        Some(key) => Flexion::Ratio(table.need(key, |v| v.f32())?),
    })
}

/// `dashpot` or `damping-time`; none if both are absent.
pub(super) fn damping(table: &Table) -> Result<Damping, Error> {
    Ok(match table.one_of(&["dashpot", "damping-time"])? {
        None => Damping::NONE,
        Some(key @ "dashpot") => Damping::Dashpot(table.need(key, |v| v.f32())?),
        Some(key) => Damping::Time(table.need(key, |v| v.f32())?),
    })
}

fn stiffness_or_zero(table: &Table, key: &'static str, reason: &str) -> Result<f32, Error> {
    Ok(table.read(key, |v| v.finite_stiffness(reason))?.unwrap_or(0.0))
}

fn or_zero(table: &Table, key: &'static str) -> Result<f32, Error> {
    Ok(table.read(key, |v| v.f32())?.unwrap_or(0.0))
}
