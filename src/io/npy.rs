//! NumPy's .npy: reads arrays of the usual types, writes points as float32 of shape (n, 3), of a batch
//! (copies, n, 3).

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use glam::Vec3;
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};

use super::atomic;
use crate::Error;

/// Most bytes of one array: a damaged header must not ask for more.
const MAX_BYTES: u64 = 8 << 30;

/// An array of any shape, in C order.
pub(super) struct Array {
    pub shape: Vec<u64>,
    pub numbers: Numbers,
}

/// Its numbers, by kind.
pub(super) enum Numbers {
    /// float32 or float64.
    Floats(Vec<f64>),
    /// Integers of 32 or 64 bits.
    Integers(Vec<i64>),
    /// bool or 8-bit integers; true where not zero.
    Flags(Vec<bool>),
}

/// Reads float32 or float64 points of shape (n, 3) [m or m/s].
pub fn read_points(path: &Path) -> Result<Vec<Vec3>, Error> {
    let file = File::open(path).map_err(|e| Error::file(path, format!("it cannot be read: {e}")))?;
    let array = read_array(BufReader::new(file)).map_err(|message| Error::file(path, message))?;
    let points = points_of(&array).map_err(|message| Error::file(path, message))?;
    match points.iter().position(|p| !p.is_finite()) {
        None => Ok(points),
        Some(row) => Err(Error::file(path, format!("row {row} is {}; it must be finite", points[row]))),
    }
}

/// Writes points as float32 of shape (n, 3).
pub fn write_points(path: &Path, points: &[Vec3]) -> Result<(), Error> {
    write(path, &format!("({}, 3)", points.len()), points)
}

/// Writes the points of all copies of a batch as float32 of shape (copies, n, 3).
pub fn write_copies(path: &Path, copies: u32, points: &[Vec3]) -> Result<(), Error> {
    let nodes = points.len() / copies as usize;
    write(path, &format!("({copies}, {nodes}, 3)"), points)
}

fn write(path: &Path, shape: &str, points: &[Vec3]) -> Result<(), Error> {
    let dictionary = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    // The format wants the data aligned to 64 bytes; ten come before the dictionary.
    let width = (dictionary.len() + 11).next_multiple_of(64) - 11;
    atomic::write(path, |w| {
        w.write_all(b"\x93NUMPY\x01\x00")?;
        w.write_all(&(width as u16 + 1).to_le_bytes())?;
        writeln!(w, "{dictionary:width$}")?;
        points.iter().flat_map(|p| p.to_array()).try_for_each(|x| w.write_all(&x.to_le_bytes()))
    })
}

/// Points of a float array of shape (n, 3).
pub(super) fn points_of(array: &Array) -> Result<Vec<Vec3>, String> {
    match (&array.numbers, array.shape.as_slice()) {
        (Numbers::Floats(x), [_, 3]) => {
            Ok(x.as_chunks().0.iter().map(|&[x, y, z]| Vec3::new(x as f32, y as f32, z as f32)).collect())
        }
        _ => Err(format!("{}; float32 or float64 of shape (n, 3) is needed", array.description())),
    }
}

impl Array {
    /// What it holds, for messages.
    pub fn description(&self) -> String {
        let kind = match self.numbers {
            Numbers::Floats(_) => "floats",
            Numbers::Integers(_) => "integers",
            Numbers::Flags(_) => "8-bit numbers",
        };
        let shape: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        format!("it holds {kind} of shape ({})", shape.join(", "))
    }
}

