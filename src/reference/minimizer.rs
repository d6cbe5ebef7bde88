//! The exact answers: where a step of implicit Euler ends, and where a network hangs at rest.
//!
//! Both are minima of an [`Objective`], found by Newton's method (described in `newton.rs`); where springs keep their length
//! or a limit of it, of all that do so (`lengths.rs`).
//!
//! Limits: meant for up to about 100,000 nodes (a minute or two where a sheet wrinkles); the minimum found
//! is a local one, and a symmetric start stays symmetric even where symmetry is unstable.

use glam::DVec3;

use super::lengths;
use super::newton::newton;
use super::objective::Objective;
use super::{Forces, State64};

/// What [`minimize`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    /// Position of each node \[m\].
    pub position: Vec<DVec3>,
    /// Largest component of the gradient that is left \[N\].
    pub residual: f64,
    /// Newton iterations taken.
    pub iterations: usize,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
}

/// Where the implicit Euler step of length `h` \[s\] from `state` ends, to `tolerance` \[N\] in every
/// component of the gradient. Its velocity is (x+ - x_n) / h, before drag.
pub fn implicit_step(forces: &Forces<'_>, h: f64, state: &State64, tolerance: f64) -> Minimum {
    let objective = Objective::of_step(forces, h, state);
    let start = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v).collect();
    minimize(&objective, start, tolerance)
}

/// The static equilibrium under the springs, gravity and pins of `forces`, from positions `start`
/// \[m\], to `tolerance` \[N\] in every component of the net force.
pub fn equilibrium(forces: &Forces<'_>, start: Vec<DVec3>, tolerance: f64) -> Minimum {
    let objective = Objective::of_statics(forces.model, forces.settings.world.gravity.as_dvec3());
    minimize(&objective, start, tolerance)
}

