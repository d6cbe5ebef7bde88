//! `user-force` and `user-force-file` of `[world]`: a force written by the user.

use std::path::Path;

use super::table::{Table, Value};
use crate::Error;
use crate::io;
use crate::settings::UserForce;

/// Reads the force, if there is one. Paths of files are relative to `folder`.
pub(super) fn read(world: &Table, folder: &Path) -> Result<Option<UserForce>, Error> {
    match world.one_of(&["user-force", "user-force-file"])? {
        None => Ok(None),
        Some("user-force") => world.need("user-force", inline).map(Some),
        Some(key) => world.need(key, |v| in_file(v, folder)).map(Some),
    }
}

fn inline(value: Value) -> Result<UserForce, Error> {
    let text = value.text()?;
    let (file, line) = value.place_of_text();
    Ok(UserForce::new(file, line, text))
}

fn in_file(value: Value, folder: &Path) -> Result<UserForce, Error> {
    let path = folder.join(value.text()?);
    let most = UserForce::MOST_BYTES as u64;
    let text = io::read_text(&path, most, "a force is text in WGSL")
        .map_err(|message| value.wrong(format!("{}: {message}", path.display())))?;
    Ok(UserForce::of_file(path.display().to_string(), &text))
}
