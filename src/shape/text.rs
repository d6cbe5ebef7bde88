//! Text as cloth or as a solid: the glyphs of a font, filled with triangles or prisms.

mod attach;
mod font;
mod glyph;
mod layout;
mod mesh;
mod outline;
mod quality;
mod resample;
mod room;
mod smooth;
mod triangulate;
mod volume;

use glam::Vec3;

pub use attach::Islands;
pub use font::Font;
pub use layout::Align;
pub use mesh::TextMesh;
pub use quality::MeshQuality;

use super::{LatticeMaterial, Placement, ShapeError, Surface, check};
use crate::model::{Body, Family, Spring};
use layout::Layout;
use mesh::Outlines;

/// Resolution of the mesh of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// Wanted length of the edges \[m\].
    Spacing(f32),
    /// Wanted number of nodes of the triangles; a volume has this number in each layer of nodes.
    Nodes(u32),
}

/// Form and material of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextForm {
    /// A sheet of triangles.
    Sheet(Surface),
    /// A solid of prisms over the same triangles.
    Volume {
        /// Its thickness \[m\], half of it on each side of the plane of the text.
        thickness: f32,
        /// Its material.
        material: LatticeMaterial,
    },
}

/// A text in a font. Before placement it is upright and faces +z: x is to the right, y up, and the baseline of the
/// first line goes through the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The characters; a line break begins a new line.
    pub text: String,
    /// Its font.
    pub font: Font,
    /// Size of an em \[m\], as in typography; capitals are about 0.7 em high.
    pub size: f32,
    /// Resolution of the mesh.
    pub resolution: Resolution,
    /// Extra space after each glyph \[m\]; may be negative.
    pub letter_spacing: f32,
    /// Distance of the lines as a multiple of the font's own \[1\].
    pub line_spacing: f32,
    /// Horizontal alignment of the lines to the origin.
    pub align: Align,
    /// Which islands are attached to each other.
    pub islands: Islands,
    /// Its form and material.
    pub form: TextForm,
    /// Rotations about the x, y and z axes, in this order \[degrees\].
    pub rotate: Vec3,
    /// Displacement after the rotations \[m\].
    pub translate: Vec3,
}

impl Text {
    /// A text of this form with the settings that a scene file has by default: the bundled font, aligned left.
    pub fn new(text: impl Into<String>, size: f32, resolution: Resolution, form: TextForm) -> Self {
        Self {
            text: text.into(),
            font: Font::bundled(),
            size,
            resolution,
            letter_spacing: 0.0,
            line_spacing: 1.0,
            align: Align::default(),
            islands: Islands::default(),
            form,
            rotate: Vec3::ZERO,
            translate: Vec3::ZERO,
        }
    }

    /// Makes the body.
    pub fn build(&self) -> Result<Body, ShapeError> {
        self.body(&self.mesh()?)
    }

    /// Makes its triangles.
    pub fn mesh(&self) -> Result<TextMesh, ShapeError> {
        self.check()?;
        let size = f64::from(self.size);
        let layout = Layout {
            align: self.align,
            letter_spacing: f64::from(self.letter_spacing) / size,
            line_spacing: self.line_spacing.into(),
        };
        let placed = layout.place(&self.font, &self.text)?;
        let outlines = Outlines::new(&self.font, &self.text, &placed)?;
        let extent = outlines.extent();
        if extent[0] == 0.0 {
            return Err(ShapeError::new("text", self.quoted(), "it has nothing to fill; give it a letter"));
        }
        let mesh = match self.resolution {
            Resolution::Spacing(spacing) => {
                let relative = f64::from(spacing) / size;
                mesh::check_count(extent, relative, spacing)?;
                outlines.mesh(relative, size)?
            }
            Resolution::Nodes(nodes) => outlines.mesh_of(nodes, size)?,
        };
        let far = mesh.points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        let far = far.max(self.translate.abs().max_element().into());
        if mesh.quality.edges[0] < 64.0 * f64::from(f32::EPSILON) * far {
            let allowed = "too small or too fine so far from the origin: edges would be lost to rounding";
            return Err(ShapeError::new("size", self.size, allowed));
        }
        Ok(mesh)
    }

