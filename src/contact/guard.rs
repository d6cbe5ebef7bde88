//! Records the guard: refits the tree, looks at all pairs that may meet, and holds nodes back.

use bytemuck::Zeroable;
use glam::{Vec3, Vec4};

use super::closing::Closing;
use super::elements::{Surface, rings};
use super::least_gaps;
use super::patches::Patches;
use super::regions::Regions;
use super::report::{GUARD_STRUCT, GuardState, LAST_LOOK, Report};
use super::rounds::{ROUND_STRUCT, Rounds};
use super::tangled::tangled;
use crate::gpu::{
    Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Reading, UNIFORM_STRIDE, Usage, Words,
    twin,
};
use crate::method::Setup;
use crate::method::contact::largest_reach;
use crate::numbers::WORKGROUP_SIZE;

/// Threads that fit a part of the tree, and levels that they fit.
const THREADS: u32 = WORKGROUP_SIZE;
const LEVELS: u32 = THREADS.ilog2() + 1;

twin! {
    /// Host twin of WGSL `Fit`.
    struct Fit = "Fit" in 8 {
        count: u32,
        levels: u32,
        padding: [u32; 62],
    }
}

const FIT_STRUCT: HostStruct = Fit::TWIN;
const _: () = assert!(size_of::<Fit>() == UNIFORM_STRIDE as usize);

twin! {
    /// Host twin of WGSL `Tree`.
    struct Tree = "Tree" {
        leaves: u32,
        largest_reach: f32,
        largest_margin: f32,
    }
}

/// Layout of what all kernels of contact know.
pub const TREE_STRUCT: HostStruct = Tree::TWIN;

/// Kernels and buffers of the guard.
pub struct Guard {
    /// For each of the two pairs of state buffers.
    keep: [Bound; 2],
    begin: [Bound; 2],
    average: Bound,
    prove_stars: Bound,
    regions: Regions,
    /// Before the solver, and behind it.
    fit_leaves: [Bound; 2],
    fit_levels: Bound,
    examine: [Bound; 2],
    /// By the round that follows, even or odd, and by the pair of state buffers.
    settle: [[Bound; 2]; 2],
    rounds: Rounds,
    apply: [Bound; 2],
    state: Buffer<GuardState>,
    /// A bit for each node.
    tangled: Buffer<u32>,
    surface: Surface,
    least_gaps: Vec<f32>,
    /// Workgroups of each fit of a copy.
    fits: Vec<u32>,
    nodes: u32,
    copies: u32,
    bindings: Bindings,
}

