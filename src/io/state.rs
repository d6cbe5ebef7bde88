//! Writes a state in the format given by the extension.

use std::path::Path;

use super::{atomic, npy, obj, ply};
use crate::Error;
use crate::model::{Family, Model};
use crate::state::State;

/// Extensions that [`write_state`] knows.
pub const STATE_EXTENSIONS: [&str; 3] = ["obj", "ply", "npy"];

#[derive(Clone, Copy)]
enum Format {
    Obj,
    Ply,
    Npy,
}

impl Format {
    fn of(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "obj" => Ok(Format::Obj),
            "ply" => Ok(Format::Ply),
            "npy" => Ok(Format::Npy),
            _ => {
                let found = if extension.is_empty() {
                    "it has no extension".to_owned()
                } else {
                    format!("no format has the extension '.{extension}'")
                };
                let message = format!(
                    "{found}; a state is written as .obj (positions, faces), .ply (positions, velocities, faces) \
                     or .npy (positions, float32 of shape (n, 3))"
                );
                Err(Error::file(path, message))
            }
        }
    }
}

/// Writes `state` to `path` as .obj, .ply or .npy. Bodies without triangles are written as lines.
pub fn write_state(path: &Path, model: &Model, state: &State) -> Result<(), Error> {
    let format = Format::of(path)?;
    let (count, expected) = (state.position.len(), model.node_count());
    if count != expected || state.velocity.len() != expected {
        return Err(Error::Argument(format!("the state has {count} nodes, the model {expected}")));
    }
    match format {
        Format::Obj => obj::write(path, &state.position, model.triangles(), &lines_of(model)),
        Format::Ply => ply::write(path, state, model.triangles(), &lines_of(model)),
        Format::Npy => npy::write_points(path, &state.position),
    }
}

/// Checks, before a long run, that [`write_state`] will be able to write `path`: its extension is
/// known, and its directory exists and is writable.
pub fn check_output(path: &Path) -> Result<(), Error> {
    Format::of(path)?;
    atomic::check(path)
}

/// Springs that are drawn as lines for bodies without triangles.
fn lines_of(model: &Model) -> Vec<[u32; 2]> {
    let bare = model.bodies().iter().filter(|body| body.triangles.is_empty());
    let springs = bare.flat_map(|body| &model.springs()[body.springs.clone()]);
    springs.filter(|s| s.family != Family::Flexion).map(|s| s.nodes).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Body, ModelBuilder, Spring};

    fn rope_and_triangle() -> Model {
        let spring =
            |a, b, family| Spring { nodes: [a, b], rest_length: 1.0, stiffness: 1.0, dashpot: 0.0, family };
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.1, 1e-7, -3.5)];
        let rope = Body {
            rest_position: points.clone(),
            mass: vec![1.0; 3],
            springs: vec![
                spring(0, 1, Family::Structural),
                spring(1, 2, Family::Structural),
                spring(0, 2, Family::Flexion),
            ],
            ..Body::default()
        };
        let triangle =
            Body { rest_position: points, mass: vec![1.0; 3], triangles: vec![[0, 1, 2]], ..Body::default() };
        let mut builder = ModelBuilder::new();
        builder.add(rope);
        builder.add(triangle);
        builder.build().unwrap()
    }

    #[test]
    fn each_format_holds_what_was_written() {
        let model = rope_and_triangle();
        let mut state = model.initial_state().clone();
        state.velocity[1] = Vec3::new(4.0, 5.0, 6.0);
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str| {
            let path = folder.path().join(name);
            check_output(&path).unwrap();
            write_state(&path, &model, &state).unwrap();
            std::fs::read(path).unwrap()
        };
        let obj = String::from_utf8(written("a.obj")).unwrap();
        assert!(obj.contains("\nv 0.1 0.0000001 -3.5\n"), "{obj}");
        assert!(obj.contains("\nl 1 2\nl 2 3\n") && obj.ends_with("f 4 5 6\n"), "{obj}");

        let ply = written("a.PLY");
        let end = ply.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        let header = std::str::from_utf8(&ply[..end]).unwrap();
        assert!(header.contains("element vertex 6\n") && header.contains("element edge 2\n"), "{header}");
        assert_eq!(ply.len() - end, 6 * 24 + 13 + 2 * 8);
        assert_eq!(ply[end + 24 + 12..end + 24 + 16], 4f32.to_le_bytes());

        written("a.npy");
        assert_eq!(super::super::read_points(&folder.path().join("a.npy")).unwrap(), state.position);
    }

    #[test]
    fn wrong_extensions_list_the_right_ones() {
        for name in ["a.stl", "a"] {
            let error = check_output(Path::new(name)).unwrap_err().to_string();
            assert!(STATE_EXTENSIONS.iter().all(|e| error.contains(e)) && error.contains(name), "{error}");
        }
    }
}
