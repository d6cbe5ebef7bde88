//! Reads the sweep file, together with the scene that it varies.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::table::{Source, Table, Value, nearest};
use super::super::vary::Spec;
use super::{Jitter, Key};
use crate::Error;

/// The content of the file.
pub struct Read {
    pub copies: u32,
    /// Byte of `copies`, or of the file's start.
    pub copies_at: usize,
    pub seed: u64,
    pub product: bool,
    pub jitter: Jitter,
    pub keys: Vec<Key>,
    /// Byte of `[vary]`, or of the file's start.
    pub vary_at: usize,
}

pub fn read(scene: &str, scene_path: &Path, sweep: &str, path: &Path) -> Result<Read, Error> {
    let source = Source { path, text: sweep };
    let document = parse(&source)?;
    let scene_source = Source { path: scene_path, text: scene };
    let scene_document = parse(&scene_source)?;
    let top = Table::new(
        &source,
        "sweep",
        document.get_ref(),
        0,
        &[&["copies", "seed", "combine", "vary", "jitter"]],
    )?;
    let jitter = match top
        .read("jitter", |v| v.named("[jitter]".into()).table(&[&["position", "velocity"]]))?
    {
        None => Jitter::default(),
        Some(table) => Jitter { position: size(&table, "position")?, velocity: size(&table, "velocity")? },
    };
    let words = [("cycle", false), ("product", true)];
    let product = top.read("combine", |v| v.word(&words))?.unwrap_or(false);
    let seed = top.read("seed", |v| v.count())?.unwrap_or(0);
    let mut keys = Vec::new();
    let scene_name = scene_path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let vary = |value: Value| {
        let value = value.named("[vary]".into());
        let at = value.start();
        let entries =
            value.entries().ok_or_else(|| value.wrong("it must be a table of keys of the scene"))?;
        for (name, entry) in entries {
            let scene = Scene { name: &scene_name, top: scene_document.get_ref() };
            scene.vary("", name, None, entry, &mut keys)?;
        }
        Ok(at)
    };
    let vary_at = top.read("vary", vary)?;
    keys.sort_by_key(|key| key.at);
    check_overlap(&source, &keys)?;
    let copies = copies(&top, &keys, product, vary_at.is_some() || jitter != Jitter::default())?;
    let copies_at = top.read("copies", |v| Ok(v.start()))?.unwrap_or(0);
    Ok(Read { copies, copies_at, seed: seed.into(), product, jitter, keys, vary_at: vary_at.unwrap_or(0) })
}

fn parse<'a>(source: &Source<'a>) -> Result<Spanned<DeTable<'a>>, Error> {
    DeTable::parse(source.text).map_err(|e| {
        let at = e.span().map_or(0, |span| span.start);
        source.error(at, format!("not valid TOML: {}", e.message().replace('\n', "; ")))
    })
}

fn size(table: &Table, key: &'static str) -> Result<f32, Error> {
    let size = table.read(key, |v| match v.f32()? {
        x if (0.0..=1e6).contains(&x) => Ok(x),
        _ => Err(v.wrong("it must be a number from 0 to 1e6")),
    })?;
    Ok(size.unwrap_or(0.0))
}

/// The number of copies: given in the file, or as many as its lists need.
fn copies(top: &Table, keys: &[Key], product: bool, varies: bool) -> Result<u32, Error> {
    let given = top.read("copies", |v| match v.count()? {
        0 => Err(v.wrong("it must be a whole number above zero")),
        n => Ok(n),
    })?;
    if !varies {
        return Err(top.error("nothing varies; add [vary] or [jitter], see docs/batches.md"));
    }
    if let Some(copies) = given {
        return Ok(copies);
    }
    let lengths = keys.iter().filter_map(|key| key.spec.length());
    let needed = if product { lengths.reduce(usize::saturating_mul) } else { lengths.max() };
    let missing = || top.error("key 'copies' is missing: no list says how many there are");
    Ok(u32::try_from(needed.ok_or_else(missing)?).unwrap_or(u32::MAX))
}

fn check_overlap(source: &Source<'_>, keys: &[Key]) -> Result<(), Error> {
    for (i, key) in keys.iter().enumerate() {
        let apart = |other: &Key| key.place.end <= other.place.start || other.place.end <= key.place.start;
        if let Some(other) = keys[..i].iter().find(|other| !apart(other)) {
            let message =
                format!("[vary]: {} is a part of {} or the same; vary one of them", key.name, other.name);
            return Err(source.error(key.at, message));
        }
    }
    Ok(())
}

