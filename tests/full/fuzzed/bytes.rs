//! The corpora of `fuzz/`, as they are and changed at random, through every reader. `TAFFETA_FUZZ=100000` has so many cases
//! in all (`make soak`), `TAFFETA_FUZZ_SEED` another seed, and with `TAFFETA_FUZZ_RUNS` models take a frame on this machine's
//! GPU.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::cases;

/// Cases in all, where nothing else is asked for.
const CASES: usize = 2400;

/// What texts are made of that readers stumble over.
const TOKENS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1",
    "-0.0",
    "1e308",
    "1e-45",
    "3.4e38",
    "1e39",
    "0x7fffffff",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
    "true",
    "\"auto\"",
    "\"\"",
    "\"\\u001b[31m\"",
    "\"a\\nb\"",
    "[]",
    "[0, 0, 0]",
    "[[0, 0, 0, 0], [1, 1, 1, 1]]",
    "{}",
    "{ min = 1, max = 0 }",
    "[[body]]",
    "[[body.pin]]",
    "[simulation]",
    "=",
    "\n",
    "\u{feff}",
    "\u{202e}",
    "f 1 2 3",
    "f -1 -2 -3",
    "v 0 0 0",
    "((((((((",
    "[[[[[[[[",
    "array<f32, 9>",
    "vec3f(",
    "return",
    "loop {",
    "/*",
    "//",
    "mesh",
    "\"grid\"",
    "\"xpbd\"",
];

struct Random(TestRng);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count.max(1) as u64) as usize
    }

    /// A part of `bytes`, of 64 at most.
    fn part(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(bytes.len() + 1);
        let length = self.below(64.min(bytes.len() - from) + 1);
        from..from + length
    }

    fn change(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let part = self.part(bytes);
        match self.below(9) {
            0 if !bytes.is_empty() => {
                let at = self.below(bytes.len());
                bytes[at] ^= 1 << self.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = self.below(bytes.len());
                bytes[at] = [0, 1, 0x7f, 0x80, 0xff][self.below(5)];
            }
            2 => drop(bytes.drain(part)),
            3 => {
                let copy = bytes[part].to_vec();
                let at = self.below(bytes.len() + 1);
                bytes.splice(at..at, copy);
            }
            4 => {
                let from = self.part(other);
                bytes.splice(part, other[from].iter().copied());
            }
            5 => bytes.truncate(self.below(bytes.len() + 1)),
            6 => {
                let token = TOKENS[self.below(TOKENS.len())];
                bytes.splice(part.start..part.start, token.bytes());
            }
            // In the place of a word.
            _ => {
                let is_word = |b: &u8| b.is_ascii_alphanumeric() || b"._-+".contains(b);
                let from = bytes[..part.start].iter().rposition(|b| !is_word(b)).map_or(0, |at| at + 1);
                let to = bytes[part.start..]
                    .iter()
                    .position(|b| !is_word(b))
                    .map_or(bytes.len(), |n| part.start + n);
                let token = TOKENS[self.below(TOKENS.len())];
                bytes.splice(from..to, token.bytes());
            }
        }
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|e| panic!("{name} = {text}: {e}")))
}

/// The corpus of a reader, and for scenes and fonts those that come with the program.
fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let more: &[&str] = match name {
        "scene" => {
            &["scenes/rope.toml", "scenes/net.toml", "scenes/classic/word.toml", "scenes/batch/napkin.toml"]
        }
        "sweep" => &["scenes/batch/sweep.toml"],
        "font" => &["fonts/NotoSerif-SemiBold-Latin1.ttf"],
        _ => &[],
    };
    let folder = root.join("fuzz/corpus").join(name);
    let own = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = own.map(|entry| entry.unwrap().path()).collect();
    paths.extend(more.iter().map(|path| root.join(path)));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn no_bytes_hurt_a_reader() {
    let count = setting("TAFFETA_FUZZ").map_or(CASES, |count| count as usize) / cases::CASES.len();
    let seed = setting("TAFFETA_FUZZ_SEED").unwrap_or(17);
    let mut run = BTreeMap::new();
    for (name, case) in cases::CASES {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let mut random = Random(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
        let corpus = corpus(name);
        corpus.iter().for_each(|(path, bytes)| watched(name, case, bytes, &path.display().to_string()));
        for number in 0..count {
            let (path, mut bytes) = corpus[random.below(corpus.len())].clone();
            let other = &corpus[random.below(corpus.len())].1;
            for _ in 0..1 + random.below(4) {
                random.change(&mut bytes, other);
            }
            watched(name, case, &bytes, &format!("case {number} of seed {seed}, from {}", path.display()));
            *run.entry(name).or_insert(0) += 1;
        }
    }
    eprintln!("seed {seed}: {run:?}");
}

/// Runs a case; one that fails is written beside the corpora, to be kept there.
fn watched(name: &str, case: fn(&[u8]), bytes: &[u8], what: &str) {
    if let Err(panic) = std::panic::catch_unwind(|| case(bytes)) {
        let file = std::env::temp_dir().join(format!("taffeta-{name}-{}", std::process::id()));
        fs::write(&file, bytes).unwrap();
        eprintln!("{name}: {what} fails; its bytes are in {}", file.display());
        std::panic::resume_unwind(panic);
    }
}
