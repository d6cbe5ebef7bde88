# make demo   simulates a cloth of 99,856 nodes for 2 seconds and leaves a picture
# make test   runs unit tests and the quick tests: what shows a mistake within minutes
# make test-all runs every test, the quick ones among them
# make check  format, lints, documentation; and beside these each feature alone, and the library for the browser (make lints,
#             make features)
# make format formats all sources
# make bench  measures on this machine's GPU
# make fuzz   fuzzes every reader of files for a minute each (needs a nightly toolchain)
# make soak   runs what takes too long for a test: kills, 10^5 frames, 10^5 changed files, 500 scenes of bodies thrown at each
#             other, random events in a window
# make tables writes shaders/README.md and the tables of keys in docs/scene-file.md anew
# make licenses  writes THIRD-PARTY.md anew (needs cargo-about)
# make setup  looks for a Vulkan driver; installs Mesa's software driver where there is none (Debian, Ubuntu)

.PHONY: demo test test-all format check lints features bench fuzz soak tables licenses setup

demo: setup
	mkdir -p demo
	cargo run --release --locked --bin taffeta -- run scenes/drape-100k.toml --seconds 2 --image demo/drape-100k.png
	@echo "the picture is demo/drape-100k.png"

# Tests run side by side: each with a software driver of one thread, they wait for each other less.
test test-all: export LP_NUM_THREADS ?= 0
# They make and drop many large buffers: what is free stays theirs for ten seconds, instead of being given back and cleared page by page.
test test-all: export MIMALLOC_PURGE_DELAY ?= 10000

test: setup
	cargo test --locked --lib --bins --test quick

# `cargo fmt` does not see the modules that `src/method/list.rs` declares.
SOURCES = find build.rs src tests benches examples fuzz -name '*.rs' -not -path '*/target/*'

format:
	$(SOURCES) | xargs rustfmt --edition 2024

# Builds the examples, too.
test-all: setup
	cargo test --locked

# Side by side: a compiler that only checks keeps one core busy, and few crates wait for no other.
check:
	@$(MAKE) --no-print-directory -j2 lints features

lints:
	$(SOURCES) | xargs rustfmt --edition 2024 --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo clippy --locked --test make-data -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

# In a folder of its own, as cargo lets one build at a time into a folder; and without the variables in which compilers look for a
# server of jobs that recipes are not given.
features: export CARGO_TARGET_DIR = $(CURDIR)/target/features
features:
	@env -u MAKEFLAGS -u MFLAGS scripts/features

bench: setup
	cargo run --release --locked -- bench

fuzz:
	@scripts/fuzz

soak: setup
	@scripts/soak

tables:
	TAFFETA_WRITE=1 cargo test --locked --lib tables_of_settings
	TAFFETA_WRITE=1 cargo test --locked --test quick shaders

licenses:
	cargo about generate --locked about.hbs -o THIRD-PARTY.md

setup:
	@scripts/setup
