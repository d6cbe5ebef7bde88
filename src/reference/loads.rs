//! Forces and pressures on selected nodes.
//!
//! A pressure p on a triangle (a, b, c) of area A and normal N, counter-clockwise seen from its front, is the force
//! p A N = p (b - a) x (c - a) / 2. A third of it acts at each corner that the load selects. Methods whose springs act
//! along x_n take the triangle at x_n: explicit ones and soft constraints. The others take it at x_n + h v_n: with that at
//! x_n a skin that spins at angular velocity w is held back by the torque of a pressure that has stayed behind by the
//! angle h w.

use glam::DVec3;

use super::Forces;
use crate::model::Push;

impl Forces<'_> {
    /// Adds the loads to `force` \[N\], as they are at the start of the step, with triangles at
    /// `x` \[m\].
    pub fn add_loads(&self, x: &[DVec3], force: &mut [DVec3]) {
        let time = self.at.time;
        for load in self.model.loads() {
            match &load.push {
                Push::Force(path) => {
                    let each = path.at(time).as_dvec3();
                    load.nodes.iter().for_each(|&node| force[node as usize] += each);
                }
                Push::Pressure(path) => {
                    let pressure = f64::from(path.at(time));
                    let is_pushed = load.selects(x.len());
                    for triangle in self.model.triangles() {
                        let [a, b, c] = triangle.map(|i| x[i as usize]);
                        let whole = pressure * 0.5 * (b - a).cross(c - a);
                        for i in triangle.map(|i| i as usize).into_iter().filter(|&i| is_pushed[i]) {
                            force[i] += whole / 3.0;
                        }
                    }
                }
            }
        }
    }
}