/// A minimum of `objective` from `start` \[m\], pinned nodes kept where they start, to `tolerance` \[N\]
/// in every component of the gradient.
pub fn minimize(objective: &Objective<'_>, start: Vec<DVec3>, tolerance: f64) -> Minimum {
    match objective.model().has_inextensible() || objective.model().has_strain_limit() {
        true => lengths::minimize(objective, start, tolerance),
        false => newton(objective, start, tolerance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::energy;
    use crate::measure::stretch::Stretch;
    use crate::model::Family;
    use crate::reference::newton::largest;
    use crate::reference::{Pull, fixture};
    use crate::settings::{AIR, Air, DAMPING, NODE_DAMPING, Settings};

    #[test]
    fn the_gradient_vanishes_with_every_force_present() {
        let model = fixture::cloth(5, 5, &[0, 4]);
        let air = Air { density: 1.2, ..Air::NONE };
        let settings = Settings::default().with(AIR, air).with(DAMPING, 0.5).with(NODE_DAMPING, 0.01);
        let pulls = [Pull { node: 12, stiffness: 30.0, target: DVec3::new(0.2, 0.3, 0.2) }];
        let forces = Forces { pulls: &pulls, reach: 0.1, ..Forces::of(&model, &settings) };
        let state = fixture::disturbed(&model);
        let found = implicit_step(&forces, 1.0 / 60.0, &state, 1e-11);
        assert!(found.converged, "{} after {}", found.residual, found.iterations);
        let objective = Objective::of_step(&forces, 1.0 / 60.0, &state);
        assert!(largest(&objective.gradient(&found.position)) <= 1e-11);
        let lowest = objective.value(&found.position);
        for j in 0..20 {
            let nudge = |(i, x): (usize, &DVec3)| {
                if model.pinned()[i] { *x } else { *x + 1e-4 * fixture::noise(i, j) }
            };
            let other: Vec<_> = found.position.iter().enumerate().map(nudge).collect();
            assert!(objective.value(&other) > lowest);
        }
    }

    /// The figures are those of an earlier implementation in f64.
    #[test]
    fn a_swinging_sheet_has_the_published_objective() {
        let (model, state) = fixture::swinging_sheet(33);
        let settings = Settings::default();
        let forces = Forces::of(&model, &settings);
        let h = 1.0 / 60.0;
        let objective = Objective::of_step(&forces, h, &state);
        let drift: Vec<_> = state.position.iter().zip(&state.velocity).map(|(x, v)| *x + h * *v).collect();
        let hold = |i: usize| if model.pinned()[i] { drift[i] } else { objective.target()[i] };
        let inertial: Vec<_> = (0..drift.len()).map(hold).collect();
        let found = minimize(&objective, drift.clone(), 1e-10);
        assert!(found.converged, "{} after {}", found.residual, found.iterations);
        let published = [(0.003077, 1e-6), (0.004076, 1e-6), (0.0004683, 1e-7)];
        let values = [&inertial, &drift, &found.position].map(|x| objective.value(x));
        for (value, (expected, digits)) in values.into_iter().zip(published) {
            assert!((value - expected).abs() < digits, "{value} instead of {expected}");
        }
    }

    /// Newton steps do not multiply with the number of nodes, nor does the work of each.
    #[test]
    fn a_large_swinging_sheet_is_minimized_too() {
        let (model, state) = fixture::swinging_sheet(101);
        let settings = Settings::default();
        let forces = Forces::of(&model, &settings);
        let found = implicit_step(&forces, 1.0 / 60.0, &state, 1e-9);
        assert!(found.converged, "{} after {}", found.residual, found.iterations);
        assert!(found.iterations < 200, "{}", found.iterations);
        let objective = Objective::of_step(&forces, 1.0 / 60.0, &state);
        let value = objective.value(&found.position);
        // The minimum in `tests/data` has 0.0004174. It is one of many: wrinkles can lie otherwise.
        assert!((value - 0.0004174).abs() < 1e-7, "{value}");
    }

    /// The figures are those of an earlier implementation, which ran the sheet until it rested.
    #[test]
    fn a_sheet_hung_from_two_corners_has_the_published_strains() {
        let model = fixture::swinging_sheet(100).0;
        let settings = Settings::default();
        let forces = Forces::of(&model, &settings);
        let vertical = |x: &glam::Vec3| DVec3::new(f64::from(x.x), -f64::from(x.z), 0.0);
        let found = equilibrium(&forces, model.rest_position().iter().map(vertical).collect(), 1e-9);
        assert!(found.converged, "{} after {}", found.residual, found.iterations);
        let strain = Stretch::of(&model, &found.position).family(Family::Structural);
        for (value, published) in [(strain.max, 0.0586), (strain.p999, 0.0127), (strain.p99, 0.0035)] {
            assert!((value - published).abs() < 6e-5, "{value} instead of {published}");
        }
        let lowest = found.position.iter().map(|x| -x.y).fold(0.0, f64::max);
        assert!((lowest - 1.0035).abs() < 5e-5, "{lowest}");
    }

    #[test]
    fn an_edge_held_fabric_extends_alike_at_any_resolution() {
        let (tensile, settings) = (200.0, Settings::default());
        let g = f64::from(settings.world.gravity.length());
        for n in [8, 16, 32] {
            let model = fixture::fabric(n, tensile, 60.0);
            let forces = Forces::of(&model, &settings);
            let hang = |x: &glam::Vec3| DVec3::new(f64::from(x.x), -f64::from(x.z), 0.0);
            let found = equilibrium(&forces, model.rest_position().iter().map(hang).collect(), 1e-9);
            assert!(found.converged, "{} after {}", found.residual, found.iterations);
            let middle = (n * (n - 1) + n / 2) as usize;
            let extension = -found.position[middle].y - 1.0;
            let expected = 0.2 * g / (2.0 * f64::from(tensile));
            assert!((extension / expected - 1.0).abs() < 0.01, "{n}: {extension} {expected}");
        }
    }

    #[test]
    fn each_link_of_a_hanging_rope_carries_what_hangs_below() {
        let model = fixture::chain(20, 0.05, 40.0, 0.01, &[0]);
        let settings = Settings::default();
        let forces = Forces::of(&model, &settings);
        let found = equilibrium(&forces, fixture::at_rest(&model).position, 1e-12);
        assert!(found.converged, "{} after {}", found.residual, found.iterations);
        let g = f64::from(settings.world.gravity.length());
        let rest = f64::from(model.springs()[0].rest_length);
        for link in 0..20 {
            let below = (20 - link) as f64 * f64::from(model.mass()[0]) * g / 40.0;
            let extension = (found.position[link] - found.position[link + 1]).length() - rest;
            assert!((extension / below - 1.0).abs() < 1e-9, "link {link}: {extension}, {below}");
        }
        let stretch = Stretch::of(&model, &found.position);
        assert!((stretch.all.max - 20.0 * 0.01 * g / 40.0 / 0.05).abs() < 1e-6);
    }

    #[test]
    fn a_limited_chain_is_stretched_by_what_hangs_on_it_up_to_its_limit() {
        // Ten links of 40 N/m and 5 cm, of 10 g a node: from the fifth from below on the weight is too much for 20 %.
        let links = 10;
        let own = fixture::chain(links, 0.05, 40.0, 0.01, &[0]);
        let model = fixture::build(crate::model::Body {
            rest_position: own.rest_position().to_vec(),
            mass: own.mass().to_vec(),
            pinned: vec![0],
            springs: own.springs().to_vec(),
            strain_limit: Some(0.2),
            ..Default::default()
        });
        let settings = Settings::default();
        let forces = Forces::of(&model, &settings);
        let found = equilibrium(&forces, fixture::at_rest(&model).position, 1e-11);
        assert!(found.converged, "{} after {}", found.residual, found.iterations);
        let g = f64::from(settings.world.gravity.length());
        for (link, spring) in model.springs().iter().enumerate() {
            let r = f64::from(spring.rest_length);
            let below = (links as usize - link) as f64 * f64::from(model.mass()[0]) * g / 40.0;
            let wanted = below.min(f64::from(0.2f32) * r);
            let extension = (found.position[link] - found.position[link + 1]).length() - r;
            assert!((extension / wanted - 1.0).abs() < 1e-6, "link {link}: {extension}, {wanted}");
        }
    }

    #[test]
    fn a_heavy_rope_between_two_pins_approaches_the_catenary() {
        let g = f64::from(Settings::default().world.gravity.length());
        // Length 1 between pins 0.6 apart: sinh(b) / b = 1 / 0.6 with b = 0.3 / a; the sag is
        // a (cosh(b) - 1).
        let (mut low, mut high) = (0.1f64, 10.0f64);
        for _ in 0..100 {
            let b = 0.5 * (low + high);
            if b.sinh() / b < 1.0 / 0.6 { low = b } else { high = b }
        }
        let sag = 0.3 / low * (low.cosh() - 1.0);
        let error = |links: u32, axial_stiffness: f32| {
            let rest = 1.0 / links as f32;
            let mass = 0.05 / links as f32;
            let model = fixture::chain(links, rest, axial_stiffness * links as f32, mass, &[0, links]);
            let settings = Settings::default();
            let forces = Forces::of(&model, &settings);
            let arc = |i: u32| {
                let t = f64::from(i) / f64::from(links);
                DVec3::new(0.6 * t, -1.6 * t * (1.0 - t), 0.0)
            };
            let found = equilibrium(&forces, (0..=links).map(arc).collect(), 1e-9);
            assert!(found.converged, "{} after {}", found.residual, found.iterations);
            assert!(energy::elastic(&model, &found.position) < 1e-3 * 0.05 * g);
            (-found.position[links as usize / 2].y - sag).abs()
        };
        for axial_stiffness in [5e3, f32::INFINITY] {
            let [coarse, fine] = [16, 64].map(|links| error(links, axial_stiffness));
            assert!(fine < 1e-3 * sag && coarse > 5.0 * fine, "{axial_stiffness}: {coarse} {fine}");
        }
    }
}
