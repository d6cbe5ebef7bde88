//! Every kernel of every solver against its floor: the bytes that it must move by design over the copy
//! kernel's bandwidth, or the time of a launch if that is larger.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::{Clock, Floors, alone, design, floors, swing};
use super::form_name;
use crate::Error;
use crate::gpu::{GpuError, Pass, Profile, Timed};
use crate::settings::{
    FORCE, FORM, FRAME_TIME, Form, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps,
};
use crate::simulation::Simulation;

/// Iterations of implicit solvers in a profile: enough to see every kernel several times.
pub const MOST_ITERATIONS: u32 = 12;

/// One kernel in one solver.
#[derive(Clone, Debug, Serialize)]
pub struct Kernel {
    /// Name of the solver.
    pub solver: &'static str,
    /// "grid" or "mesh".
    pub form: &'static str,
    /// Shader file and entry point.
    pub kernel: String,
    /// Threads of a dispatch.
    pub threads: u32,
    /// Dispatches in the profiled substep.
    pub dispatches: usize,
    /// Median time of a dispatch \[s\].
    pub seconds: f64,
    /// Bytes that it must move, if its design is listed.
    pub bytes: Option<u64>,
    /// The larger of those bytes over the copy kernel's bandwidth and of a launch \[s\].
    pub floor: Option<f64>,
}

/// All kernels at one size.
#[derive(Clone, Debug, Serialize)]
pub struct Roofline {
    /// Nodes.
    pub nodes: u32,
    /// Copy kernel's bandwidth at this size [B/s].
    pub copy_bandwidth: f64,
    /// Time of a dispatch that waits for the one before it \[s\].
    pub launch: f64,
    /// The kernels.
    pub kernels: Vec<Kernel>,
}

/// Profiles a substep of every solver in both forms of the network; `None` if the adapter has no
/// timestamps.
pub fn measure(
    clock: &Clock<'_>,
    nodes: u32,
    launch: f64,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<Roofline>, Error> {
    let Some(mut profile) = Profile::new(clock.gpu)? else { return Ok(None) };
    let side = f64::from(nodes).sqrt().round().max(2.0) as u32;
    let (model, state) = swing::sheet(side)?;
    let nodes = side * side;
    let floors = Floors { bandwidth: floors::copy(clock, nodes)?, launch };
    let mut found = Roofline { nodes, copy_bandwidth: floors.bandwidth, launch, kernels: Vec::new() };
    for form in [Form::Grid, Form::Mesh] {
        for solver in SolverKind::ALL {
            progress(&format!("kernels of {solver}, {} form", form_name(form)));
            let defaults = alone(solver);
            let settings = defaults
                .clone()
                .with(FORM, form)
                .with(FRAME_TIME, if solver.is_explicit() { 1e-6 } else { swing::FRAME })
                .with(SUBSTEPS, Substeps::Fixed(1))
                .with(ITERATIONS, Iterations::Fixed(defaults.iterations().min(MOST_ITERATIONS)))
                .with(FORCE, true);
            let mut simulation = Simulation::new(clock.gpu, &model, &settings)?;
            simulation.set_state(&state)?;
            let timed = profiled(clock, &mut profile, &simulation)?;
            found.kernels.extend(grouped(timed).into_iter().map(|group| {
                let bytes = design::bytes(&group[0].launch, &simulation);
                let mut times: Vec<f64> = group.iter().map(|one| one.seconds).collect();
                Kernel {
                    solver: solver.name(),
                    form: form_name(form),
                    kernel: group[0].launch.kernel.to_string(),
                    threads: group[0].launch.threads,
                    dispatches: group.len() / clock.repeats as usize,
                    seconds: super::super::median(&mut times),
                    bytes,
                    floor: bytes.map(|bytes| (bytes as f64 / floors.bandwidth).max(launch)),
                }
            }));
        }
    }
    Ok(Some(found))
}

/// The timed dispatches of a substep, as often as the clock repeats, after a warm-up.
fn profiled(
    clock: &Clock<'_>,
    profile: &mut Profile,
    simulation: &Simulation,
) -> Result<Vec<Timed>, GpuError> {
    let mut all = Vec::new();
    for repeat in 0..=clock.repeats {
        let mut encoder = clock.gpu.device.create_command_encoder(&Default::default());
        simulation.record_substep(&mut Pass::profiled(&mut encoder, profile), 0);
        profile.resolve(&mut encoder);
        clock.gpu.queue.submit([encoder.finish()]);
        let timed = profile.take(clock.gpu)?;
        if repeat > 0 {
            all.extend(timed);
        }
    }
    Ok(all)
}

/// Groups dispatches of the same kernel with about the same number of threads, in the order of their first appearance.
fn grouped(timed: Vec<Timed>) -> Vec<Vec<Timed>> {
    let mut order = BTreeMap::new();
    for (index, one) in timed.iter().enumerate() {
        order.entry(one.launch.kernel.clone()).or_insert(index);
    }
    let mut by_kernel: BTreeMap<usize, Vec<Timed>> = BTreeMap::new();
    for one in timed {
        by_kernel.entry(order[&one.launch.kernel]).or_default().push(one);
    }
    let mut groups: Vec<Vec<Timed>> = Vec::new();
    for mut of_kernel in by_kernel.into_values() {
        of_kernel.sort_by_key(|one| std::cmp::Reverse(one.launch.threads));
        for one in of_kernel {
            match groups.last_mut() {
                // The colors of a grid differ by a few nodes.
                Some(group)
                    if group[0].launch.kernel == one.launch.kernel
                        && f64::from(one.launch.threads) > 0.8 * f64::from(group[0].launch.threads) =>
                {
                    group.push(one);
                }
                _ => groups.push(vec![one]),
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Launch;

    #[test]
    fn dispatches_are_grouped_by_kernel_and_size() {
        let one = |kernel: &str, threads| {
            let launch = Launch { kernel: kernel.into(), threads, bytes: None };
            Timed { launch, seconds: 1.0 }
        };
        let timed = vec![one("b", 100), one("a", 50), one("b", 98), one("b", 20), one("a", 50)];
        let found: Vec<_> = grouped(timed)
            .iter()
            .map(|g| (g[0].launch.kernel.to_string(), g[0].launch.threads, g.len()))
            .collect();
        assert_eq!(found, [("b".into(), 100, 2), ("b".into(), 20, 1), ("a".into(), 50, 2)]);
    }
}
