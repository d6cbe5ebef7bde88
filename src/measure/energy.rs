//! Energies and momenta, which must be conserved or lost at the right rate.
//!
//! Elastic: sum of k (l - r)^2 / 2 over springs, none for inextensible springs, and of |sum_a c_a x_a|^2 / 2 over bending
//! stencils. Kinetic: sum of m v^2 / 2. Gravitational: -sum of m g . x, zero at the origin. Momenta: sum of m v, and sum of
//! m x cross v about the origin. All nodes count, pinned ones with the mass that they have when released.

use glam::DVec3;

use crate::model::Model;
use crate::settings::Settings;
use crate::state::State64;

/// Energy stored in springs and bending \[J\] at positions `x` \[m\].
pub fn elastic(model: &Model, x: &[DVec3]) -> f64 {
    let of = |s: &crate::model::Spring| {
        let [i, j] = s.nodes.map(|i| i as usize);
        let extension = (x[i] - x[j]).length() - f64::from(s.rest_length);
        0.5 * f64::from(s.stiffness) * extension * extension
    };
    let extensible = model.springs().iter().filter(|s| !s.is_inextensible());
    extensible.map(of).sum::<f64>() + bending(model, x)
}

/// Energy of bending \[J\] at positions `x` \[m\].
pub fn bending(model: &Model, x: &[DVec3]) -> f64 {
    let mut energy = 0.0;
    model.for_each_bending_stencil(|nodes, coefficients| {
        energy += 0.5 * second_difference(nodes, coefficients, x).length_squared();
    });
    energy
}

/// sum_a c_a x_a of a bending stencil [sqrt(J)] at positions `x` \[m\].
pub fn second_difference(nodes: &[u32], coefficients: &[f64], x: &[DVec3]) -> DVec3 {
    nodes.iter().zip(coefficients).map(|(&node, c)| *c * x[node as usize]).sum()
}

/// Energy of motion \[J\] at velocities `v` [m/s].
pub fn kinetic(model: &Model, v: &[DVec3]) -> f64 {
    model.mass().iter().zip(v).map(|(m, v)| 0.5 * f64::from(*m) * v.length_squared()).sum()
}

/// Energy of height \[J\] at positions `x` \[m\].
pub fn gravitational(model: &Model, settings: &Settings, x: &[DVec3]) -> f64 {
    let g = settings.world.gravity.as_dvec3();
    model.mass().iter().zip(x).map(|(m, x)| -f64::from(*m) * g.dot(*x)).sum()
}

/// Elastic, kinetic and gravitational energy together \[J\].
pub fn total(model: &Model, settings: &Settings, state: &State64) -> f64 {
    elastic(model, &state.position)
        + kinetic(model, &state.velocity)
        + gravitational(model, settings, &state.position)
}

/// Linear momentum [kg m/s].
pub fn linear_momentum(model: &Model, state: &State64) -> DVec3 {
    model.mass().iter().zip(&state.velocity).map(|(m, v)| f64::from(*m) * *v).sum()
}

/// Angular momentum about the origin [kg m^2/s].
pub fn angular_momentum(model: &Model, state: &State64) -> DVec3 {
    let moving = state.position.iter().zip(&state.velocity);
    model.mass().iter().zip(moving).map(|(m, (x, v))| f64::from(*m) * x.cross(*v)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::fixture;
    use crate::settings::GRAVITY;

    #[test]
    fn figures_of_two_masses_on_a_spring() {
        let model = fixture::chain(1, 1.0, 8.0, 2.0, &[]);
        let settings = Settings::default().with(GRAVITY, glam::Vec3::new(0.0, -10.0, 0.0));
        let state = State64 {
            position: vec![DVec3::Y, DVec3::new(0.0, 2.5, 0.0)],
            velocity: vec![DVec3::X, DVec3::X * 3.0],
            time: 0.0,
        };
        assert_eq!(elastic(&model, &state.position), 1.0);
        assert_eq!(kinetic(&model, &state.velocity), 10.0);
        assert_eq!(gravitational(&model, &settings, &state.position), 70.0);
        assert_eq!(total(&model, &settings, &state), 81.0);
        assert_eq!(linear_momentum(&model, &state), DVec3::X * 8.0);
        assert_eq!(angular_momentum(&model, &state), DVec3::Z * -17.0);
    }
}
