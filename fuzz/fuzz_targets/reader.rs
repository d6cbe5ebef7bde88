//! One reader after another would need a binary each; TAFFETA_READER says which.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

#[path = "../cases.rs"]
mod cases;

static CASE: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let wanted = std::env::var("TAFFETA_READER").unwrap_or_default();
    let names: Vec<&str> = cases::CASES.iter().map(|case| case.0).collect();
    let found = cases::CASES.iter().find(|case| case.0 == wanted);
    found.unwrap_or_else(|| panic!("TAFFETA_READER = {wanted:?}: give one of {}", names.join(", "))).1
});

fuzz_target!(|bytes: &[u8]| CASE(bytes));