    /// The body of a mesh that [`Text::mesh`] has made.
    pub fn body(&self, mesh: &TextMesh) -> Result<Body, ShapeError> {
        let place = Placement { scale: 1.0, rotate: self.rotate, translate: self.translate }.place();
        let links = attach::links(mesh, self.islands);
        let mut body = match self.form {
            TextForm::Sheet(surface) => {
                let points = mesh.points.iter().map(|p| place(p.extend(0.0).as_vec3())).collect();
                let mut body = surface.body(points, mesh.triangles.clone());
                attach_sheet(&mut body, &links, &surface);
                body.glyphs = mesh.glyphs.clone();
                body
            }
            TextForm::Volume { thickness, material } => {
                let mut body = volume::body(mesh, &links, thickness, &material)?;
                body.rest_position.iter_mut().for_each(|p| *p = place(*p));
                body
            }
        };
        body.name = "text".into();
        Ok(body)
    }

    fn quoted(&self) -> String {
        format!("{:?}", self.text)
    }

    fn check(&self) -> Result<(), ShapeError> {
        if self.text.chars().all(char::is_whitespace) {
            return Err(ShapeError::new(
                "text",
                self.quoted(),
                "it must have at least one letter to be seen",
            ));
        }
        if let Some((i, c)) = self.text.chars().enumerate().find(|(_, c)| c.is_control() && *c != '\n') {
            let allowed = format!(
                "character {i} is the control character U+{:04X}; only line breaks (\\n) are allowed",
                u32::from(c)
            );
            return Err(ShapeError::new("text", self.quoted(), allowed));
        }
        check::positive("size", self.size)?;
        check::point("size", Vec3::splat(self.size))?;
        match self.resolution {
            Resolution::Spacing(spacing) => {
                check::positive("spacing", spacing)?;
                if spacing > self.size {
                    let allowed = format!("it must be at most the size of the text, {} m", self.size);
                    return Err(ShapeError::new("spacing", spacing, allowed));
                }
            }
            Resolution::Nodes(nodes) => check::count("nodes", nodes, 3)?,
        }
        let most = 100.0 * self.size;
        if !(self.letter_spacing.is_finite() && self.letter_spacing.abs() <= most) {
            let allowed = format!("it must be a number of at most 100 sizes, {most} m, to either side");
            return Err(ShapeError::new("letter-spacing", self.letter_spacing, allowed));
        }
        if !(0.0..=100.0).contains(&self.line_spacing) {
            return Err(ShapeError::new(
                "line-spacing",
                self.line_spacing,
                "it must be a number from 0 to 100",
            ));
        }
        check::point("rotate", self.rotate)?;
        check::point("translate", self.translate)?;
        match self.form {
            TextForm::Sheet(surface) => surface.check(),
            TextForm::Volume { thickness, material } => {
                check::positive("thickness", thickness)?;
                check::point("thickness", Vec3::splat(thickness))?;
                material.check()
            }
        }
    }
}

/// Joins islands of a sheet by springs with the average stiffness of those inside.
fn attach_sheet(body: &mut Body, links: &[[u32; 2]], surface: &Surface) {
    let structural = body.springs.iter().filter(|s| s.family == Family::Structural);
    let (count, sum) = structural.fold((0, 0.0), |(n, sum), s| (n + 1, sum + f64::from(s.stiffness)));
    let stiffness = (sum / f64::from(count)) as f32;
    for &nodes in links {
        let [a, b] = nodes.map(|n| body.rest_position[n as usize]);
        let dashpot = surface.damping.dashpot(stiffness);
        body.springs.push(Spring {
            nodes,
            rest_length: a.distance(b),
            stiffness,
            dashpot,
            family: Family::Structural,
        });
    }
}

#[cfg(test)]
mod tests;
