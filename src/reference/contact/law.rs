//! The energy of a pair in touch.
//!
//! At distance d, with thickness D \[m\], stiffness k [N/m] and q = D - d:
//!
//! ```text
//! f = -E' = k q^2 / (2 r)      0 <= q <= r           the onset, r = 0.03 D
//!           k (q - r / 2)      r < q
//! ```
//!
//! Without an onset f has a kink at D, where cloth rests: pairs there open and close in turn from iteration to iteration. As
//! no pair pulls, their force is then too large on average, and so is friction: a sheet does not slide. A barrier,
//! whose slope grows without bound as d goes to zero, would not do: coarser levels have the mean of w over many pairs, and one pair
//! that is much stiffer than the others of its group makes them overshoot.

/// What a pair is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// D \[m\].
    pub thickness: f64,
    /// k [N/m].
    pub stiffness: f64,
    /// Coulomb's coefficient \[1\].
    pub friction: f64,
    /// r / D \[1\]; below one half, zero for a kink.
    pub onset: f64,
}

/// The usual [`Law::onset`] \[1\].
pub const ONSET: f64 = 0.03;

/// E \[J\] and its derivatives at one distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Response {
    /// E \[J\].
    pub energy: f64,
    /// f = -E' \[N\].
    pub force: f64,
    /// e = E'' [N/m].
    pub slope: f64,
}

impl Law {
    /// The response at distance `d` \[m\].
    pub fn at(&self, d: f64) -> Response {
        let q = self.thickness - d;
        let (k, r) = (self.stiffness, self.onset * self.thickness);
        if q <= 0.0 {
            Response::default()
        } else if q < r {
            Response { energy: k * q * q * q / (6.0 * r), force: 0.5 * k * q * q / r, slope: k * q / r }
        } else {
            let over = q - r;
            let energy = k * (r * r / 6.0 + 0.5 * r * over + 0.5 * over * over);
            Response { energy, force: k * (q - 0.5 * r), slope: k }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_and_slope_are_derivatives_of_the_energy() {
        for onset in [0.0, ONSET] {
            let law = Law { thickness: 2e-3, stiffness: 50.0, friction: 0.0, onset };
            for share in [0.002, 0.1, 0.3, 0.499, 0.501, 0.8, 0.969, 0.975, 0.999, 1.01] {
                let (d, step) = (share * law.thickness, 1e-8);
                let [before, here, after] = [d - step, d, d + step].map(|d| law.at(d));
                let force = (before.energy - after.energy) / (2.0 * step);
                let slope = (before.force - after.force) / (2.0 * step);
                assert!((here.force - force).abs() < 1e-5 * (here.force + 1e-4), "{share}: {here:?} {force}");
                assert!((here.slope - slope).abs() < 1e-4 * (here.slope + 1e-3), "{share}: {here:?} {slope}");
            }
        }
    }

    #[test]
    fn energy_and_force_have_no_jumps() {
        let law = Law { thickness: 2e-3, stiffness: 50.0, friction: 0.0, onset: ONSET };
        for share in [1.0 - ONSET, 1.0] {
            let [below, above] = [1.0 - 1e-9, 1.0 + 1e-9].map(|side| law.at(share * side * law.thickness));
            assert!((below.energy - above.energy).abs() < 1e-11, "{share}: {below:?} {above:?}");
            assert!((below.force - above.force).abs() < 1e-6 * (below.force + 1e-3), "{share}");
        }
        // Where it has crossed it is pushed back.
        assert!(law.at(-1e-3).force > law.at(0.0).force);
    }
}
