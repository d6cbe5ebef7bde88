//! The caption below a picture: a name in the color of its body, and a line about it.

/// A caption below a picture; it is drawn only with the feature `captions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// The name of the body.
    pub name: String,
    /// A line about it; may be empty.
    pub detail: String,
    /// The color of a bar above both, sRGB.
    pub color: [u8; 3],
}
