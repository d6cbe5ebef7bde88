//! A namespace for a user's own WGSL text, separate from the library's names that it is composed with.

/// What stands before every name of the user's own. No file of the library uses a name that begins so.
pub const PREFIX: &str = "users_";

/// `text` with [`PREFIX`] before each name that it declares outside functions, but for `kept`: so it may declare what the
/// library declares, too, and what WGSL itself defines. Lines stay where they are.
///
/// A name that begins with the prefix already gets another one, so that different names stay different.
pub(super) fn apart(text: &str, kept: &str) -> String {
    let tokens = tokens(text);
    let declared = declared(&tokens);
    let mut renamed = String::with_capacity(text.len());
    let mut walk = Walk::default();
    for (index, token) in tokens.iter().enumerate() {
        let is_own = token.starts_with(PREFIX) || declared.contains(token) && *token != kept;
        if is_own && is_name(token) && walk.can_rename(&tokens[index + 1..]) {
            renamed.push_str(PREFIX);
        }
        renamed.push_str(token);
        walk.pass(token);
    }
    renamed
}

/// What is known of the tokens before one.
#[derive(Default)]
struct Walk<'a> {
    /// The last that counts.
    before: &'a str,
    /// Braces that are open.
    depth: usize,
    /// Whether the declaration at hand is a struct.
    is_struct: bool,
}

impl<'a> Walk<'a> {
    /// Whether the name that comes now is no member of a struct and no attribute; `after`: the tokens behind it.
    fn can_rename(&self, after: &[&str]) -> bool {
        let next = after.iter().find(|token| counts(token));
        let is_member = self.is_struct && self.depth == 1 && next == Some(&":");
        !is_member && self.before != "." && self.before != "@"
    }

    fn pass(&mut self, token: &'a str) {
        match token {
            "struct" if self.depth == 0 => self.is_struct = true,
            "fn" if self.depth == 0 => self.is_struct = false,
            "{" => self.depth += 1,
            "}" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if counts(token) {
            self.before = token;
        }
    }
}

/// The names that are declared outside functions and structs.
fn declared<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mut names = Vec::new();
    let (mut depth, mut is_expected) = (0usize, false);
    for token in tokens.iter().filter(|token| counts(token)) {
        match *token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "fn" | "const" | "struct" | "alias" if depth == 0 => is_expected = true,
            name if is_expected => {
                names.push(name);
                is_expected = false;
            }
            _ => {}
        }
    }
    names
}

/// Whether a token is more than white space or a comment.
fn counts(token: &str) -> bool {
    !token.starts_with(char::is_whitespace) && !token.starts_with("//") && !token.starts_with("/*")
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, numbers, comments, white space and single signs: together the text.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let until = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => super::limits::comment(rest),
            c if c.is_whitespace() => until(char::is_whitespace),
            // With its point: `1.` before a name is no member's.
            c if c.is_ascii_digit() => until(|c| c.is_alphanumeric() || c == '_' || c == '.'),
            c if c.is_alphabetic() || c == '_' => until(|c| c.is_alphanumeric() || c == '_'),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn names_of_a_module_get_a_prefix_wherever_they_stand() {
        let text = "const x = 2.0; // x\nfn length(v: vec3f) -> f32 { return x * v.x; }\n\
                    fn user_force(p: vec3f) -> f32 { return 1.*length(p) + 1.0; }\n";
        let wanted = "const users_x = 2.0; // x\nfn users_length(v: vec3f) -> f32 { return users_x * v.x; }\n\
                      fn user_force(p: vec3f) -> f32 { return 1.*users_length(p) + 1.0; }\n";
        assert_eq!(apart(text, "user_force"), wanted);
    }

    #[test]
    fn members_and_attributes_keep_their_names() {
        let text = "const a = 16;\nconst align = 1;\nstruct S { @align(a) a: f32, b: array<f32, a> }\n\
                    alias T = S;\nfn f(s: T) -> f32 { let users_a = a; return s.a + /* a */ f32(users_a); }\n";
        let wanted = "const users_a = 16;\nconst users_align = 1;\n\
                      struct users_S { @align(users_a) a: f32, b: array<f32, users_a> }\n\
                      alias users_T = users_S;\nfn users_f(s: users_T) -> f32 \
                      { let users_users_a = users_a; return s.a + /* a */ f32(users_users_a); }\n";
        assert_eq!(apart(text, "user_force"), wanted);
    }
}
