//! Keys and the mouse.

use winit::event::{ElementState, MouseButton, MouseScrollDelta};
use winit::keyboard::{Key, ModifiersState, NamedKey};

use super::controls::Controls;
use crate::render::Mode;

/// Turn of the camera for one press of an arrow key \[rad\].
const TURN: f32 = 0.06;
/// Change of the distance for one press of a key or one notch of the wheel.
const NOTCH: f32 = 0.9;

/// The keys and what they do, as shown in the panel.
pub(super) const KEYS: [(&str, &str); 12] = [
    ("Space", "pause or run"),
    ("S  .", "one frame"),
    ("R", "back to the start"),
    ("1 2 3 4", "surface, springs, stretch, contact"),
    ("F", "show the whole body"),
    ("Left drag", "pull the cloth; beside it, turn"),
    ("Right drag", "turn"),
    ("Middle drag", "shift (also Shift + right)"),
    ("Wheel  + −", "nearer, farther"),
    ("Arrows", "turn"),
    ("G", "ground on or off"),
    ("Esc", "quit"),
];

/// Handles a key press.
pub(super) fn key(key: &Key, repeat: bool, controls: &mut Controls) {
    match key {
        Key::Named(NamedKey::ArrowLeft) => controls.camera.orbit(-TURN, 0.0),
        Key::Named(NamedKey::ArrowRight) => controls.camera.orbit(TURN, 0.0),
        Key::Named(NamedKey::ArrowUp) => controls.camera.orbit(0.0, TURN),
        Key::Named(NamedKey::ArrowDown) => controls.camera.orbit(0.0, -TURN),
        Key::Named(NamedKey::Escape) => controls.quit = true,
        Key::Named(NamedKey::Space) if !repeat => controls.paused = !controls.paused,
        Key::Character(text) => match text.to_lowercase().as_str() {
            "+" | "=" => controls.camera.zoom(NOTCH),
            "-" | "_" => controls.camera.zoom(1.0 / NOTCH),
            "s" | "." => {
                controls.paused = true;
                controls.step = true;
            }
            "r" => controls.reset = true,
            "f" => controls.frame = true,
            "g" if !repeat => controls.look.ground = !controls.look.ground,
            "1" => controls.look.mode = Mode::ALL[0],
            "2" => controls.look.mode = Mode::ALL[1],
            "3" => controls.look.mode = Mode::ALL[2],
            "4" => controls.look.mode = Mode::ALL[3],
            _ => {}
        },
        _ => {}
    }
}

/// What moving the mouse does while a button is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Motion {
    /// Nothing.
    #[default]
    None,
    /// Turns the camera.
    Orbit,
    /// Shifts the camera.
    Pan,
    /// Pulls the cloth.
    Pull,
}

/// The mouse and the keys held with it.
#[derive(Debug, Default)]
pub(super) struct Mouse {
    /// Position in the window [pixels].
    pub at: [f32; 2],
    pub motion: Motion,
    pub modifiers: ModifiersState,
    button: Option<MouseButton>,
}

impl Mouse {
    /// Handles a button that goes down or up. Returns the motion that starts, or `Motion::None` if one ends.
    pub fn press(&mut self, button: MouseButton, state: ElementState) -> Option<Motion> {
        if state == ElementState::Released {
            // Only the button that began a motion ends it.
            return (self.button == Some(button)).then(|| {
                self.button = None;
                std::mem::take(&mut self.motion);
                Motion::None
            });
        }
        if self.button.is_some() {
            return None;
        }
        self.motion = match button {
            MouseButton::Left => Motion::Pull,
            MouseButton::Right if self.modifiers.shift_key() => Motion::Pan,
            MouseButton::Right => Motion::Orbit,
            MouseButton::Middle => Motion::Pan,
            _ => return None,
        };
        self.button = Some(button);
        Some(self.motion)
    }

    /// Handles a move of the mouse within a window of this height [pixels].
    pub fn travel(&mut self, to: [f32; 2], height: f32, controls: &mut Controls) {
        let [right, down] = [to[0] - self.at[0], to[1] - self.at[1]].map(|d| d / height.max(1.0));
        self.at = to;
        match self.motion {
            // A move across the window's height is half a turn.
            Motion::Orbit => controls.camera.orbit(-3.2 * right, 3.2 * down),
            Motion::Pan => controls.camera.pan(right, down),
            Motion::Pull | Motion::None => {}
        }
    }
}

/// Handles a turn of the wheel.
pub(super) fn wheel(delta: MouseScrollDelta, controls: &mut Controls) {
    let notches = match delta {
        MouseScrollDelta::LineDelta(_, y) => y,
        MouseScrollDelta::PixelDelta(p) => p.y as f32 / 50.0,
    };
    controls.camera.zoom(NOTCH.powf(notches.clamp(-20.0, 20.0)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_button_does_not_disturb_the_first() {
        let mut mouse = Mouse::default();
        assert_eq!(mouse.press(MouseButton::Left, ElementState::Pressed), Some(Motion::Pull));
        assert_eq!(mouse.press(MouseButton::Right, ElementState::Pressed), None);
        assert_eq!(mouse.press(MouseButton::Right, ElementState::Released), None);
        assert_eq!(mouse.motion, Motion::Pull);
        assert_eq!(mouse.press(MouseButton::Left, ElementState::Released), Some(Motion::None));
    }
}
