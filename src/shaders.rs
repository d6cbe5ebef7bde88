//! The embedded WGSL files.

use crate::gpu::Library;

macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../shaders/", $name)))),*] };
}

/// Every file under `shaders/`.
pub const LIBRARY: &Library = files![
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
    "shared/launch.wgsl",
    "shared/surface.wgsl",
];
