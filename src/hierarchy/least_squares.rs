//! Non-negative least squares for a handful of unknowns: C. Lawson, R. Hanson, "Solving Least Squares
//! Problems", 1974, chapter 23, on the normal equations.

/// Most unknowns.
pub const MOST: usize = 12;

/// Normal equations H w = c, the first `count` unknowns in use.
#[derive(Clone, Copy, Debug)]
pub struct Normal {
    /// Unknowns in use.
    pub count: usize,
    /// Symmetric positive definite.
    pub matrix: [[f64; MOST]; MOST],
    /// Right hand side.
    pub right: [f64; MOST],
}

impl Normal {
    /// w >= 0 that minimizes w^T H w / 2 - c^T w.
    pub fn solve(&self) -> [f64; MOST] {
        let n = self.count;
        let mut w = [0.0; MOST];
        let mut free = [false; MOST];
        let size = self.right[..n].iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        // In theory it ends by itself; rounding may make it swap two alike unknowns for ever.
        for _ in 0..3 * n {
            let slope = |i: usize| self.right[i] - (0..n).map(|j| self.matrix[i][j] * w[j]).sum::<f64>();
            let steepest = (0..n)
                .filter(|&i| !free[i])
                .map(|i| (slope(i), i))
                .fold((1e-9 * size, usize::MAX), |best, next| if next.0 > best.0 { next } else { best });
            if steepest.1 == usize::MAX {
                break;
            }
            free[steepest.1] = true;
            loop {
                let goal = self.unbounded(&free);
                let blocking = |i: &usize| free[*i] && goal[*i] <= 0.0;
                let reach =
                    (0..n).filter(blocking).map(|i| w[i] / (w[i] - goal[i])).fold(1.0, f64::min).max(0.0);
                let blocked = (0..n).any(|i| blocking(&i));
                for i in 0..n {
                    if !free[i] {
                        continue;
                    }
                    let next = w[i] + reach * (goal[i] - w[i]);
                    w[i] = next.max(0.0);
                    if goal[i] <= 0.0 && next <= 1e-12 {
                        w[i] = 0.0;
                        free[i] = false;
                    }
                }
                if !blocked {
                    break;
                }
            }
        }
        w
    }

    /// The minimum over the `free` unknowns without bounds, the others zero: by Cholesky.
    fn unbounded(&self, free: &[bool; MOST]) -> [f64; MOST] {
        let mut chosen = [0; MOST];
        let mut m = 0;
        for i in (0..self.count).filter(|&i| free[i]) {
            chosen[m] = i;
            m += 1;
        }
        let mut factor = [[0.0; MOST]; MOST];
        let mut w = [0.0; MOST];
        for i in 0..m {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
                let rest = self.matrix[chosen[i]][chosen[j]] - known;
                factor[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / factor[j][j] };
            }
            let known: f64 = (0..i).map(|k| factor[i][k] * w[k]).sum();
            w[i] = (self.right[chosen[i]] - known) / factor[i][i];
        }
        for i in (0..m).rev() {
            let known: f64 = (i + 1..m).map(|k| factor[k][i] * w[k]).sum();
            w[i] = (w[i] - known) / factor[i][i];
        }
        let mut placed = [0.0; MOST];
        for k in 0..m {
            placed[chosen[k]] = w[k];
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(rows: &[[f64; 3]], right: &[f64]) -> Normal {
        let mut system = Normal { count: 3, matrix: [[0.0; MOST]; MOST], right: [0.0; MOST] };
        for (row, b) in rows.iter().zip(right) {
            for i in 0..3 {
                system.right[i] += row[i] * b;
                for j in 0..3 {
                    system.matrix[i][j] += row[i] * row[j];
                }
            }
        }
        system
    }

    #[test]
    fn an_inner_minimum_is_the_plain_one() {
        let w = normal(&[[1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 1.0, 1.0]], &[1.0, 5.0, 5.0]).solve();
        assert!((w[0] - 1.0).abs() + (w[1] - 2.0).abs() + (w[2] - 3.0).abs() < 1e-9, "{w:?}");
    }

    #[test]
    fn a_minimum_on_the_bounds_meets_the_optimality_conditions() {
        let system = normal(
            &[[1.0, 0.5, 0.2], [0.3, 1.0, -0.4], [0.1, -0.2, 1.0], [0.7, 0.1, 0.1]],
            &[1.0, -2.0, 0.5, 0.3],
        );
        let w = system.solve();
        let slope = |i: usize| system.right[i] - (0..3).map(|j| system.matrix[i][j] * w[j]).sum::<f64>();
        assert!((0..3).any(|i| w[i] == 0.0) && (0..3).any(|i| w[i] > 0.0), "{w:?}");
        for i in 0..3 {
            assert!(w[i] >= 0.0);
            let optimal = if w[i] > 0.0 { slope(i).abs() < 1e-9 } else { slope(i) < 1e-9 };
            assert!(optimal, "{i}: {w:?}, slope {}", slope(i));
        }
    }
}
