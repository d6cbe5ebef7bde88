//! Ropes and sheets of 1 m that are let go, thrown or held.

use std::f32::consts::PI;

use glam::{DVec3, Vec3};

use super::random::Random;
use crate::Error;
use crate::model::{Body, Family, Model, ModelBuilder, Spring};
use crate::settings::{CONTACT, SUBSTEPS, Settings, Substeps};
use crate::shape::{
    Cloth, ClothMaterial, Damping, EdgeStiffness, Flexion, Mesh, Placement, RawSprings, Surface, SurfaceMass,
};

/// Mass of a sheet \[kg\].
const SHEET: f32 = 0.2;

/// The default settings with one step a frame, without contact between surfaces, which the references leave out.
pub fn one_substep() -> Settings {
    Settings::default().with(CONTACT, false).with(SUBSTEPS, Substeps::Fixed(1))
}

/// A model of one body.
pub fn model(body: Body) -> Result<Model, Error> {
    let mut builder = ModelBuilder::new();
    builder.add(body);
    Ok(builder.build()?)
}

/// A horizontal rope of 1 m and 50 g with `springs` springs, held at one end, of axial stiffness `ea` \[N\].
pub fn rope(springs: u32, ea: f64) -> Body {
    let length = 1.0 / springs as f32;
    let spring = |i| Spring {
        nodes: [i, i + 1],
        rest_length: length,
        stiffness: (ea * f64::from(springs)) as f32,
        dashpot: 0.0,
        family: Family::Structural,
    };
    Body {
        rest_position: (0..=springs).map(|i| Vec3::X * (i as f32 * length)).collect(),
        mass: vec![0.05 / springs as f32; springs as usize + 1],
        pinned: vec![0],
        springs: (0..springs).map(spring).collect(),
        ..Body::default()
    }
}

/// A sheet of 1 m and 0.2 kg with `n` nodes a side and edges along `u` and `v`; stiffnesses are in N/m.
pub fn sheet(n: u32, [u, v]: [Vec3; 2], [structural, shear, flexion]: [f32; 3]) -> Result<Body, Error> {
    let springs = RawSprings { structural, shear, flexion, node_mass: SHEET / (n * n) as f32, dashpot: 0.0 };
    let material = ClothMaterial::Raw(springs);
    Ok(Cloth { corner: Vec3::ZERO, u, v, columns: n, rows: n, material }.build()?)
}

/// A sheet in the plane y = 0, held at the nodes `pinned`.
pub fn level_sheet(n: u32, stiffness: [f32; 3], pinned: Vec<u32>) -> Result<Body, Error> {
    Ok(Body { pinned, ..sheet(n, [Vec3::X, Vec3::Z], stiffness)? })
}

/// A horizontal sheet held at an edge, of structural stiffness `k` [N/m] and little shear stiffness.
pub fn hinged_sheet(n: u32, k: f32) -> Result<Body, Error> {
    level_sheet(n, [k, 10.0, 0.0], (0..n).collect())
}

/// A free, bent, slightly creased sheet of structural stiffness `k` [N/m] that turns about its center at 5.6 rad/s.
pub fn tumbling(n: u32, k: f32) -> Result<Body, Error> {
    let mut body = sheet(n, [Vec3::X, Vec3::NEG_Y], [k, 0.5 * k, 0.1 * k])?;
    body.pinned.clear();
    let mut random = Random(9);
    let spacing = 1.0 / (n - 1) as f32;
    let bend = |x: &Vec3| {
        let angle = 0.8 * (x.y + 0.5);
        Vec3::new(x.x - 0.5, angle.sin() / 0.8, (1.0 - angle.cos()) / 0.8) + 0.02 * spacing * random.vector()
    };
    let mut position: Vec<Vec3> = body.rest_position.iter().map(bend).collect();
    let center = position.iter().sum::<Vec3>() / position.len() as f32;
    position.iter_mut().for_each(|x| *x -= center);
    body.velocity = Some(position.iter().map(|x| Vec3::new(5.0, 1.5, 2.0).cross(*x)).collect());
    body.position = Some(position);
    Ok(body)
}

/// A free sheet of 33 nodes a side as a net of springs: structural 1, shear 0.5 and flexion 0.1 N/m, each multiplied by
/// `stiffness` of a random number in [0, 1).
pub fn loose_net(stiffness: impl Fn(f32) -> f32) -> Result<(Body, Random), Error> {
    let mut random = Random(21);
    let mut body = sheet(33, [Vec3::X, Vec3::Z], [1.0, 0.5, 0.1])?;
    body.grid = None;
    body.pinned.clear();
    body.springs.iter_mut().for_each(|spring| spring.stiffness *= stiffness(random.unit()));
    Ok((body, random))
}

