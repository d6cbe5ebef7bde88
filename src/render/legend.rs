//! The legend of the color map and the caption, drawn by egui into windows and images.

use egui::{Align2, Color32, FontId, Mesh, Pos2, Rect, Stroke, StrokeKind, Vec2};

use super::colors::RAMP;
use super::overlay::Overlay;
use super::{Look, Mode, band};
use crate::gpu::Gpu;

/// Height of a picture for which a point is a pixel.
const POINTS: f32 = 720.0;

pub(super) struct Legend {
    context: egui::Context,
    overlay: Overlay,
}

impl Legend {
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        Self { context: egui::Context::default(), overlay: Overlay::new(gpu, format) }
    }

    /// Whether a look has a legend or a caption.
    pub fn is_wanted(look: &Look) -> bool {
        title(look.mode).is_some() || look.caption.is_some()
    }

    /// Records the legend and the caption of the look over the picture in `target`.
    pub fn record(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        look: &Look,
    ) {
        let pixels_per_point = (size[1] as f32 / POINTS).max(0.5);
        let points = Vec2::new(size[0] as f32, size[1] as f32) / pixels_per_point;
        let mut input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, points)),
            ..Default::default()
        };
        input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point =
            Some(pixels_per_point);
        let output = self.context.run_pass(input, |context| {
            if let Some(title) = title(look.mode) {
                paint(context, points, title, |t| label(look, t));
            }
            if let Some(caption) = &look.caption {
                band::paint(context, points, caption);
            }
        });
        self.overlay.record(gpu, encoder, target, size, &self.context, output);
    }
}

/// What the color map of a mode shows, if it has one.
fn title(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Surface | Mode::Springs => None,
        Mode::Stretch => Some("largest stretch |l / r − 1|"),
        Mode::Contact => Some("distance to what is near, in thicknesses"),
    }
}

/// What is at a part of the color map.
fn label(look: &Look, part: f32) -> String {
    match look.mode {
        Mode::Contact => format!("{}", 2.0 - part),
        _ => percent(part * look.scale()),
    }
}

/// The color map; `label`: what is at a part of it.
fn paint(context: &egui::Context, points: Vec2, title: &str, label: impl Fn(f32) -> String) {
    let painter = context.layer_painter(egui::LayerId::background());
    let ink = Color32::from_rgb(28, 32, 38);
    let width = 260.0f32.min(points.x - 60.0);
    let bar = Rect::from_min_size(points.to_pos2() - Vec2::new(width + 38.0, 58.0), Vec2::new(width, 14.0));
    let card = Rect::from_min_max(bar.min - Vec2::new(16.0, 34.0), bar.max + Vec2::new(24.0, 30.0));
    painter.rect_filled(card, 6.0, Color32::from_rgba_unmultiplied(255, 255, 255, 215));
    let above = Pos2::new(bar.left(), bar.top() - 9.0);
    painter.text(above, Align2::LEFT_BOTTOM, title, FontId::proportional(14.0), ink);

    let mut mesh = Mesh::default();
    for (k, c) in RAMP.iter().enumerate() {
        let x = egui::lerp(bar.x_range(), k as f32 / (RAMP.len() - 1) as f32);
        let color = Color32::from_rgb(c[0], c[1], c[2]);
        mesh.colored_vertex(Pos2::new(x, bar.top()), color);
        mesh.colored_vertex(Pos2::new(x, bar.bottom()), color);
        if k > 0 {
            let i = 2 * k as u32;
            mesh.add_triangle(i - 2, i - 1, i);
            mesh.add_triangle(i, i - 1, i + 1);
        }
    }
    painter.add(mesh);
    painter.rect_stroke(bar, 0.0, Stroke::new(1.0, ink), StrokeKind::Outside);

    const TICKS: u32 = 4;
    for k in 0..=TICKS {
        let t = k as f32 / TICKS as f32;
        let x = egui::lerp(bar.x_range(), t);
        painter.vline(x, bar.bottom()..=bar.bottom() + 4.0, Stroke::new(1.0, ink));
        let at = Pos2::new(x, bar.bottom() + 6.0);
        painter.text(at, Align2::CENTER_TOP, label(t), FontId::proportional(13.0), ink);
    }
}

/// A fraction in percent, with as many digits as needed.
fn percent(share: f32) -> String {
    let value = format!("{:.3}", f64::from(share) * 100.0);
    format!("{} %", value.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn labels_have_no_digit_too_many() {
        assert_eq!(
            [0.0, 0.025, 0.1, 0.00025, 5.0].map(percent),
            ["0 %", "2.5 %", "10 %", "0.025 %", "500 %"]
        );
    }
}
