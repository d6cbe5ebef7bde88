//! Pins that are moved.

use glam::{Quat, Vec3};

use super::Path;

/// Nodes that are pinned together and moved together.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingPin {
    /// Indices of the nodes; each starts at its initial position plus the path's displacement, turned before that.
    pub nodes: Vec<u32>,
    /// Displacement from the initial position \[m\] over time.
    pub path: Path,
    /// A rotation over time.
    pub turn: Option<Turn>,
}

/// A rotation about a fixed axis over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// A point of the axis \[m\].
    pub center: Vec3,
    /// Its direction; of any length from 1e-6 to 1e6.
    pub axis: Vec3,
    /// Angle \[rad\] over time, counterclockwise seen against the axis.
    pub angle: Path<f32>,
}

impl Turn {
    /// The rotation at `time` \[s\].
    pub fn rotation(&self, time: f64) -> Quat {
        Quat::from_axis_angle(self.axis.normalize(), self.angle.at(time))
    }

    /// The rotation that comes to it from `time` to `later` \[s\].
    pub fn between(&self, time: f64, later: f64) -> Quat {
        let angle = self.angle.at(later) - self.angle.at(time);
        Quat::from_axis_angle(self.axis.normalize(), angle)
    }
}

impl MovingPin {
    /// Whether it stays where it is at all times.
    pub fn is_still(&self) -> bool {
        self.path.is_constant() && self.turn.as_ref().is_none_or(|turn| turn.angle.is_constant())
    }

    /// Where a node is at `time` \[s\] that would be at `place` \[m\] without the pin's motion.
    pub fn at(&self, place: Vec3, time: f64) -> Vec3 {
        let turned = match &self.turn {
            Some(turn) => turn.center + turn.rotation(time) * (place - turn.center),
            None => place,
        };
        turned + self.path.at(time)
    }

    /// The place of a node that is at `start` \[m\] at time zero.
    pub fn place(&self, start: Vec3) -> Vec3 {
        let back = start - self.path.at(0.0);
        match &self.turn {
            Some(turn) => turn.center + turn.rotation(0.0).inverse() * (back - turn.center),
            None => back,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn a_pin_turns_then_moves() {
        let angle = Path::new(vec![(0.0, FRAC_PI_2), (1.0, 2.0 * FRAC_PI_2)]).unwrap();
        let pin = MovingPin {
            nodes: vec![0],
            path: Path::new(vec![(0.0, Vec3::ZERO), (1.0, 3.0 * Vec3::Z)]).unwrap(),
            turn: Some(Turn { center: Vec3::X, axis: 5.0 * Vec3::Y, angle }),
        };
        assert!(!pin.is_still());
        let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-6, "{a} {b}");
        near(pin.at(2.0 * Vec3::X, 0.0), Vec3::X - Vec3::Z);
        near(pin.at(2.0 * Vec3::X, 1.0), 3.0 * Vec3::Z);
        near(pin.place(Vec3::X - Vec3::Z), 2.0 * Vec3::X);
    }
}
