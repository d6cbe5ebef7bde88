//! All forces, as functions of positions and velocities.
//!
//! - Spring s = (i, j) of stiffness k, rest length r, dashpot c, with e = x_i - x_j, l = |e|,
//!   n = e / l: f_i = -[k (l - r) + c (v_i - v_j) . n] n, f_j = -f_i. Where l <= 1e-6 r (and where
//!   l = 0) there is no direction, n = 0, and no force.
//! - Bending: every stencil has the energy |sum_a c_a x_a|^2 / 2, f_a = -c_a sum_b c_b x_b.
//! - Gravity: m g. Viscous damping: -(a m + d) v.
//! - A handle pulls with K (target - x), at most K times the reach.
//! - Air: [`super::air`]. Loads: `loads.rs`. Colliders: [`super::colliders`].
//!
//! Implicit methods have the same forces in [`super::objective`], frozen at the start of the step; docs/extending.md lists where
//! a new one belongs.
//!
//! Limits: the network does not collide with itself. Drag is a factor on the velocity after a step
//! and belongs to the methods.

use glam::{DMat3, DVec3};

use super::colliders::FrictionHistory;
use super::contact::burden::Burden;
use crate::measure::energy::second_difference;
use crate::model::{Model, Spring};
use crate::settings::Settings;

/// A handle as it acts on one node during one substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// The node.
    pub node: u32,
    /// Stiffness, the node's weight included [N/m].
    pub stiffness: f64,
    /// Where it pulls to \[m\].
    pub target: DVec3,
}

impl Pull {
    /// The stiffness [N/m] at position `x` \[m\]: reduced so that the force never exceeds
    /// `stiffness * reach`, with `reach` in m.
    pub fn effective_stiffness(&self, x: DVec3, reach: f64) -> f64 {
        let distance = (self.target - x).length();
        if distance <= reach { self.stiffness } else { self.stiffness * reach / distance }
    }
}

/// When a substep begins and how long it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Instant {
    /// Time at its start \[s\].
    pub time: f64,
    /// Its length \[s\].
    pub step: f64,
}

/// Everything that acts on the nodes during one substep.
#[derive(Clone, Copy, Debug)]
pub struct Forces<'a> {
    /// The network.
    pub model: &'a Model,
    /// Gravity, wind, air and damping.
    pub settings: &'a Settings,
    /// Handles of this substep.
    pub pulls: &'a [Pull],
    /// Distance \[m\] beyond which the force of a handle no longer grows.
    pub reach: f64,
    /// What lasts of the forces of surfaces in touch on each node at the end of the substep before \[N\], for implicit methods; empty: nothing.
    pub last_contact: &'a [DVec3],
    /// The surfaces that lie on each node or arrive there, for implicit methods; empty: none.
    pub burden: &'a [Burden],
    /// Friction of each node on a collider in the substep before, for implicit methods; empty: none.
    pub friction_history: &'a [Option<FrictionHistory>],
    /// For colliders and loads, which change with time.
    pub at: Instant,
}

impl<'a> Forces<'a> {
    /// Those of a model and settings at the start, without handles.
    pub fn of(model: &'a Model, settings: &'a Settings) -> Self {
        let at = Instant::default();
        Self {
            model,
            settings,
            pulls: &[],
            reach: 1.0,
            last_contact: &[],
            burden: &[],
            friction_history: &[],
            at,
        }
    }
}

