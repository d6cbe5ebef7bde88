//! The panel beside the picture.

use egui::{Align2, Color32, Context, Slider, Ui, Window};

use super::controls::Controls;
use super::input::KEYS;
use crate::render::Mode;
use crate::settings::MOST_COMPONENT;

/// The facts about the run that the panel shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    /// Names of the solvers, one a line.
    pub solvers: String,
    /// Numbers of nodes and springs.
    pub nodes: usize,
    pub springs: usize,
    /// Substeps a frame if there is one solver; with several, the captions show them.
    pub substeps: Option<u32>,
    /// The adapter.
    pub adapter: String,
    /// Simulated time \[s\].
    pub time: f64,
    /// Pictures per second.
    pub fps: f32,
    /// Simulated seconds per second.
    pub speed: f32,
    pub largest_stretch: f32,
    /// Estimated error of a substep as a part of the motion, if the solver estimates it.
    pub error: Option<f64>,
    pub has_air: bool,
    /// Whether nothing may push out of the plane z = const.
    pub planar: bool,
    /// What the results should be taken with care for.
    pub warnings: Vec<String>,
    /// The position at which the mouse pulls, in points.
    pub pulling: Option<[f32; 2]>,
}

/// Lays the panel out.
pub(super) fn show(context: &Context, report: &Report, controls: &mut Controls) {
    let window = Window::new("taffeta").anchor(Align2::LEFT_TOP, [12.0, 12.0]).resizable(false);
    // With several pictures the open panel would hide the first ones.
    let window = window.default_open(report.substeps.is_some());
    window.default_width(250.0).show(context, |ui| {
        if let Some(message) = &controls.message {
            ui.colored_label(Color32::from_rgb(255, 140, 90), message);
            ui.separator();
        }
        for warning in &report.warnings {
            ui.colored_label(Color32::from_rgb(240, 200, 90), warning);
            ui.separator();
        }
        facts(ui, report, controls);
        ui.horizontal(|ui| {
            if ui.button(if controls.paused { "run" } else { "pause" }).clicked() {
                controls.paused = !controls.paused;
            }
            if ui.button("one frame").clicked() {
                controls.paused = true;
                controls.step = true;
            }
            if ui.button("reset").clicked() {
                controls.reset = true;
            }
        });
        ui.separator();
        shown(ui, controls);
        ui.separator();
        forces(ui, report, controls);
        ui.separator();
        ui.label("mouse");
        let [low, high] = controls.stiffness_range;
        ui.add(Slider::new(&mut controls.stiffness, low..=high).logarithmic(true).text("stiffness [N/m]"));
        let [low, high] = controls.radius_range;
        ui.add(Slider::new(&mut controls.radius, low..=high).logarithmic(true).text("radius [m]"));
        ui.separator();
        ui.collapsing("keys", |ui| {
            egui::Grid::new("keys").num_columns(2).show(ui, |ui| {
                for (key, action) in KEYS {
                    ui.strong(key);
                    ui.label(action);
                    ui.end_row();
                }
            });
        });
    });
    if let Some([x, y]) = report.pulling {
        let painter = context.layer_painter(egui::LayerId::background());
        let at = egui::pos2(x, y);
        painter.circle_stroke(at, 9.0, egui::Stroke::new(3.0, Color32::from_black_alpha(120)));
        painter.circle_stroke(at, 9.0, egui::Stroke::new(1.5, Color32::WHITE));
    }
}

fn facts(ui: &mut Ui, report: &Report, controls: &Controls) {
    let state = if controls.paused { "paused" } else { "running" };
    egui::Grid::new("facts").num_columns(2).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.label(name);
            ui.strong(value);
            ui.end_row();
        };
        row("solver", report.solvers.clone());
        if let Some(substeps) = report.substeps {
            row("substeps", format!("{} a frame", thousands(substeps as usize)));
        }
        row("nodes", format!("{}, {} springs", thousands(report.nodes), thousands(report.springs)));
        row("time", format!("{:.2} s, {state}", report.time));
        row("speed", format!("{:.2} of real time", report.speed));
        row("pictures", format!("{:.0} a second", report.fps));
        row("largest stretch", format!("{:.2} %", 100.0 * report.largest_stretch));
        if let Some(share) = report.error {
            row("error", format!("about {:.1} % of the motion", 100.0 * share));
        }
        row("adapter", report.adapter.clone());
    });
}

fn shown(ui: &mut Ui, controls: &mut Controls) {
    let look = &mut controls.look;
    ui.horizontal(|ui| {
        for mode in Mode::ALL {
            ui.selectable_value(&mut look.mode, mode, mode.name());
        }
    });
    ui.checkbox(&mut look.ground, "ground");
    match look.mode {
        Mode::Surface => {}
        Mode::Contact if !controls.has_contact => {
            ui.label("nothing touches with contact off");
        }
        Mode::Contact => {}
        Mode::Springs => {
            ui.horizontal(|ui| {
                for (on, name) in look.families.iter_mut().zip(["structural", "shear", "flexion", "raw"]) {
                    ui.checkbox(on, name);
                }
            });
        }
        Mode::Stretch => {
            ui.checkbox(&mut controls.follow_stretch, "scale follows the largest stretch");
            let scale = Slider::new(&mut look.stretch_scale, 0.001..=10.0).logarithmic(true).text("scale");
            ui.add_enabled(!controls.follow_stretch, scale);
        }
    }
}

fn forces(ui: &mut Ui, report: &Report, controls: &mut Controls) {
    ui.label("gravity [m/s²]");
    // Each vector has a slider for each component: a slider of the length could not show the direction.
    let axes = if report.planar { &["x", "y"][..] } else { &["x", "y", "z"] };
    vector(ui, controls.gravity.as_mut(), axes, 20.0);
    ui.add_enabled_ui(report.has_air, |ui| {
        ui.label(if report.has_air { "wind [m/s]" } else { "wind: this scene has no air" });
        vector(ui, controls.wind.as_mut(), axes, 15.0);
    });
}

fn vector(ui: &mut Ui, components: &mut [f32; 3], axes: &[&str], most: f32) {
    for (value, name) in components.iter_mut().zip(axes) {
        let before = *value;
        ui.add(Slider::new(value, -most..=most).clamping(egui::SliderClamping::Never).text(*name));
        // Beyond this the simulation refuses them.
        *value = if value.is_nan() { before } else { value.clamp(-MOST_COMPONENT, MOST_COMPONENT) };
    }
}

/// A count with its digits in groups of three.
fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_are_grouped() {
        assert_eq!([7, 100, 1234, 1_000_000].map(super::thousands), ["7", "100", "1,234", "1,000,000"]);
    }
}