impl Guard {
    /// Compiles the kernels and uploads the surface; `None` if nothing has a surface.
    pub fn new(setup: &Setup<'_>) -> Result<Option<Self>, GpuError> {
        let Some(surface) = Surface::new(setup.model) else { return Ok(None) };
        let (gpu, nodes) = (setup.gpu, setup.nodes as usize);
        let fits = fits(surface.leaves);
        let uniforms: Vec<Fit> =
            fits.iter().map(|&[count, levels]| Fit { count, levels, ..Fit::zeroed() }).collect();
        let state = Buffer::zeroed(gpu, "guards", setup.copies as usize, Usage::empty())?;
        let start = Buffer::<Vec4>::zeroed(gpu, "start", nodes, Usage::empty())?;
        let moved = Buffer::<Vec4>::zeroed(gpu, "moved", nodes, Usage::empty())?;
        let means = Buffer::<Vec4>::zeroed(gpu, "means", nodes, Usage::empty())?;
        let parts = Buffer::<u32>::zeroed(gpu, "parts", nodes, Usage::empty())?;
        let patches = Patches::new(setup.model, &surface);
        let shapes = (3 * surface.leaves * setup.copies) as usize;
        let boxes = Buffer::from_slice(gpu, "boxes", &patches.boxes(), Usage::empty())?;
        let tangled = Buffer::<u32>::zeroed(gpu, "tangled", nodes.div_ceil(32), Usage::empty())?;
        let [largest_reach, largest_margin] = largest_reach(setup.model);
        let tree = Tree { leaves: surface.leaves, largest_reach, largest_margin };
        let rounds = Rounds::new(gpu, surface.leaves, setup.copies, setup.nodes)?;
        let common = setup
            .bindings
            .clone()
            .with("tree", &Buffer::from_slice(gpu, "tree", &[tree], Usage::UNIFORM)?)
            .with("start", &start)
            .with("moved", &moved)
            .with("means", &means)
            .with("parts", &parts)
            .with("boxes", &boxes)
            .with("shapes", &Buffer::<Vec4>::zeroed(gpu, "shapes", shapes, Usage::empty())?)
            .with("guards", &state)
            .with("tangled", &tangled)
            .with("elements", &Buffer::from_slice(gpu, "elements", &surface.elements, Usage::empty())?)
            .with(
                "leaf_nodes",
                &Buffer::from_slice(gpu, "leaf_nodes", &surface.leaf_nodes(), Usage::empty())?,
            )
            .with("rests", &Buffer::from_slice(gpu, "rests", &patches.rests, Usage::empty())?)
            .with("regions", &Buffer::from_slice(gpu, "regions", &patches.regions, Usage::empty())?)
            .with("marks", &Buffer::<u32>::zeroed(gpu, "marks", nodes, Usage::empty())?)
            .with("rings", &Buffer::from_slice(gpu, "rings", &rings(setup.model), Usage::empty())?)
            .with("fit", &Buffer::from_slice(gpu, "fits", &uniforms, Usage::UNIFORM)?);
        let common = rounds.bind(common);
        let at = |pair: usize| {
            let [position, velocity] = [&setup.fields.position[pair], &setup.fields.velocity[pair]];
            common.clone().with("position", position).with("position_in", position).with("velocity", velocity)
        };
        let constants = &setup.constants;
        let refit = setup.shader("contact/refit.wgsl", &[&GUARD_STRUCT, &FIT_STRUCT])?;
        let guard = setup.shader("contact/guard.wgsl", &[&GUARD_STRUCT, &ROUND_STRUCT])?;
        let ends = setup.shader("contact/ends.wgsl", &[&GUARD_STRUCT, &ROUND_STRUCT])?;
        let at_end = [&constants[..], &[("AT_END", 1.0)]].concat();
        let star = setup.shader("contact/star.wgsl", &[])?;
        let yields = setup.shader("contact/yield.wgsl", &[&GUARD_STRUCT])?;
        let [examine, prove_stars, average, fit_start, fit_end, fit_levels, keep, begin, settle, apply] =
            Kernel::compile(
                gpu,
                [
                    (&guard, "examine", &constants[..]),
                    (&star, "prove_stars", constants),
                    (&yields, "average", constants),
                    (&refit, "fit_leaves", constants),
                    (&refit, "fit_leaves", &at_end),
                    (&refit, "fit_levels", constants),
                    (&ends, "keep_start", constants),
                    (&ends, "begin", constants),
                    (&ends, "settle", constants),
                    (&ends, "apply", constants),
                ],
            )?;
        let bindings = [at(0), at(1)];
        let both = |kernel: &Kernel| -> Result<[Bound; 2], GpuError> {
            Ok([kernel.bind(gpu, &bindings[0])?, kernel.bind(gpu, &bindings[1])?])
        };
        let settle_before = |is_odd: bool| -> Result<[Bound; 2], GpuError> {
            let bind = |at: &Bindings| settle.bind(gpu, &rounds.bind_next(at.clone(), is_odd));
            Ok([bind(&bindings[0])?, bind(&bindings[1])?])
        };
        Ok(Some(Self {
            keep: both(&keep)?,
            begin: both(&begin)?,
            regions: Regions::new(setup, &common, [patches.patches.len(), patches.tiles.len()])?,
            average: average.bind(gpu, &common)?,
            prove_stars: prove_stars.bind(gpu, &common)?,
            fit_leaves: [fit_start.bind(gpu, &common)?, fit_end.bind(gpu, &common)?],
            fit_levels: fit_levels.bind(gpu, &common)?,
            examine: both(&examine)?,
            settle: [settle_before(false)?, settle_before(true)?],
            rounds,
            apply: both(&apply)?,
            state,
            tangled,
            least_gaps: least_gaps(setup.model),
            fits: fits.iter().map(|fit| fit[0]).collect(),
            nodes: setup.nodes,
            copies: setup.copies,
            bindings: common,
            surface,
        }))
    }

