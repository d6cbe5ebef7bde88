//! The quantities that a scene conserves, so that any change of them is due to the solver.

use glam::DVec3;
use serde::Serialize;

use crate::measure::energy;
use crate::model::Model;
use crate::reference::State64;
use crate::settings::{Settings, World};

/// What is conserved in a scene, and what drifts of it are compared with.
#[derive(Clone, Debug, Serialize)]
pub struct Kept {
    /// Largest kinetic and elastic energy together on the converged way \[J\]; `None` where energy is not kept.
    pub energy_scale: Option<f64>,
    /// Largest sum of m |v| on the converged way [kg m/s]; `None` where linear momentum is not kept.
    pub linear_scale: Option<f64>,
    /// Largest sum of m |x - c| |v| on the converged way [kg m^2/s], c the center of mass; `None` where angular
    /// momentum about it is not kept.
    pub angular_scale: Option<f64>,
    /// Why energy is not kept.
    pub energy_reason: Option<String>,
    /// Why linear momentum is not kept.
    pub linear_reason: Option<String>,
    /// Why angular momentum is not kept.
    pub angular_reason: Option<String>,
    /// Whether nothing puts energy into the scene, so that no true motion gains any.
    #[serde(skip)]
    pub is_passive: bool,
}

/// Sizes that drifts are compared with, largest on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scales {
    /// Kinetic and elastic energy together \[J\].
    pub energy: f64,
    /// Sum of m |v| [kg m/s].
    pub linear: f64,
    /// Sum of m |x - c| |v| [kg m^2/s], c the center of mass.
    pub angular: f64,
}

impl Kept {
    /// What the forces of a scene keep; the scales are still to be found.
    pub fn of(model: &Model, settings: &Settings) -> Self {
        let moving = model.moving_pins().iter().any(|pin| !pin.path.is_constant());
        let (pinned, pulled) = (model.pinned().contains(&true), !model.handles().is_empty());
        let stirred = model.colliders().iter().any(|collider| !collider.is_still());
        let pushed = stirred || !model.loads().is_empty() || settings.user_force.is_some();
        // Written out, so that what is added to the world is asked for here.
        let World { gravity, wind, air: _, damping, node_damping, drag } = settings.world;
        let lossy = damping > 0.0 || node_damping > 0.0 || drag > 0.0;
        let why = |causes: &[(bool, &str)]| {
            let found: Vec<&str> = causes.iter().filter(|cause| cause.0).map(|cause| cause.1).collect();
            (!found.is_empty()).then(|| found.join(", "))
        };
        let outer = [
            (lossy, "damping or drag"),
            (settings.has_air(), "air"),
            (moving, "moving pins"),
            (pulled, "handles"),
            (!model.colliders().is_empty(), "colliders"),
            (!model.loads().is_empty(), "loads"),
            (settings.user_force.is_some(), "a force of the user's"),
        ];
        let held = (pinned && !moving, "pins");
        let falls = (gravity != glam::Vec3::ZERO, "gravity");
        Self {
            energy_scale: None,
            linear_scale: None,
            angular_scale: None,
            energy_reason: why(&[&outer[..], &[(model.has_dashpots(), "dashpots")]].concat()),
            linear_reason: why(&[&outer[..], &[held, falls]].concat()),
            angular_reason: why(&[&outer[..], &[held]].concat()),
            is_passive: !(moving || pulled || pushed || settings.has_air() && wind != glam::Vec3::ZERO),
        }
    }

    /// Notes the sizes on the converged way. What has no size has no relative drift either.
    pub(super) fn scale(&mut self, scales: &Scales) {
        let of = |reason: &mut Option<String>, size: f64| {
            if reason.is_none() && size <= 0.0 {
                *reason = Some("nothing moves".into());
            }
            reason.is_none().then_some(size)
        };
        self.energy_scale = of(&mut self.energy_reason, scales.energy);
        self.linear_scale = of(&mut self.linear_reason, scales.linear);
        self.angular_scale = of(&mut self.angular_reason, scales.angular);
    }
}

impl Scales {
    /// Those of one state.
    pub(super) fn of(model: &Model, state: &State64) -> Self {
        let center = center(model, state);
        let mut scales = Self {
            energy: energy::kinetic(model, &state.velocity) + energy::elastic(model, &state.position),
            ..Self::default()
        };
        for (m, (x, v)) in model.mass().iter().zip(state.position.iter().zip(&state.velocity)) {
            scales.linear += f64::from(*m) * v.length();
            scales.angular += f64::from(*m) * (*x - center).length() * v.length();
        }
        scales
    }

    /// The larger of both in each.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            energy: self.energy.max(other.energy),
            linear: self.linear.max(other.linear),
            angular: self.angular.max(other.angular),
        }
    }
}

/// What may be kept, of one state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amounts {
    /// Total energy \[J\].
    pub energy: f64,
    /// Linear momentum [kg m/s].
    pub linear: DVec3,
    /// Angular momentum about the center of mass [kg m^2/s].
    pub angular: DVec3,
}

impl Amounts {
    pub fn of(model: &Model, settings: &Settings, state: &State64) -> Self {
        let center = center(model, state);
        let linear = energy::linear_momentum(model, state);
        Self {
            energy: energy::total(model, settings, state),
            linear,
            angular: energy::angular_momentum(model, state) - center.cross(linear),
        }
    }
}

/// Center of mass \[m\].
fn center(model: &Model, state: &State64) -> DVec3 {
    let mass: f64 = model.mass().iter().map(|m| f64::from(*m)).sum();
    let moment: DVec3 = model.mass().iter().zip(&state.position).map(|(m, x)| f64::from(*m) * *x).sum();
    moment / mass
}
