//! Dispatches of a substep, and the bytes that they must move by design.

use crate::gpu::{Launch, Pass};
use crate::simulation::Simulation;

/// Dispatches, and the bytes that they must move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Number of dispatches.
    pub dispatches: u32,
    /// Bytes; `None` if the design of a kernel is not known.
    pub bytes: Option<u64>,
}

impl Work {
    /// The work of one substep.
    pub fn of_substep(simulation: &Simulation) -> Self {
        let mut launches = Vec::new();
        simulation.record_substep(&mut Pass::listed(&mut launches), 0);
        let bytes = launches.iter().map(|launch| bytes(launch, simulation)).sum();
        Self { dispatches: launches.len() as u32, bytes }
    }

    /// The difference from `other`, which does fewer units of the same work, divided by `count`.
    pub fn beyond(self, other: Self, count: u32) -> Self {
        let bytes = self.bytes.zip(other.bytes).map(|(own, less)| (own - less) / u64::from(count));
        Self { dispatches: (self.dispatches - other.dispatches) / count, bytes }
    }
}

/// Bytes that a dispatch must move: its own count, or the one that its method gives for the kernel.
pub fn bytes(launch: &Launch, simulation: &Simulation) -> Option<u64> {
    if launch.bytes.is_some() {
        return launch.bytes;
    }
    let settings = simulation.settings();
    let traffic = settings.solver.traffic(settings).into_iter().find(|of| of.kernel == &*launch.kernel)?;
    let (threads, nodes) = (u64::from(launch.threads), simulation.model().node_count() as u64);
    // A color visits only its own rows.
    let rows = if traffic.springs { simulation.network_bytes() * threads / nodes } else { 0 };
    let slots = 2 * simulation.model().springs().len() as u64;
    Some(traffic.thread * threads + traffic.node * nodes + traffic.slot * slots + rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{alone, swing};
    use crate::gpu::Gpu;
    use crate::settings::{
        CG_STEPS, CHEBYSHEV, Chebyshev, FORCE, FORM, Form, ITERATIONS, Iterations, LINEAR_SOLVER, SUBSTEPS,
        SWEEPS, Settings, SolverKind, Substeps, TOLERANCE,
    };
    use crate::shaders;

    fn work(side: u32, settings: Settings) -> Work {
        let (model, _) = swing::sheet(side).unwrap();
        let settings = settings.with(SUBSTEPS, Substeps::Fixed(1)).with(FORCE, true);
        Work::of_substep(&Simulation::new(&Gpu::noop().unwrap(), &model, &settings).unwrap())
    }

    fn multigrid(form: Form, iterations: u32) -> Settings {
        alone(SolverKind::default())
            .with(FORM, form)
            .with(ITERATIONS, Iterations::Fixed(iterations))
            .with(CG_STEPS, 0)
    }

    #[test]
    fn every_listed_kernel_exists() {
        for design in SolverKind::ALL.iter().flat_map(|kind| kind.traffic(&alone(*kind))) {
            let (file, entry) = design.kernel.split_once(':').unwrap();
            let text = shaders::LIBRARY.iter().find(|f| f.0 == file).unwrap().1;
            assert!(text.contains(&format!("fn {entry}(")), "{}", design.kernel);
        }
    }

    #[test]
    fn the_bytes_of_every_kernel_are_known() {
        let check = |name: &str, settings: Settings| {
            assert!(work(20, settings).bytes.is_some(), "{name}");
        };
        for form in [Form::Grid, Form::Mesh] {
            for solver in SolverKind::ALL {
                check(solver.name(), alone(solver).with(FORM, form).with(ITERATIONS, Iterations::Fixed(12)));
            }
            for solver in SolverKind::ALL {
                for &linear_solver in solver.linear_solvers() {
                    let settings = alone(solver).with(FORM, form).with(ITERATIONS, Iterations::Fixed(5));
                    let name = format!("{solver} by {}", linear_solver.name());
                    check(&name, settings.with(LINEAR_SOLVER, linear_solver));
                }
            }
            check("cg steps", multigrid(form, 5).with(CG_STEPS, 3));
            check("tolerance", multigrid(form, 5).with(TOLERANCE, 0.1));
            let local_global = alone(SolverKind::LocalGlobal).with(FORM, form);
            check("sweeps", local_global.with(SWEEPS, 3).with(ITERATIONS, Iterations::Fixed(4)));
            let chebyshev = Chebyshev::Radius(0.5);
            let vbd = alone(SolverKind::Vbd).with(FORM, form);
            check("vbd with weights", vbd.with(CHEBYSHEV, chebyshev).with(ITERATIONS, Iterations::Fixed(20)));
        }
    }

    /// The table of docs/performance.md at 316 x 316, whose levels have 159, 80, 41 and 21 nodes a side, then 11, 6, 4
    /// and 3.
    #[test]
    fn an_iteration_of_newton_multigrid_on_a_grid_moves_what_it_was_designed_for() {
        let cloth = 316 * 316u64;
        let [a, b, c, d] = [159 * 159, 80 * 80, 41 * 41, 21 * 21u64];
        let tail = d + 11 * 11 + 6 * 6 + 4 * 4 + 3 * 3;
        let level = 7 * 24 + 16;
        let coarsened = 64 * cloth + level * a + level * (a + b) + level * (b + c) + level * (c + d);
        let smoothed = (level + 16) * (a + b + c) + 16 * (b + c + d);
        let on_levels = coarsened + (level + 16) * tail + smoothed;
        let iteration = (64 + 80 + 36 + 80) * cloth + on_levels;
        // The last of the four iterations has no later one to accelerate; the one before it does.
        // At the end of a frame, a part for each 64 nodes of a quarter of them; 256 threads add up the parts.
        let parts = cloth.div_ceil(4 * 64);
        let look = 96 * cloth / 4 + 16 * parts + 128 * 256;
        // The same at its beginning.
        let start = 32 * cloth / 4 + 32 * parts + 256 * 256;
        let four = work(316, multigrid(Form::Grid, 4));
        assert_eq!(four.bytes, Some(4 * iteration + 32 * cloth + 2 * 64 * cloth + look + start));
        assert_eq!(four.dispatches, 4 * 12 + 2 + 2 + 2);
        assert_eq!((iteration + cloth / 2) / cloth, 517);
    }

    /// Without flexion, two of seven blocks are missing.
    #[test]
    fn without_flexion_the_levels_move_less() {
        let [all, some] = [1.0, 0.0].map(|flexion| {
            let mut body = crate::bench::scene::cloth(316);
            if let crate::shape::ClothMaterial::Raw(springs) = &mut body.material {
                springs.flexion = flexion;
            }
            let mut builder = crate::model::ModelBuilder::new();
            builder.add(body.build().unwrap());
            let settings = multigrid(Form::Grid, 1).with(SUBSTEPS, Substeps::Fixed(1));
            let gpu = Gpu::noop().unwrap();
            Work::of_substep(&Simulation::new(&gpu, &builder.build().unwrap(), &settings).unwrap())
        });
        let per_node = |work: Work| (work.bytes.unwrap() as f64 / (316.0 * 316.0)).round();
        // This includes the beginning and end of the substep, 128 bytes, and the sums for its start and for the error, 8 and
        // 24 and a little for the parts: about 33.
        assert_eq!([per_node(all), per_node(some)], [678.0, 630.0]);
    }

    #[test]
    fn a_plain_sweep_reads_a_vector_less() {
        let sweeps = |chebyshev| {
            let settings = alone(SolverKind::LocalGlobal).with(CHEBYSHEV, chebyshev);
            let [all, half] =
                [40, 20].map(|n| work(20, settings.clone().with(ITERATIONS, Iterations::Fixed(n))));
            all.beyond(half, 20)
        };
        assert_eq!(sweeps(Chebyshev::Off), Work { dispatches: 1, bytes: Some(48 * 400) });
        assert_eq!(sweeps(Chebyshev::Auto), Work { dispatches: 1, bytes: Some(64 * 400) });
    }

    /// The figures of the mesh form in docs/performance.md.
    #[test]
    fn an_iteration_of_newton_multigrid_on_a_mesh_moves_what_the_page_says() {
        let [grid, mesh] = [Form::Grid, Form::Mesh].map(|form| {
            let [all, half] = [20, 10].map(|n| work(316, multigrid(form, n)));
            all.beyond(half, 10)
        });
        let megabytes = |work: Work| (work.bytes.unwrap() as f64 / 1e6).round();
        assert_eq!((grid.dispatches, megabytes(grid)), (12, 55.0));
        assert_eq!((mesh.dispatches, megabytes(mesh)), (20, 136.0));
    }
}
