//! Reads whole files up to a given number of bytes. The length that the file system reports is not a bound, because
//! devices and pipes have no length.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 16;

/// Reads a whole file of at most `most` bytes; the error says what is wrong.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    read(path, most, |_| Ok(()))
}

/// Like [`read_bytes`], but fails at the first zero byte. `what` says what the file should be.
pub fn read_plain(path: &Path, most: u64, what: &str) -> Result<Vec<u8>, String> {
    let check = |block: &[u8]| match block.contains(&0) {
        true => Err(format!("it is a binary file; {what}")),
        false => Ok(()),
    };
    read(path, most, check)
}

/// Like [`read_plain`], for a file in UTF-8.
pub fn read_text(path: &Path, most: u64, what: &str) -> Result<String, String> {
    String::from_utf8(read_plain(path, most, what)?).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        format!("line {line} is not in UTF-8; {what}")
    })
}

fn read(path: &Path, most: u64, check: impl Fn(&[u8]) -> Result<(), String>) -> Result<Vec<u8>, String> {
    let unreadable = |e: std::io::Error| format!("it cannot be read: {e}");
    if path.is_dir() {
        return Err("it is a directory; name a file in it".to_owned());
    }
    let mut file = File::open(path).map_err(unreadable)?.take(most.saturating_add(1));
    let mut block = vec![0; BLOCK];
    let mut bytes = Vec::new();
    loop {
        let count = match file.read(&mut block) {
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            count => count.map_err(unreadable)?,
        };
        if count == 0 {
            return Ok(bytes);
        }
        // Check before the vector grows, because it would double.
        if (bytes.len() + count) as u64 > most {
            return Err(format!("it has more than {most} bytes, which is the most"));
        }
        check(&block[..count])?;
        bytes.extend_from_slice(&block[..count]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, "text\n\u{e9}").unwrap();
        assert_eq!(read_text(&path, 7, "text").unwrap(), "text\né");
        assert!(read_bytes(&path, 6).unwrap_err().contains("more than 6 bytes"));
        std::fs::write(&path, b"text\n\xff").unwrap();
        assert_eq!(
            read_text(&path, 7, "text is needed").unwrap_err(),
            "line 2 is not in UTF-8; text is needed"
        );
        assert!(read_bytes(folder.path(), 7).unwrap_err().contains("it is a directory"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_without_end_are_refused() {
        let zeros = Path::new("/dev/zero");
        assert!(read_bytes(zeros, 1 << 20).unwrap_err().contains("more than 1048576 bytes"));
        assert!(
            read_text(zeros, u64::MAX, "a scene is text")
                .unwrap_err()
                .contains("binary file; a scene is text")
        );
    }
}
