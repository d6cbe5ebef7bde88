//! Checkpoint files: a magic line, the version, a header in JSON, the buffers as little-endian words, a checksum.
//!
//! ```text
//! "taffeta checkpoint\n"   u32 version   u64 bytes of the header   header
//! words of every part, in the header's order   u64 hash of header and words
//! ```

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::atomic;
use crate::Error;
use crate::checkpoint::{Checkpoint, Hash, Mark, Part};

/// Extension of checkpoint files.
pub const CHECKPOINT_EXTENSION: &str = "taffeta";

const MAGIC: &[u8] = b"taffeta checkpoint\n";
const VERSION: u32 = 1;
/// Bytes of everything except header and words.
const AROUND: u64 = MAGIC.len() as u64 + 4 + 8 + 8;
/// Most bytes of a header, so that a damaged file cannot ask for more.
const MOST_HEADER: u64 = 1 << 20;
/// Words that are written or read at a time.
const BLOCK: usize = 1 << 14;

/// The header. Numbers with a fraction are stored as text, so that they read back as the same bits.
#[derive(Serialize, Deserialize)]
struct Header {
    frames: u64,
    start_time: String,
    frame_time: String,
    substeps: u32,
    model: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    /// Names, and numbers of words.
    parts: Vec<(String, u64)>,
}

/// Writes a checkpoint. The file appears only once it is complete; until then the old one, if any, stays.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), Error> {
    let pairs = |marks: &[Mark]| marks.iter().map(|m| (m.key.clone(), m.value.clone())).collect();
    let header = Header {
        frames: checkpoint.frames,
        start_time: checkpoint.start_time.to_string(),
        frame_time: checkpoint.frame_time.to_string(),
        substeps: checkpoint.substeps,
        model: pairs(&checkpoint.model),
        settings: pairs(&checkpoint.settings),
        parts: checkpoint.parts.iter().map(|p| (p.name.clone(), p.words.len() as u64)).collect(),
    };
    atomic::write(path, |w| {
        let header = serde_json::to_vec(&header).map_err(io::Error::other)?;
        w.write_all(MAGIC)?;
        w.write_all(&VERSION.to_le_bytes())?;
        w.write_all(&(header.len() as u64).to_le_bytes())?;
        w.write_all(&header)?;
        let mut hash = Hash::default();
        hash.bytes(&header);
        for block in checkpoint.parts.iter().flat_map(|part| part.words.chunks(BLOCK)) {
            hash.words(block.iter().copied());
            let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_le_bytes()).collect();
            w.write_all(&bytes)?;
        }
        w.write_all(&hash.finish().to_le_bytes())
    })
}

/// Reads a checkpoint and checks everything except whether it fits a scene.
pub fn read_checkpoint(path: &Path) -> Result<Checkpoint, Error> {
    let open = || {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        Ok((file, size))
    };
    let (file, size) = open().map_err(|e: io::Error| Error::file(path, format!("it cannot be read: {e}")))?;
    parse_checkpoint(BufReader::new(file), size, path)
}

/// Reads a checkpoint from a `reader` of `size` bytes; `path` is for messages.
pub fn parse_checkpoint(reader: impl Read, size: u64, path: &Path) -> Result<Checkpoint, Error> {
    read(reader, size).map_err(|message| Error::file(path, message))
}

/// Checks, before a long run, that [`write_checkpoint`] will be able to write `path`.
pub fn check_checkpoint(path: &Path) -> Result<(), Error> {
    if path.extension().is_none_or(|extension| extension != CHECKPOINT_EXTENSION) {
        let message = format!("a checkpoint is written as .{CHECKPOINT_EXTENSION}");
        return Err(Error::file(path, message));
    }
    atomic::check(path)
}

