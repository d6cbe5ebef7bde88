//! Makes `jittered-*.npy`, the minimizers of a step in f64 that `tests/full/jittered.rs` compares with. Takes minutes:
//! `cargo test --release --test make-data`.

#[path = "../common/mod.rs"]
mod common;

use common::jittered::{SIDES, data, swinging};
use common::newton_multigrid;
use glam::Vec3;
use taffeta::io;
use taffeta::reference::{Forces, State64, minimizer};

/// What is left of the gradient \[N\].
const RESIDUAL: f64 = 1e-8;

fn main() {
    for side in SIDES {
        let model = swinging(side);
        let settings = newton_multigrid(1);
        let forces = Forces::of(&model, &settings);
        let start = State64::from(model.initial_state());
        let found = minimizer::implicit_step(&forces, f64::from(settings.step.frame_time), &start, RESIDUAL);
        println!("{side}: {:.1e} N after {} iterations", found.residual, found.iterations);
        assert!(found.converged);
        let position: Vec<Vec3> = found.position.iter().map(|x| x.as_vec3()).collect();
        io::write_points(&data(side), &position).unwrap();
    }
}
