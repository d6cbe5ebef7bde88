//! Air resistance: the quadratic drag of a plate, triangle by triangle.
//!
//! A triangle of area A and unit normal N whose corners have the mean velocity u relative to the
//! wind, u = u_n N + u_t, feels
//!
//! ```text
//! f = -rho A (c_n |u_n| u_n N + c_t |u_t| u_t) / 2 = -B u
//! B = b_n N N^T + b_t (I - N N^T),   b_n = rho A c_n |u_n| / 2,   b_t = rho A c_t |u_t| / 2
//! ```
//!
//! Corner i takes -B (v_i - wind) / 3. The three add up to f, and each is linear in its own velocity
//! once B is frozen, which is what the implicit methods need.
//!
//! Limits: no lift beyond that of an inclined plate, no wake, no shelter; a triangle without area
//! feels nothing.

use glam::{DMat3, DVec3};

use super::Forces;
use super::forces::outer;

impl Forces<'_> {
    /// Adds air resistance to `force` \[N\], at positions `x` \[m\] and velocities `v` [m/s].
    pub fn add_air(&self, x: &[DVec3], v: &[DVec3], force: &mut [DVec3]) {
        let wind = self.settings.world.wind.as_dvec3();
        for &triangle in self.model.triangles() {
            let block = self.air_block(triangle, x, v);
            for i in triangle.map(|i| i as usize) {
                force[i] -= block * (v[i] - wind) / 3.0;
            }
        }
    }

    /// The matrix B [N s/m] of a triangle at positions `x` \[m\] and velocities `v` [m/s]; zero where
    /// it has no area.
    pub fn air_block(&self, triangle: [u32; 3], x: &[DVec3], v: &[DVec3]) -> DMat3 {
        let [p, q, r] = triangle.map(|i| i as usize);
        let cross = (x[q] - x[p]).cross(x[r] - x[p]);
        let double_area = cross.length();
        if double_area == 0.0 {
            return DMat3::ZERO;
        }
        let (area, normal) = (0.5 * double_area, cross / double_area);
        let u = (v[p] + v[q] + v[r]) / 3.0 - self.settings.world.wind.as_dvec3();
        let along = u.dot(normal);
        let across = (u - along * normal).length();
        let air = self.settings.world.air;
        let pressure = 0.5 * f64::from(air.density) * area;
        let b_n = pressure * f64::from(air.normal) * along.abs();
        let b_t = pressure * f64::from(air.tangential) * across;
        outer(normal) * (b_n - b_t) + DMat3::IDENTITY * b_t
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::{AIR, WIND};
    use glam::Vec3;

    use super::*;
    use crate::reference::fixture;
    use crate::settings::{Air, Settings};

    #[test]
    fn the_air_on_a_triangle_is_the_drag_of_a_plate() {
        let model = fixture::cloth(2, 2, &[]);
        let air = Air { density: 1.2, normal: 1.3, tangential: 0.05 };
        let settings = Settings::default().with(AIR, air).with(WIND, Vec3::new(3.0, 1.0, -2.0));
        let forces = Forces::of(&model, &settings);
        let state = fixture::disturbed(&model);
        let (x, v) = (&state.position, &state.velocity);
        let mut force = vec![DVec3::ZERO; 4];
        forces.add_air(x, v, &mut force);
        let mut expected = DVec3::ZERO;
        for t in model.triangles() {
            let [p, q, r] = t.map(|i| i as usize);
            let cross = (x[q] - x[p]).cross(x[r] - x[p]);
            let (area, normal) = (0.5 * cross.length(), cross.normalize());
            let u = (v[p] + v[q] + v[r]) / 3.0 - settings.world.wind.as_dvec3();
            let u_n = u.dot(normal);
            let u_t = u - u_n * normal;
            let terms = f64::from(air.normal) * u_n.abs() * u_n * normal
                + f64::from(air.tangential) * u_t.length() * u_t;
            expected -= 0.5 * f64::from(air.density) * area * terms;
        }
        assert!(expected.length() > 1e-2);
        assert!((force.iter().sum::<DVec3>() - expected).length() < 1e-15);
    }

    #[test]
    fn a_plate_held_against_the_wind_feels_its_pressure() {
        let model = fixture::cloth(2, 2, &[]);
        let air = Air { density: 1.2, normal: 1.3, tangential: 0.05 };
        let force = |wind: Vec3| {
            let settings = Settings::default().with(AIR, air).with(WIND, wind);
            let forces = Forces::of(&model, &settings);
            let state = fixture::at_rest(&model);
            let mut force = vec![DVec3::ZERO; 4];
            forces.add_air(&state.position, &state.velocity, &mut force);
            force.iter().sum::<DVec3>()
        };
        // A sheet of 0.1 m by 0.1 m in the x-z plane, wind of 10 m/s: rho A c u^2 / 2.
        assert!((force(Vec3::Y * 10.0) - DVec3::Y * 0.78).length() < 1e-6);
        assert!((force(Vec3::X * 10.0) - DVec3::X * 0.03).length() < 1e-6);
    }
}
