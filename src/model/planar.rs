//! Models in a plane z = const: forces between their nodes have no z component, so the nodes stay in the plane.

use super::{Load, Model, ModelError, Push, Turn};
use crate::state::State;

impl Model {
    /// Checks that nothing leaves a plane z = const: positions and velocities at the start, paths of pins and handles,
    /// loads. Each copy of a batch may have its own plane.
    pub fn check_planar(&self) -> Result<(), ModelError> {
        self.check_planar_state(&self.initial)?;
        if let Some(index) = self.loads.iter().position(Load::is_pressure) {
            let message = "a pressure pushes out of the plane; planar = true has none".into();
            return Err(ModelError::Load { index, message });
        }
        let pins = self.moving_pins.iter().map(|pin| (pin.nodes.first(), &pin.path, "the path of a pin"));
        let handles =
            self.handles.iter().map(|h| (h.nodes.first().map(|n| &n.0), &h.path, "the path of a handle"));
        let is_flat = |turn: &Turn| turn.axis.x == 0.0 && turn.axis.y == 0.0;
        let tilted = self.moving_pins.iter().find(|pin| pin.turn.as_ref().is_some_and(|t| !is_flat(t)));
        if let Some((pin, &node)) = tilted.and_then(|pin| Some((pin, pin.nodes.first()?))) {
            let axis = pin.turn.as_ref().map(|turn| turn.axis).unwrap_or_default();
            return Err(ModelError::TurnOutOfPlane { body: self.body_of(node).name.clone(), axis });
        }
        let loads = self.loads.iter().filter_map(|load| match &load.push {
            Push::Force(force) => Some((load.nodes.first(), force, "the force of a load")),
            Push::Pressure(_) => None,
        });
        for (node, path, what) in pins.chain(handles).chain(loads) {
            if let (Some(&node), Some(away)) = (node, path.values().find(|d| d.z != 0.0)) {
                let body = self.body_of(node).name.clone();
                return Err(ModelError::OutOfPlane { body, what: what.into(), z: away.z });
            }
        }
        Ok(())
    }

    /// The same check for a state.
    pub fn check_planar_state(&self, state: &State) -> Result<(), ModelError> {
        let body = |node: usize| self.body_of(node as u32).name.clone();
        for (node, x) in state.position.iter().enumerate() {
            let first = node / self.nodes_per_copy() * self.nodes_per_copy();
            let plane = state.position[first].z;
            if x.z != plane {
                return Err(ModelError::OffPlane { body: body(node), node, z: x.z, first, plane });
            }
        }
        match state.velocity.iter().enumerate().find(|(_, v)| v.z != 0.0) {
            None => Ok(()),
            Some((node, v)) => {
                let what = format!("the velocity of node {node}");
                Err(ModelError::OutOfPlane { body: body(node), what, z: v.z })
            }
        }
    }
}