/// Reads one array; the error says what is wrong and what is allowed.
pub(super) fn read_array(mut reader: impl Read) -> Result<Array, String> {
    let header = NpyHeader::from_reader(&mut reader).map_err(|e| format!("no .npy array: {e}"))?;
    let shape = header.shape().to_vec();
    if header.order() == Order::Fortran && shape.len() > 1 {
        return Err("it is in Fortran order; save numpy.ascontiguousarray(a) instead".into());
    }
    let DType::Plain(kind) = header.dtype() else {
        return Err("it holds records; save a plain array".into());
    };
    let width = kind.size_field();
    let bytes = shape.iter().try_fold(width, |product, &n| product.checked_mul(n));
    let Some(bytes) = bytes.filter(|&b| b <= MAX_BYTES) else {
        return Err(format!("shape {shape:?} is too large; an array has at most {MAX_BYTES} bytes"));
    };
    // Grows as data arrives: a header may promise more than the file holds.
    let mut data = Vec::new();
    reader.take(bytes).read_to_end(&mut data).map_err(|e| format!("it cannot be read: {e}"))?;
    if (data.len() as u64) < bytes {
        return Err(format!("it ends after {} of {bytes} bytes of data", data.len()));
    }
    let big = kind.endianness() == Endianness::Big;
    let numbers = match (kind.type_char(), width) {
        (TypeChar::Float, 4) => Numbers::Floats(decode(&data, big, |b| f32::from_le_bytes(b).into())),
        (TypeChar::Float, 8) => Numbers::Floats(decode(&data, big, f64::from_le_bytes)),
        (TypeChar::Int, 4) => Numbers::Integers(decode(&data, big, |b| i32::from_le_bytes(b).into())),
        (TypeChar::Int, 8) => Numbers::Integers(decode(&data, big, i64::from_le_bytes)),
        (TypeChar::Uint, 4) => Numbers::Integers(decode(&data, big, |b| u32::from_le_bytes(b).into())),
        // Beyond i64 there is no index anyway: negative, and refused as such.
        (TypeChar::Uint, 8) => Numbers::Integers(decode(&data, big, |b| u64::from_le_bytes(b) as i64)),
        (TypeChar::Bool | TypeChar::Uint | TypeChar::Int, 1) => {
            Numbers::Flags(data.iter().map(|&b| b != 0).collect())
        }
        _ => {
            return Err(format!(
                "no support for type '{kind}'; save float32, float64, int32, int64, uint32, uint64 or bool"
            ));
        }
    };
    Ok(Array { shape, numbers })
}

fn decode<const N: usize, T>(data: &[u8], big: bool, from: impl Fn([u8; N]) -> T) -> Vec<T> {
    let each = |&(mut bytes): &[u8; N]| {
        if big {
            bytes.reverse();
        }
        from(bytes)
    };
    data.as_chunks().0.iter().map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_survive_the_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.npy");
        for count in [0, 1, 1000] {
            let points: Vec<Vec3> = (0..count).map(|i| Vec3::new(i as f32, 0.1, -1e-30)).collect();
            write_points(&path, &points).unwrap();
            assert_eq!(read_points(&path).unwrap(), points);
            // Another reader agrees.
            let file = npyz::NpyFile::new(File::open(&path).unwrap()).unwrap();
            assert_eq!(file.shape(), [count, 3]);
            assert_eq!(file.into_vec::<f32>().unwrap().len() as u64, 3 * count);
        }
    }

    #[test]
    fn copies_are_stacked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.npy");
        let points: Vec<Vec3> = (0..6).map(|i| Vec3::splat(i as f32)).collect();
        write_copies(&path, 3, &points).unwrap();
        let file = npyz::NpyFile::new(File::open(&path).unwrap()).unwrap();
        assert_eq!(file.shape(), [3, 2, 3]);
        assert_eq!(file.into_vec::<f32>().unwrap()[9..12], [3.0; 3]);
    }

    fn header(descr: &str, shape: &str) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        bytes
    }

    #[test]
    fn big_endian_doubles_are_read() {
        let mut bytes = header(">f8", "(1, 3)");
        [1.0f64, -2.0, 0.5].iter().for_each(|x| bytes.extend(x.to_be_bytes()));
        let array = read_array(&bytes[..]).unwrap();
        assert_eq!(points_of(&array).unwrap(), [Vec3::new(1.0, -2.0, 0.5)]);
    }

    #[test]
    fn damaged_files_are_refused() {
        let error = |bytes: &[u8]| match read_array(bytes) {
            Ok(array) => points_of(&array).unwrap_err(),
            Err(message) => message,
        };
        assert!(error(b"hello").contains("no .npy array"));
        assert!(error(&header("<f4", "(2, 3)")).contains("ends after 0 of 24 bytes"));
        assert!(error(&header("<f4", "(900000000000, 3)")).contains("too large"));
        assert!(error(&header("<c8", "(0, 3)")).contains("no support for type"));
        assert!(error(&header("<i4", "(0, 3)")).contains("it holds integers of shape (0, 3); float32"));
        assert!(error(&header("<f4", "(0,)")).contains("shape (0)"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.npy");
        write_points(&path, &[Vec3::ZERO, Vec3::NAN]).unwrap();
        assert!(read_points(&path).unwrap_err().to_string().contains("row 1 is"));
    }
}
