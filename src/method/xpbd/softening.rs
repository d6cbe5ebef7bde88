//! How much softer than their stiffness xpbd makes springs, and how many substeps keep the stretch below a given one.
//!
//! At rest a node falls by h^2 g in every substep, and its springs bring it back with multipliers that begin at zero. Where the
//! tension T hardly differs from one spring to the next, a spring's multiplier reaches T from zero in N iterations
//! d lambda = omega (k C - lambda) / (k W + 1) if the stretch is
//!
//! ```text
//! C = T / k / (1 - (1 - s)^N),   s = omega / ((k + c / h) W + 1)
//! ```
//!
//! (M. Macklin, M. Mueller, N. Chentanez 2016, eq. 18, with W of both ends together as the kernels have it,
//! proportional to h^2; with k infinite it is T W / (omega N)). With few iterations that is T (1/k + W / (omega N)): many substeps, not many iterations, make
//! springs stiff. Checked by `tests/quick/xpbd.rs` on a hanging rope. It is an estimate for cloth that moves or folds, and for
//! relaxations up to 1.

use glam::Vec3;

use crate::model::{Model, Spring};
use crate::settings::{LinearSolver, MAX_SUBSTEPS, Settings};

/// What `xpbd` does to the springs of a model under given settings.
pub struct Softening<'a> {
    model: &'a Model,
    settings: &'a Settings,
    /// w_i times the number of springs that share node i, or w_i [1/kg].
    weight: Vec<f64>,
    /// Viscous damping rate of node i [1/s].
    damping: Vec<f64>,
}

/// What a state says of the stretch that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Largest stretch of a spring that the forces of this state cause without softening \[1\].
    pub own: f64,
    /// Fewest substeps a frame that keep the largest stretch below the one asked for, where any do.
    pub substeps: Option<u32>,
}

impl<'a> Softening<'a> {
    /// Of a model under these settings.
    pub fn new(model: &'a Model, settings: &'a Settings) -> Self {
        let mut weight: Vec<f64> =
            (0..model.node_count()).map(|i| f64::from(model.inverse_mass(i))).collect();
        if settings.linear_solver() == LinearSolver::Jacobi {
            let mut shares = vec![0.0; weight.len()];
            for spring in model.springs().iter().filter(|s| s.stiffness + s.dashpot > 0.0) {
                spring.nodes.iter().for_each(|&n| shares[n as usize] += 1.0);
            }
            weight.iter_mut().zip(shares).for_each(|(weight, shares)| *weight *= shares);
        }
        let viscous = |i: usize| {
            f64::from(settings.world.damping)
                + f64::from(settings.world.node_damping) * f64::from(model.inverse_mass(i))
        };
        let damping = (0..model.node_count()).map(viscous).collect();
        Self { model, settings, weight, damping }
    }

    /// Stretch of a spring in steady tension over the one that its stiffness gives, in `substeps` a frame; infinite of an
    /// inextensible one.
    pub fn of(&self, spring: &Spring, substeps: u32) -> f64 {
        self.compliance(spring, substeps) * f64::from(spring.stiffness)
    }

    /// How long a tension draws a spring [m/N], in `substeps` a frame.
    fn compliance(&self, spring: &Spring, substeps: u32) -> f64 {
        let h = f64::from(self.settings.step.frame_time) / f64::from(substeps);
        let of_node = |n: u32| h * h * self.weight[n as usize] / (1.0 + h * self.damping[n as usize]);
        let weight: f64 = spring.nodes.iter().map(|&n| of_node(n)).sum();
        let iterations = f64::from(self.settings.iterations());
        if spring.is_inextensible() {
            return weight / (f64::from(super::relaxation(self.settings)) * iterations);
        }
        let stiffness = f64::from(spring.stiffness) + f64::from(spring.dashpot) / h;
        let share = f64::from(super::relaxation(self.settings)) / (stiffness * weight + 1.0);
        let left = (1.0 - share).powf(iterations);
        1.0 / (f64::from(spring.stiffness) * (1.0 - left))
    }

    /// What keeps every spring below the stretch `asked`, judged from positions \[m\] reached in `substeps` a frame.
    pub fn advise(&self, position: &[Vec3], substeps: u32, asked: f64) -> Advice {
        // Of each spring its tension over its length [N/m].
        let stretched: Vec<(&Spring, f64)> = (self.model.springs().iter())
            .filter(|s| s.stiffness > 0.0 && s.rest_length > 0.0)
            .map(|spring| {
                let [a, b] = spring.nodes.map(|n| position[n as usize].as_dvec3());
                let stretch = a.distance(b) / f64::from(spring.rest_length) - 1.0;
                (spring, stretch / self.compliance(spring, substeps))
            })
            .filter(|(_, tension)| *tension > 0.0)
            .collect();
        let own = stretched.iter().map(|(s, tension)| tension / f64::from(s.stiffness)).fold(0.0, f64::max);
        let holds = |n: u32| stretched.iter().all(|(s, tension)| tension * self.compliance(s, n) <= asked);
        // The softening falls with every substep more.
        let (mut low, mut high) = (0, MAX_SUBSTEPS);
        if !holds(high) {
            return Advice { own, substeps: None };
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if holds(middle) { high = middle } else { low = middle }
        }
        Advice { own, substeps: Some(high) }
    }
}
