//! The embedded WGSL files.

use crate::gpu::Library;

macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../shaders/", $name)))),*] };
}

/// Every file under `shaders/`.
pub const LIBRARY: &Library = files![
    "forces/air.wgsl",
    "forces/handles.wgsl",
    "forces/pins.wgsl",
    "measure/floors.wgsl",
    "measure/stretch.wgsl",
    "render/backdrop.wgsl",
    "render/body.wgsl",
    "render/cast.wgsl",
    "render/cast_lines.wgsl",
    "render/cloth.wgsl",
    "render/ground.wgsl",
    "render/light.wgsl",
    "render/lines.wgsl",
    "render/measure.wgsl",
    "render/nodes.wgsl",
    "render/normals.wgsl",
    "render/shade.wgsl",
    "render/sky.wgsl",
    "render/sky_map.wgsl",
    "render/view.wgsl",
    "render/visibility.wgsl",
    "render/weave.wgsl",
    "shared/anchor.wgsl",
    "shared/explicit.wgsl",
    "shared/applied.wgsl",
    "shared/launch.wgsl",
    "shared/math.wgsl",
    "shared/monitor.wgsl",
    "shared/network_grid.wgsl",
    "shared/network_mesh.wgsl",
    "shared/spring.wgsl",
    "shared/surface.wgsl",
    "shared/world.wgsl",
    "solvers/explicit_euler.wgsl",
    "solvers/local_global.wgsl",
    "solvers/local_global_ends.wgsl",
    "solvers/symplectic_euler.wgsl",
    "solvers/vbd.wgsl",
    "solvers/verlet.wgsl",
];

/// Stands for one of the two forms of the network in `//!import` lines.
pub const NETWORK: &str = "shared/network.wgsl";
/// Neighbours follow from the index.
pub const NETWORK_GRID: &str = "shared/network_grid.wgsl";
/// Neighbours are stored.
pub const NETWORK_MESH: &str = "shared/network_mesh.wgsl";
