//! Stiff cloth in fast motion: dragged back and forth by its pins, and tumbling freely.

use std::f64::consts::PI;

use glam::Vec3;

use super::bodies::{self, one_substep};
use super::track::Track;
use super::{Group, Job, Row};
use crate::Error;
use crate::gpu::Gpu;
use crate::measure::energy;
use crate::measure::stretch::Stretch;
use crate::model::{Family, Model, ModelBuilder, Path};
use crate::reference::State64;
use crate::settings::{GRAVITY, ITERATIONS, Iterations, Settings};
use crate::simulation::Simulation;

/// Structural stiffnesses [N/m].
pub const STIFFNESSES: [f32; 4] = [1e3, 1e4, 1e5, 1e6];
/// Nodes along a side of the dragged sheet, and of the tumbling one.
const SIDES: [u32; 2] = [65, 33];
/// Two seconds of dragging.
const FRAMES: u32 = 120;
/// Largest stretch of stiff dragged cloth \[%\].
const LARGEST: f64 = 20.0;

pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (k, p999) in STIFFNESSES.into_iter().zip([None, None, Some(6.6), Some(5.1)]) {
        for (how, iterations) in [("", Iterations::Own), (", 4 iterations", Iterations::Fixed(4))] {
            let name = format!("dragged sheet of {k:e} N/m{how}");
            jobs.push(Job::new(name.clone(), move |gpu| {
                let settings = one_substep().with(ITERATIONS, iterations);
                dragged(gpu, &name, k, &settings, p999)
            }));
        }
    }
    for k in STIFFNESSES {
        let name = format!("tumbling sheet of {k:e} N/m, 1 s");
        jobs.push(Job::new(name.clone(), move |gpu| {
            let model = bodies::model(bodies::tumbling(SIDES[1], k)?)?;
            Ok(vec![tumbled(gpu, &name, &model)?])
        }));
    }
    jobs
}

/// Stretch of a sheet whose two held corners move back and forth by half a meter at 2 Hz.
fn dragged(gpu: &Gpu, name: &str, k: f32, settings: &Settings, p999: Option<f64>) -> Result<Vec<Row>, Error> {
    let n = SIDES[0];
    let corners = vec![0, n - 1];
    let mut builder = ModelBuilder::new();
    builder.add(bodies::level_sheet(n, [k, 0.5 * k, 0.1 * k], corners.clone())?);
    let key = |frame: u32| {
        let t = f64::from(frame) / 60.0;
        (t, Vec3::X * (0.5 * (4.0 * PI * t).sin()) as f32)
    };
    let path = Path::new((0..=FRAMES).map(key).collect());
    builder.pin_along(corners, path.map_err(|error| Error::Argument(error.to_string()))?);
    let model = builder.build()?;
    let mut simulation = Simulation::new(gpu, &model, settings)?;
    let mut worst = [0.0f64; 2];
    for _ in 0..FRAMES {
        simulation.step()?;
        let x = State64::from(&simulation.state()?).position;
        let strain = Stretch::of(&model, &x).family(Family::Structural);
        let is_broken = x.iter().any(|x| !x.is_finite());
        let found = if is_broken { [f64::INFINITY; 2] } else { [strain.p999, strain.max] };
        worst = [0, 1].map(|i| worst[i].max(100.0 * found[i]));
    }
    let row = |what| Row::new(Group::Motion, what, name, "%");
    let (high, largest) = (row("stretch, largest p99.9"), row("stretch, largest"));
    Ok(match p999 {
        Some(most) => vec![high.at_most(worst[0], most), largest.at_most(worst[1], LARGEST)],
        None => vec![high.value(worst[0]), largest.value(worst[1])],
    })
}

/// Difference of the angular momentum of a free sheet from that of exact steps, after a second.
fn tumbled(gpu: &Gpu, name: &str, model: &Model) -> Result<Row, Error> {
    let settings = one_substep().with(GRAVITY, Vec3::ZERO);
    let mut simulation = Simulation::new(gpu, model, &settings)?;
    for _ in 0..60 {
        simulation.step()?;
    }
    let found = energy::angular_momentum(model, &State64::from(&simulation.state()?));
    let mut track = Track::new(model, &settings);
    let row = Row::new(Group::Motion, "|L|, off that of exact steps", name, "%");
    Ok(match track.steps(60) {
        Ok(()) => {
            let expected = energy::angular_momentum(model, &track.state);
            row.at_most(100.0 * (found.length() / expected.length() - 1.0).abs(), 2.0)
        }
        Err(why) => row.missing(&why),
    })
}
