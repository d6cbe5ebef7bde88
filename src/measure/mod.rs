//! Measures of a state: stretch of springs, energies and momenta, in f64 on the CPU.

pub mod energy;
pub mod stretch;
