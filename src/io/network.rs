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
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use glam::Vec3;
use zip::ZipArchive;

use super::npy::{Header, Kind, Number, check_points, points, read_numbers};
use crate::Error;
use crate::model::{Body, Family, MAX_NODES, Spring};

/// Reads the network in the .npz file at `path`.
pub fn read_network(path: &Path) -> Result<Body, Error> {
    // An archive is read from its end, and devices have no end.
    if path.exists() && !path.is_file() {
        return Err(Error::file(path, "it is no file; a network is an .npz archive"));
    }
    let file = File::open(path).map_err(|e| Error::file(path, format!("it cannot be read: {e}")))?;
    parse_network(BufReader::new(file), path)
}

/// Reads a network from an .npz archive; `path` is for messages. It reads the headers of all arrays first, and the
/// numbers only if the headers fit together, because a small file may claim any number of them.
pub fn parse_network(reader: impl Read + Seek, path: &Path) -> Result<Body, Error> {
    let archive = ZipArchive::new(reader)
        .map_err(|e| Error::file(path, format!("it cannot be read as an .npz archive: {e}")))?;
    let mut reader = Reader { path, archive };
    let rest_position = reader.needed("rest_position", check_points)?;
    let count = rows(&rest_position);
    if count == 0 {
        return Err(Error::file(path, "array 'rest_position' is empty; a network has at least one node"));
    }
    if count > MAX_NODES {
        let message = format!("array 'rest_position' has {count} nodes; the most is {MAX_NODES}");
        return Err(Error::file(path, message));
    }
    let springs = reader.needed("springs", |header| check_rows::<2>(header, MAX_ROWS))?;
    let spring_count = rows(&springs);
    let rest_length = reader.needed("rest_length", |header| check_floats(header, spring_count))?;
    let stiffness = reader.needed("stiffness", |header| check_floats(header, spring_count))?;
    let dashpot = reader.optional("dashpot", |header| check_floats(header, spring_count))?;
    let mass = reader.needed("mass", |header| check_floats(header, count))?;
    let placed = |header: &Header| check_points(header).and_then(|()| check_count(header, count));
    let position = reader.optional("position", placed)?;
    let velocity = reader.optional("velocity", placed)?;
    let pinned = reader.optional("pinned", |header| check_pins(header, count))?;
    let triangles = reader.optional("triangles", |header| check_rows::<3>(header, MAX_ROWS))?;

    let ends = reader.read(&springs, |h, r| rows_of::<2>(h, r, count))?;
    let rest_length = reader.read(&rest_length, floats_of)?;
    let stiffness = reader.read(&stiffness, stiffnesses_of)?;
    let dashpot = reader.read_optional(&dashpot, floats_of)?;
    let spring = |i: usize| Spring {
        nodes: ends[i],
        rest_length: rest_length[i],
        stiffness: stiffness[i],
        // An inextensible spring has no speed along itself to damp.
        dashpot: dashpot.as_ref().filter(|_| stiffness[i].is_finite()).map_or(0.0, |d| d[i]),
        family: Family::Raw,
    };
    Ok(Body {
        name: "network".into(),
        mass: reader.read(&mass, floats_of)?,
        position: reader.read_optional(&position, points_of)?,
        velocity: reader.read_optional(&velocity, points_of)?,
        pinned: reader.read_optional(&pinned, |h, r| pins_of(h, r, count))?.unwrap_or_default(),
        triangles: reader.read_optional(&triangles, |h, r| rows_of::<3>(h, r, count))?.unwrap_or_default(),
        springs: (0..spring_count).map(spring).collect(),
        rest_position: reader.read(&rest_position, points_of)?,
        bending: 0.0,
        strain_limit: None,
        layer: Default::default(),
        grid: None,
        glyphs: Vec::new(),
    })
}

/// Most springs or triangles: their indices fit 32 bits.
const MAX_ROWS: usize = 1 << 30;

/// An array whose header has been checked.
struct Found {
    name: &'static str,
    header: Header,
}

/// Size of an array's first axis.
fn rows(found: &Found) -> usize {
    found.header.shape.first().map_or(0, |&n| n as usize)
}

struct Reader<'a, R: Read + Seek> {
    path: &'a Path,
    archive: ZipArchive<R>,
}

