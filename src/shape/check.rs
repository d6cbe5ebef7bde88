//! Checks that all generators use; each error names the key and what is allowed.

use glam::Vec3;

use super::ShapeError;
use crate::model::MAX_NODES;

/// Largest coordinates and sizes \[m\]: beyond it f32 has too few digits.
const LARGEST_LENGTH: f32 = 1e6;

pub(super) fn positive(key: &'static str, x: f32) -> Result<(), ShapeError> {
    if x.is_finite() && x > 0.0 {
        return Ok(());
    }
    Err(ShapeError::new(key, x, "it must be a finite number above zero"))
}

/// Checks a stiffness, which may be infinite: the spring then keeps its length.
pub(super) fn stiffness(key: &'static str, x: f32) -> Result<(), ShapeError> {
    if x > 0.0 {
        return Ok(());
    }
    Err(ShapeError::new(key, x, "it must be a number above zero, or inf"))
}

pub(super) fn not_negative(key: &'static str, x: f32) -> Result<(), ShapeError> {
    if x.is_finite() && x >= 0.0 {
        return Ok(());
    }
    Err(ShapeError::new(key, x, "it must be finite and not negative"))
}

pub(super) fn point(key: &'static str, p: Vec3) -> Result<(), ShapeError> {
    if p.is_finite() && p.abs().max_element() <= LARGEST_LENGTH {
        return Ok(());
    }
    Err(ShapeError::new(key, p, "it must be three finite numbers, none beyond 1e6"))
}

pub(super) fn direction(key: &'static str, d: Vec3) -> Result<(), ShapeError> {
    point(key, d)?;
    if d.length() > 0.0 && d.length_squared().is_normal() {
        return Ok(());
    }
    Err(ShapeError::new(key, d, "it must have a length above zero"))
}

/// Checks a number of nodes: at least `least`, and no more than a model may have.
pub(super) fn count(key: &'static str, n: u32, least: u32) -> Result<(), ShapeError> {
    if n >= least && n as usize <= MAX_NODES {
        return Ok(());
    }
    Err(ShapeError::new(key, n, format!("it must be a whole number from {least} to {MAX_NODES}")))
}
