//! Stretch of springs: strain l / r - 1, its maximum and high percentiles.
//!
//! The maximum alone misleads: it occurs at single pinned nodes and grows with resolution. So the 99th and 99.9th
//! percentiles are given, too, by linear interpolation between the sorted values (position p (n - 1)). Springs of rest
//! length zero have no strain, and the solver does not determine the strain of springs between two pinned nodes: both
//! are left out.

use glam::DVec3;

use crate::model::{Family, Model};

/// Strains of a set of springs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strain {
    /// Number of springs counted.
    pub count: usize,
    /// Largest strain \[1\]; 0 if there is no spring.
    pub max: f64,
    /// 99th percentile \[1\].
    pub p99: f64,
    /// 99.9th percentile \[1\].
    pub p999: f64,
}

/// Strains of a model in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Of all springs.
    pub all: Strain,
    /// Of each family that has springs.
    pub families: Vec<(Family, Strain)>,
}

impl Stretch {
    /// The strains at positions `x` \[m\].
    pub fn of(model: &Model, x: &[DVec3]) -> Self {
        let strains = strains(model, x);
        let mut families = Vec::new();
        for family in [Family::Structural, Family::Shear, Family::Flexion, Family::Raw] {
            let member =
                |&(s, strain): &(usize, f64)| (model.springs()[s].family == family).then_some(strain);
            let strain = Strain::of(strains.iter().filter_map(member).collect());
            if strain.count > 0 {
                families.push((family, strain));
            }
        }
        Self { all: Strain::of(strains.iter().map(|s| s.1).collect()), families }
    }

    /// The strains of one family; zeros if it has no springs.
    pub fn family(&self, family: Family) -> Strain {
        self.families.iter().find(|f| f.0 == family).map(|f| f.1).unwrap_or_default()
    }
}

impl Strain {
    fn of(mut strains: Vec<f64>) -> Self {
        strains.sort_by(f64::total_cmp);
        let max = strains.last().copied().unwrap_or(0.0);
        Self { count: strains.len(), max, p99: percentile(&strains, 0.99), p999: percentile(&strains, 0.999) }
    }
}

/// Index and strain l / r - 1 of every spring that counts, at positions `x` \[m\].
pub fn strains(model: &Model, x: &[DVec3]) -> Vec<(usize, f64)> {
    let of = |(s, spring): (usize, &crate::model::Spring)| {
        let [i, j] = spring.nodes.map(|i| i as usize);
        let held = model.pinned()[i] && model.pinned()[j];
        let rest = f64::from(spring.rest_length);
        (rest > 0.0 && !held).then(|| (s, (x[i] - x[j]).length() / rest - 1.0))
    };
    model.springs().iter().enumerate().filter_map(of).collect()
}

/// The value below which the fraction `p` of the sorted values lies; 0 if there are none.
pub fn percentile(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let at = p * last as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::fixture;

    #[test]
    fn percentiles_interpolate() {
        let sorted: Vec<f64> = (0..101).map(f64::from).collect();
        assert!((percentile(&sorted, 0.99) - 99.0).abs() < 1e-12);
        assert!((percentile(&sorted, 0.999) - 99.9).abs() < 1e-12);
        assert_eq!(percentile(&[2.0], 0.99), 2.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    #[test]
    fn a_stretched_sheet_shows_its_strain_in_each_family() {
        let model = fixture::cloth(5, 4, &[0, 1]);
        let x: Vec<_> = model.rest_position().iter().map(|x| 1.1 * x.as_dvec3()).collect();
        let stretch = Stretch::of(&model, &x);
        assert_eq!(stretch.all.count, model.springs().len() - 1);
        for family in [Family::Structural, Family::Shear, Family::Flexion] {
            let strain = stretch.family(family);
            assert!((strain.max - 0.1).abs() < 1e-6 && (strain.p99 - 0.1).abs() < 1e-6);
        }
        assert_eq!(stretch.family(Family::Raw), Strain::default());
    }
}
