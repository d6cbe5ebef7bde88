//! What pairs keep from one substep to the next: `shaders/contact/memory.wgsl` and `keep.wgsl`.

use std::ops::Range;

use glam::{DVec3, Vec4};

use super::soft::{SLOTS, STRUCTS, Soft};
use super::touch_row::TouchRow;
use crate::gpu::{Bound, Buffer, Gpu, GpuError, Indirect, Kernel, Pass, Reading, Usage, Words, twin};
use crate::method::{Setup, Touch};

twin! {
    /// Host twin of WGSL `Kept`.
    struct Kept = "Kept" {
        stretch: [f32; 3],
        load: f32,
        triangle: [u32; 3],
        kind: u32,
    }
}

/// Kind of what is kept of a node and a triangle, as `PAIR` in WGSL.
const PAIR: u32 = 1;
/// The same of two edges, as `CROSSING_EDGES`.
const EDGES: u32 = 3;

/// What touches at the end of a substep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touching {
    /// Pairs of a node and a triangle that press on each other.
    pub pairs: u64,
    /// The least distance of a pair, as a part of its thickness \[1\]; 1 where nothing touches.
    pub least: f64,
    /// The force of contact on each body \[N\], its weight at rest; what acts between parts of a body adds up to nothing.
    pub forces: Vec<DVec3>,
}

/// Kernels and buffer.
pub struct Memory {
    recall: Bound,
    forget: Bound,
    /// How far nodes have moved, in a linear system: for each of the two pairs of state buffers.
    moves: Option<[Bound; 2]>,
    /// For each of the two pairs of state buffers.
    keep: [Bound; 2],
    kept: Buffer<Kept>,
    /// Force \[N\], and of slots that touch the distance as a part of the thickness \[1\].
    pushes: Buffer<Vec4>,
    /// How near each node is to what it may touch \[1\].
    nearness: Buffer<f32>,
    /// Nodes of each body.
    bodies: Vec<Range<usize>>,
    nodes: u32,
    listed: Indirect,
    /// What pairs did to each node, where it lasts, and what writes it where a substep ends; explicit methods do where it begins.
    row: Option<TouchRow>,
    gather: Option<Bound>,
    /// What weighs the mass that lies on each node, or is near, where colliders count it.
    weigh: Option<Bound>,
    /// Whether what is of the substep before is forgotten where the next one begins, not where it ends.
    forgets_first: bool,
}

impl Memory {
    /// Compiles and binds the kernels.
    pub fn new(setup: &Setup<'_>, soft: &Soft) -> Result<Self, GpuError> {
        let gpu = setup.gpu;
        let slots = (SLOTS * setup.nodes) as usize;
        let kept = Buffer::zeroed(gpu, "memory", slots, Usage::empty())?;
        let structs = [&STRUCTS[..], &[&Kept::TWIN]].concat();
        let before = setup.shader("contact/memory.wgsl", &structs)?;
        let outcome = match setup.pushes.contact {
            Some(Touch::Force) => "force",
            Some(Touch::Matrix | Touch::Rows) => "system",
            _ => "iterate",
        };
        let (is_force, is_system) = (outcome == "force", outcome == "system");
        let after = setup.shader_with("contact/keep.wgsl", &[outcome], &structs)?;
        let kernel = |shader, name| (shader, name, &setup.constants[..]);
        let [recall, forget, keep] = Kernel::compile(
            gpu,
            [kernel(&before, "recall"), kernel(&before, "forget"), kernel(&after, "keep")],
        )?;
        let pushes = Buffer::zeroed(gpu, "pushes", slots, Usage::empty())?;
        let nearness = Buffer::zeroed(gpu, "nearness", setup.nodes as usize, Usage::empty())?;
        let bindings = soft
            .bindings()
            .clone()
            .with("memory", &kept)
            .with("pushes", &pushes)
            .with("nearness", &nearness)
            .with("applied_out", &setup.fields.applied);
        let moves = Buffer::<Vec4>::zeroed(
            gpu,
            "moves",
            if is_system { setup.nodes as usize } else { 0 },
            Usage::empty(),
        )?;
        let bindings = bindings.with("moves", &moves);
        let at = |kernel: &Kernel, pair: usize| {
            let ends = bindings
                .clone()
                .with("position_in", &setup.fields.position[pair])
                .with("velocity_in", &setup.fields.velocity[pair]);
            kernel.bind(gpu, &ends)
        };
        let moves = match is_system {
            true => {
                let kernel =
                    setup.kernel(&setup.shader("contact/moves.wgsl", &STRUCTS[..1])?, "measure_moves")?;
                Some([at(&kernel, 0)?, at(&kernel, 1)?])
            }
            false => None,
        };
        let row = TouchRow::of(setup);
        let [gather, weigh] = match &row {
            Some(_) if !is_force => {
                let pushed = setup.shader("contact/pushed.wgsl", &STRUCTS[..1])?;
                let burden = setup.shader("contact/burden.wgsl", &STRUCTS)?;
                // These methods begin every substep in the first pair.
                let begin = bindings
                    .clone()
                    .with("start", &setup.fields.position[0])
                    .with("velocity_in", &setup.fields.velocity[0]);
                [
                    Some(setup.kernel(&pushed, "gather_pushes")?.bind(gpu, &bindings)?),
                    Some(setup.kernel(&burden, "weigh")?.bind(gpu, &begin)?),
                ]
            }
            _ => [None, None],
        };
        Ok(Self {
            recall: recall.bind(gpu, &bindings)?,
            forget: forget.bind(gpu, &bindings)?,
            moves,
            keep: [at(&keep, 0)?, at(&keep, 1)?],
            kept,
            pushes,
            nearness,
            bodies: setup
                .model
                .bodies()
                .iter()
                .map(|b| b.nodes.start as usize..b.nodes.end as usize)
                .collect(),
            nodes: setup.nodes,
            listed: soft.listed().clone(),
            row,
            gather,
            weigh,
            forgets_first: is_force,
        })
    }

