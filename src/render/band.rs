//! Draws the band with the caption below a picture.

use egui::{Align2, Color32, FontId, Pos2, Rect, Vec2};

use super::Caption;

/// Size of the name, as fractions of the picture's width and height.
const TEXT: [f32; 2] = [0.052, 0.075];

/// Draws a band along the lower border of a picture of `size` points.
pub(super) fn paint(context: &egui::Context, size: Vec2, caption: &Caption) {
    let painter = context.layer_painter(egui::LayerId::background());
    let [red, green, blue] = caption.color;
    let color = Color32::from_rgb(red, green, blue);
    let text = (TEXT[0] * size.x).min(TEXT[1] * size.y);
    let lines = if caption.detail.is_empty() { 1.0 } else { 1.9 };
    let band = Rect::from_min_max(Pos2::new(0.0, size.y - (lines + 0.7) * text), Pos2::new(size.x, size.y));
    painter.rect_filled(band, 0.0, Color32::from_rgba_unmultiplied(255, 255, 255, 235));
    painter.rect_filled(Rect::from_min_size(band.min, Vec2::new(size.x, 0.14 * text)), 0.0, color);
    let write = |down: f32, words: &str, text: f32, ink| {
        let at = Pos2::new(size.x / 2.0, band.top() + down);
        painter.text(at, Align2::CENTER_CENTER, words, FontId::proportional(text), ink);
    };
    write(0.85 * text, &caption.name, text, color);
    write(1.95 * text, &caption.detail, 0.8 * text, Color32::from_rgb(28, 32, 38));
}
