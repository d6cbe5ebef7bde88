//! Reads TOML so that every message names the file, the line, the key and what is allowed.
//!
//! It uses the parser's own tables instead of derived structs, because only these keep the position of
//! keys inside tagged and nested tables.

use std::num::IntErrorKind;
use std::ops::{Range, RangeInclusive};
use std::path::Path;

use glam::Vec3;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Error;
use crate::foreign::excerpt;

/// Most characters of a name.
const MOST_NAME: usize = 200;

/// A scene file: its path and its text.
pub(super) struct Source<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Source<'_> {
    /// An error at a byte of the text.
    pub fn error(&self, at: usize, message: impl Into<String>) -> Error {
        Error::line(self.path, self.line(at), message)
    }

    /// The line, from one, of a byte of the text.
    fn line(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        1 + before.iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// A table whose keys have been checked.
#[derive(Clone)]
pub(super) struct Table<'a> {
    source: &'a Source<'a>,
    entries: &'a DeTable<'a>,
    /// Its name in messages.
    name: String,
    /// Byte at which it starts.
    at: usize,
    allowed: Vec<&'static str>,
}

impl<'a> Table<'a> {
    /// Takes a table; an error if it has a key that is not allowed.
    pub fn new(
        source: &'a Source<'a>,
        name: impl Into<String>,
        table: &'a DeTable<'a>,
        at: usize,
        allowed: &[&[&'static str]],
    ) -> Result<Self, Error> {
        let table = Self { source, entries: table, name: name.into(), at, allowed: allowed.concat() };
        for (key, _) in table.entries.iter() {
            let name = key.get_ref().as_ref();
            if !table.allowed.contains(&name) {
                let nearest = match nearest(name, &table.allowed) {
                    Some(known) => format!("; did you mean '{known}'?"),
                    None => ".".into(),
                };
                let allowed = table.allowed.join(", ");
                let name = excerpt(name);
                let message = format!("{}: no key '{name}'{nearest} Allowed: {allowed}", table.name);
                return Err(source.error(key.span().start, message));
            }
        }
        Ok(table)
    }

    /// An error about the table as a whole.
    pub fn error(&self, message: impl AsRef<str>) -> Error {
        self.source.error(self.at, format!("{}: {}", self.name, message.as_ref()))
    }

    /// An error about `key`, at the line of the key here or in an inline table, otherwise at the line of the table.
    pub fn error_at(&self, key: &str, message: impl AsRef<str>) -> Error {
        let at = find(self.entries, key).unwrap_or(self.at);
        self.source.error(at, format!("{}: {}", self.name, message.as_ref()))
    }

    /// The line, from one, in which it begins.
    pub fn line(&self) -> usize {
        self.source.line(self.at)
    }

    /// The line, from one, of a key, if it is there.
    pub fn line_of(&self, key: &str) -> Option<usize> {
        let (key, _) = self.entries.iter().find(|(k, _)| k.get_ref() == key)?;
        Some(self.source.line(key.span().start))
    }

    /// The scene file.
    pub fn path(&self) -> &'a Path {
        self.source.path
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value of a key as written in the file, on one line.
    pub fn written(&self, key: &str) -> Option<String> {
        let text = &self.source.text[self.entries.iter().find(|(k, _)| k.get_ref() == key)?.1.span()];
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        debug_assert!(self.allowed.contains(&key), "{key} is read but not allowed in {}", self.name);
        self.entries.iter().find(|(k, _)| k.get_ref() == key).map(|(_, value)| value)
    }

    /// Reads a key that may be absent.
    pub fn read<T>(
        &self,
        key: &'static str,
        convert: impl FnOnce(Value<'a>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let value = |value| Value { source: self.source, name: format!("{}: {key}", self.name), value };
        self.get(key).map(|v| convert(value(v))).transpose()
    }

    /// Reads a key that must be there.
    pub fn need<T>(
        &self,
        key: &'static str,
        convert: impl FnOnce(Value<'a>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let missing = || self.error(format!("key '{key}' is missing; allowed: {}", self.allowed.join(", ")));
        self.read(key, convert)?.ok_or_else(missing)
    }

    /// The one key of `keys` that is present, if any; several are an error.
    pub fn one_of(&self, keys: &[&'static str]) -> Result<Option<&'static str>, Error> {
        let found: Vec<_> = keys.iter().filter(|key| self.has(key)).copied().collect();
        match found[..] {
            [] => Ok(None),
            [key] => Ok(Some(key)),
            [first, second, ..] => {
                let message =
                    format!("'{first}' and '{second}' exclude each other; give one of {}", keys.join(", "));
                Err(self.error_at(second, message))
            }
        }
    }

    /// The one key of `keys` that is present; none or several are an error.
    pub fn need_one_of(&self, keys: &[&'static str]) -> Result<&'static str, Error> {
        self.one_of(keys)?.ok_or_else(|| self.error(format!("one of {} is needed", keys.join(", "))))
    }
}

/// A value with its place.
pub(super) struct Value<'a> {
    source: &'a Source<'a>,
    name: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// An error about this value: the value and what is allowed.
    pub fn wrong(&self, allowed: impl AsRef<str>) -> Error {
        let Range { start, end } = self.value.span();
        let text = self.source.text.get(start..end).unwrap_or_default().split_whitespace();
        let text = excerpt(&text.collect::<Vec<_>>().join(" "));
        self.source.error(start, format!("{} = {text}: {}", self.name, allowed.as_ref()))
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64, Error> {
        let number = match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) => {
                i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|i| i as f64)
            }
            _ => None,
        };
        number.filter(|x: &f64| x.is_finite()).ok_or_else(|| self.wrong("it must be a finite number"))
    }

    /// A finite number that fits f32.
    pub fn f32(&self) -> Result<f32, Error> {
        let number = self.number()? as f32;
        if number.is_finite() { Ok(number) } else { Err(self.wrong("it must be a number below 3.4e38")) }
    }

    /// A finite number above zero.
    pub fn positive(&self) -> Result<f32, Error> {
        let number = self.number().map_err(|_| self.wrong("it must be a finite number above zero"))?;
        if number > 0.0 { self.f32() } else { Err(self.wrong("it must be a number above zero")) }
    }

    /// A number in a range, which is `allowed` in words.
    pub fn within(&self, range: RangeInclusive<f32>, allowed: &str) -> Result<f32, Error> {
        let number = self.number().ok().map(|x| x as f32).filter(|x| range.contains(x));
        number.ok_or_else(|| self.wrong(format!("it must be {allowed}")))
    }

    /// A stiffness: a number that fits f32, or inf.
    pub fn stiffness(&self) -> Result<f32, Error> {
        if self.is_infinite() { Ok(f32::INFINITY) } else { self.f32() }
    }

    /// A stiffness that must be finite because of `reason`.
    pub fn finite_stiffness(&self, reason: &str) -> Result<f32, Error> {
        if self.is_infinite() {
            Err(self.wrong(format!("it must be finite here: {reason}")))
        } else {
            self.f32()
        }
    }

    fn is_infinite(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Float(float) if ["inf", "+inf"].contains(&float.as_str()))
    }

    /// A whole number that is neither negative nor beyond 32 bits.
    pub fn count(&self) -> Result<u32, Error> {
        let text = match self.value.get_ref() {
            DeValue::Integer(integer) => integer,
            _ => return Err(self.wrong("it must be a whole number, not negative")),
        };
        u32::from_str_radix(text.as_str(), text.radix()).map_err(|e| match e.kind() {
            IntErrorKind::PosOverflow => {
                self.wrong(format!("it must be a whole number, at most {}", u32::MAX))
            }
            _ => self.wrong("it must be a whole number, not negative"),
        })
    }

    /// true or false.
    pub fn flag(&self) -> Result<bool, Error> {
        self.value.get_ref().as_bool().ok_or_else(|| self.wrong("it must be true or false"))
    }

    /// Any text.
    pub fn text(&self) -> Result<&'a str, Error> {
        self.value.get_ref().as_str().ok_or_else(|| self.wrong("it must be text in quotes"))
    }

    /// A name: short, and without control characters.
    pub fn label(&self) -> Result<&'a str, Error> {
        let text = self.text()?;
        if text.chars().count() <= MOST_NAME && !text.chars().any(char::is_control) {
            Ok(text)
        } else {
            Err(self.wrong(format!("it must have at most {MOST_NAME} characters, and no control characters")))
        }
    }

    /// The file and the line in which the text of a string begins.
    pub fn place_of_text(&self) -> (String, usize) {
        let Range { start, end } = self.value.span();
        let written = self.source.text.get(start..end).unwrap_or_default();
        // A newline after three quotes is not part of the text.
        let is_below = ["\"\"\"\n", "\"\"\"\r\n", "'''\n", "'''\r\n"].iter().any(|q| written.starts_with(q));
        let above = self.source.text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
        (self.source.path.display().to_string(), 1 + above + usize::from(is_below))
    }

    /// One of these words; returns the value beside it.
    pub fn word<T: Clone>(&self, words: &[(&str, T)]) -> Result<T, Error> {
        let text = self.value.get_ref().as_str();
        if let Some((_, meaning)) = words.iter().find(|(word, _)| Some(*word) == text) {
            return Ok(meaning.clone());
        }
        let names: Vec<&str> = words.iter().map(|w| w.0).collect();
        let hint = text.and_then(|text| nearest(text, &names)).map(|n| format!(" (did you mean \"{n}\"?)"));
        Err(self.wrong(format!("it must be one of \"{}\"{}", names.join("\", \""), hint.unwrap_or_default())))
    }

    /// The parsed value.
    pub fn raw(&self) -> &'a DeValue<'a> {
        self.value.get_ref()
    }

    /// Byte at which it starts.
    pub fn start(&self) -> usize {
        self.value.span().start
    }

    /// Keys and values of a table with any keys, in the order of the file; `None` if it is not a table.
    pub fn entries(&self) -> Option<Vec<(&'a str, Value<'a>)>> {
        let table = self.value.get_ref().as_table()?;
        let mut entries: Vec<_> = table
            .iter()
            .map(|(key, value)| {
                let key = key.get_ref().as_ref();
                let dot = if self.name.ends_with(']') { ": " } else { "." };
                (key, Value { source: self.source, name: format!("{}{dot}{key}", self.name), value })
            })
            .collect();
        entries.sort_by_key(|(_, value)| value.start());
        Some(entries)
    }

    /// An error about the key of this value.
    pub fn wrong_key(&self, message: impl AsRef<str>) -> Error {
        self.source.error(self.start(), format!("{}: {}", self.name, message.as_ref()))
    }

    /// Whether it is text, for values that are a word or a number.
    pub fn is_text(&self) -> bool {
        self.value.get_ref().is_str()
    }

    /// Numbers of an array of exactly `N`.
    pub fn numbers<const N: usize>(&self) -> Result<[f64; N], Error> {
        let wrong = || self.wrong(format!("it must be {N} numbers in brackets"));
        let items = self.items().map_err(|_| wrong())?;
        if items.len() != N {
            return Err(wrong());
        }
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(items) {
            *number = item.number()?;
        }
        Ok(numbers)
    }

    /// A point or vector of three numbers that fit f32.
    pub fn vec3(&self) -> Result<Vec3, Error> {
        let v = Vec3::from_array(self.numbers::<3>()?.map(|x| x as f32));
        if v.is_finite() { Ok(v) } else { Err(self.wrong("it must be three numbers below 3.4e38")) }
    }

    /// The items of an array.
    pub fn items(&self) -> Result<Vec<Value<'a>>, Error> {
        let array =
            self.value.get_ref().as_array().ok_or_else(|| self.wrong("it must be an array in brackets"))?;
        let item = |(i, value)| Value { source: self.source, name: format!("{}[{i}]", self.name), value };
        Ok(array.iter().enumerate().map(item).collect())
    }

    /// The tables of an array that is written with `header`.
    pub fn tables(&self, header: &str) -> Result<Vec<Value<'a>>, Error> {
        let allowed = || format!("it must be an array of tables: write {header}, in double brackets");
        self.items().map_err(|_| self.wrong(allowed()))
    }

