//! A straight rope of equal springs.

use glam::Vec3;

use super::{Damping, Flexion, ShapeError, check};
use crate::model::{Body, Family, Spring};

/// Mass of a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RopeMass {
    /// The same mass at every node \[kg\].
    PerNode(f32),
    /// Mass per length [kg/m]; the two ends have half the mass of an inner node.
    LineDensity(f32),
}

/// Stiffness of a rope along itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AxialStiffness {
    /// The same stiffness on every spring [N/m]; infinite for a rope that keeps its length.
    PerSpring(f32),
    /// Young's modulus times cross section, EA \[N\]; each spring of rest length r has k = EA / r; infinite
    /// for a rope that keeps its length.
    Axial(f32),
}

/// A straight rope from `start` to `end`; its node 0 is the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// First node \[m\].
    pub start: Vec3,
    /// Last node \[m\].
    pub end: Vec3,
    /// Number of nodes, at least two.
    pub nodes: u32,
    /// Mass.
    pub mass: RopeMass,
    /// Stiffness along the rope.
    pub stiffness: AxialStiffness,
    /// Springs between every second node.
    pub flexion: Flexion,
    /// Damping along the springs.
    pub damping: Damping,
}

impl Rope {
    /// Makes the body, with all structural springs from the start on, then all flexion springs.
    pub fn build(&self) -> Result<Body, ShapeError> {
        self.check()?;
        let count = self.nodes;
        let spacing = self.start.distance(self.end) / (count - 1) as f32;
        let structural = match self.stiffness {
            AxialStiffness::PerSpring(stiffness) => stiffness,
            AxialStiffness::Axial(ea) => ea / spacing,
        };
        if let AxialStiffness::Axial(ea) = self.stiffness
            && structural > f32::MAX
            && ea.is_finite()
        {
            let allowed = format!("too much for springs of {spacing} m; inf makes the rope inextensible");
            return Err(ShapeError::new("axial-stiffness", ea, allowed));
        }
        let flexion = self.flexion.stiffness(structural);
        let is_end = |i| i == 0 || i + 1 == count;
        let mass = |i| match self.mass {
            RopeMass::PerNode(mass) => mass,
            RopeMass::LineDensity(density) => density * spacing * if is_end(i) { 0.5 } else { 1.0 },
        };
        let springs = |step: u32, stiffness: f32, family| {
            let rest_length = spacing * step as f32;
            let dashpot = self.damping.dashpot(stiffness);
            let last = if stiffness > 0.0 { count.saturating_sub(step) } else { 0 };
            (0..last).map(move |i| Spring { nodes: [i, i + step], rest_length, stiffness, dashpot, family })
        };
        let at = |i| self.start.lerp(self.end, i as f32 / (count - 1) as f32);
        Ok(Body {
            name: "rope".into(),
            rest_position: (0..count).map(at).collect(),
            mass: (0..count).map(mass).collect(),
            springs: springs(1, structural, Family::Structural)
                .chain(springs(2, flexion, Family::Flexion))
                .collect(),
            ..Body::default()
        })
    }

    fn check(&self) -> Result<(), ShapeError> {
        check::point("start", self.start)?;
        check::point("end", self.end)?;
        check::count("nodes", self.nodes, 2)?;
        if self.start.distance(self.end) / self.nodes as f32 <= f32::EPSILON * self.start.length() {
            let allowed = "it must lie apart from start, by more than rounding for so many nodes";
            return Err(ShapeError::new("end", self.end, allowed));
        }
        match self.mass {
            RopeMass::PerNode(mass) => check::positive("node-mass", mass)?,
            RopeMass::LineDensity(density) => check::positive("line-density", density)?,
        }
        match self.stiffness {
            AxialStiffness::PerSpring(stiffness) => check::stiffness("structural", stiffness)?,
            AxialStiffness::Axial(ea) => check::stiffness("axial-stiffness", ea)?,
        }
        self.flexion.check()?;
        let (AxialStiffness::PerSpring(k) | AxialStiffness::Axial(k)) = self.stiffness;
        if let Flexion::Ratio(ratio) = self.flexion
            && k == f32::INFINITY
        {
            let allowed = "a part of an infinite stiffness is infinite, too; give flexion, in N/m";
            return Err(ShapeError::new("flexion-ratio", ratio, allowed));
        }
        self.damping.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rope() -> Rope {
        Rope {
            start: Vec3::ZERO,
            end: Vec3::new(0.0, -2.0, 0.0),
            nodes: 5,
            mass: RopeMass::LineDensity(0.4),
            stiffness: AxialStiffness::Axial(100.0),
            flexion: Flexion::Ratio(0.1),
            damping: Damping::Time(0.01),
        }
    }

    #[test]
    fn mass_and_stiffness_follow_the_material() {
        let body = rope().build().unwrap();
        assert!((body.mass.iter().sum::<f32>() - 0.8).abs() < 1e-6);
        assert_eq!(body.mass[0] * 2.0, body.mass[1]);
        assert_eq!(body.springs.len(), 4 + 3);
        let (first, last) = (body.springs[0], body.springs[6]);
        assert_eq!((first.rest_length, first.stiffness, first.dashpot), (0.5, 200.0, 2.0));
        assert_eq!((last.nodes, last.rest_length, last.stiffness), ([2, 4], 1.0, 20.0));
        assert_eq!(body.rest_position[4], Vec3::new(0.0, -2.0, 0.0));
    }

    #[test]
    fn a_rope_of_two_nodes_has_one_spring() {
        let body = Rope { nodes: 2, ..rope() }.build().unwrap();
        assert_eq!(body.springs.len(), 1);
    }

    #[test]
    fn nonsense_is_refused_by_key() {
        let key = |rope: Rope| rope.build().unwrap_err().key;
        assert_eq!(key(Rope { nodes: 1, ..rope() }), "nodes");
        assert_eq!(key(Rope { nodes: 1_000_000_000, ..rope() }), "nodes");
        assert_eq!(key(Rope { end: Vec3::ZERO, ..rope() }), "end");
        assert_eq!(key(Rope { start: Vec3::NAN, ..rope() }), "start");
        assert_eq!(key(Rope { mass: RopeMass::PerNode(0.0), ..rope() }), "node-mass");
        assert_eq!(key(Rope { flexion: Flexion::PerSpring(-1.0), ..rope() }), "flexion");
        assert_eq!(key(Rope { damping: Damping::Time(f32::NAN), ..rope() }), "damping-time");
        let inextensible = Rope { stiffness: AxialStiffness::Axial(f32::INFINITY), ..rope() };
        assert_eq!(key(inextensible.clone()), "flexion-ratio");
        // An inextensible spring has nothing to damp.
        let body = Rope { flexion: Flexion::PerSpring(20.0), ..inextensible }.build().unwrap();
        let found: Vec<_> = body.springs.iter().map(|s| (s.stiffness, s.dashpot)).collect();
        assert_eq!((found[0], found[6]), ((f32::INFINITY, 0.0), (20.0, 20.0 * 0.01)));
    }
}
