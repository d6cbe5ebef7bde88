//! The stretch of inextensible springs and of springs with a limit, in two seconds of swinging from the horizontal.

use super::bodies::{self, one_substep};
use super::{Group, Job, Row};
use crate::Error;
use crate::gpu::Gpu;
use crate::measure::stretch;
use crate::model::{Body, Family, Model};
use crate::reference::State64;
use crate::simulation::Simulation;

/// Two seconds.
const FRAMES: u32 = 120;
/// Structural, shear and flexion stiffness of springs with a limit [N/m]. Without it their load would stretch them by
/// 10 %.
const SOFT: [f32; 3] = [20.0, 5.0, 0.0];
/// Their limit of stretch \[1\].
const LIMIT: f32 = 0.01;

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (springs, most) in [(100, 0.1), (1000, 1.0)] {
        let body = move || Ok(bodies::rope(springs, f64::INFINITY));
        jobs.push(job("|stretch|, largest", format!("inextensible rope of {springs} springs"), most, body));
    }
    for n in [33, 65] {
        let body = move || bodies::hinged_sheet(n, f32::INFINITY);
        jobs.push(job("|stretch|, largest", format!("inextensible sheet of {n} x {n}"), 0.1, body));
    }
    for n in [12, 64, 129] {
        let limited =
            move |pinned| Ok(Body { strain_limit: Some(LIMIT), ..bodies::level_sheet(n, SOFT, pinned)? });
        let what = "stretch, largest, limit 1 %";
        let edge = move || limited((0..n).collect());
        jobs.push(job(what, format!("soft sheet of {n} x {n} on an edge"), 1.1, edge));
        let corners = move || limited(vec![0, n - 1]);
        jobs.push(job(what, format!("soft sheet of {n} x {n} on two corners"), 1.4, corners));
    }
    jobs
}

fn job(
    what: &'static str,
    name: String,
    most: f64,
    body: impl FnOnce() -> Result<Body, Error> + Send + 'static,
) -> Job {
    Job::new(name.clone(), move |gpu| {
        let model = bodies::model(body()?)?;
        Ok(vec![Row::new(Group::Lengths, what, &name, "%").at_most(100.0 * largest(gpu, &model)?, most)])
    })
}

/// The largest stretch of a structural spring at the end of any frame \[1\]; for inextensible springs its magnitude.
fn largest(gpu: &Gpu, model: &Model) -> Result<f64, Error> {
    let mut simulation = Simulation::new(gpu, model, &one_substep())?;
    let mut largest = 0.0f64;
    for _ in 0..FRAMES {
        simulation.step()?;
        let x = State64::from(&simulation.state()?).position;
        for (s, strain) in stretch::strains(model, &x) {
            let spring = &model.springs()[s];
            if spring.family == Family::Structural {
                // A NaN must not pass.
                let strain = if spring.is_inextensible() { strain.abs() } else { strain };
                largest = if strain.is_nan() { f64::INFINITY } else { largest.max(strain) };
            }
        }
    }
    Ok(largest)
}
