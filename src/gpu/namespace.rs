//! A namespace for a user's own WGSL text, separate from the names of the library.

/// The prefix of every name that the user declares. No name in a file of the library begins with it.
pub const PREFIX: &str = "users_";

/// `text` with [`PREFIX`] before each name that it declares outside functions, except `kept`. So it may also declare
/// names that the library or WGSL itself defines. Line numbers do not change.
///
/// A name that already begins with the prefix gets a second one, so that different names stay different.
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

/// State after the tokens so far.
#[derive(Default)]
struct Walk<'a> {
    /// The last token that is not white space or a comment.
    before: &'a str,
    /// Number of open braces.
    depth: usize,
    /// Whether the present declaration is a struct.
    is_struct: bool,
}

impl<'a> Walk<'a> {
    /// Whether the next name is neither a member of a struct nor an attribute; `after`: the tokens after it.
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

/// Whether a token is not white space or a comment.
fn counts(token: &str) -> bool {
    !token.starts_with(char::is_whitespace) && !token.starts_with("//") && !token.starts_with("/*")
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Splits the text into names, numbers, comments, white space and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let until = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => super::limits::comment(rest),
            c if c.is_whitespace() => until(char::is_whitespace),
            // Include the point of a number: after `1.` a name is not a member.
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