/// The scene in which keys are looked up.
struct Scene<'a> {
    name: &'a str,
    top: &'a DeTable<'a>,
}

impl<'a> Scene<'a> {
    /// Follows `name`, which may have dots, from `here` (the scene itself where `None`), and takes `entry` as the
    /// values of what it finds or as a table of further keys.
    fn vary(
        &self,
        prefix: &str,
        name: &str,
        here: Option<&'a Spanned<DeValue<'a>>>,
        entry: Value,
        keys: &mut Vec<Key>,
    ) -> Result<(), Error> {
        let mut path = prefix.to_owned();
        let mut here = here;
        for segment in name.split('.') {
            let wrong = |message| entry.wrong_key(format!("{message} in {}", self.name));
            here = Some(match here {
                None => self.section(segment).map_err(wrong)?,
                Some(value) => child(value, segment).map_err(wrong)?,
            });
            path = if path.is_empty() { segment.to_owned() } else { format!("{path}.{segment}") };
        }
        let Some(found) = here else { return Ok(()) };
        match entry.entries().filter(|entries| is_nested(found.get_ref(), entries)) {
            Some(entries) => entries
                .into_iter()
                .try_for_each(|(name, value)| self.vary(&path, name, Some(found), value, keys)),
            None => {
                let spec = Spec::read(&entry)?;
                keys.push(Key { name: path, spec, place: found.span(), at: entry.start() });
                Ok(())
            }
        }
    }

    /// A table of the scene that may vary between copies.
    fn section(&self, name: &str) -> Result<&'a Spanned<DeValue<'a>>, String> {
        match name {
            "world" | "body" => get(self.top, name).ok_or_else(|| format!("there is no '{name}'")),
            "simulation" => {
                Err("'simulation' cannot vary: all copies are stepped alike; it stays as it is".into())
            }
            _ => Err(format!("'{name}' cannot vary: give keys of 'world' or 'body', such as those")),
        }
    }
}

fn get<'a>(table: &'a DeTable<'a>, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
    table.iter().find(|(k, _)| k.get_ref() == key).map(|(_, value)| value)
}

/// The value under `key`: a key of a table, an index of an array, or the name of a body. An array of one table counts
/// as that table.
fn child<'a>(here: &'a Spanned<DeValue<'a>>, key: &str) -> Result<&'a Spanned<DeValue<'a>>, String> {
    match here.get_ref() {
        DeValue::Table(table) => get(table, key).ok_or_else(|| {
            let known: Vec<&str> = table.keys().map(|k| k.get_ref().as_ref()).collect();
            let hint =
                nearest(key, &known).map_or(String::new(), |near| format!(" (did you mean '{near}'?)"));
            format!("no key '{key}' is written there{hint}; only what is written can vary: write it")
        }),
        DeValue::Array(items) => {
            let count = items.len();
            if let Ok(index) = key.parse::<usize>() {
                return items
                    .get(index)
                    .ok_or_else(|| format!("no entry {index}: there are {count}, from 0,"));
            }
            let is_named = |item: &&'a Spanned<DeValue<'a>>| {
                let name = item.get_ref().as_table().and_then(|table| get(table, "name"));
                name.and_then(|name| name.get_ref().as_str()) == Some(key)
            };
            match items.iter().find(is_named) {
                Some(named) => Ok(named),
                None if count == 1 => child(&items[0], key),
                None => Err(format!(
                    "'{key}' is none of the {count} entries; give a number from 0, or a name that is written there,"
                )),
            }
        }
        _ => Err(format!("no key '{key}': a single value stands there")),
    }
}

/// Whether a table of the sweep holds further keys of the scene, not values.
fn is_nested(scene: &DeValue<'_>, entries: &[(&str, Value)]) -> bool {
    match scene {
        DeValue::Table(_) => true,
        DeValue::Array(items) if !items.is_empty() && items.iter().all(|i| i.get_ref().is_table()) => true,
        DeValue::Array(_) => {
            entries.iter().all(|(key, _)| key.split('.').all(|k| k.parse::<usize>().is_ok()))
        }
        _ => false,
    }
}