impl Forces<'_> {
    /// The force on each node \[N\], pinned ones included, at positions `x` \[m\] and velocities `v` [m/s].
    pub fn total(&self, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
        let mut force = self.without_contact(x, v);
        self.add_contact(x, v, &mut force);
        force
    }

    /// The same but for that of colliders, whose friction depends on it.
    pub fn without_contact(&self, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
        let mut force = vec![DVec3::ZERO; x.len()];
        self.add_gravity(&mut force);
        self.add_damping(v, &mut force);
        self.add_air(x, v, &mut force);
        self.add_loads(x, &mut force);
        self.add_pulls(x, &mut force);
        self.add_network(x, v, &mut force);
        force
    }

    /// The acceleration of each node [m/s^2] at positions `x` \[m\] and velocities `v` [m/s]; zero
    /// where pinned.
    pub fn acceleration(&self, x: &[DVec3], v: &[DVec3]) -> Vec<DVec3> {
        let mut acceleration = self.total(x, v);
        for (i, a) in acceleration.iter_mut().enumerate() {
            *a = if self.is_free(i) { *a / self.mass(i) } else { DVec3::ZERO };
        }
        acceleration
    }

    /// The factor exp(-drag h) on velocities after a step of `h` \[s\].
    pub fn drag_factor(&self, h: f64) -> f64 {
        (-f64::from(self.settings.world.drag) * h).exp()
    }

    /// Whether node `i` is not pinned.
    pub fn is_free(&self, i: usize) -> bool {
        !self.model.pinned()[i]
    }

    /// Mass of node `i` \[kg\].
    pub fn mass(&self, i: usize) -> f64 {
        f64::from(self.model.mass()[i])
    }

    /// Viscous damping of node `i`, a m + d [N s/m].
    pub fn viscosity(&self, i: usize) -> f64 {
        f64::from(self.settings.world.damping) * self.mass(i) + f64::from(self.settings.world.node_damping)
    }

    /// Adds what springs, bending and dashpots do to `force` \[N\], at positions `x` \[m\] and velocities `v` [m/s]. What
    /// inextensible springs do hangs on everything else: [`Forces::add_prompt`].
    pub fn add_network(&self, x: &[DVec3], v: &[DVec3], force: &mut [DVec3]) {
        add_springs(self.model, x, force);
        add_bending(self.model, x, force);
        add_dashpots(self.model, x, v, force);
    }

    /// Adds to `force` \[N\] what inextensible springs would do if each brought each of its ends back alone, within a step
    /// of `h` \[s\]: they count so in contact, which looks at a node by itself. They have k = m / h^2.
    pub fn add_prompt(&self, x: &[DVec3], h: f64, force: &mut [DVec3]) {
        for spring in self.model.springs().iter().filter(|s| s.is_inextensible()) {
            let [i, j] = spring.nodes.map(|i| i as usize);
            let (_, l, n) = direction(spring, x);
            let missing = (l - f64::from(spring.rest_length)) / (h * h) * n;
            force[i] -= self.mass(i) * missing;
            force[j] += self.mass(j) * missing;
        }
    }

    /// How fast that falls with each node's own displacement in a step of `h` \[s\], at most [N/m]: the sum of k + c / h
    /// and the diagonal of bending.
    pub fn network_stiffness(&self, h: f64) -> Vec<f64> {
        let mut sum = vec![0.0; self.model.node_count()];
        for spring in self.model.springs() {
            for node in spring.nodes {
                let k = match spring.is_inextensible() {
                    true => self.mass(node as usize) / (h * h),
                    false => spring.stiffness.into(),
                };
                sum[node as usize] += k + f64::from(spring.dashpot) / h;
            }
        }
        self.model.for_each_bending_stencil(|nodes, coefficients| {
            nodes.iter().zip(coefficients).for_each(|(&node, c)| sum[node as usize] += c * c);
        });
        sum
    }

    /// Adds m g to `force` \[N\].
    pub fn add_gravity(&self, force: &mut [DVec3]) {
        for (i, f) in force.iter_mut().enumerate() {
            *f += self.mass(i) * self.settings.world.gravity.as_dvec3();
        }
    }

    /// Adds -(a m + d) v to `force` \[N\], at velocities `v` [m/s].
    pub fn add_damping(&self, v: &[DVec3], force: &mut [DVec3]) {
        for (i, f) in force.iter_mut().enumerate() {
            *f -= self.viscosity(i) * v[i];
        }
    }

    /// Adds the pull of the handles to `force` \[N\], at positions `x` \[m\].
    pub fn add_pulls(&self, x: &[DVec3], force: &mut [DVec3]) {
        for pull in self.pulls {
            let i = pull.node as usize;
            force[i] += pull.effective_stiffness(x[i], self.reach) * (pull.target - x[i]);
        }
    }
}

/// n n^T.
pub fn outer(n: DVec3) -> DMat3 {
    DMat3::from_cols(n * n.x, n * n.y, n * n.z)
}

/// The spring vector e = x_i - x_j \[m\], its length l \[m\] and its direction n; n = 0 where the spring
/// is too short to have one.
pub fn direction(spring: &Spring, x: &[DVec3]) -> (DVec3, f64, DVec3) {
    let [i, j] = spring.nodes.map(|i| i as usize);
    let e = x[i] - x[j];
    let l = e.length();
    let none = l <= 1e-6 * f64::from(spring.rest_length) || l == 0.0;
    (e, l, if none { DVec3::ZERO } else { e / l })
}

/// Adds -k (l - r) n of every spring to `force` \[N\], at positions `x` \[m\], but for inextensible ones.
pub fn add_springs(model: &Model, x: &[DVec3], force: &mut [DVec3]) {
    for spring in model.springs().iter().filter(|s| !s.is_inextensible()) {
        let [i, j] = spring.nodes.map(|i| i as usize);
        let (_, l, n) = direction(spring, x);
        let f = -f64::from(spring.stiffness) * (l - f64::from(spring.rest_length)) * n;
        force[i] += f;
        force[j] -= f;
    }
}

/// Adds -c_a sum_b c_b x_b of every bending stencil to `force` \[N\], at positions `x` \[m\].
pub fn add_bending(model: &Model, x: &[DVec3], force: &mut [DVec3]) {
    model.for_each_bending_stencil(|nodes, coefficients| {
        let difference = second_difference(nodes, coefficients, x);
        for (&node, c) in nodes.iter().zip(coefficients) {
            force[node as usize] -= *c * difference;
        }
    });
}