    /// A table with no other keys than those allowed.
    pub fn table(&self, allowed: &[&[&'static str]]) -> Result<Table<'a>, Error> {
        match self.value.get_ref() {
            DeValue::Table(table) => {
                Table::new(self.source, self.name.as_str(), table, self.value.span().start, allowed)
            }
            _ => Err(self.wrong(format!("it must be a table with the keys {}", allowed.concat().join(", ")))),
        }
    }

    /// A table with any keys, for an error that does not concern the keys.
    pub fn any_table(&self) -> Result<Table<'a>, Error> {
        match self.value.get_ref() {
            DeValue::Table(entries) => {
                let (source, name, at) = (self.source, self.name.clone(), self.value.span().start);
                Ok(Table { source, entries, name, at, allowed: vec!["shape"] })
            }
            _ => Err(self.wrong("it must be a table")),
        }
    }

    /// The text under one key of a table, before its other keys are checked.
    pub fn peek(&self, key: &str) -> Option<&'a str> {
        let table = self.value.get_ref().as_table()?;
        table.iter().find(|(k, _)| k.get_ref() == key).and_then(|(_, value)| value.get_ref().as_str())
    }

    /// The same value under another name in messages.
    pub fn named(self, name: String) -> Self {
        Self { name, ..self }
    }
}

/// Byte of a key in a table or in the tables inside it, except in arrays of tables.
fn find(table: &DeTable<'_>, key: &str) -> Option<usize> {
    let here = table.iter().find(|(k, _)| k.get_ref() == key).map(|(k, _)| k.span().start);
    let inside = || table.values().find_map(|value| find(value.get_ref().as_table()?, key));
    here.or_else(inside)
}

/// The known name closest to a misspelled one, if any is close.
pub(super) fn nearest<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let distances = known.iter().map(|k| (edits(name, k), *k));
    let limit = 1 + name.len() / 3;
    distances.filter(|d| d.0 <= limit).min().map(|d| d.1)
}

/// Levenshtein distance; underscores and hyphens count as equal.
fn edits(a: &str, b: &str) -> usize {
    let letter = |c: char| if c == '_' { '-' } else { c.to_ascii_lowercase() };
    let b: Vec<char> = b.chars().map(letter).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().map(letter).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["columns", "rows", "frame-time"];
        assert_eq!(nearest("colums", &known), Some("columns"));
        assert_eq!(nearest("frame_time", &known), Some("frame-time"));
        assert_eq!(nearest("gravity", &known), None);
        assert_eq!(edits("kitten", "sitting"), 3);
    }
}
