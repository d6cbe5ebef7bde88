//! Reads a raw network from an .npz file.
//!
//! | array | shape | meaning |
//! |---|---|---|
//! | rest_position | (n, 3) | rest positions \[m\] |
//! | mass | (n,) | masses \[kg\] |
//! | springs | (m, 2) | indices of the two nodes, from zero |
//! | rest_length | (m,) | rest lengths \[m\] |
//! | stiffness | (m,) | stiffnesses [N/m]; inf: the spring keeps its length |
//! | pinned | (n,) bool or (k,) integers | mask, or indices of pinned nodes; may be absent |
//! | position, velocity | (n, 3) | initial state \[m\], [m/s]; may be absent |
//! | dashpot | (m,) | dashpots [N s/m]; may be absent |
//! | triangles | (t, 3) | indices; may be absent |
//!
//! Other arrays are ignored.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use npyz::npz::{NpzArchive, file_name_from_array_name};

use super::npy::{Array, Numbers, points_of, read_array};
use crate::Error;
use crate::model::{Body, Family, MAX_NODES, Spring};

/// Reads the network in the .npz file at `path`.
pub fn read_network(path: &Path) -> Result<Body, Error> {
    let archive = NpzArchive::open(path)
        .map_err(|e| Error::file(path, format!("it cannot be read as an .npz archive: {e}")))?;
    let mut reader = Reader { path, archive };
    let rest_position = reader.needed("rest_position", points_of)?;
    let count = rest_position.len();
    if count == 0 {
        return Err(Error::file(path, "array 'rest_position' is empty; a network has at least one node"));
    }
    if count > MAX_NODES {
        let message = format!("array 'rest_position' has {count} nodes; the most is {MAX_NODES}");
        return Err(Error::file(path, message));
    }
    let ends = reader.needed("springs", |array| rows_of::<2>(array, count))?;
    let springs = ends.len();
    let rest_length = reader.needed("rest_length", |array| floats_of(array, springs))?;
    let stiffness = reader.needed("stiffness", |array| stiffnesses_of(array, springs))?;
    let dashpot = reader.optional("dashpot", |array| floats_of(array, springs))?;
    let spring = |i: usize| Spring {
        nodes: ends[i],
        rest_length: rest_length[i],
        stiffness: stiffness[i],
        // What keeps its length has no speed along itself to be damped.
        dashpot: dashpot.as_ref().filter(|_| stiffness[i].is_finite()).map_or(0.0, |d| d[i]),
        family: Family::Raw,
    };
    Ok(Body {
        name: "network".into(),
        mass: reader.needed("mass", |array| floats_of(array, count))?,
        position: reader.optional("position", points_of)?,
        velocity: reader.optional("velocity", points_of)?,
        pinned: reader.optional("pinned", |array| pins_of(array, count))?.unwrap_or_default(),
        triangles: reader.optional("triangles", |array| rows_of::<3>(array, count))?.unwrap_or_default(),
        springs: (0..springs).map(spring).collect(),
        rest_position,
        bending: 0.0,
        strain_limit: None,
        grid: None,
        glyphs: Vec::new(),
    })
}

struct Reader<'a> {
    path: &'a Path,
    archive: NpzArchive<BufReader<File>>,
}

impl Reader<'_> {
    fn optional<T>(
        &mut self,
        name: &str,
        convert: impl Fn(&Array) -> Result<T, String>,
    ) -> Result<Option<T>, Error> {
        if !self.archive.array_names().any(|n| n == name) {
            return Ok(None);
        }
        let entry = self.archive.zip_archive().by_name(&file_name_from_array_name(name));
        let array = entry.map_err(|e| e.to_string()).and_then(read_array);
        match array.and_then(|array| convert(&array)) {
            Ok(value) => Ok(Some(value)),
            Err(message) => Err(Error::file(self.path, format!("array '{name}': {message}"))),
        }
    }

    fn needed<T>(&mut self, name: &str, convert: impl Fn(&Array) -> Result<T, String>) -> Result<T, Error> {
        self.optional(name, convert)?.ok_or_else(|| {
            let message = format!(
                "array '{name}' is missing; a network has rest_position, mass, springs, rest_length and \
                 stiffness, and may have pinned, position, velocity, dashpot and triangles"
            );
            Error::file(self.path, message)
        })
    }
}

fn floats_of(array: &Array, count: usize) -> Result<Vec<f32>, String> {
    match (&array.numbers, array.shape.as_slice()) {
        (Numbers::Floats(x), [_]) if x.len() == count => Ok(x.iter().map(|&x| x as f32).collect()),
        _ => Err(format!("{}; floats of shape ({count}) are needed", array.description())),
    }
}

/// Of these inf means something else than a large number.
fn stiffnesses_of(array: &Array, count: usize) -> Result<Vec<f32>, String> {
    let stiffnesses = floats_of(array, count)?;
    if let Numbers::Floats(given) = &array.numbers
        && let Some(i) = given.iter().zip(&stiffnesses).position(|(x, k)| x.is_finite() && !k.is_finite())
    {
        return Err(format!(
            "entry {i} is {:e}; at most 3.4e38, or inf for a spring that keeps its length",
            given[i]
        ));
    }
    Ok(stiffnesses)
}

fn index_of(index: i64, count: usize) -> Result<u32, String> {
    u32::try_from(index)
        .ok()
        .filter(|&i| (i as usize) < count)
        .ok_or_else(|| format!("index {index} names no node; they run from 0 to {}", count.saturating_sub(1)))
}

