//! Given springs and masses of a regular network.

use super::{ShapeError, check};

/// The same springs and masses everywhere in a cloth or a lattice, to reproduce papers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawSprings {
    /// Stiffness of springs between neighbors [N/m]; may be infinite in a cloth, whose springs then keep their length.
    pub structural: f32,
    /// Stiffness of diagonals [N/m]; zero for none.
    pub shear: f32,
    /// Stiffness of springs between every second node [N/m]; zero for none.
    pub flexion: f32,
    /// Mass of each node \[kg\].
    pub node_mass: f32,
    /// Dashpot of each spring [N s/m].
    pub dashpot: f32,
}

impl RawSprings {
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        check::positive("structural", self.structural)?;
        self.check_others()
    }

    /// Checks all values except the structural stiffness.
    pub(super) fn check_others(&self) -> Result<(), ShapeError> {
        check::not_negative("shear", self.shear)?;
        check::not_negative("flexion", self.flexion)?;
        check::positive("node-mass", self.node_mass)?;
        check::not_negative("dashpot", self.dashpot)
    }
}
