//! What is written below a picture: a name in the color of its body, and a line about it.

/// Words below a picture; without the feature `captions` they are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// The name of what is shown.
    pub name: String,
    /// A line about it; may be empty.
    pub detail: String,
    /// The color of a bar over both, sRGB.
    pub color: [u8; 3],
}
