//! Values that depend on time alone: colliders and loads, and the time for the user's own force.

use std::collections::BTreeMap;

use bytemuck::Zeroable;
use glam::DVec3;

use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Usage, twin};
use crate::model::{Collider, ColliderShape, Load, MOST_COLLIDERS, MOST_LOADS, Model};

twin! {
    /// Host twin of WGSL `Collider`.
    #[derive(Default)]
    struct ColliderEntry = "Collider" {
        center: [f32; 3],
        is_plane: u32,
        rotation: [f32; 4],
        half_size: [f32; 3],
        radius: f32,
        velocity: [f32; 3],
        stiffness: f32,
        spin: [f32; 3],
        friction: f32,
        damping: f32,
        slip_speed: f32,
        padding: [f32; 2],
    }
}

twin! {
    /// Host twin of WGSL `Moment`.
    pub struct Moment = "Moment" {
        time: f32,
        substep: u32,
        step: u32,
        padding: u32,
        colliders: [ColliderEntry; MOST_COLLIDERS],
        loads: [[f32; 4]; MOST_LOADS],
    }
}

twin! {
    /// Host twin of WGSL `Frame`.
    struct Frame = "Frame" {
        time: f32,
        padding: [u32; 3],
        colliders: [ColliderEntry; MOST_COLLIDERS],
        loads: [[f32; 4]; MOST_LOADS],
        load_rates: [[f32; 4]; MOST_LOADS],
    }
}

twin! {
    /// Host twin of WGSL `LoadedNode`.
    struct LoadedNode = "LoadedNode" {
        node: u32,
        first: u32,
        count: u32,
    }
}

/// Layouts compared with WGSL when a shader loads.
pub const MOMENT_STRUCTS: [&HostStruct; 4] =
    [&ColliderEntry::TWIN, &Moment::TWIN, &Frame::TWIN, &LoadedNode::TWIN];

/// The moment on the GPU, and the kernel that advances it.
pub struct Moments {
    colliders: Vec<Collider>,
    loads: Vec<Load>,
    is_timed: bool,
    moment: Buffer<Moment>,
    frame: Buffer<Frame>,
    loaded_nodes: Buffer<LoadedNode>,
    node_loads: Buffer<u32>,
    advance: Option<Bound>,
}

impl Moments {
    /// Uploads the colliders and loads of `model`. `is_timed`: whether something else needs the time.
    pub fn new(gpu: &Gpu, model: &Model, is_timed: bool) -> Result<Self, GpuError> {
        let (colliders, loads) = (model.colliders().to_vec(), model.loads().to_vec());
        let moves = colliders.iter().any(|c| !c.is_still()) || loads.iter().any(|l| !l.is_constant());
        let (nodes, lists) = by_node(&loads);
        let storage = Usage::empty();
        let moments = Self {
            is_timed: is_timed || moves,
            moment: Buffer::zeroed(gpu, "moment", 1, storage)?,
            frame: Buffer::zeroed(gpu, "frame", 1, storage)?,
            loaded_nodes: Buffer::from_slice(gpu, "loaded_nodes", &nodes, storage)?,
            node_loads: Buffer::from_slice(gpu, "node_loads", &lists, storage)?,
            advance: None,
            colliders,
            loads,
        };
        moments.moment.write(gpu, 0, &[moments.at(0.0, 1.0)]);
        Ok(moments)
    }

    /// Compiles the kernel that advances it, if anything changes with time.
    pub fn compile(
        &mut self,
        gpu: &Gpu,
        kernel: impl FnOnce() -> Result<Kernel, GpuError>,
        bindings: &Bindings,
    ) -> Result<(), GpuError> {
        if self.is_timed {
            let bindings = bindings.clone().with("frame", &self.frame);
            self.advance = Some(kernel()?.bind(gpu, &bindings)?);
        }
        Ok(())
    }

    /// Adds the buffers that kernels in `forces/` read.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        bindings
            .with("moment", &self.moment)
            .with("loaded_nodes", &self.loaded_nodes)
            .with("node_loads", &self.node_loads)
    }

    /// Number of nodes on which loads act.
    pub fn loaded_nodes(&self) -> u32 {
        self.loaded_nodes.len() as u32
    }

    /// Uploads the frame that begins at `time` and lasts `frame` \[s\], after `steps` substeps.
    pub fn prepare(&self, gpu: &Gpu, time: f64, frame: f64, steps: u32) {
        if !self.is_timed {
            return;
        }
        let moment = Moment { step: steps, ..self.at(time, frame) };
        let mut rates = [[0.0; 4]; MOST_LOADS];
        for (rate, load) in rates.iter_mut().zip(&self.loads) {
            *rate = ((load.at(time + frame) - load.at(time)).as_dvec4() / frame).as_vec4().to_array();
        }
        let Moment { time, colliders, loads, .. } = moment;
        self.moment.write(gpu, 0, &[moment]);
        self.frame.write(gpu, 0, &[Frame { time, padding: [0; 3], colliders, loads, load_rates: rates }]);
    }

    /// Uploads only the start of that frame, for kernels outside a substep.
    pub fn hold(&self, gpu: &Gpu, time: f64, frame: f64, steps: u32) {
        if self.is_timed {
            // The values of the frame's first substep.
            self.moment.write(gpu, 0, &[Moment { substep: 1, step: steps, ..self.at(time, frame) }]);
        }
    }

    /// Records the advance to the start of the next substep.
    pub fn record(&self, pass: &mut Pass<'_>) {
        if let Some(advance) = &self.advance {
            pass.dispatch(advance, 1);
        }
    }

    /// The moment at `time`, with the velocities of the coming frame \[s\].
    fn at(&self, time: f64, frame: f64) -> Moment {
        let mut moment = Moment { time: time as f32, ..Moment::zeroed() };
        for (entry, collider) in moment.colliders.iter_mut().zip(&self.colliders) {
            *entry = entry_of(collider, time, frame);
        }
        for (entry, load) in moment.loads.iter_mut().zip(&self.loads) {
            *entry = load.at(time).to_array();
        }
        moment
    }
}

fn entry_of(collider: &Collider, time: f64, frame: f64) -> ColliderEntry {
    let velocity: DVec3 = (collider.center(time + frame) - collider.center(time)) / frame;
    ColliderEntry {
        center: collider.center(time).as_vec3().to_array(),
        is_plane: u32::from(matches!(collider.shape, ColliderShape::Plane { .. })),
        rotation: collider.rotation(time).as_quat().to_array(),
        half_size: collider.half_size().to_array(),
        radius: collider.radius() + collider.thickness,
        velocity: velocity.as_vec3().to_array(),
        stiffness: collider.stiffness,
        spin: collider.spin.to_array(),
        friction: collider.friction,
        damping: collider.damping,
        slip_speed: collider.slip_speed,
        padding: [0.0; 2],
    }
}

/// The loads of each node that has any, concatenated.
fn by_node(loads: &[Load]) -> (Vec<LoadedNode>, Vec<u32>) {
    let mut of_node: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (index, load) in loads.iter().enumerate() {
        load.nodes.iter().for_each(|&node| of_node.entry(node).or_default().push(index as u32));
    }
    let mut lists = Vec::new();
    let nodes = of_node.into_iter().map(|(node, list)| {
        let first = lists.len() as u32;
        lists.extend(&list);
        LoadedNode { node, first, count: list.len() as u32 }
    });
    (nodes.collect(), lists)
}
