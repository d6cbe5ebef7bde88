//! Limits for shaders that users write. Compilers recurse over nested code, inline calls and copy arrays, so a short text
//! can use up all memory or the stack.

use naga::valid::ModuleInfo;
use naga::{Block, Handle, Module, Span, Statement, Type, TypeInner};

/// Most names, numbers and signs between two of `;`, `{` and `}`, which limits the depth of an expression.
const MOST_TOKENS: usize = 1000;
/// Most brackets of all kinds, blocks, and types that are open at once.
const MOST_NESTED: usize = 64;
/// Most functions, constants, types and other declarations, which limits the length of chains of them.
const MOST_DECLARATIONS: usize = 500;
/// Most bytes of a type, and of the variables of a function and all functions that it calls.
const MOST_TYPE_BYTES: u64 = 16 << 10;
/// Most words that a function computes, with all calls inlined.
const MOST_WORDS: u64 = 1 << 15;

/// Checks a text before it is parsed. The error is the line (from one) and what is wrong.
pub fn check_text(text: &str) -> Result<(), (usize, String)> {
    let (mut line, mut tokens, mut nested, mut declarations) = (1, 0, 0usize, 0);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => comment(rest),
            _ if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        line += token.bytes().filter(|&b| b == b'\n').count();
        match c {
            '/' if length > 1 => {}
            _ if c.is_whitespace() => {}
            ';' => tokens = 0,
            '(' | '[' | '{' => (nested, tokens) = (nested + 1, if c == '{' { 0 } else { tokens + 1 }),
            ')' | ']' | '}' => {
                (nested, tokens) = (nested.saturating_sub(1), if c == '}' { 0 } else { tokens + 1 })
            }
            _ => tokens += 1,
        }
        if nested == 0 && ["fn", "const", "struct", "alias", "override", "var"].contains(&token) {
            declarations += 1;
        }
        if declarations > MOST_DECLARATIONS {
            return Err((line, format!("at most {MOST_DECLARATIONS} declarations are allowed")));
        }
        if tokens > MOST_TOKENS {
            return Err((
                line,
                format!("a statement has at most {MOST_TOKENS} names, numbers and signs; split it"),
            ));
        }
        if nested > MOST_NESTED {
            return Err((line, format!("at most {MOST_NESTED} brackets can be open at once")));
        }
    }
    Ok(())
}

/// Bytes of the block comment at the start of `text`; such comments nest.
pub(super) fn comment(text: &str) -> usize {
    let (mut open, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => (open, at) = (open + 1, at + 2),
            b"*/" => (open, at) = (open - 1, at + 2),
            _ => at += 1,
        }
        if open == 0 {
            return at;
        }
    }
    text.len()
}

/// Checks a parsed module before it is compiled. The error is the place and what is wrong.
pub fn check_module(module: &Module, info: &ModuleInfo) -> Result<(), (Span, String)> {
    let widths = check_types(module)?;
    // Bytes of variables and computed words of each function and all functions that it calls, which come before it.
    let mut costs: Vec<[u64; 2]> = Vec::new();
    for (handle, function) in module.functions.iter() {
        let at = module.functions.get_span(handle);
        check_nesting(&function.body, 0).map_err(|message| (at, message))?;
        let locals = function.local_variables.iter();
        let mut bytes: u64 = locals.map(|(_, variable)| widths[variable.ty.index()]).sum();
        if bytes > MOST_TYPE_BYTES {
            let variable = function.local_variables.iter().map(|(handle, _)| handle).next();
            let at = variable.map_or(at, |handle| function.local_variables.get_span(handle));
            return Err((
                at,
                format!("the variables of a function have at most {MOST_TYPE_BYTES} bytes, here {bytes}"),
            ));
        }
        let computed = |ty: &TypeInner| match ty {
            TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } => 1,
            ty => size(module, ty).div_ceil(4).max(1),
        };
        let types = function.expressions.iter().map(|(e, _)| info[handle][e].ty.inner_with(&module.types));
        let results = types.map(computed);
        let mut words = results.fold(0u64, u64::saturating_add);
        for called in calls(&function.body) {
            let [called_bytes, called_words] = costs[called];
            (bytes, words) = (bytes.saturating_add(called_bytes), words.saturating_add(called_words));
        }
        if bytes > MOST_TYPE_BYTES {
            let message = "the variables of a function and of all that it calls";
            return Err((at, format!("{message} have at most {MOST_TYPE_BYTES} bytes, here {bytes}")));
        }
        if words > MOST_WORDS {
            let message = "a function computes at most";
            return Err((at, format!("{message} {MOST_WORDS} numbers, calls written out, here {words}")));
        }
        costs.push([bytes, words]);
    }
    Ok(())
}

/// Bytes of each type.
fn check_types(module: &Module) -> Result<Vec<u64>, (Span, String)> {
    let mut widths: Vec<u64> = Vec::new();
    let mut depths: Vec<usize> = Vec::new();
    for (handle, ty) in module.types.iter() {
        let width = size(module, &ty.inner);
        let depth = 1 + match &ty.inner {
            TypeInner::Array { base, .. } => depths[base.index()],
            TypeInner::Struct { members, .. } => {
                members.iter().map(|m| depths[m.ty.index()]).max().unwrap_or(0)
            }
            _ => 0,
        };
        let at = place_of(module, handle);
        if width > MOST_TYPE_BYTES {
            return Err((at, format!("a type has at most {MOST_TYPE_BYTES} bytes, here {width}")));
        }
        if depth > MOST_NESTED {
            return Err((at, format!("at most {MOST_NESTED} types can be nested")));
        }
        widths.push(width);
        depths.push(depth);
    }
    Ok(widths)
}

/// The place of a type, or of the first variable of it, because types without a name have no place.
fn place_of(module: &Module, ty: Handle<Type>) -> Span {
    let own = module.types.get_span(ty);
    let variable = module.functions.iter().find_map(|(_, function)| {
        let (handle, _) = function.local_variables.iter().find(|(_, variable)| variable.ty == ty)?;
        Some(function.local_variables.get_span(handle))
    });
    let function = || module.functions.iter().next().map(|(handle, _)| module.functions.get_span(handle));
    if own.is_defined() { own } else { variable.or_else(function).unwrap_or(own) }
}

fn check_nesting(block: &Block, depth: usize) -> Result<(), String> {
    if depth > MOST_NESTED {
        return Err(format!("at most {MOST_NESTED} blocks can be nested, those of 'else if' included"));
    }
    inner(block).try_for_each(|block| check_nesting(block, depth + 1))
}

/// The blocks directly inside a block.
fn inner(block: &Block) -> impl Iterator<Item = &Block> {
    block.iter().flat_map(|statement| match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    })
}

/// Index of the function of each call.
fn calls(block: &Block) -> Vec<usize> {
    let mut called: Vec<usize> = block
        .iter()
        .filter_map(|statement| match statement {
            Statement::Call { function, .. } => Some(function.index()),
            _ => None,
        })
        .collect();
    called.extend(inner(block).flat_map(calls));
    called
}

/// Bytes of a value; the most possible if it has no fixed size.
fn size(module: &Module, ty: &TypeInner) -> u64 {
    ty.try_size(module.to_ctx()).map_or(u64::MAX, u64::from)
}
