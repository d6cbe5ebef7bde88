//! Drawing of colliders: solids, the ground, and sheets for planes that are not level.

use bytemuck::Zeroable;
use glam::{DVec3, Vec3};

use super::nodes::bounds;
use crate::gpu::{Buffer, Gpu, GpuError, HostStruct, Usage, twin};
use crate::model::{Collider, ColliderShape, MOST_COLLIDERS, Model};

/// Vertices of a solid: two triangles for each of 64 x 64 cells on six faces, as in `render/solid.wgsl`. The silhouette
/// of a sphere with a radius of 1000 pixels is then round to a thirteenth of a pixel.
pub(super) const SOLID_VERTICES: u32 = 6 * 64 * 64 * 6;
/// Points of a solid that receive the sky's light, as in `render/solids.wgsl`.
pub(super) const SOLID_POINTS: usize = 6 * 16 * 16;
/// A plane is level, within a degree, if the height of its unit normal is at least this.
const LEVEL: f64 = 0.99985;
/// Half the side of the drawn piece of a plane, and the most by which solids widen the ground, in sizes of the bodies.
const SHEET: f32 = 2.5;
const WIDEST: f32 = 4.0;

twin! {
    /// Host twin of WGSL `Solid`.
    #[derive(Debug, Default)]
    struct Solid = "Solid" {
        center: [f32; 3],
        radius: f32,
        rotation: [f32; 4],
        half_size: [f32; 3],
        padding: f32,
        spin: [f32; 4],
    }
}

twin! {
    /// Host twin of WGSL `Solids`.
    #[derive(Debug)]
    struct Entries = "Solids" {
        count: u32,
        reach: f32,
        padding: [f32; 2],
        ground: [f32; 4],
        list: [Solid; MOST_COLLIDERS],
    }
}

/// Layouts compared with WGSL when a shader loads.
pub(super) const LAYOUTS: [&HostStruct; 2] = [&Solid::TWIN, &Entries::TWIN];

/// Numbers of solids and sheets to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub solids: u32,
    pub sheets: u32,
}

pub(super) struct Solids {
    colliders: Vec<Collider>,
    /// Middle and size of the bodies at the start [m].
    middle: DVec3,
    size: f32,
    pub entries: Buffer<[u8; size_of::<Entries>()]>,
}

impl Solids {
    pub fn new(gpu: &Gpu, model: &Model) -> Result<Self, GpuError> {
        let (low, high) = bounds(&model.initial_state().position);
        Ok(Self {
            colliders: model.colliders().to_vec(),
            middle: (low.as_dvec3() + high.as_dvec3()) / 2.0,
            size: (high - low).max_element().max(1e-4),
            entries: Buffer::zeroed(gpu, "solids", 1, Usage::UNIFORM)?,
        })
    }

    /// Number of points of `model`'s solids that receive the sky's light.
    pub fn points(model: &Model) -> usize {
        SOLID_POINTS * model.colliders().iter().filter(|c| !is_plane(c)).count()
    }

    /// Height [m] of the highest level plane at `time`.
    pub fn ground(&self, time: f64) -> Option<f32> {
        self.level(time).map(|plane| self.height(plane, time) as f32)
    }

    /// Uploads the solids and sheets at `time`.
    pub fn write(&self, gpu: &Gpu, time: f64) -> Count {
        let mut entries = Entries { ground: [0.0, 0.0, 1.0, 0.0], ..Entries::zeroed() };
        let solids = self.colliders.iter().filter(|c| !is_plane(c)).map(|c| self.solid(c, time));
        let sheets = self.colliders.iter().filter(|c| is_plane(c) && !is_level(c, time));
        let sheets: Vec<Solid> = sheets.map(|c| self.sheet(c, time)).collect();
        let solids: Vec<Solid> = solids.collect();
        for (entry, solid) in entries.list.iter_mut().zip(solids.iter().chain(&sheets)) {
            *entry = *solid;
        }
        let reach = |s: &Solid| {
            let away = Vec3::from(s.center) - self.middle.as_vec3();
            away.length() + Vec3::from(s.half_size).length() + s.radius
        };
        entries.count = solids.len() as u32;
        entries.reach = solids.iter().map(reach).fold(0.0, f32::max).min(WIDEST * self.size);
        if let Some(plane) = self.level(time) {
            let (at, along) = (plane.center(time), plane.rotation(time) * DVec3::X);
            entries.ground = [at.x, at.z, along.x, along.z].map(|x| x as f32);
        }
        self.entries.write(gpu, 0, &[bytemuck::cast(entries)]);
        Count { solids: entries.count, sheets: sheets.len() as u32 }
    }

    /// The highest level plane.
    fn level(&self, time: f64) -> Option<&Collider> {
        let level = self.colliders.iter().filter(|c| is_plane(c) && is_level(c, time));
        level.max_by(|a, b| self.height(a, time).total_cmp(&self.height(b, time)))
    }

    /// Height of a level plane at the middle of the bodies [m].
    fn height(&self, plane: &Collider, time: f64) -> f64 {
        let (at, n) = (plane.center(time), plane.rotation(time) * DVec3::Y);
        at.y + ((at.x - self.middle.x) * n.x + (at.z - self.middle.z) * n.z) / n.y
    }

    fn solid(&self, collider: &Collider, time: f64) -> Solid {
        let rotation = collider.rotation(time);
        let axis = (rotation.inverse() * collider.spin.as_dvec3()).try_normalize();
        let spin = axis.map_or([0.0; 4], |axis| axis.as_vec3().extend(1.0).to_array());
        Solid {
            center: collider.center(time).as_vec3().to_array(),
            radius: collider.radius(),
            rotation: rotation.as_quat().to_array(),
            half_size: collider.half_size().to_array(),
            padding: 0.0,
            spin,
        }
    }

    /// The piece of a plane near the bodies.
    fn sheet(&self, plane: &Collider, time: f64) -> Solid {
        let half = SHEET * self.size;
        let mut middle = plane.rotation(time).inverse() * (self.middle - plane.center(time));
        middle.y = 0.0;
        let solid = self.solid(plane, time);
        Solid { half_size: [half, 0.0, half], spin: middle.as_vec3().extend(0.0).to_array(), ..solid }
    }
}

fn is_plane(collider: &Collider) -> bool {
    matches!(collider.shape, ColliderShape::Plane { .. })
}

fn is_level(plane: &Collider, time: f64) -> bool {
    (plane.rotation(time) * DVec3::Y).y > LEVEL
}