/// Rows of node indices: springs or triangles.
fn rows_of<const N: usize>(array: &Array, count: usize) -> Result<Vec<[u32; N]>, String> {
    let row = |row: &[i64; N]| {
        let mut nodes = [0; N];
        for (node, &index) in nodes.iter_mut().zip(row) {
            *node = index_of(index, count)?;
        }
        Ok(nodes)
    };
    match (&array.numbers, array.shape.as_slice()) {
        (Numbers::Integers(x), &[_, n]) if n == N as u64 => x.as_chunks().0.iter().map(row).collect(),
        _ => Err(format!("{}; 32-bit or 64-bit integers of shape (m, {N}) are needed", array.description())),
    }
}

fn pins_of(array: &Array, count: usize) -> Result<Vec<u32>, String> {
    match (&array.numbers, array.shape.as_slice()) {
        (Numbers::Flags(mask), [_]) if mask.len() == count => {
            Ok((0..count as u32).filter(|&i| mask[i as usize]).collect())
        }
        (Numbers::Integers(x), [_]) => x.iter().map(|&i| index_of(i, count)).collect(),
        _ => {
            Err(format!("{}; a mask of shape ({count}) or a list of indices is needed", array.description()))
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use npyz::WriterBuilder;
    use npyz::npz::NpzWriter;

    use super::*;
    use crate::model::ModelBuilder;

    type Writer = NpzWriter<std::io::BufWriter<File>>;

    fn array<T: npyz::AutoSerialize>(npz: &mut Writer, name: &str, shape: &[u64], data: &[T]) {
        let builder = npz.array::<T>(name, Default::default()).unwrap();
        let mut writer = builder.default_dtype().shape(shape).begin_nd().unwrap();
        for x in data {
            writer.push(x).unwrap();
        }
        writer.finish().unwrap();
    }

    fn network(rest: &mut dyn FnMut(&mut Writer)) -> Result<Body, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.npz");
        let mut npz = NpzWriter::create(&path).unwrap();
        array(&mut npz, "rest_position", &[3, 3], &[0.0f64, 0.0, 0.0, 1.0, 0.0, 0.0, 2.5, 0.0, 0.0]);
        array(&mut npz, "mass", &[3], &[1.0f32, 2.0, 3.0]);
        array(&mut npz, "rest_length", &[2], &[1.0f64, 1.5]);
        rest(&mut npz);
        drop(npz);
        read_network(&path).map_err(|e| e.to_string())
    }

    #[test]
    fn a_network_of_mixed_types_is_read() {
        let body = network(&mut |npz| {
            array(npz, "springs", &[2, 2], &[0u32, 1, 1, 2]);
            array(npz, "stiffness", &[2], &[10.0f32, 20.0]);
            array(npz, "pinned", &[3], &[true, false, true]);
            array(npz, "velocity", &[3, 3], &[0.5f32; 9]);
            array(npz, "dashpot", &[2], &[0.1f64, 0.2]);
            array(npz, "triangles", &[1, 3], &[0i64, 1, 2]);
            array(npz, "minimiser", &[1], &[0.0f64]);
        })
        .unwrap();
        assert_eq!(body.pinned, [0, 2]);
        assert_eq!(body.rest_position[2], Vec3::new(2.5, 0.0, 0.0));
        let second =
            Spring { nodes: [1, 2], rest_length: 1.5, stiffness: 20.0, dashpot: 0.2, family: Family::Raw };
        assert_eq!(body.springs[1], second);
        let mut builder = ModelBuilder::new();
        builder.add(body);
        let model = builder.build().unwrap();
        assert_eq!((model.mass()[2], model.triangles()), (3.0, &[[0, 1, 2]][..]));
        assert_eq!(model.initial_state().velocity[1], Vec3::splat(0.5));
    }

    #[test]
    fn pins_may_be_a_list_of_indices() {
        let body = network(&mut |npz| {
            array(npz, "springs", &[2, 2], &[0i32, 1, 1, 2]);
            array(npz, "stiffness", &[2], &[10.0f64, 20.0]);
            array(npz, "pinned", &[1], &[1u32]);
        });
        assert_eq!(body.unwrap().pinned, [1]);
    }

    #[test]
    fn a_network_without_nodes_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.npz");
        let mut npz = NpzWriter::create(&path).unwrap();
        array::<f64>(&mut npz, "rest_position", &[0, 3], &[]);
        drop(npz);
        let error = read_network(&path).unwrap_err().to_string();
        assert!(error.contains("net.npz: array 'rest_position' is empty"), "{error}");
    }

    #[test]
    fn wrong_arrays_are_named() {
        let springs = |npz: &mut Writer, last: i64| array(npz, "springs", &[2, 2], &[0i64, 1, 1, last]);
        let error = network(&mut |npz| springs(npz, 2)).unwrap_err();
        assert!(error.contains("array 'stiffness' is missing"), "{error}");
        let error = network(&mut |npz| springs(npz, 3)).unwrap_err();
        assert!(error.contains("array 'springs': index 3 names no node; they run from 0 to 2"), "{error}");
        let error = network(&mut |npz| springs(npz, -1)).unwrap_err();
        assert!(error.contains("index -1"), "{error}");
        let error = network(&mut |npz| {
            springs(npz, 2);
            array(npz, "stiffness", &[1], &[1.0f32]);
        });
        assert!(
            error
                .unwrap_err()
                .contains("array 'stiffness': it holds floats of shape (1); floats of shape (2)")
        );
        assert!(read_network(Path::new("nowhere.npz")).unwrap_err().to_string().contains("nowhere.npz"));
    }
}
