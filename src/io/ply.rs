//! Writes binary little-endian PLY: vertices with velocities, faces, and edges of ropes.

use std::io::Write;
use std::path::Path;

use super::atomic;
use crate::Error;
use crate::state::State;

/// Writes positions \[m\], velocities [m/s], triangles and lines.
pub(super) fn write(
    path: &Path,
    state: &State,
    triangles: &[[u32; 3]],
    lines: &[[u32; 2]],
) -> Result<(), Error> {
    atomic::write(path, |w| {
        writeln!(w, "ply\nformat binary_little_endian 1.0\ncomment taffeta, time {} s", state.time)?;
        writeln!(w, "element vertex {}", state.position.len())?;
        for name in ["x", "y", "z", "vx", "vy", "vz"] {
            writeln!(w, "property float {name}")?;
        }
        writeln!(w, "element face {}\nproperty list uchar int vertex_indices", triangles.len())?;
        if !lines.is_empty() {
            writeln!(w, "element edge {}\nproperty int vertex1\nproperty int vertex2", lines.len())?;
        }
        writeln!(w, "end_header")?;
        for (position, velocity) in state.position.iter().zip(&state.velocity) {
            for x in position.to_array().into_iter().chain(velocity.to_array()) {
                w.write_all(&x.to_le_bytes())?;
            }
        }
        for triangle in triangles {
            w.write_all(&[3])?;
            triangle.iter().try_for_each(|n| w.write_all(&n.to_le_bytes()))?;
        }
        lines.iter().flatten().try_for_each(|n| w.write_all(&n.to_le_bytes()))
    })
}
