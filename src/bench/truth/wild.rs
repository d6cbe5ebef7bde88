//! Sheets that start in impossible states. All numbers must stay finite.

use glam::Vec3;

use super::bodies::{self, one_substep};
use super::random::Random;
use super::{Group, Job, Row};
use crate::Error;
use crate::model::Body;
use crate::simulation::Simulation;

/// Nodes along a side.
const N: u32 = 33;
/// Two seconds.
const FRAMES: u32 = 120;

/// Makes a start from the rest positions.
type Start = fn(&[Vec3]) -> Vec<Vec3>;

const STARTS: [(&str, Start); 4] = [
    ("noise of spacing / 5", |rest| {
        let mut random = Random(7);
        rest.iter().map(|x| *x + 0.2 / (N - 1) as f32 * random.vector()).collect()
    }),
    ("half of its size", |rest| rest.iter().map(|x| 0.5 * *x).collect()),
    ("folded", |rest| {
        let fold = |x: &Vec3| if x.x > 0.5 { Vec3::new(1.0 - x.x, 0.001, x.z) } else { *x };
        rest.iter().map(fold).collect()
    }),
    ("all nodes in one point", |rest| vec![Vec3::splat(0.3); rest.len()]),
];

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for ((how, start), k) in STARTS.into_iter().flat_map(|start| [1e3f32, 1e6].map(|k| (start, k))) {
        let name = format!("sheet of {k:e} N/m, {how}");
        jobs.push(Job::new(name.clone(), move |gpu| {
            let body = bodies::level_sheet(N, [k, 0.5 * k, 0.1 * k], vec![0, N - 1])?;
            let position = Some(start(&body.rest_position));
            let model = bodies::model(Body { position, ..body })?;
            let mut simulation = Simulation::new(gpu, &model, &one_substep())?;
            for _ in 0..FRAMES {
                simulation.step()?;
            }
            let state = simulation.state()?;
            let broken = state.position.iter().zip(&state.velocity).filter(|(x, v)| !(**x + **v).is_finite());
            let row = Row::new(Group::Motion, "nodes that are not finite after 2 s", &name, "");
            Ok::<_, Error>(vec![row.at_most(broken.count() as f64, 0.0)])
        }));
    }
    jobs
}
