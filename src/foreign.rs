//! Text from files and users, prepared for one line of a message.

use std::fmt::Write;

/// Characters of an excerpt.
const MOST: usize = 80;

/// `text` in one line: control characters, and those that turn the direction of writing, as escapes such as `\n` or
/// `\u001b`, which JSON has as well.
pub fn escape(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) {
            push_escape(&mut line, c);
        } else {
            line.push(c);
        }
    }
    line
}

/// As [`escape`], and cut to 80 characters.
pub fn excerpt(text: &str) -> String {
    excerpt_of(text, MOST)
}

/// As [`escape`], and cut to `most` characters.
pub fn excerpt_of(text: &str, most: usize) -> String {
    // No more of it than can be shown is looked at: it may be a whole file.
    let mut line = escape(&text.chars().take(most + 1).collect::<String>());
    if line.chars().count() > most {
        let end = line.char_indices().nth(most.saturating_sub(3)).map_or(line.len(), |(at, _)| at);
        line.truncate(end);
        line.push_str("...");
    }
    line
}

/// Text of several lines for a terminal: all but line feeds and tabs as [`escape`] has it.
pub fn escape_lines(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) && c != '\n' && c != '\t' {
            push_escape(&mut lines, c);
        } else {
            lines.push(c);
        }
    }
    lines
}

fn push_escape(text: &mut String, c: char) {
    match c {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        // Writing to a String cannot fail; what is unseen has four digits at most.
        c => drop(write!(text, "\\u{:04x}", u32::from(c))),
    }
}

/// Whether a terminal would do something else than show it.
fn is_unseen(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(escape("a\u{1b}[31mb\nc\u{202e}d\u{9b}é"), "a\\u001b[31mb\\nc\\u202ed\\u009bé");
        assert_eq!(escape_lines("a\tb\r\nc\u{7}"), "a\tb\\r\nc\\u0007");
    }

    #[test]
    fn excerpts_have_80_characters_at_most() {
        let long = "é".repeat(81);
        assert_eq!(excerpt(&long[..160]), "é".repeat(80));
        assert_eq!(excerpt(&long), "é".repeat(77) + "...");
        assert_eq!(excerpt(&"\n".repeat(1 << 20)).chars().count(), 80);
    }
}
