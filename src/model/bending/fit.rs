//! Second derivatives by a least-squares fit.

use glam::DVec2;

/// This fraction of the largest diagonal entry is added to each one. If the points do not determine all five
/// numbers, the equations then still have a solution, the smallest one.
const RIDGE: f64 = 1e-10;

/// Coefficients [1/m^2] of f(p) - f(0) in f_uu, f_uv and f_vv, for each of the points p \[m\], where the polynomial
/// a . p + (f_uu u^2 + 2 f_uv u v + f_vv v^2) / 2 is the best fit at the points.
pub fn hessian(points: &[DVec2]) -> [Vec<f64>; 3] {
    let mean = mean_square(points);
    let scale = mean.sqrt();
    let terms = |p: &DVec2| {
        let p = *p / scale;
        [p.x, p.y, 0.5 * p.x * p.x, p.x * p.y, 0.5 * p.y * p.y]
    };
    let mut normal = [[0.0; 5]; 5];
    for t in points.iter().map(terms) {
        for (row, a) in normal.iter_mut().zip(t) {
            row.iter_mut().zip(t).for_each(|(entry, b)| *entry += a * b);
        }
    }
    let mut ridged = normal;
    let largest = (0..5).map(|i| normal[i][i]).fold(0.0, f64::max);
    (0..5).for_each(|i| ridged[i][i] += RIDGE * largest);
    [2, 3, 4].map(|which| {
        let mut unit = [0.0; 5];
        unit[which] = 1.0;
        let first = solve(ridged, unit);
        // Correct once for the addition, so that linear functions have zero second derivatives up to rounding.
        let left: [f64; 5] =
            std::array::from_fn(|i| unit[i] - normal[i].iter().zip(first).map(|(a, w)| a * w).sum::<f64>());
        let second = solve(ridged, left);
        let weights: [f64; 5] = std::array::from_fn(|i| first[i] + second[i]);
        let row = |p: &DVec2| terms(p).iter().zip(weights).map(|(t, w)| t * w).sum::<f64>() / mean;
        points.iter().map(row).collect()
    })
}

/// Mean of |p|^2 [m^2].
pub fn mean_square(points: &[DVec2]) -> f64 {
    points.iter().map(|p| p.length_squared()).sum::<f64>() / points.len() as f64
}

/// Solves `a` x = `b` for a positive definite matrix: elimination needs no pivots.
fn solve(mut a: [[f64; 5]; 5], mut b: [f64; 5]) -> [f64; 5] {
    for i in 0..5 {
        let pivot = a[i];
        for j in i + 1..5 {
            let factor = a[j][i] / pivot[i];
            a[j].iter_mut().zip(pivot).for_each(|(entry, above)| *entry -= factor * above);
            b[j] -= factor * b[i];
        }
    }
    for i in (0..5).rev() {
        let known: f64 = (i + 1..5).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadratic_functions_have_their_second_derivatives() {
        let points: Vec<DVec2> = (0..7)
            .map(|i| {
                DVec2::from_angle(0.8 * f64::from(i) + 0.1 * f64::from(i * i % 5))
                    * (0.01 + 0.001 * f64::from(i % 3))
            })
            .collect();
        let f = |p: DVec2| 3.0 * p.x - 2.0 * p.y + 2.0 * p.x * p.x - 3.0 * p.x * p.y + 0.5 * p.y * p.y;
        for (row, expected) in hessian(&points).iter().zip([4.0, -3.0, 1.0]) {
            let found: f64 = row.iter().zip(&points).map(|(c, p)| c * f(*p)).sum();
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}