impl<R: Read + Seek> Reader<'_, R> {
    /// The header of an optional array, checked by `check`.
    fn optional(
        &mut self,
        name: &'static str,
        check: impl Fn(&Header) -> Result<(), String>,
    ) -> Result<Option<Found>, Error> {
        if self.archive.index_for_name(&file_name(name)).is_none() {
            return Ok(None);
        }
        let header = self.open(name, |_, _| Ok(()), &check)?.0;
        Ok(Some(Found { name, header }))
    }

    fn needed(
        &mut self,
        name: &'static str,
        check: impl Fn(&Header) -> Result<(), String>,
    ) -> Result<Found, Error> {
        self.optional(name, check)?.ok_or_else(|| {
            let message = format!(
                "array '{name}' is missing; a network has rest_position, mass, springs, rest_length and \
                 stiffness, and may have pinned, position, velocity, dashpot and triangles"
            );
            Error::file(self.path, message)
        })
    }

    /// Reads the numbers of a checked array.
    fn read<T>(
        &mut self,
        found: &Found,
        convert: impl FnOnce(&Header, &mut dyn Read) -> Result<T, String>,
    ) -> Result<T, Error> {
        Ok(self.open(found.name, convert, &|_| Ok(()))?.1)
    }

    fn read_optional<T>(
        &mut self,
        found: &Option<Found>,
        convert: impl FnOnce(&Header, &mut dyn Read) -> Result<T, String>,
    ) -> Result<Option<T>, Error> {
        found.as_ref().map(|found| self.read(found, convert)).transpose()
    }

    /// Reads a header, checks it, and passes the data after it to `convert`.
    fn open<T>(
        &mut self,
        name: &str,
        convert: impl FnOnce(&Header, &mut dyn Read) -> Result<T, String>,
        check: &dyn Fn(&Header) -> Result<(), String>,
    ) -> Result<(Header, T), Error> {
        let read = || {
            let mut entry = self.archive.by_name(&file_name(name)).map_err(|e| e.to_string())?;
            let header = Header::read(&mut entry)?;
            check(&header)?;
            let value = convert(&header, &mut entry)?;
            Ok((header, value))
        };
        read().map_err(|message: String| Error::file(self.path, format!("array '{name}': {message}")))
    }
}

/// The name of an array's file in the archive.
fn file_name(array: &str) -> String {
    format!("{array}.npy")
}

fn check_floats(header: &Header, count: usize) -> Result<(), String> {
    match (header.kind, header.shape.as_slice()) {
        (Kind::F32 | Kind::F64, &[n]) if n == count as u64 => Ok(()),
        _ => Err(format!("{}; floats of shape ({count}) are needed", header.description())),
    }
}

/// Checks the number of points, one for each node.
fn check_count(header: &Header, count: usize) -> Result<(), String> {
    match header.shape.first() {
        Some(&n) if n == count as u64 => Ok(()),
        _ => Err(format!("{}; floats of shape ({count}, 3) are needed", header.description())),
    }
}

/// Checks rows of node indices, which are springs or triangles.
fn check_rows<const N: usize>(header: &Header, most: usize) -> Result<(), String> {
    match (header.kind, header.shape.as_slice()) {
        (Kind::I32 | Kind::I64 | Kind::U32 | Kind::U64, &[rows, n]) if n == N as u64 => {
            match rows <= most as u64 {
                true => Ok(()),
                false => Err(format!("{}; at most {most} rows are allowed", header.description())),
            }
        }
        _ => Err(format!("{}; 32-bit or 64-bit integers of shape (m, {N}) are needed", header.description())),
    }
}

fn check_pins(header: &Header, count: usize) -> Result<(), String> {
    match (header.kind, header.shape.as_slice()) {
        (Kind::Flag, &[n]) if n == count as u64 => Ok(()),
        (Kind::I32 | Kind::I64 | Kind::U32 | Kind::U64, &[n]) if n <= count as u64 => Ok(()),
        _ => Err(format!(
            "{}; a mask of shape ({count}) or a list of at most so many indices is needed",
            header.description()
        )),
    }
}

fn points_of(header: &Header, reader: &mut dyn Read) -> Result<Vec<Vec3>, String> {
    points(header, reader)
}

fn floats_of(header: &Header, reader: &mut dyn Read) -> Result<Vec<f32>, String> {
    read_numbers(header, reader, |number| Ok(float(number) as f32))
}

/// Reads stiffnesses, among which inf has a meaning of its own.
fn stiffnesses_of(header: &Header, reader: &mut dyn Read) -> Result<Vec<f32>, String> {
    let mut entry = 0;
    read_numbers(header, reader, |number| {
        let (given, stiffness) = (float(number), float(number) as f32);
        if given.is_finite() && !stiffness.is_finite() {
            return Err(format!(
                "entry {entry} is {given:e}; at most 3.4e38, or inf for a spring that keeps its length"
            ));
        }
        entry += 1;
        Ok(stiffness)
    })
}

fn rows_of<const N: usize>(
    header: &Header,
    reader: &mut dyn Read,
    count: usize,
) -> Result<Vec<[u32; N]>, String> {
    let indices = read_numbers(header, reader, |number| index_of(number, count))?;
    Ok(indices.as_chunks().0.to_vec())
}

/// Reads pins, given as a mask or as indices.
fn pins_of(header: &Header, reader: &mut dyn Read, count: usize) -> Result<Vec<u32>, String> {
    if header.kind != Kind::Flag {
        return read_numbers(header, reader, |number| index_of(number, count));
    }
    let mask = read_numbers(header, reader, |number| Ok(matches!(number, Number::Flag(true))))?;
    Ok((0..count as u32).filter(|&i| mask[i as usize]).collect())
}

