//! The picture: the bodies side by side, each in its solver's colour, seen from the same place.

use glam::{Vec3, Vec4};

use super::row::{Row, Verdict};
use super::{Comparison, color, millimetres};
use crate::Error;
use crate::chart::PALETTE;
use crate::gpu::{Buffer, Gpu, Requirements, Usage};
use crate::model::Model;
use crate::render::{Camera, Caption, Image, Look, Renderer, Scene};
use crate::simulation::Surface;

/// White between two bodies, as a part of the picture's larger side.
const GAP: f32 = 0.004;
/// How much lighter the other side of cloth is, from 0 to 1.
const LIGHTER: f32 = 0.2;

/// How a picture is made.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Width and height \[pixels\].
    pub size: [u32; 2],
    /// From which direction it is seen; the distance is chosen so that every body is in view.
    pub camera: Option<Camera>,
}

/// What drawing needs of the GPU.
pub fn requirements(model: &Model, layout: &Layout) -> Requirements {
    let [width, height] = layout.size.map(u64::from);
    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT.into());
    Renderer::requirements(model).max(Requirements { largest_binding: 0, largest_buffer: row * height })
}

/// Draws the last run of every solver that moved at all. Runs that broke down are drawn as they were before.
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
    let gap = (GAP * width.max(height) as f32).ceil() as u32;
    let columns = columns(layout.size, shown.len() as u32);
    let rows = (shown.len() as u32).div_ceil(columns);
    let side = |whole: u32, parts: u32| (whole.saturating_sub(gap * (parts - 1)) / parts).max(1);
    let [wide, high] = [side(width, columns), side(height, rows)];
    let [low, up] = bounds(&shown);
    let camera = camera(layout, low, up, wide as f32 / high as f32);
    let mut renderer = Renderer::new(gpu, model, Renderer::IMAGE_FORMAT)?;
    let time = comparison.shown_at;
    let ground = renderer.has_ground(time, low.y);
    let surface = Surface::new(gpu, model)?;
    let stretch = Buffer::zeroed(gpu, "stretch", model.node_count(), Usage::empty())?;
    for (index, row) in shown.into_iter().enumerate() {
        let Some(state) = &row.shown else { continue };
        let positions: Vec<Vec4> = state.position.iter().map(|x| x.extend(0.0)).collect();
        let positions = Buffer::from_slice(gpu, "positions", &positions, Usage::empty())?;
        let scene =
            Scene { model, positions: &positions, stretch: &stretch, surface: &surface, time: state.time };
        let front = PALETTE[color(row.solver) % PALETTE.len()];
        let look = Look {
            front,
            back: front.map(|c| c + (f32::from(255 - c) * LIGHTER) as u8),
            ground,
            caption: Some(Caption {
                name: row.solver.name().into(),
                detail: detail(comparison, row),
                color: front,
            }),
            ..Look::default()
        };
        let body = renderer.render_to_image(gpu, &scene, &camera, &look, wide, high)?;
        let index = index as u32;
        picture.paste(&body, index % columns * (wide + gap), index / columns * (high + gap));
    }
    Ok(picture)
}

/// Columns that leave each body the largest square.
fn columns([width, height]: [u32; 2], count: u32) -> u32 {
    let side = |columns: u32| (width / columns).min(height / count.div_ceil(columns));
    // Of equal ones the fewest columns: fewer places stay empty.
    (1..=count).rev().max_by_key(|&columns| side(columns)).unwrap_or(1)
}

/// The box around all bodies that are in good order, around all where none is. Others may stick out of it, but those
/// that came to their end make it up to twice as large.
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

/// The box around the bodies with such a verdict.
fn extent(shown: &[&Row], is_wanted: impl Fn(Verdict) -> bool) -> Option<[Vec3; 2]> {
    let states = shown.iter().filter(|row| is_wanted(row.verdict)).filter_map(|row| row.shown.as_ref());
    let points = states.flat_map(|state| &state.position).filter(|x| x.is_finite());
    points.fold(None, |found: Option<[Vec3; 2]>, x| match found {
        None => Some([*x, *x]),
        Some([low, high]) => Some([low.min(*x), high.max(*x)]),
    })
}

/// The same view for all bodies, above their captions.
fn camera(layout: &Layout, low: Vec3, high: Vec3, aspect: f32) -> Camera {
    let mut camera = layout.camera.unwrap_or_else(|| Camera::framing(low, high));
    camera.frame(low, high);
    // Framing is for pictures wider than high; captions take a part of the height.
    camera.distance *= 1.15 / aspect.min(1.0);
    camera.pan(0.0, -0.06);
    camera
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
                Some(distance) => format!("{} off at {seconds:.2} s{}", millimetres(distance), gain(row)),
                None => format!("at {seconds:.2} s{}", gain(row)),
            }
        }
        Verdict::BrokeDown if row.reached < seconds => format!("broke down after {:.2} s", row.reached),
        Verdict::BrokeDown => format!("at {seconds:.2} s; broke down after {:.2} s", row.reached),
        Verdict::Refused => String::new(),
    }
}

/// Words for a run with energy from nowhere.
fn gain(row: &Row) -> &'static str {
    if row.verdict == Verdict::GainedEnergy { "; gains energy" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn bodies_get_as_much_room_as_there_is() {
        for (size, count, expected) in [
            ([1280, 720], 1, 1),
            ([1280, 720], 2, 2),
            ([1280, 720], 3, 3),
            ([1280, 720], 6, 3),
            ([1280, 720], 8, 4),
            ([400, 1200], 3, 1),
            ([1600, 400], 4, 4),
        ] {
            assert_eq!(columns(size, count), expected, "{count} in {size:?}");
        }
    }
}