fn read(mut reader: impl Read, size: u64) -> Result<Checkpoint, String> {
    let mut magic = Vec::new();
    (&mut reader)
        .take(MAGIC.len() as u64)
        .read_to_end(&mut magic)
        .map_err(|e| format!("it cannot be read: {e}"))?;
    if !MAGIC.starts_with(&magic) || magic.is_empty() {
        return Err("it is no checkpoint; 'taffeta run --checkpoint-every N' writes them".to_owned());
    }
    let mut take = |bytes: &mut [u8]| {
        reader.read_exact(bytes).map_err(|_| format!("it is not complete: it ends after {size} bytes"))
    };
    let (mut version, mut long) = ([0; 4], [0; 8]);
    take(&mut version)?;
    let version = u32::from_le_bytes(version);
    if version != VERSION {
        return Err(format!("it is of version {version}; this program reads version {VERSION}"));
    }
    take(&mut long)?;
    let length = u64::from_le_bytes(long);
    if length > MOST_HEADER {
        return Err("it is damaged: its header cannot be that long".to_owned());
    }
    let mut header = vec![0; length as usize];
    take(&mut header)?;
    let mut hash = Hash::default();
    hash.bytes(&header);
    let header: Header =
        serde_json::from_slice(&header).map_err(|e| format!("it is damaged: its header: {e}"))?;
    let words = header.parts.iter().try_fold(0u64, |sum, (_, words)| sum.checked_add(*words));
    let whole = words.and_then(|words| words.checked_mul(4)?.checked_add(AROUND + length));
    // Check before memory is allocated for the sizes in the header.
    match whole {
        Some(whole) if whole == size => {}
        Some(whole) if whole > size => {
            return Err(format!("it is not complete: it ends after {size} of {whole} bytes"));
        }
        _ => return Err(format!("it is damaged: {size} bytes are not what its header says")),
    }
    let mut parts = Vec::new();
    for (name, count) in header.parts {
        let mut words = Vec::with_capacity(count as usize);
        let mut bytes = vec![0; 4 * BLOCK];
        while words.len() < count as usize {
            let block = &mut bytes[..4 * BLOCK.min(count as usize - words.len())];
            take(block)?;
            words.extend(block.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)));
        }
        hash.words(words.iter().copied());
        parts.push(Part { name, words });
    }
    take(&mut long)?;
    if u64::from_le_bytes(long) != hash.finish() {
        return Err("it is damaged: its checksum is not that of its content".to_owned());
    }
    let wrong = |what: &str| format!("it is damaged: its {what} is no number");
    let marks = |pairs: Vec<(String, String)>| -> Vec<Mark> {
        pairs.into_iter().map(|(key, value)| Mark { key, value }).collect()
    };
    Ok(Checkpoint {
        frames: header.frames,
        start_time: header.start_time.parse().map_err(|_| wrong("start time"))?,
        frame_time: header.frame_time.parse().map_err(|_| wrong("frame time"))?,
        substeps: header.substeps,
        model: marks(header.model),
        settings: marks(header.settings),
        parts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Checkpoint {
        Checkpoint {
            frames: 12,
            start_time: 0.1,
            frame_time: 1.0 / 60.0,
            substeps: 3,
            model: vec![Mark::new("nodes", 2)],
            settings: vec![Mark::new("solver", "verlet"), Mark::new("drag", 0.1)],
            parts: vec![
                Part { name: "position".into(), words: (0..BLOCK as u32 + 5).collect() },
                Part { name: "empty".into(), words: Vec::new() },
                Part { name: "watch".into(), words: vec![7, u32::MAX] },
            ],
        }
    }

    #[test]
    fn a_checkpoint_survives_the_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.taffeta");
        check_checkpoint(&path).unwrap();
        write_checkpoint(&path, &example()).unwrap();
        assert_eq!(read_checkpoint(&path).unwrap(), example());
        assert!(check_checkpoint(&folder.path().join("a.obj")).unwrap_err().to_string().contains(".taffeta"));
    }

    #[test]
    fn no_damaged_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.taffeta");
        let small =
            Checkpoint { parts: vec![Part { name: "watch".into(), words: vec![7, u32::MAX] }], ..example() };
        write_checkpoint(&path, &small).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let told = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read_checkpoint(&path).unwrap_err().to_string()
        };
        for length in 1..whole.len() {
            assert!(told(&whole[..length]).contains("it is not complete"), "{length} bytes");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                assert!(told(&changed).contains("a.taffeta: it is "), "bit {bit} of byte {at}");
            }
        }
        assert!(told(&[&whole[..], b"\n"].concat()).contains("are not what its header says"));
        assert!(told(b"").contains("it is no checkpoint"));
        assert!(told(b"PK\x03\x04").contains("it is no checkpoint"));
        let mut later = whole.clone();
        later[MAGIC.len()] = 2;
        assert!(told(&later).contains("it is of version 2; this program reads version 1"));
    }
}
