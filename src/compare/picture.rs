//! The picture: the bodies side by side, each in its solver's color, with the same view.

use glam::{Vec3, Vec4};

use super::row::{Row, Verdict};
use super::{Comparison, color, millimeters};
use crate::Error;
use crate::chart::PALETTE;
use crate::gpu::{Buffer, Gpu, Requirements, Usage};
use crate::model::Model;
use crate::render::{Camera, Caption, Cells, Image, Look, Renderer, Scene};
use crate::simulation::Surface;

/// Options of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Width and height \[pixels\].
    pub size: [u32; 2],
    /// The direction of view; the distance is chosen so that every body is in view.
    pub camera: Option<Camera>,
    /// Whether the scene is planar; then the default view is along -z.
    pub planar: bool,
}

/// Requirements on the GPU for drawing.
pub fn requirements(model: &Model, layout: &Layout) -> Requirements {
    let [width, height] = layout.size.map(u64::from);
    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT.into());
    Renderer::requirements(model).max(Requirements { largest_binding: 0, largest_buffer: row * height })
}

/// Draws the last run of every solver that took any step. Runs that broke down are drawn in their state before that.
pub fn picture(gpu: &Gpu, model: &Model, comparison: &Comparison, layout: &Layout) -> Result<Image, Error> {
    let shown: Vec<&Row> = comparison
        .solvers()
        .into_iter()
        .filter_map(|solver| comparison.rows.iter().rfind(|row| row.solver == solver && row.shown.is_some()))
        .collect();
    let [width, height] = layout.size;
    let mut picture = Image::plain(width, height, [255; 3]);
    if shown.is_empty() {
        return Ok(picture);
    }
    let cells = Cells::new(layout.size, shown.len() as u32);
    let [low, up] = bounds(&shown);
    let default = if layout.planar { Camera::facing } else { Camera::framing };
    let mut camera = layout.camera.unwrap_or_else(|| default(low, up));
    cells.frame(&mut camera, low, up);
    let mut renderer = Renderer::new(gpu, model, Renderer::IMAGE_FORMAT)?;
    let time = comparison.shown_at;
    let ground = renderer.has_ground(time, low.y);
    let surface = Surface::new(gpu, model)?;
    let stretch = Buffer::zeroed(gpu, "stretch", model.node_count(), Usage::empty())?;
    for (index, row) in shown.into_iter().enumerate() {
        let Some(state) = &row.shown else { continue };
        let positions: Vec<Vec4> = state.position.iter().map(|x| x.extend(0.0)).collect();
        let positions = model.order().by_place(&positions);
        let positions = Buffer::from_slice(gpu, "positions", &positions, Usage::empty())?;
        let scene = Scene {
            model,
            positions: &positions,
            stretch: &stretch,
            nearness: None,
            surface: &surface,
            time: state.time,
        };
        let front = PALETTE[color(row.solver) % PALETTE.len()];
        let look = Look {
            ground,
            caption: Some(Caption {
                name: row.solver.name().into(),
                detail: detail(comparison, row),
                color: front,
            }),
            ..Look::default().in_color(front)
        };
        let [wide, high] = cells.size;
        let body = renderer.render_to_image(gpu, &scene, &camera, &look, wide, high)?;
        let [x, y] = cells.corner(index as u32);
        picture.paste(&body, x, y);
    }
    Ok(picture)
}

/// The bounding box of the bodies whose runs were stable, or of all bodies if none was. Bodies of other runs that
/// reached their end enlarge it, up to twice the size; the rest may extend beyond it.
fn bounds(shown: &[&Row]) -> [Vec3; 2] {
    let stable = extent(shown, |verdict| verdict == Verdict::Stable);
    let ended = extent(shown, |verdict| matches!(verdict, Verdict::Stable | Verdict::GainedEnergy));
    match (stable, ended) {
        (Some([low, high]), Some([lower, higher])) => {
            let room = (high - low) / 2.0;
            [lower.max(low - room), higher.min(high + room)]
        }
        (_, ended) => ended.or_else(|| extent(shown, |_| true)).unwrap_or([-Vec3::ONE, Vec3::ONE]),
    }
}

/// The bounding box of the bodies with such a verdict.
fn extent(shown: &[&Row], is_wanted: impl Fn(Verdict) -> bool) -> Option<[Vec3; 2]> {
    let states = shown.iter().filter(|row| is_wanted(row.verdict)).filter_map(|row| row.shown.as_ref());
    let points = states.flat_map(|state| &state.position).filter(|x| x.is_finite());
    points.fold(None, |found: Option<[Vec3; 2]>, x| match found {
        None => Some([*x, *x]),
        Some([low, high]) => Some([low.min(*x), high.max(*x)]),
    })
}

/// A line about a run.
fn detail(comparison: &Comparison, row: &Row) -> String {
    let seconds = comparison.shown_at;
    match row.verdict {
        Verdict::Stable | Verdict::GainedEnergy => {
            let nearest = row.history.iter().min_by(|a, b| {
                let off = |time: f64| (time - seconds).abs();
                off(a.time).total_cmp(&off(b.time))
            });
            match nearest.and_then(|sample| sample.distance) {
                Some(distance) => format!("{} off at {seconds:.2} s{}", millimeters(distance), gain(row)),
                None => format!("at {seconds:.2} s{}", gain(row)),
            }
        }
        Verdict::BrokeDown if row.reached < seconds => format!("broke down after {:.2} s", row.reached),
        Verdict::BrokeDown => format!("at {seconds:.2} s; broke down after {:.2} s", row.reached),
        Verdict::Refused => String::new(),
    }
}

/// Words for a run that gained energy.
fn gain(row: &Row) -> &'static str {
    if row.verdict == Verdict::GainedEnergy { "; gains energy" } else { "" }
}
