//! The library's error: one enum. Messages say what is wrong, where, what is allowed and how to fix it.

use std::path::PathBuf;

use crate::breakdown::Breakdown;
use crate::foreign::escape;
use crate::gpu::GpuError;
use crate::method::{NotHeld, StabilityError};
use crate::model::ModelError;
use crate::settings::SettingsError;
use crate::shape::ShapeError;

/// Anything that can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The GPU, its driver or a shader.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A model that the solver cannot take.
    #[error(transparent)]
    NotHeld(#[from] NotHeld),
    /// A setting.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A step that the solver cannot take.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// A file: what is wrong with it and where.
    #[error("{}{}: {}", escape(&.path.display().to_string()), .line.map(|l| format!(":{l}")).unwrap_or_default(), escape(.message))]
    File {
        /// The file.
        path: PathBuf,
        /// Line, from one, where known.
        line: Option<usize>,
        /// What is wrong, what is allowed, how to fix it.
        message: String,
    },
    /// A call with arguments that make no sense.
    #[error("{0}")]
    Argument(String),
    /// The run became unstable.
    #[error(transparent)]
    Diverged(Box<Breakdown>),
}

impl Error {
    /// An error about a whole file.
    pub fn file(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Error::File { path: path.into(), line: None, message: message.into() }
    }

    /// An error about one line of a file, from one.
    pub fn line(path: impl Into<PathBuf>, line: usize, message: impl Into<String>) -> Self {
        Error::File { path: path.into(), line: Some(line), message: message.into() }
    }
}
