//! One fast frame of meshes without any order: newton-multigrid approaches the minimizer of the step as fast as on others.
//!
//! The minimizers in `tests/data` come from f64 Newton iterations to convergence; `tests/data/make.rs` makes them.

use crate::common::jittered::{SIDES, data, swinging};
use crate::common::{gpu, newton_multigrid, rms_distance};
use taffeta::{Simulation, io};

/// The errors that the triangulated sheet of 10,201 nodes of `common/frame_f.rs` has, too.
#[test]
fn meshes_without_order_converge_as_fast_at_any_size() {
    let gpu = gpu();
    let mut failures = Vec::new();
    for side in SIDES {
        let (model, exact) = (swinging(side), io::read_points(&data(side)).unwrap());
        for (iterations, published) in [(1, 0.261), (3, 0.120), (7, 0.040), (14, 0.022)] {
            let mut simulation = Simulation::new(&gpu, &model, &newton_multigrid(iterations)).unwrap();
            simulation.step().unwrap();
            let found = 1e3 * rms_distance(&simulation.state().unwrap().position, &exact);
            println!("{} nodes, {iterations} iterations: {found:.3} mm", side * side);
            if found.is_nan() || found > 1.25 * published {
                failures.push(format!("{side}, {iterations} iterations: {found} mm, not {published}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
