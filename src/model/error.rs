//! Errors in models.

use super::MAX_NODES;

/// An error in a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// No node at all.
    #[error("the model has no nodes; add at least one body")]
    Empty,
    /// More nodes than indices can hold.
    #[error("{count} nodes are too many; the most is {MAX_NODES}")]
    TooManyNodes {
        /// Number of nodes.
        count: usize,
    },
    /// A batch without copies.
    #[error("a batch needs at least one copy")]
    NoCopies,
    /// A copy of a batch has another number of nodes than copy 0.
    #[error("copy {copy} has {found} nodes and copy 0 has {expected}; all copies of a batch have as many")]
    CopyNodes {
        /// The copy, from zero.
        copy: usize,
        /// Its number of nodes.
        found: usize,
        /// The number of nodes of copy 0.
        expected: usize,
    },
    /// Arrays of one body differ in length.
    #[error("body '{body}': {array} has {found} entries for {expected} nodes")]
    Length {
        /// The body's name.
        body: String,
        /// Which array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// The number of nodes.
        expected: usize,
    },
    /// A number that is not allowed.
    #[error("body '{body}': {what} of {element} {index} is {value}; {allowed}")]
    Value {
        /// The body's name.
        body: String,
        /// Quantity.
        what: &'static str,
        /// "node", "spring", "attachment", "triangle" or "grid link".
        element: &'static str,
        /// Its index in the body.
        index: usize,
        /// The value found.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// An index beyond the body's nodes.
    #[error("body '{body}': {element} {index} names node {node}, but the body has {count} nodes (0 to {})", .count.saturating_sub(1))]
    Index {
        /// The body's name.
        body: String,
        /// "spring", "attachment", "triangle" or "pin".
        element: &'static str,
        /// Its index in the body.
        index: usize,
        /// The node named.
        node: u32,
        /// Number of nodes of the body.
        count: usize,
    },
    /// A number of a collider that is not allowed.
    #[error("collider {index}: {what} = {value}; it must be {allowed}")]
    Collider {
        /// Which collider, from zero.
        index: usize,
        /// Quantity.
        what: &'static str,
        /// The value found.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// More colliders or loads than the kernels have room for.
    #[error("{count} {what} are too many; the most is {most}")]
    TooMany {
        /// "colliders" or "loads".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// Copies of a batch have different colliders.
    #[error("copy {copy} has other colliders than copy 0; all copies of a batch share them")]
    CopyColliders {
        /// The copy, from zero.
        copy: usize,
    },
    /// A load that is not allowed.
    #[error("load {index}: {message}")]
    Load {
        /// Which load, from zero.
        index: usize,
        /// What is wrong.
        message: String,
    },
    /// A node outside the plane of a planar model.
    #[error(
        "body '{body}': node {node} is at z = {z} m and node {first} at z = {plane} m; all must lie in one plane \
         z = const, for planar = true"
    )]
    OffPlane {
        /// The body's name.
        body: String,
        /// The node.
        node: usize,
        /// Its z \[m\].
        z: f32,
        /// The first node of the plane.
        first: usize,
        /// The z of that node \[m\].
        plane: f32,
    },
    /// A motion out of the plane of a planar model.
    #[error("body '{body}': {what} has z = {z}; it must be 0, for planar = true")]
    OutOfPlane {
        /// The body's name.
        body: String,
        /// What moves.
        what: String,
        /// Its z.
        z: f32,
    },
    /// A rotation out of the plane of a planar model.
    #[error("body '{body}': the axis {axis} of a pin's turn must be along z, for planar = true")]
    TurnOutOfPlane {
        /// The body's name.
        body: String,
        /// Its axis.
        axis: glam::Vec3,
    },
    /// A bending stiffness that is not allowed for the body.
    #[error("body '{body}': bending = {value} N m: {allowed}")]
    Bending {
        /// The body's name.
        body: String,
        /// The value found [N m].
        value: f32,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A limit of stretch that is not allowed for the body.
    #[error("body '{body}': strain-limit = {value}: {allowed}")]
    StrainLimit {
        /// The body's name.
        body: String,
        /// The value found \[1\].
        value: f32,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A surface that is not allowed.
    #[error("body '{body}': {key} = {value}: {allowed}")]
    Layer {
        /// The body's name.
        body: String,
        /// The key in scene files.
        key: &'static str,
        /// The value found.
        value: f32,
        /// What is allowed.
        allowed: &'static str,
    },
    /// More inextensible springs than the motion of the nodes can satisfy.
    #[error(
        "body '{body}': {springs} inextensible springs (stiffness = inf) hold {free} free nodes, more than 2.5 each: they \
         would hold each other and leave no room to bend. Give those of them that only shape the body a finite stiffness"
    )]
    Jammed {
        /// The body of the first of these nodes.
        body: String,
        /// Number of connected inextensible springs.
        springs: usize,
        /// Number of nodes at their ends that are not pinned.
        free: usize,
    },
    /// A spring or triangle that uses a node twice.
    #[error("body '{body}': {element} {index} uses node {node} twice")]
    Degenerate {
        /// The body's name.
        body: String,
        /// "spring", "attachment" or "triangle".
        element: &'static str,
        /// Its index in the body.
        index: usize,
        /// The node.
        node: u32,
    },
}
