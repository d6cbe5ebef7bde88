//! The uniform that all kernels share, the host twin of `World` in `state/world.wgsl`.

use glam::Vec4;

use crate::gpu::{HostStruct, twin};
use crate::settings::{self, Settings, Start};

twin! {
    /// Host twin of WGSL `World`.
    #[derive(Debug)]
    pub struct World = "World" {
        gravity: [f32; 3],
        step: f32,
        wind: [f32; 3],
        node_count: u32,
        air_normal: f32,
        air_tangential: f32,
        damping: f32,
        node_damping: f32,
        drag_factor: f32,
        reach: f32,
        pub(super) has_pulls: u32,
        start: u32,
        substeps: u32,
        largest_stretch: f32,
        penalty_scale: f32,
        copies: u32,
        copy_nodes: u32,
        surroundings: u32,
        padding_1: u32,
        padding_2: u32,
    }
}

/// How many nodes and copies there are, and where what acts on each copy begins.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Nodes of all copies.
    pub nodes: u32,
    /// Copies.
    pub copies: u32,
    /// Where the vectors of copies that differ begin in `applied`.
    pub surroundings: u32,
}

/// Layout of [`World`], compared with WGSL when a shader loads.
pub const WORLD_STRUCT: HostStruct = World::TWIN;

impl World {
    /// The settings as the kernels read them, for the nodes at `places` of a body of `size` \[m\], with at least `substeps` substeps of
    /// `step` \[s\] a frame.
    pub fn new(settings: &Settings, substeps: u32, places: Places, step: f32, size: f32) -> Self {
        let [gravity, wind, air] = pack(&settings.world, step, size).map(|v| v.to_array());
        let ([gravity @ .., damping], [wind @ .., node_damping]) = (gravity, wind);
        let [air_normal, air_tangential, drag_factor, reach] = air;
        Self {
            gravity,
            step,
            wind,
            node_count: places.nodes,
            air_normal,
            air_tangential,
            damping,
            node_damping,
            drag_factor,
            reach,
            has_pulls: 0,
            start: match settings.start() {
                Start::Auto | Start::Inertial => 0,
                Start::Velocity => 1,
                Start::Previous => 2,
            },
            substeps,
            largest_stretch: settings.step.largest_stretch,
            penalty_scale: 1.0,
            copies: places.copies,
            copy_nodes: places.nodes / places.copies,
            surroundings: places.surroundings,
            padding_1: 0,
            padding_2: 0,
        }
    }

    /// The same with substeps of another length \[s\] than the longest one.
    pub fn with_step(self, settings: &Settings, step: f32, longest: f32) -> Self {
        let [_, _, air] = pack(&settings.world, step, self.reach);
        Self { step, drag_factor: air.z, penalty_scale: (longest / step).powi(2), ..self }
    }

    /// How many nodes and copies there are, and where what acts on each copy begins.
    pub fn places(&self) -> Places {
        Places { nodes: self.node_count, copies: self.copies, surroundings: self.surroundings }
    }

    /// Length of a substep \[s\].
    pub fn step(&self) -> f32 {
        self.step
    }

    /// Distance beyond which a pull stops growing \[m\].
    pub fn reach(&self) -> f32 {
        self.reach
    }
}

/// The three vectors of `Surroundings` in `state/surroundings.wgsl`, for a body of `size` \[m\].
pub fn pack(around: &settings::World, step: f32, size: f32) -> [Vec4; 3] {
    let half_density = 0.5 * around.air.density;
    let drag_factor = (-f64::from(around.drag) * f64::from(step)).exp() as f32;
    [
        around.gravity.extend(around.damping),
        around.wind.extend(around.node_damping),
        Vec4::new(half_density * around.air.normal, half_density * around.air.tangential, drag_factor, size),
    ]
}
