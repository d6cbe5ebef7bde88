//! The mean height of a sheet of 12 x 12 nodes after 18 steps of 1/120 s. It is held at two corners and let go from the
//! horizontal at a height of 1 m.

use glam::DVec3;

use super::bodies;
use super::track::Track;
use super::{Group, Job, Row};
use crate::reference::State64;
use crate::settings::{SUBSTEPS, Substeps};
use crate::simulation::Simulation;

/// Nodes along a side.
const N: u32 = 12;
/// Frames of two steps.
const FRAMES: u32 = 9;
/// Shear stiffness [N/m].
const SHEAR: f32 = 10.0;

pub fn jobs() -> Vec<Job> {
    [5e2f32, 1e5, 1e7, 1e9, 1e12].map(job).into()
}

fn job(k: f32) -> Job {
    let name = format!("sheet of 12 x 12 on two corners, {k:e} N/m");
    Job::new(name.clone(), move |gpu| {
        let model = bodies::model(bodies::level_sheet(N, [k, SHEAR, 0.0], vec![0, N - 1])?)?;
        let settings = bodies::one_substep().with(SUBSTEPS, Substeps::Fixed(2));
        let mut simulation = Simulation::new(gpu, &model, &settings)?;
        for _ in 0..FRAMES {
            simulation.step()?;
        }
        let found = height(&State64::from(&simulation.state()?).position);
        let row = Row::new(Group::HeldSheet, "mean height, off exact steps", &name, "%");
        let mut track = Track::new(&model, &settings);
        Ok(vec![match track.steps(2 * FRAMES) {
            Ok(()) => row.at_most(100.0 * (found / height(&track.state.position) - 1.0).abs(), 1.0),
            Err(why) => row.missing(&why),
        }])
    })
}

/// The mean height of all nodes \[m\].
fn height(x: &[DVec3]) -> f64 {
    1.0 + x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64
}
