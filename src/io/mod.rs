//! Files: one module per format. Readers return plain data or a body; writers never leave a partial
//! file.

pub mod atomic;
#[cfg(feature = "files")]
mod checkpoint;
#[cfg(feature = "files")]
mod network;
mod npy;
mod obj;
mod ply;
mod read;
mod state;

#[cfg(feature = "files")]
pub use checkpoint::{
    CHECKPOINT_EXTENSION, check_checkpoint, parse_checkpoint, read_checkpoint, write_checkpoint,
};
#[cfg(feature = "files")]
pub use network::{parse_network, read_network};
pub use npy::{parse_points, read_points, write_copies, write_points};
pub use obj::{ObjMesh, parse_obj, read_obj};
pub use read::{read_bytes, read_plain, read_text};
pub use state::{STATE_EXTENSIONS, check_output, write_state};
