//! Foreign bytes and scenes that nobody would write: what is refused is refused in one line, what is accepted builds.

#[path = "../../../fuzz/cases.rs"]
mod cases;

mod bytes;
mod grammar;
