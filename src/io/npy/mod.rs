//! NumPy's .npy: reads arrays of the usual types, writes points as float32 of shape (n, 3), or of shape
//! (copies, n, 3) for a batch.

mod header;

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use glam::Vec3;

use super::atomic;
use crate::Error;
pub(super) use header::{Header, Kind};

/// Most bytes of one array, so that a damaged header cannot ask for more.
const MAX_BYTES: u64 = 8 << 30;
/// Bytes that are read and converted at a time, a multiple of the size of every number.
const BLOCK: u64 = 1 << 16;

/// One number of an array.
#[cfg_attr(
    not(feature = "files"),
    expect(dead_code, reason = "only networks have other numbers than points")
)]
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// From float32 or float64.
    Float(f64),
    /// From integers of 32 or 64 bits.
    Integer(i64),
    /// From bool or 8-bit integers; true if not zero.
    Flag(bool),
}

/// Reads float32 or float64 points of shape (n, 3) [m or m/s].
pub fn read_points(path: &Path) -> Result<Vec<Vec3>, Error> {
    let file = File::open(path).map_err(|e| Error::file(path, format!("it cannot be read: {e}")))?;
    parse_points(BufReader::new(file), path)
}

/// Reads points of shape (n, 3) [m or m/s] from `reader`; `path` is for messages.
pub fn parse_points(mut reader: impl Read, path: &Path) -> Result<Vec<Vec3>, Error> {
    let mut read = || {
        let header = Header::read(&mut reader)?;
        check_points(&header)?;
        points(&header, &mut reader)
    };
    let points = read().map_err(|message| Error::file(path, message))?;
    match points.iter().position(|p| !p.is_finite()) {
        None => Ok(points),
        Some(row) => Err(Error::file(path, format!("row {row} is {}; it must be finite", points[row]))),
    }
}

/// Checks that an array has points: floats of shape (n, 3).
pub(super) fn check_points(header: &Header) -> Result<(), String> {
    match (header.kind, header.shape.as_slice()) {
        (Kind::F32 | Kind::F64, [_, 3]) => Ok(()),
        _ => Err(format!("{}; float32 or float64 of shape (n, 3) is needed", header.description())),
    }
}

/// Reads the points of a checked array.
pub(super) fn points(header: &Header, reader: impl Read) -> Result<Vec<Vec3>, String> {
    let numbers = read_numbers(header, reader, |number| match number {
        Number::Float(x) => Ok(x as f32),
        _ => Err("points are floats".to_owned()),
    })?;
    Ok(numbers.as_chunks().0.iter().copied().map(Vec3::from_array).collect())
}

/// Reads the numbers after a header with `convert`, block by block, so that a header that claims more numbers than the
/// file has takes no memory.
pub(super) fn read_numbers<T>(
    header: &Header,
    mut reader: impl Read,
    mut convert: impl FnMut(Number) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let width = header.kind.width();
    let bytes = header.shape.iter().try_fold(width, |product, &n| product.checked_mul(n));
    let Some(bytes) = bytes.filter(|&b| b <= MAX_BYTES) else {
        return Err(format!("{}; an array has at most {MAX_BYTES} bytes", header.description()));
    };
    let unreadable = |e: std::io::Error| format!("it cannot be read: {e}");
    let (mut numbers, mut block, mut done) = (Vec::new(), Vec::new(), 0);
    while done < bytes {
        block.clear();
        let wanted = BLOCK.min(bytes - done);
        done += (&mut reader).take(wanted).read_to_end(&mut block).map_err(unreadable)? as u64;
        if (block.len() as u64) < wanted {
            return Err(format!("it ends after {done} of {bytes} bytes of data"));
        }
        for number in block.chunks_exact_mut(width as usize) {
            if header.is_big_endian {
                number.reverse();
            }
            numbers.push(convert(decode(header.kind, number))?);
        }
    }
    // An archive checks its data when it is read to the end.
    match (&mut reader).take(1).read_to_end(&mut block).map_err(unreadable)? {
        0 => Ok(numbers),
        _ => Err(format!("it goes on after its {bytes} bytes of data")),
    }
}

/// Converts little-endian bytes to a number of this kind.
fn decode(kind: Kind, bytes: &[u8]) -> Number {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let (long, short) = (u64::from_le_bytes(word), u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    match kind {
        Kind::F32 => Number::Float(f32::from_bits(short).into()),
        Kind::F64 => Number::Float(f64::from_bits(long)),
        Kind::I32 => Number::Integer(i64::from(short as i32)),
        Kind::U32 => Number::Integer(i64::from(short)),
        // A number beyond i64 cannot be an index: it becomes negative and is refused.
        Kind::I64 | Kind::U64 => Number::Integer(long as i64),
        Kind::Flag => Number::Flag(long != 0),
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
    // The format requires the data to be aligned to 64 bytes; ten bytes come before the dictionary.
    let width = (dictionary.len() + 11).next_multiple_of(64) - 11;
    atomic::write(path, |w| {
        w.write_all(b"\x93NUMPY\x01\x00")?;
        w.write_all(&(width as u16 + 1).to_le_bytes())?;
        writeln!(w, "{dictionary:width$}")?;
        points.iter().flat_map(|p| p.to_array()).try_for_each(|x| w.write_all(&x.to_le_bytes()))
    })
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
            // Compare with another reader.
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

    fn read(mut bytes: &[u8]) -> Result<Vec<Vec3>, String> {
        let header = Header::read(&mut bytes)?;
        check_points(&header)?;
        points(&header, bytes)
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
        assert_eq!(read(&bytes).unwrap(), [Vec3::new(1.0, -2.0, 0.5)]);
    }

    #[test]
    fn damaged_files_are_refused() {
        let error = |bytes: &[u8]| read(bytes).unwrap_err();
        assert!(error(b"hello").contains("no .npy array"));
        assert!(error(&header("<f4", "(2, 3)")).contains("ends after 0 of 24 bytes"));
        assert!(error(&header("<f4", "(900000000000, 3)")).contains("at most 8589934592 bytes"));
        let long = [&header("<f4", "(0, 3)")[..], &[0]].concat();
        assert!(error(&long).contains("goes on after its 0 bytes"));
        assert!(error(&header("<c8", "(0, 3)")).contains("no support for type"));
        assert!(error(&header("<i4", "(0, 3)")).contains("it holds integers of shape (0, 3); float32"));
        assert!(error(&header("<f4", "(0,)")).contains("shape (0)"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.npy");
        write_points(&path, &[Vec3::ZERO, Vec3::NAN]).unwrap();
        assert!(read_points(&path).unwrap_err().to_string().contains("row 1 is"));
    }
}