/// Adds -c ((v_i - v_j) . n) n of every spring to `force` \[N\], at positions `x` \[m\] and velocities
/// `v` [m/s].
pub fn add_dashpots(model: &Model, x: &[DVec3], v: &[DVec3], force: &mut [DVec3]) {
    for spring in model.springs() {
        let [i, j] = spring.nodes.map(|i| i as usize);
        let (_, _, n) = direction(spring, x);
        let f = -f64::from(spring.dashpot) * (v[i] - v[j]).dot(n) * n;
        force[i] += f;
        force[j] -= f;
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::{AIR, GRAVITY};
    use glam::Vec3;

    use super::*;
    use crate::measure::energy;
    use crate::model::Family;
    use crate::reference::fixture;
    use crate::settings::Air;

    /// -dE/dx by central differences.
    fn slope(x: &[DVec3], energy: impl Fn(&[DVec3]) -> f64) -> Vec<DVec3> {
        let step = 1e-6;
        let mut moved = x.to_vec();
        let mut part = |i: usize, axis: usize| {
            moved[i][axis] = x[i][axis] + step;
            let above = energy(&moved);
            moved[i][axis] = x[i][axis] - step;
            let below = energy(&moved);
            moved[i][axis] = x[i][axis];
            (below - above) / (2.0 * step)
        };
        (0..x.len()).map(|i| DVec3::new(part(i, 0), part(i, 1), part(i, 2))).collect()
    }

    #[test]
    fn springs_gravity_and_pulls_are_slopes_of_their_energies() {
        let model = fixture::cloth(4, 3, &[2]);
        let settings = Settings::default().with(GRAVITY, Vec3::new(1.0, -9.0, 2.0));
        let pulls = [Pull { node: 5, stiffness: 7.0, target: DVec3::new(0.2, 0.1, 0.3) }];
        let forces = Forces { pulls: &pulls, reach: 9.0, ..Forces::of(&model, &settings) };
        let x = fixture::disturbed(&model).position;
        let still = vec![DVec3::ZERO; x.len()];
        let expected = slope(&x, |x| {
            energy::elastic(&model, x)
                + energy::gravitational(&model, &settings, x)
                + 3.5 * (pulls[0].target - x[5]).length_squared()
        });
        assert!(fixture::distance(&forces.total(&x, &still), &expected) < 1e-7);
    }

    #[test]
    fn a_dashpot_force_is_the_slope_of_its_dissipation() {
        let model = fixture::cloth(4, 3, &[]);
        let state = fixture::disturbed(&model);
        let rate = |v: &[DVec3]| -> f64 {
            let of = |s: &Spring| {
                let [i, j] = s.nodes.map(|i| i as usize);
                let speed = (v[i] - v[j]).dot((state.position[i] - state.position[j]).normalize());
                0.5 * f64::from(s.dashpot) * speed * speed
            };
            model.springs().iter().map(of).sum()
        };
        let mut force = vec![DVec3::ZERO; model.node_count()];
        add_dashpots(&model, &state.position, &state.velocity, &mut force);
        assert!(fixture::distance(&force, &slope(&state.velocity, rate)) < 1e-8);
    }

    #[test]
    fn a_pull_is_bounded_by_its_reach() {
        let pull = Pull { node: 0, stiffness: 10.0, target: DVec3::X * 5.0 };
        assert_eq!(pull.effective_stiffness(DVec3::X * 4.5, 0.5), 10.0);
        assert_eq!(pull.effective_stiffness(DVec3::ZERO, 0.5) * 5.0, 5.0);
        assert_eq!(pull.effective_stiffness(pull.target, 0.0), 10.0);
    }

    #[test]
    fn springs_and_triangles_without_extent_exert_no_force() {
        let spring =
            Spring { nodes: [0, 1], rest_length: 1.0, stiffness: 5.0, dashpot: 1.0, family: Family::Raw };
        let model = fixture::build(crate::model::Body {
            rest_position: vec![Vec3::ZERO; 3],
            mass: vec![1.0; 3],
            springs: vec![spring, Spring { nodes: [1, 2], rest_length: 0.0, ..spring }],
            triangles: vec![[0, 1, 2]],
            ..Default::default()
        });
        let air = Air { density: 1.2, ..Air::NONE };
        let settings = Settings::default().with(AIR, air).with(GRAVITY, Vec3::ZERO);
        let forces = Forces::of(&model, &settings);
        let x = [DVec3::ZERO, DVec3::X * 0.9e-6, DVec3::X * 0.9e-6];
        let force = forces.total(&x, &[DVec3::X, DVec3::ZERO, DVec3::ZERO]);
        assert_eq!(force, vec![DVec3::ZERO; 3]);
        // A spring of rest length zero pulls in proportion to its length.
        let apart = forces.total(&[DVec3::ZERO, DVec3::ZERO, DVec3::X], &[DVec3::ZERO; 3]);
        assert_eq!(apart[2], DVec3::X * -5.0);
    }
}
