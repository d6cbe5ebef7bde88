//! `user-force` and `user-force-file` of `[world]`: a force that the user has written.

use std::path::Path;

use super::table::{Table, Value};
use crate::Error;
use crate::settings::UserForce;

/// Largest text [bytes].
const MOST_BYTES: usize = 1 << 20;

/// Reads it, if there is one. Paths of files are relative to `folder`.
pub(super) fn read(world: &Table, folder: &Path) -> Result<Option<UserForce>, Error> {
    match world.one_of(&["user-force", "user-force-file"])? {
        None => Ok(None),
        Some("user-force") => world.need("user-force", inline).map(Some),
        Some(key) => world.need(key, |v| in_file(v, folder)).map(Some),
    }
}

fn inline(value: Value) -> Result<UserForce, Error> {
    let text = value.text()?;
    check_size(&value, text.len())?;
    let (file, line) = value.place_of_text();
    Ok(UserForce::new(file, line, text))
}

fn in_file(value: Value, folder: &Path) -> Result<UserForce, Error> {
    let path = folder.join(value.text()?);
    let unreadable = |e: std::io::Error| value.wrong(format!("{} cannot be read: {e}", path.display()));
    check_size(&value, std::fs::metadata(&path).map_err(unreadable)?.len() as usize)?;
    let text = std::fs::read_to_string(&path).map_err(unreadable)?;
    Ok(UserForce::new(path.display().to_string(), 1, &text))
}

fn check_size(value: &Value, bytes: usize) -> Result<(), Error> {
    match bytes {
        0..=MOST_BYTES => Ok(()),
        _ => Err(value.wrong(format!("{bytes} bytes are too many for a function; the most is {MOST_BYTES}"))),
    }
}
