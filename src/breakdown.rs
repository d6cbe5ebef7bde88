//! Why a run broke down: at which node or spring, and when.

use std::fmt;

use crate::model::Model;

/// A node whose position is not finite, or whose spring is longer than allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// Substeps done at the end of the first broken frame.
    pub step: u32,
    /// Of the broken nodes the one that comes first in memory ([`Model::order`]), which is the lowest unless nodes were moved.
    pub node: u32,
    /// Other end of its longest spring; the node itself where it has none.
    pub other: u32,
    /// Length of that spring over its rest length; NaN where the position is.
    pub ratio: f32,
    /// Whether it is the user's own force on the node that is no finite number, in this very step.
    pub is_of_force: bool,
    /// Largest 2 w sum k |l - r| / l of any node in the frame before [1/s^2]; 0 where tension does not limit the step.
    pub tension_rate: f32,
}

/// A failure in the words of its model. Its text says what broke down, where and when, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// What was found.
    pub failure: Failure,
    /// The copy of a batch in which it was; `None` where there is only one.
    pub copy: Option<u32>,
    /// Simulated time \[s\].
    pub time: f64,
    /// The failure's node and the other end of its spring, counted in their copy.
    pub nodes: [u32; 2],
    /// Names of the bodies that these belong to.
    pub bodies: [String; 2],
    /// The lengths over rest lengths that the settings allow.
    pub largest_stretch: f32,
    /// What is known of the cause, with its own advice.
    pub cause: Option<String>,
}

impl Breakdown {
    /// That of a failure at `time` \[s\].
    pub fn new(
        failure: Failure,
        model: &Model,
        time: f64,
        largest_stretch: f32,
        cause: Option<String>,
    ) -> Self {
        let copy = model.copy_of(failure.node);
        let first = copy * model.nodes_per_copy() as u32;
        let ends = [failure.node, failure.other];
        Self {
            failure,
            copy: (model.copies() > 1).then_some(copy),
            time,
            nodes: ends.map(|node| node - first),
            bodies: ends.map(|node| model.body_of(node).name.clone()),
            largest_stretch,
            cause,
        }
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { step, ratio, is_of_force, .. } = self.failure;
        let ([node, other], [body, other_body]) = (self.nodes, &self.bodies);
        match self.copy {
            None => write!(f, "the run")?,
            Some(copy) => write!(f, "copy {copy}")?,
        }
        let word = if is_of_force { "in" } else { "by" };
        write!(f, " broke down {word} step {step} ({:.4} s): ", self.time)?;
        if is_of_force {
            return write!(
                f,
                "user-force returned a number that is not finite for node {node} of '{body}'; look for a division by \
                 zero or a root of a negative number in it"
            );
        }
        if other == node {
            write!(f, "node {node} of '{body}' is no longer at a finite position")?;
        } else if !ratio.is_finite() {
            write!(f, "node {node} of '{body}' and its spring to node {other} are no longer finite numbers")?;
        } else {
            write!(f, "the spring between ")?;
            match other_body == body {
                true => write!(f, "nodes {node} and {other} of '{body}'")?,
                false => write!(f, "node {node} of '{body}' and node {other} of '{other_body}'")?,
            }
            let most = self.largest_stretch;
            write!(f, " is {ratio:.3} times its rest length, beyond largest-stretch = {most}")?;
        }
        let advice = "use more substeps or iterations, softer springs or more damping";
        write!(f, "; {}", self.cause.as_deref().unwrap_or(advice))
    }
}

impl std::error::Error for Breakdown {}
