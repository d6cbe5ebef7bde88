//! User input: keys, the mouse, and the cloth that it holds.

use winit::event::{ElementState, WindowEvent};

use super::{App, SETTLE};
use crate::Error;
use crate::render::{Cells, Ray};
use crate::viewer::controls::Controls;
use crate::viewer::input::{self, Motion};
use crate::viewer::reach::{Reach, Reached};

impl App {
    /// The ray under the mouse in a picture.
    fn ray(&self, cells: Cells, picture: usize) -> Ray {
        let [x, y] = cells.place(picture as u32, self.mouse.at);
        self.controls.camera.ray(x, y, cells.aspect())
    }

    pub(super) fn event(&mut self, event: WindowEvent) -> Result<(), Error> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let taken = stage.screen.take_event(&event);
        let cells = stage.cells();
        self.settle = SETTLE;
        match event {
            WindowEvent::CloseRequested => self.controls.quit = true,
            WindowEvent::Resized(size) => stage.resize(size.into()),
            WindowEvent::ModifiersChanged(modifiers) => self.mouse.modifiers = modifiers.state(),
            WindowEvent::KeyboardInput { event, .. }
                if event.state == ElementState::Pressed && !stage.screen.types() =>
            {
                input::key(&event.logical_key, event.repeat, &mut self.controls);
            }
            WindowEvent::MouseWheel { delta, .. } if !taken => input::wheel(delta, &mut self.controls),
            WindowEvent::CursorMoved { position, .. } => {
                let to = [position.x as f32, position.y as f32];
                self.mouse.travel(to, cells.size[1] as f32, &mut self.controls);
                if let Some((player, drag)) = self.drag {
                    let ray = self.ray(cells, player);
                    if let Some(stage) = &mut self.stage {
                        drag.pull(&mut stage.players[player].simulation, ray)?;
                    }
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                if taken && state == ElementState::Pressed {
                    return Ok(());
                }
                match self.mouse.press(button, state) {
                    Some(Motion::Pull) => self.reach_out(cells),
                    Some(Motion::None) => {
                        self.reach = None;
                        if let (Some((player, drag)), Some(stage)) = (self.drag.take(), &mut self.stage) {
                            drag.end(&mut stage.players[player].simulation);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Begins to reach for the cloth under the mouse.
    fn reach_out(&mut self, cells: Cells) {
        let player = cells.at(self.mouse.at).map(|index| index as usize);
        let ray = player.map(|player| self.ray(cells, player));
        self.reach = match (player, ray, &self.stage) {
            (Some(player), Some(ray), Some(stage)) => {
                Some(Reach::begin(player, &stage.players[player].simulation, ray))
            }
            _ => None,
        };
        if self.reach.is_none() {
            self.mouse.motion = Motion::Orbit;
        }
    }

    /// Grabs the node that was under the mouse, or turns the camera if there is none.
    pub(super) fn go_on_reaching(&mut self) -> Result<(), Error> {
        let (Some(reach), Some(stage)) = (&mut self.reach, &mut self.stage) else { return Ok(()) };
        let Controls { camera, stiffness, radius, .. } = &self.controls;
        let (player, cells) = (reach.player, stage.cells());
        let simulation = &mut stage.players[player].simulation;
        match reach.go_on(simulation, camera, *stiffness, *radius)? {
            Reached::Waits => return Ok(()),
            Reached::Nothing => self.mouse.motion = Motion::Orbit,
            Reached::Holds(drag) => {
                self.drag = Some((player, drag));
                // The mouse may have moved since.
                let ray = self.ray(cells, player);
                if let Some(stage) = &mut self.stage {
                    drag.pull(&mut stage.players[player].simulation, ray)?;
                }
            }
        }
        self.reach = None;
        Ok(())
    }
}
