//! A force that the user has written in WGSL.

/// WGSL text with a function `user_force`:
///
/// ```wgsl
/// fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f
/// ```
///
/// the force \[N\] on a node at `position` \[m\] with `velocity` [m/s] and `mass` \[kg\], at `time` \[s\], the start of a
/// substep. It may come with functions, constants and structs of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct UserForce {
    /// The file that it stands in, for messages.
    pub file: String,
    /// The text, below as many empty lines as there are above it in the file.
    pub text: String,
    /// Whether messages show lines of it. Those of a file are not shown: a path named by mistake may lead anywhere.
    pub is_shown: bool,
}

impl UserForce {
    /// Most bytes of a text.
    pub const MOST_BYTES: usize = 64 << 10;

    /// Text that begins in `line` (from one) of `file`.
    pub fn new(file: impl Into<String>, line: usize, text: &str) -> Self {
        Self { file: file.into(), text: "\n".repeat(line.saturating_sub(1)) + text, is_shown: true }
    }

    /// All of a file of its own.
    pub fn of_file(file: impl Into<String>, text: &str) -> Self {
        Self { is_shown: false, ..Self::new(file, 1, text) }
    }
}
