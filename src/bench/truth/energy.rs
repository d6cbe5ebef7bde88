//! Free networks in fast motion without gravity or damping. They must not gain energy, nor lose more than exact steps.

use glam::Vec3;

use super::bodies::{self, loose_net, one_substep, throw};
use super::random::Random;
use super::track::Track;
use super::{Group, Job, Row};
use crate::Error;
use crate::gpu::Gpu;
use crate::measure::energy;
use crate::model::{Body, Model};
use crate::reference::State64;
use crate::settings::GRAVITY;
use crate::simulation::Simulation;

/// Two seconds.
const FRAMES: u32 = 120;
/// Half a second, after which the motion is compared with that of exact steps.
const LOOK: u32 = 30;
/// Most energy, over that of the start.
const MOST: f64 = 1.01;
/// The same for kinetic and elastic energy together, if springs are so stiff that a micrometer matters.
const MOST_STIFF: f64 = 2.0;
/// Least kinetic energy and angular momentum over those of exact steps.
const LEAST: [f64; 2] = [0.6, 0.7];
/// The same for stiff springs.
const LEAST_STIFF: [f64; 2] = [0.6, 0.6];

/// A free network.
#[derive(Clone, Copy)]
enum Case {
    /// Springs of about this many N/m.
    Raw(f32),
    /// Springs from 10 to 1e5 N/m.
    Decades,
    /// Triangles over this number of columns and rows.
    Triangles(u32, u32),
    /// Springs of 1000 N/m at 8 m/s, with wave vectors multiplied by this.
    Crumpled(f32),
}

pub fn jobs() -> Vec<Job> {
    let cases = [
        ("net of 1e4 N/m", Case::Raw(1e4)),
        ("net of 1e6 N/m", Case::Raw(1e6)),
        ("net over four decades of k", Case::Decades),
        ("triangles 1:20, long along x", Case::Triangles(9, 161)),
        ("triangles 1:20, long along z", Case::Triangles(161, 9)),
        ("net of 1e3 N/m at 8 m/s", Case::Crumpled(1.0)),
        ("net of 1e3 N/m at 8 m/s, short waves", Case::Crumpled(2.0)),
    ];
    let job = |(name, case): (&str, Case)| {
        let name = name.to_owned();
        Job::new(name.clone(), move |gpu| rows(gpu, &name, &bodies::model(case.body()?)?, case.is_stiff()))
    };
    cases.map(job).into()
}

impl Case {
    fn body(self) -> Result<Body, Error> {
        let net = |(body, random), speed, wave| throw(body, random, speed, wave);
        Ok(match self {
            Case::Raw(k) => net(loose_net(|_| k)?, 2.0, 1.0),
            Case::Decades => net(loose_net(|u| 10f32.powf(1.0 + 4.0 * u))?, 2.0, 1.0),
            Case::Triangles(columns, rows) => throw(bodies::triangles(columns, rows)?, Random(21), 2.0, 1.0),
            Case::Crumpled(wave) => net(loose_net(|_| 1e3)?, 8.0, wave),
        })
    }

    fn is_stiff(self) -> bool {
        matches!(self, Case::Raw(k) if k >= 1e6)
    }
}

fn rows(gpu: &Gpu, name: &str, model: &Model, is_stiff: bool) -> Result<Vec<Row>, Error> {
    let settings = one_substep().with(GRAVITY, Vec3::ZERO);
    let mut simulation = Simulation::new(gpu, model, &settings)?;
    let start = energy::total(model, &settings, &State64::from(model.initial_state()));
    let (mut most, mut look) = ([0.0f64; 2], State64::default());
    for frame in 1..=FRAMES {
        simulation.step()?;
        let state = State64::from(&simulation.state()?);
        let kinetic = energy::kinetic(model, &state.velocity);
        let found = [kinetic, kinetic + energy::elastic(model, &state.position)];
        // A NaN must not pass.
        most = [0, 1].map(|i| if found[i].is_nan() { f64::INFINITY } else { most[i].max(found[i] / start) });
        if frame == LOOK {
            look = state;
        }
    }
    let row = |what| Row::new(Group::Energy, what, name, "");
    let (most_of_all, least) = if is_stiff { (MOST_STIFF, LEAST_STIFF) } else { (MOST, LEAST) };
    let mut rows = vec![
        row("kinetic energy, largest of the start's").at_most(most[0], MOST),
        row("with springs, largest of the start's").at_most(most[1], most_of_all),
    ];
    let compared = ["kinetic energy at .5 s over exact steps'", "|L| at .5 s over exact steps'"].map(row);
    let mut track = Track::new(model, &settings);
    let reached = track.steps(LOOK);
    let parts = [
        energy::kinetic(model, &look.velocity) / energy::kinetic(model, &track.state.velocity),
        energy::angular_momentum(model, &look).length()
            / energy::angular_momentum(model, &track.state).length(),
    ];
    for (i, row) in compared.into_iter().enumerate() {
        rows.push(match &reached {
            Ok(()) => row.at_least(parts[i], least[i]),
            Err(why) => row.missing(why),
        });
    }
    Ok(rows)
}
