//! The rounds of the guard, and how many workgroups each of them has: the GPU chooses.

use bytemuck::Zeroable;

use super::report::LAST_LOOK;
use crate::gpu::{
    Bindings, Buffer, Gpu, GpuError, HostStruct, Indirect, MOST_GROUPS, UNIFORM_STRIDE, Usage, twin,
};
use crate::numbers::WORKGROUP_SIZE;

/// Leaves that a thread looks at in later rounds, since most have nothing to do; on adapters that have threads to spare one, since a dispatch
/// takes as long as its longest thread.
const A_THREAD: u32 = 16;
const A_WIDE_THREAD: u32 = 1;
/// Bytes of WGSL `Launch`.
const LAUNCH: u64 = 16;

twin! {
    /// Host twin of WGSL `Round`.
    struct Round = "Round" in 8 {
        index: u32,
        threads: u32,
        padding: [u32; 62],
    }
}

/// Layout of [`Round`].
pub const ROUND_STRUCT: HostStruct = Round::TWIN;
const _: () = assert!(size_of::<Round>() == UNIFORM_STRIDE as usize);

/// What rounds are dispatched with.
pub struct Rounds {
    /// Leaves of the tiles that the first round looks at.
    pub leaves_of_tiles: Indirect,
    /// Nodes, and threads that look at leaves, of each later round.
    later: Vec<[Indirect; 2]>,
    uniforms: Buffer<Round>,
    tiles: Buffer<u32>,
    /// Workgroups of even and of odd rounds: a dispatch is read from one, and writes the other.
    launches: [Buffer<u32>; 2],
}

impl Rounds {
    /// Of trees with so many leaves in each of the copies, and nodes in all.
    pub fn new(gpu: &Gpu, leaves: u32, copies: u32, nodes: u32) -> Result<Self, GpuError> {
        let threads = leaves.div_ceil(if gpu.is_wide() { A_WIDE_THREAD } else { A_THREAD });
        let round = |index| Round { index, threads, ..Round::zeroed() };
        let uniforms: Vec<Round> = (0..=LAST_LOOK).map(round).collect();
        let threads = [nodes, threads * copies];
        // As many along y as the threads need, none along x so far.
        let room = |threads: &u32| [0, threads.div_ceil(WORKGROUP_SIZE).div_ceil(MOST_GROUPS), 1, 0];
        let words: Vec<u32> = (0..=LAST_LOOK).flat_map(|_| threads.iter().flat_map(room)).collect();
        let make = |label| Buffer::from_slice(gpu, label, &words, Usage::INDIRECT);
        let launches = [make("even_rounds")?, make("odd_rounds")?];
        let of_round = |round: u32| {
            [0, 1].map(|k: u32| {
                let at = LAUNCH * u64::from(2 * round + k);
                Indirect::at(&launches[round as usize % 2], at, threads[k as usize])
            })
        };
        let later = (0..=LAST_LOOK).map(of_round).collect();
        let tiles = Buffer::zeroed(gpu, "launch of tiles", 3, Usage::INDIRECT)?;
        Ok(Self {
            leaves_of_tiles: Indirect::new(&tiles, leaves * copies),
            later,
            uniforms: Buffer::from_slice(gpu, "rounds", &uniforms, Usage::UNIFORM)?,
            tiles,
            launches,
        })
    }

    /// Adds what kernels of the guard name.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        bindings
            .with("launch", &self.tiles)
            .with("even_rounds", &self.launches[0])
            .with("odd_rounds", &self.launches[1])
            .with("round", &self.uniforms)
    }

    /// Adds what a kernel names that decides over the next round, if that is even or odd.
    pub fn bind_next(&self, bindings: Bindings, is_odd: bool) -> Bindings {
        bindings.with("next_round", &self.launches[usize::from(is_odd)])
    }

    /// Nodes, and threads that look at leaves, of a later round, and the offset of its uniform.
    pub fn later(&self, round: u32) -> (&[Indirect; 2], [u32; 1]) {
        (&self.later[round as usize], [round * UNIFORM_STRIDE])
    }
}
