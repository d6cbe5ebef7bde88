//! The embedded WGSL files.

use crate::gpu::Library;

macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../shaders/", $name)))),*] };
}

/// Every file under `shaders/`.
pub const LIBRARY: &Library = files!["shared/launch.wgsl", "shared/surface.wgsl",];
