//! A rope of 1 m between two pins that comes to rest: its sag is compared with that of an inextensible rope,
//! a (cosh b - 1) with b = span / (2 a) and sinh(b) / b = length / span.

use super::bodies;
use super::{Group, Job, Row};
use crate::settings;
use crate::simulation::Simulation;

/// Distance of the pins \[m\].
const SPAN: f64 = 0.6;
/// Springs.
const SPRINGS: u32 = 100;
/// Six seconds.
const FRAMES: u32 = 360;
/// Viscous damping that brings it to rest [1/s].
const DAMPING: f32 = 2.0;
/// Largest error, relative to the sag \[%\].
const BOUND: f64 = 1.0;

pub fn jobs() -> Vec<Job> {
    [1e5, f64::INFINITY].map(job).into()
}

fn job(ea: f64) -> Job {
    let name = format!("rope of {SPRINGS} springs, EA {ea:e} N, 6 s");
    Job::new(name.clone(), move |gpu| {
        let model = bodies::model(bodies::slack_rope(SPRINGS, ea, SPAN as f32))?;
        let settings = bodies::one_substep().with(settings::DAMPING, DAMPING);
        let mut simulation = Simulation::new(gpu, &model, &settings)?;
        for _ in 0..FRAMES {
            simulation.step()?;
        }
        let found = -f64::from(simulation.state()?.position[SPRINGS as usize / 2].y);
        let off = 100.0 * (found / sag() - 1.0).abs();
        Ok(vec![Row::new(Group::Catenary, "sag, off the catenary's", &name, "%").at_most(off, BOUND)])
    })
}

/// Sag of a rope of 1 m \[m\].
fn sag() -> f64 {
    let (mut low, mut high) = (0.1f64, 10.0f64);
    for _ in 0..100 {
        let b = 0.5 * (low + high);
        if b.sinh() / b < 1.0 / SPAN { low = b } else { high = b }
    }
    0.5 * SPAN / low * (low.cosh() - 1.0)
}