/// The number as a float; its kind has been checked.
fn float(number: Number) -> f64 {
    match number {
        Number::Float(x) => x,
        Number::Integer(_) | Number::Flag(_) => f64::NAN,
    }
}

fn index_of(number: Number, count: usize) -> Result<u32, String> {
    let Number::Integer(index) = number else {
        return Err("node indices are integers".to_owned());
    };
    u32::try_from(index)
        .ok()
        .filter(|&i| (i as usize) < count)
        .ok_or_else(|| format!("index {index} names no node; they run from 0 to {}", count.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use npyz::WriterBuilder;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::model::ModelBuilder;

    type Writer = zip::ZipWriter<File>;

    fn archive(path: &Path) -> Writer {
        zip::ZipWriter::new(File::create(path).unwrap())
    }

    fn array<T: npyz::AutoSerialize>(npz: &mut Writer, name: &str, shape: &[u64], data: &[T]) {
        npz.start_file(file_name(name), SimpleFileOptions::default()).unwrap();
        let options = npyz::WriteOptions::new().default_dtype().shape(shape);
        let mut writer = options.writer(npz).begin_nd().unwrap();
        for x in data {
            writer.push(x).unwrap();
        }
        writer.finish().unwrap();
    }

    fn network(rest: &mut dyn FnMut(&mut Writer)) -> Result<Body, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.npz");
        let mut npz = archive(&path);
        array(&mut npz, "rest_position", &[3, 3], &[0.0f64, 0.0, 0.0, 1.0, 0.0, 0.0, 2.5, 0.0, 0.0]);
        array(&mut npz, "mass", &[3], &[1.0f32, 2.0, 3.0]);
        array(&mut npz, "rest_length", &[2], &[1.0f64, 1.5]);
        rest(&mut npz);
        npz.finish().unwrap();
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
            array(npz, "minimizer", &[1], &[0.0f64]);
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
        let mut npz = archive(&path);
        array::<f64>(&mut npz, "rest_position", &[0, 3], &[]);
        npz.finish().unwrap();
        let error = read_network(&path).unwrap_err().to_string();
        assert!(error.contains("net.npz: array 'rest_position' is empty"), "{error}");
    }

    #[test]
    fn what_is_compressed_otherwise_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.npz");
        let mut npz = archive(&path);
        array(&mut npz, "rest_position", &[1, 3], &[0.0f64; 3]);
        npz.finish().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        // The method, in the header of the file and in the directory: bzip2.
        for (signature, offset) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
            let start = bytes.windows(4).position(|four| four == signature).unwrap();
            assert_eq!(std::mem::replace(&mut bytes[start + offset], 12), 8);
        }
        std::fs::write(&path, bytes).unwrap();
        let error = read_network(&path).unwrap_err().to_string();
        assert!(
            error.contains("array 'rest_position': it cannot be read: ") && error.contains("compression"),
            "{error}"
        );
    }

    #[test]
    fn shapes_are_judged_before_anything_is_read() {
        // The header claims 8 GB, but the file has nothing else.
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000,), }";
        let mut header = b"\x93NUMPY\x01\x00".to_vec();
        header.extend((text.len() as u16).to_le_bytes());
        header.extend(text.bytes());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.npz");
        let mut npz = archive(&path);
        array(&mut npz, "rest_position", &[1, 3], &[0.0f64; 3]);
        array(&mut npz, "springs", &[0, 2], &[0i32; 0]);
        array(&mut npz, "rest_length", &[0], &[0.0f64; 0]);
        array(&mut npz, "stiffness", &[0], &[0.0f64; 0]);
        npz.start_file(file_name("mass"), SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut npz, &header).unwrap();
        npz.finish().unwrap();
        let error = read_network(&path).unwrap_err().to_string();
        assert!(
            error.contains("it holds floats of shape (1000000000); floats of shape (1) are needed"),
            "{error}"
        );
    }

    #[test]
    fn wrong_arrays_are_named() {
        let springs = |npz: &mut Writer, last: i64| array(npz, "springs", &[2, 2], &[0i64, 1, 1, last]);
        let error = network(&mut |npz| springs(npz, 2)).unwrap_err();
        assert!(error.contains("array 'stiffness' is missing"), "{error}");
        let stiff = |npz: &mut Writer, last: i64| {
            springs(npz, last);
            array(npz, "stiffness", &[2], &[1.0f32; 2]);
        };
        let error = network(&mut |npz| stiff(npz, 3)).unwrap_err();
        assert!(error.contains("array 'springs': index 3 names no node; they run from 0 to 2"), "{error}");
        let error = network(&mut |npz| stiff(npz, -1)).unwrap_err();
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
