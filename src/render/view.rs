//! The look of a picture, and the uniform for the shaders.

use glam::Vec3;

use super::colors::{RAMP, linear_color};
use super::{Camera, Caption};
use crate::gpu::{HostStruct, twin};

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The triangles as fabric.
    #[default]
    Surface,
    /// The springs, colored by family.
    Springs,
    /// The triangles colored by stretch, with a legend.
    Stretch,
    /// The triangles colored by how near they are to what they may touch, with a legend.
    Contact,
}

impl Mode {
    /// Every mode, in the order of the viewer's keys.
    pub const ALL: [Mode; 4] = [Mode::Surface, Mode::Springs, Mode::Stretch, Mode::Contact];

    /// The name used on the command line and in the panel.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Surface => "surface",
            Mode::Springs => "springs",
            Mode::Stretch => "stretch",
            Mode::Contact => "contact",
        }
    }

    /// `View::mode` of the shaders: they color nodes alike, whatever by.
    fn in_shaders(self) -> u32 {
        match self {
            Mode::Surface => 0,
            Mode::Springs => 1,
            Mode::Stretch | Mode::Contact => 2,
        }
    }
}

/// The look of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// What the picture shows.
    pub mode: Mode,
    /// Color of the front, to which the triangles' normals point, sRGB.
    pub front: [u8; 3],
    /// Color of the other side, sRGB.
    pub back: [u8; 3],
    /// Direction toward the key light; any length above zero.
    pub light: Vec3,
    /// Whether there is a ground.
    pub ground: bool,
    /// Height of the ground \[m\]; `None` for the height of a level plane among the colliders, or below the reach of
    /// the body if there is none.
    pub ground_height: Option<f32>,
    /// Stretch |l / r - 1| at the end of the color map; see [`super::nice_scale`].
    pub stretch_scale: f32,
    /// Which families of springs are shown: structural, shear, flexion, raw.
    pub families: [bool; 4],
    /// The caption below the picture.
    pub caption: Option<Caption>,
}

/// How much lighter the back of cloth in one color is, from 0 to 1.
const LIGHTER: f32 = 0.2;

impl Look {
    /// What is at the end of the color map of the mode, if it has one.
    pub(super) fn scale(&self) -> f32 {
        match self.mode {
            Mode::Contact => 1.0,
            _ => self.stretch_scale,
        }
    }

    /// Both sides in one color, sRGB.
    pub fn in_color(self, front: [u8; 3]) -> Self {
        Self { front, back: front.map(|c| c + (f32::from(255 - c) * LIGHTER) as u8), ..self }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self {
            mode: Mode::Surface,
            front: [52, 104, 132],
            back: [208, 172, 130],
            light: Vec3::new(-0.42, 0.80, 0.55),
            ground: true,
            ground_height: None,
            stretch_scale: 0.1,
            families: [true; 4],
            caption: None,
        }
    }
}

twin! {
    /// The uniform `View` of `render/view.wgsl`.
    #[derive(Debug)]
    pub(super) struct View = "View" {
        clip: [f32; 16],
        unproject: [f32; 16],
        eye: [f32; 4],
        light: [f32; 4],
        front: [f32; 4],
        back: [f32; 4],
        node_count: u32,
        mode: u32,
        encode: u32,
        families: u32,
        ground: f32,
        grid: f32,
        thread: f32,
        stretch_scale: f32,
        pixel: f32,
        padding: [u32; 3],
        ramp: [[f32; 4]; 16],
    }
}

impl View {
    pub(super) const LAYOUT: HostStruct = View::TWIN;
}

/// Facts about the model for the uniform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub node_count: u32,
    /// Largest extent of the body \[m\].
    pub size: f32,
    /// Default height of the ground \[m\].
    pub ground: f32,
}

impl View {
    pub(super) fn new(
        camera: &Camera,
        look: &Look,
        body: &Body,
        size: [u32; 2],
        encode: bool,
        taps: u32,
    ) -> Self {
        let aspect = size[0] as f32 / size[1] as f32;
        let light = look.light.try_normalize().unwrap_or(Vec3::Y);
        let families = look.families.iter().enumerate().map(|(k, on)| u32::from(*on) << k).sum();
        Self {
            clip: camera.view_projection(aspect).to_cols_array(),
            unproject: camera.unproject(aspect).to_cols_array(),
            eye: camera.homogeneous_eye().to_array(),
            light: light.extend(taps as f32).to_array(),
            front: linear_color(look.front),
            back: linear_color(look.back),
            node_count: body.node_count,
            mode: look.mode.in_shaders(),
            encode: u32::from(encode),
            families,
            ground: look.ground_height.unwrap_or(body.ground),
            grid: grid_spacing(body.size),
            thread: body.size / 300.0,
            stretch_scale: look.scale().max(1e-6),
            pixel: camera.height() / (camera.distance * size[1] as f32),
            padding: [0; 3],
            ramp: RAMP.map(linear_color),
        }
    }
}

/// A power of ten \[m\] near a fifth of the body's size.
fn grid_spacing(size: f32) -> f32 {
    10f32.powf((size.max(1e-6) / 4.0).log10().round())
}
