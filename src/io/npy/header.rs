//! The header of an .npy array: a Python dictionary with the keys descr, fortran_order and shape (NumPy's NEP 1,
//! numpy.org/neps/nep-0001-npy-format.html). It is read from the first character to the last, without backtracking or
//! recursion.

use std::io::{ErrorKind, Read};

use crate::foreign::excerpt;

/// Most bytes of a header. NumPy has the same limit.
const MOST_BYTES: u32 = 10_000;

/// The type of an array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// float32.
    F32,
    /// float64.
    F64,
    /// int32.
    I32,
    /// int64.
    I64,
    /// uint32.
    U32,
    /// uint64.
    U64,
    /// bool or 8-bit integers.
    Flag,
}

/// The header of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Type of its numbers.
    pub kind: Kind,
    /// Whether the numbers are big-endian.
    pub is_big_endian: bool,
    /// Sizes; the last index varies fastest.
    pub shape: Vec<u64>,
}

impl Kind {
    /// Bytes of a number.
    pub fn width(self) -> u64 {
        match self {
            Kind::F64 | Kind::I64 | Kind::U64 => 8,
            Kind::F32 | Kind::I32 | Kind::U32 => 4,
            Kind::Flag => 1,
        }
    }
}

impl Header {
    /// A description of the array, for messages.
    pub fn description(&self) -> String {
        let kind = match self.kind {
            Kind::F32 | Kind::F64 => "floats",
            Kind::I32 | Kind::I64 | Kind::U32 | Kind::U64 => "integers",
            Kind::Flag => "8-bit numbers",
        };
        let shape: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        format!("it holds {kind} of shape ({})", excerpt(&shape.join(", ")))
    }

    /// Reads the header; the error says what is wrong and what is allowed.
    pub fn read(mut reader: impl Read) -> Result<Self, String> {
        let mut take = |bytes: &mut [u8], at_end: &str| {
            reader.read_exact(bytes).map_err(|e| match e.kind() {
                ErrorKind::UnexpectedEof => at_end.to_owned(),
                _ => format!("it cannot be read: {e}"),
            })
        };
        let mut start = [0; 8];
        take(&mut start, NO_ARRAY)?;
        let [.., major, _] = start;
        if !start.starts_with(b"\x93NUMPY") {
            return Err(NO_ARRAY.to_owned());
        }
        let mut length = [0; 4];
        match major {
            1 => take(&mut length[..2], NO_HEADER)?,
            2 | 3 => take(&mut length, NO_HEADER)?,
            _ => return Err(format!("it is of version {major} of the format; 1, 2 and 3 can be read")),
        }
        let length = u32::from_le_bytes(length);
        if length > MOST_BYTES {
            return Err(format!("its header has {length} bytes; the most is {MOST_BYTES}"));
        }
        let mut text = vec![0; length as usize];
        take(&mut text, NO_HEADER)?;
        // Names that are refused anyway may be in any encoding.
        parse(&String::from_utf8_lossy(&text))
    }
}

const NO_ARRAY: &str = "no .npy array: it does not begin with \\x93NUMPY";
const NO_HEADER: &str = "it ends within its header";

fn parse(text: &str) -> Result<Header, String> {
    let mut scan = Scan { rest: text };
    let (mut number, mut is_fortran, mut shape) = (None, None, None);
    scan.expect('{')?;
    while !scan.takes('}') {
        let key = scan.string()?;
        scan.expect(':')?;
        let is_new = match key {
            "descr" => number.replace(scan.number_type()?).is_none(),
            "fortran_order" => is_fortran.replace(scan.flag()?).is_none(),
            "shape" => shape.replace(scan.shape()?).is_none(),
            _ => return Err(format!("no .npy array: its header has no key '{}'", excerpt(key))),
        };
        if !is_new {
            return Err(format!("no .npy array: its header has '{key}' twice"));
        }
        if !scan.takes(',') {
            scan.expect('}')?;
            break;
        }
    }
    if !scan.rest.trim().is_empty() {
        return Err(scan.wrong("the header's end"));
    }
    let (Some((kind, is_big_endian)), Some(is_fortran), Some(shape)) = (number, is_fortran, shape) else {
        return Err("no .npy array: its header needs the keys descr, fortran_order and shape".to_owned());
    };
    if is_fortran && shape.len() > 1 {
        return Err("it is in Fortran order; save numpy.ascontiguousarray(a) instead".to_owned());
    }
    Ok(Header { kind, is_big_endian, shape })
}

