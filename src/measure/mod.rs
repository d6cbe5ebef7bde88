//! The program's own measures of a state: how far springs are stretched, energies and momenta. f64, on the CPU.

pub mod energy;
pub mod stretch;