    /// Records what pairs have kept, once they are found.
    pub fn record_start(&self, pass: &mut Pass<'_>) {
        for kernel in std::iter::once(&self.recall).chain(&self.weigh) {
            pass.dispatch_indirect(kernel, &self.listed);
        }
        if self.forgets_first {
            pass.dispatch(&self.forget, self.nodes);
        }
    }

    /// Records what they keep, at the end of a substep; `pair`: which of the two holds the new state.
    pub fn record_end(&self, pass: &mut Pass<'_>, pair: usize) {
        if !self.forgets_first {
            pass.dispatch(&self.forget, self.nodes);
        }
        if let Some(moves) = &self.moves {
            pass.dispatch_indirect(&moves[pair], &self.listed);
        }
        pass.dispatch_indirect(&self.keep[pair], &self.listed);
        if let Some(gather) = &self.gather {
            pass.dispatch_indirect(gather, &self.listed);
        }
    }

    /// How near each node is to what it may touch \[1\]: 1 where it does, 0 at two thicknesses and beyond.
    pub fn nearness(&self) -> &Buffer<f32> {
        &self.nearness
    }

    /// Asks for what touches.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Touching> {
        let bodies = self.bodies.clone();
        self.kept.ask(gpu).zip(self.pushes.ask(gpu)).map(move |(kept, pushes)| {
            let mut found =
                Touching { least: 1.0, forces: vec![DVec3::ZERO; bodies.len()], ..Touching::default() };
            let body_of = |node: usize| bodies.partition_point(|nodes| nodes.end <= node);
            let counts = |kept: &Kept| kept.kind == PAIR || kept.kind == EDGES;
            for (s, (kept, push)) in
                kept.iter().zip(&pushes).enumerate().filter(|(_, (kept, _))| counts(kept))
            {
                let force = push.truncate().as_dvec3();
                if push.w == 0.0 {
                    // No substep has been done since a checkpoint.
                    continue;
                }
                // In a linear system a pair may pull.
                found.pairs += u64::from(push.w < 1.0);
                found.least = found.least.min(push.w.into());
                found.forces[body_of(s / SLOTS as usize)] += force;
                found.forces[body_of(kept.triangle[0] as usize)] -= force;
            }
            found
        })
    }

    /// What lasts from frame to frame.
    pub fn lasting(&self) -> impl Iterator<Item = Words<'_>> {
        std::iter::once(self.kept.words()).chain(self.row.iter().map(TouchRow::words))
    }

    /// Forgets everything.
    pub fn forget(&self, gpu: &Gpu) {
        self.kept.clear(gpu);
        self.pushes.clear(gpu);
        self.nearness.clear(gpu);
        self.row.iter().for_each(|row| row.words().clear(gpu));
    }
}