/// The rest of the header.
struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    fn wrong(&self, expected: &str) -> String {
        let found = match self.rest.trim() {
            "" => "nothing".to_owned(),
            text => format!("'{}'", excerpt(text)),
        };
        format!("no .npy array: its header has {found} where {expected} should be")
    }

    /// Whether this character is next; if so, consumes it.
    fn takes(&mut self, character: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(character);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, character: char) -> Result<(), String> {
        if self.takes(character) { Ok(()) } else { Err(self.wrong(&format!("'{character}'"))) }
    }

    /// Letters and digits, at least one.
    fn word(&mut self, expected: &str) -> Result<&'a str, String> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.wrong(expected));
        }
        self.rest = &rest[end..];
        Ok(&rest[..end])
    }

    /// Text in single or double quotes.
    fn string(&mut self) -> Result<&'a str, String> {
        let rest = self.rest.trim_start();
        let quote = rest.chars().next().filter(|c| ['\'', '"'].contains(c));
        let text = quote.and_then(|quote| rest[1..].split_once(quote));
        let (text, rest) = text.ok_or_else(|| self.wrong("text in quotes"))?;
        self.rest = rest;
        Ok(text)
    }

    fn flag(&mut self) -> Result<bool, String> {
        match self.word("True or False")? {
            "True" => Ok(true),
            "False" => Ok(false),
            word => Err(format!("no .npy array: fortran_order is '{}', not True or False", excerpt(word))),
        }
    }

    /// Whole numbers in parentheses.
    fn shape(&mut self) -> Result<Vec<u64>, String> {
        let mut shape = Vec::new();
        self.expect('(')?;
        while !self.takes(')') {
            let word = self.word("a whole number")?;
            // Python 2 wrote long numbers with an L.
            let size = word.strip_suffix('L').unwrap_or(word).parse();
            shape.push(
                size.map_err(|_| format!("no .npy array: no size in its shape is '{}'", excerpt(word)))?,
            );
            if !self.takes(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(shape)
    }

    /// Type, and whether it is big-endian.
    fn number_type(&mut self) -> Result<(Kind, bool), String> {
        if self.takes('[') {
            return Err("it holds records; save a plain array".to_owned());
        }
        let text = self.string()?;
        let kind = match text.trim_start_matches(['<', '>', '|', '=']) {
            "f4" => Kind::F32,
            "f8" => Kind::F64,
            "i4" => Kind::I32,
            "i8" => Kind::I64,
            "u4" => Kind::U32,
            "u8" => Kind::U64,
            "b1" | "i1" | "u1" => Kind::Flag,
            _ => {
                return Err(format!(
                    "no support for type '{}'; save float32, float64, int32, int64, uint32, uint64 or bool",
                    excerpt(text)
                ));
            }
        };
        Ok((kind, text.starts_with('>')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dictionary: &str) -> Result<Header, String> {
        let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
        bytes.extend((dictionary.len() as u32).to_le_bytes());
        bytes.extend(dictionary.bytes());
        Header::read(&bytes[..])
    }

    #[test]
    fn what_numpy_writes_is_read() {
        let read = |shape: &str| {
            read(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}  \n"))
        };
        for (text, shape) in
            [("()", vec![]), ("(7,)", vec![7]), ("(3L, 4)", vec![3, 4]), ("(1, 2, 3,)", vec![1, 2, 3])]
        {
            assert_eq!(read(text), Ok(Header { kind: Kind::F32, is_big_endian: false, shape }), "{text}");
        }
        let other = super::tests::read("{\"shape\":(2,),\"fortran_order\":True,\"descr\":\">u8\"}");
        assert_eq!(other, Ok(Header { kind: Kind::U64, is_big_endian: true, shape: vec![2] }));
    }

    #[test]
    fn anything_else_is_refused_at_once_in_a_short_line() {
        let brackets = "[".repeat(9000);
        for (text, expected) in [
            (format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {brackets}"), "where '(' should be"),
            (format!("{{'descr': {brackets}"), "it holds records"),
            (format!("{{'descr': '{brackets}'}}"), "no support for type '[[["),
            (format!("{{'{brackets}': 1}}"), "no key '[[["),
            ("{".repeat(9000), "where text in quotes should be"),
            ("(".repeat(20_000), "its header has 20000 bytes; the most is 10000"),
            ("{'shape': (1,), 'shape': (2,)}".to_owned(), "'shape' twice"),
            ("{'shape': (99999999999999999999,)}".to_owned(), "no size in its shape"),
            ("{'shape': (-1,)}".to_owned(), "where a whole number should be"),
            ("{'descr': '<f4', 'fortran_order': False}".to_owned(), "needs the keys"),
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}".to_owned(), "Fortran order"),
            ("{'descr': '<f4', 'fortran_order': 1, 'shape': ()}".to_owned(), "not True or False"),
            ("{'descr': '<c16'}".to_owned(), "no support for type '<c16'"),
            ("{'shape': ()} more".to_owned(), "the header's end should be"),
            (String::new(), "has nothing where '{' should be"),
            ("{'descr".to_owned(), "text in quotes"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(expected) && error.len() < 200, "{error}");
        }
        assert!(Header::read(&b"hello, I am no array"[..]).unwrap_err().contains("no .npy array"));
        assert!(Header::read(&b"\x93NUMPY\x09\x00\x01"[..]).unwrap_err().contains("version 9"));
        assert!(Header::read(&b"\x93NUMPY\x01\x00\xff"[..]).unwrap_err().contains("ends within its header"));
    }
}
