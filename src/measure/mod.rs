//! Measures of a state: stretch of springs, energies and momenta, places where surfaces cross, distances; in f64 on the CPU.

pub mod crossings;
pub mod distance;
pub mod energy;
pub mod stretch;
pub mod surface;