    /// Records what happens before the solver; `pair`: which of the two holds the state.
    pub fn record_start(&self, pass: &mut Pass<'_>, pair: usize) {
        pass.dispatch(&self.keep[pair], self.nodes);
    }

    /// Buffers that other kernels of contact share: where nodes start, and the tree.
    pub fn tree(&self) -> &Bindings {
        &self.bindings
    }

    /// Records what happens after the solver; `pair`: which of the two holds the new state.
    pub fn record_end(&self, pass: &mut Pass<'_>, pair: usize) {
        pass.dispatch(&self.begin[pair], self.nodes);
        self.record_fit(pass, 1);
        self.regions.record_end(pass);
        pass.dispatch(&self.prove_stars, self.nodes);
        pass.dispatch_indirect_at(&self.examine[pair], &self.rounds.leaves_of_tiles, &[0]);
        pass.dispatch(&self.average, self.nodes);
        pass.dispatch_at(&self.settle[1][pair], self.nodes, &[0]);
        for round in 1..=LAST_LOOK {
            let ([nodes, leaves], at) = self.rounds.later(round);
            pass.dispatch_indirect_at(&self.examine[pair], leaves, &at);
            if round < LAST_LOOK {
                pass.dispatch_indirect_at(&self.settle[(round as usize + 1) % 2][pair], nodes, &at);
            }
        }
        pass.dispatch(&self.apply[pair], self.nodes);
    }

    /// Records the tree, fitted to where nodes start, and which regions have no pairs that may touch.
    pub fn record_tree(&self, pass: &mut Pass<'_>) {
        self.record_fit(pass, 0);
        self.regions.record_start(pass);
    }

    /// What finds how fast surfaces come nearer that may meet within so many frames. What may meet counts as `least` spacings at least, and surfaces
    /// that may touch as `rubbing`.
    pub fn closing(
        &self,
        setup: &Setup<'_>,
        ahead: f64,
        least: f64,
        rubbing: f32,
    ) -> Result<Closing, GpuError> {
        Closing::new(setup, &self.bindings, self.surface.leaves, ahead, least, rubbing)
    }

    fn record_fit(&self, pass: &mut Pass<'_>, end: usize) {
        for (index, &count) in (0..).zip(&self.fits) {
            let kernel = if index == 0 { &self.fit_leaves[end] } else { &self.fit_levels };
            pass.dispatch_at(kernel, THREADS * count * self.copies, &[index * UNIFORM_STRIDE]);
        }
    }

    /// Asks for what it did.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Report> {
        let nodes = self.nodes;
        let asked = self.state.ask(gpu).zip(self.tangled.ask(gpu));
        asked.map(move |(states, tangled)| Report::of(&states, &tangled, nodes))
    }

    /// What lasts from frame to frame: counters, and which nodes are tangled.
    pub fn lasting(&self) -> [Words<'_>; 2] {
        [self.state.words(), self.tangled.words()]
    }

    /// Forgets what it did, and begins at positions \[m\], in the order of memory.
    pub fn begin_at(&self, gpu: &Gpu, position: &[Vec3]) {
        let fresh = |&least_gap: &f32| GuardState { least_gap, ..GuardState::zeroed() };
        self.state.write(gpu, 0, &self.least_gaps.iter().map(fresh).collect::<Vec<_>>());
        self.tangled.write(gpu, 0, &tangled(&self.surface, position));
    }
}

/// For each dispatch of a fit the workgroups of a copy, and how many levels each fits; the first fits the leaves, too.
fn fits(leaves: u32) -> Vec<[u32; 2]> {
    let mut open = leaves.ilog2();
    let mut fits = Vec::new();
    while open > 0 {
        let levels = open.min(LEVELS);
        open -= levels;
        fits.push([1 << open, levels]);
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_reach_every_level_once() {
        assert_eq!(fits(2), [[1, 1]]);
        assert_eq!(fits(8), [[1, 3]]);
        assert_eq!(fits(128), [[1, 7]]);
        assert_eq!(fits(256), [[2, 7], [1, 1]]);
        assert_eq!(fits(1 << 17), [[1 << 10, 7], [1 << 3, 7], [1, 3]]);
    }
}
