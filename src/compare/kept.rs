//! The quantities that a scene conserves, so that any change of them is due to the solver.

use glam::DVec3;
use serde::Serialize;

use crate::measure::energy;
use crate::model::Model;
use crate::reference::State64;
use crate::settings::{Settings, World};

/// The conserved quantities of a scene, and the scales with which drifts are compared.
#[derive(Clone, Debug, Serialize)]
pub struct Kept {
    /// Largest sum of kinetic and elastic energy of the converged solution \[J\]; `None` if energy is not conserved.
    pub energy_scale: Option<f64>,
    /// Largest sum of m |v| of the converged solution [kg m/s]; `None` if linear momentum is not conserved.
    pub linear_scale: Option<f64>,
    /// Largest sum of m |x - c| |v| of the converged solution [kg m^2/s], where c is the center of mass; `None` if
    /// angular momentum about it is not conserved.
    pub angular_scale: Option<f64>,
    /// Why energy is not conserved.
    pub energy_reason: Option<String>,
    /// Why linear momentum is not conserved.
    pub linear_reason: Option<String>,
    /// Why angular momentum is not conserved.
    pub angular_reason: Option<String>,
    /// Whether nothing adds energy to the scene, so that the exact motion gains none.
    #[serde(skip)]
    pub is_passive: bool,
}

/// Scales with which drifts are compared: the largest values during a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scales {
    /// Sum of kinetic and elastic energy \[J\].
    pub energy: f64,
    /// Sum of m |v| [kg m/s].
    pub linear: f64,
    /// Sum of m |x - c| |v| [kg m^2/s], where c is the center of mass.
    pub angular: f64,
}

impl Kept {
    /// What the forces of a scene conserve; the scales are set later.
    pub fn of(model: &Model, settings: &Settings) -> Self {
        let moving = model.moving_pins().iter().any(|pin| !pin.is_still());
        let (pinned, pulled) = (model.pinned().contains(&true), !model.handles().is_empty());
        let stirred = model.colliders().iter().any(|collider| !collider.is_still());
        let pushed = stirred || !model.loads().is_empty() || settings.user_force.is_some();
        // All fields are listed, so that the compiler asks about new ones.
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

    /// Sets the scales of the converged solution. A quantity whose scale is zero has no relative drift.
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
    /// The scales of one state.
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

    /// The componentwise maximum.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            energy: self.energy.max(other.energy),
            linear: self.linear.max(other.linear),
            angular: self.angular.max(other.angular),
        }
    }
}

/// The quantities of one state that may be conserved.
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
