//! Why a shape cannot be made.

/// A value of a shape that is not allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{key} = {value}: {allowed}")]
pub struct ShapeError {
    /// The key as in a scene file.
    pub key: &'static str,
    /// The value found.
    pub value: String,
    /// What is allowed, and how to fix it.
    pub allowed: String,
}

impl ShapeError {
    pub(super) fn new(key: &'static str, value: impl ToString, allowed: impl Into<String>) -> Self {
        Self { key, value: value.to_string(), allowed: allowed.into() }
    }
}