/// The body in smooth random motion with velocities of `speed` (rms) [m/s]: nine waves, whose wave vectors are at most
/// `wave` times 9 rad/m along each axis.
pub fn throw(mut body: Body, mut random: Random, speed: f32, wave: f32) -> Body {
    let waves: Vec<(Vec3, Vec3)> = (0..9).map(|_| (random.vector(), 3.0 * random.vector())).collect();
    let velocity = |x: &Vec3| -> Vec3 {
        let phase = |q: &Vec3| 3.0 * wave * (q.x * x.x + q.z * x.z) + q.y;
        waves.iter().map(|(v, q)| *v * phase(q).cos()).sum()
    };
    let v: Vec<Vec3> = body.rest_position.iter().map(velocity).collect();
    let rms = (v.iter().map(|v| v.length_squared()).sum::<f32>() / v.len() as f32).sqrt();
    body.velocity = Some(v.iter().map(|v| *v * (speed / rms)).collect());
    body
}

/// A square meter of cloth of 1000 N/m and 0.2 kg, of triangles over `columns` by `rows` nodes, level and free.
pub fn triangles(columns: u32, rows: u32) -> Result<Body, Error> {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
        positions.push(Vec3::new(c as f32 / (columns - 1) as f32, 0.0, r as f32 / (rows - 1) as f32));
        if r + 1 < rows && c + 1 < columns {
            let a = r * columns + c;
            triangles.extend([[a, a + 1, a + columns + 1], [a, a + columns + 1, a + columns]]);
        }
    }
    let surface = Surface {
        mass: SurfaceMass::Density(SHEET),
        stiffness: EdgeStiffness::Tensile(1000.0),
        flexion: Flexion::Ratio(0.1),
        bending: 0.0,
        damping: Damping::NONE,
    };
    Ok(Mesh { positions, triangles, placement: Placement::default(), surface }.build()?)
}

/// The level body, bent to a circle about its edge z = 0, held there at its corners, and swinging about it at 3 rad/s.
pub fn swing(mut body: Body) -> Body {
    let swing = |x: &Vec3| {
        let (angle, first) = (0.3 + 0.8 * x.z, 0.3f32);
        Vec3::new(x.x, (angle.cos() - first.cos()) / 0.8, (angle.sin() - first.sin()) / 0.8)
    };
    let is_corner = |x: &Vec3| x.z == 0.0 && (x.x == 0.0 || x.x == 1.0);
    let corners = body.rest_position.iter().enumerate().filter(|(_, x)| is_corner(x));
    body.pinned = corners.map(|(i, _)| i as u32).collect();
    let position: Vec<Vec3> = body.rest_position.iter().map(swing).collect();
    body.velocity = Some(position.iter().map(|x| 3.0 * Vec3::new(0.0, -x.z, x.y)).collect());
    body.position = Some(position);
    body
}

/// A rope of 1 m, 50 g and `springs` springs along an arc of a circle between two pins at (0, 0, 0) and (`span`, 0, 0)
/// \[m\], with all springs at their rest length.
pub fn slack_rope(springs: u32, ea: f64, span: f32) -> Body {
    let n = springs as f32;
    // Find half of the arc's angle: n chords of 1 / n between ends that are `span` apart.
    let (mut low, mut high) = (1e-3f32, PI);
    for _ in 0..40 {
        let half = 0.5 * (low + high);
        if half.sin() / (n * (half / n).sin()) > span { low = half } else { high = half }
    }
    let radius = 0.5 / n / (low / n).sin();
    let at = |i: u32| {
        let angle = low * (2.0 * i as f32 / n - 1.0);
        Vec3::new(0.5 * span + radius * angle.sin(), radius * (low.cos() - angle.cos()), 0.0)
    };
    Body { position: Some((0..=springs).map(at).collect()), pinned: vec![0, springs], ..rope(springs, ea) }
}

/// Mean fall of the free nodes since the start \[m\].
pub fn mean_fall(model: &Model, position: &[DVec3]) -> f64 {
    let fall = |i: usize| f64::from(model.initial_state().position[i].y) - position[i].y;
    let free: Vec<f64> = (0..position.len()).filter(|&i| !model.pinned()[i]).map(fall).collect();
    free.iter().sum::<f64>() / free.len() as f64
}
