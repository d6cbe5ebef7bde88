//! Records dispatches.

use std::sync::Arc;

#[cfg(doc)]
use super::Usage;
use super::{Bound, Buffer, Gpu, Profile, Timer};

/// Most workgroups along one dimension under WebGPU's default limits.
pub const MOST_GROUPS: u32 = 65_535;

/// A compute pass being recorded. Its dispatches run in order and see earlier writes.
pub struct Pass<'a> {
    target: Target<'a>,
    dispatches: u32,
}

/// One dispatch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Shader file and entry point.
    pub kernel: Arc<str>,
    /// Number of threads requested, or how many may be where the GPU chooses.
    pub threads: u32,
    /// Bytes that it must move by design, if they do not follow from its threads.
    pub bytes: Option<u64>,
}

/// The workgroups of a dispatch.
#[derive(Clone, Copy)]
enum Groups<'a> {
    /// Those of so many threads.
    For(u32),
    Chosen(&'a Indirect),
}

impl Groups<'_> {
    fn threads(self) -> u32 {
        match self {
            Self::For(threads) => threads,
            Self::Chosen(groups) => groups.most,
        }
    }
}

/// Workgroups that the GPU chooses: it writes their number along x, y and z. Clones are handles to the same.
#[derive(Clone)]
pub struct Indirect {
    groups: wgpu::Buffer,
    start: u64,
    most: u32,
}

impl Indirect {
    /// Those in a buffer of use [`Usage::INDIRECT`], for `most` threads at most.
    pub fn new(groups: &Buffer<u32>, most: u32) -> Self {
        Self::at(groups, 0, most)
    }

    /// Those in a buffer from a byte on.
    pub fn at(groups: &Buffer<u32>, start: u64, most: u32) -> Self {
        Self { groups: groups.raw().clone(), start, most }
    }
}

enum Target<'a> {
    /// All dispatches in one pass.
    Whole(Box<wgpu::ComputePass<'a>>),
    /// Each dispatch in its own timed pass.
    Each(&'a mut wgpu::CommandEncoder, &'a mut Profile),
    /// Dispatches are listed, not recorded.
    List(&'a mut Vec<Launch>),
}

impl<'a> Pass<'a> {
    /// Begins a pass, which is timed if a timer is given.
    pub fn begin(encoder: &'a mut wgpu::CommandEncoder, label: &str, timer: Option<&Timer>) -> Self {
        let pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: timer.and_then(Timer::writes),
        });
        Self { target: Target::Whole(Box::new(pass)), dispatches: 0 }
    }

    /// Times each dispatch, for measurements. The separate passes cost a little time themselves.
    pub fn profiled(encoder: &'a mut wgpu::CommandEncoder, profile: &'a mut Profile) -> Self {
        Self { target: Target::Each(encoder, profile), dispatches: 0 }
    }

    /// Lists the dispatches of a frame without recording them.
    pub fn listed(launches: &'a mut Vec<Launch>) -> Self {
        Self { target: Target::List(launches), dispatches: 0 }
    }

    /// Runs a kernel with at least `threads` threads; surplus threads must do nothing, or what the last one does.
    pub fn dispatch(&mut self, kernel: &Bound, threads: u32) {
        self.dispatch_at(kernel, threads, &[]);
    }

    /// Runs a kernel with at least `threads` threads and the dynamic offsets \[B\] of its uniforms, in the order of
    /// their bindings.
    pub fn dispatch_at(&mut self, kernel: &Bound, threads: u32, offsets: &[u32]) {
        self.add(kernel, Groups::For(threads), offsets, None);
    }

    /// [`Pass::dispatch_at`] with the bytes that the dispatch must move by design, for kernels whose bytes do not
    /// follow from the number of threads, such as those that read lists.
    pub fn dispatch_moving(&mut self, kernel: &Bound, threads: u32, offsets: &[u32], bytes: u64) {
        self.add(kernel, Groups::For(threads), offsets, Some(bytes));
    }

    /// Runs a kernel with as many workgroups as the GPU has chosen.
    pub fn dispatch_indirect(&mut self, kernel: &Bound, groups: &Indirect) {
        self.dispatch_indirect_at(kernel, groups, &[]);
    }

    /// [`Pass::dispatch_indirect`] with the dynamic offsets \[B\] of its uniforms.
    pub fn dispatch_indirect_at(&mut self, kernel: &Bound, groups: &Indirect, offsets: &[u32]) {
        self.add(kernel, Groups::Chosen(groups), offsets, None);
    }

    fn add(&mut self, kernel: &Bound, groups: Groups<'_>, offsets: &[u32], bytes: Option<u64>) {
        let launch = || Launch { kernel: Arc::clone(&kernel.name), threads: groups.threads(), bytes };
        match &mut self.target {
            Target::Whole(pass) => record(pass, kernel, groups, offsets),
            Target::Each(encoder, profile) => {
                let timestamp_writes = profile.next(launch());
                let descriptor = wgpu::ComputePassDescriptor { label: Some(&kernel.name), timestamp_writes };
                record(&mut encoder.begin_compute_pass(&descriptor), kernel, groups, offsets);
            }
            Target::List(launches) => launches.push(launch()),
        }
        self.dispatches += 1;
    }

    /// Number of dispatches recorded so far.
    pub fn dispatches(&self) -> u32 {
        self.dispatches
    }
}

fn record(pass: &mut wgpu::ComputePass<'_>, kernel: &Bound, at: Groups<'_>, offsets: &[u32]) {
    pass.set_pipeline(&kernel.pipeline);
    pass.set_bind_group(0, &kernel.group, offsets);
    match at {
        Groups::For(threads) => {
            let [x, y] = groups(threads.div_ceil(kernel.workgroup_size));
            pass.dispatch_workgroups(x, y, 1);
        }
        Groups::Chosen(chosen) => pass.dispatch_workgroups_indirect(&chosen.groups, chosen.start),
    }
}

/// Two dimensions with at least `count` workgroups, and at most one surplus row.
fn groups(count: u32) -> [u32; 2] {
    let rows = count.div_ceil(MOST_GROUPS).max(1);
    [count.div_ceil(rows), rows]
}

/// Records one pass and submits it.
pub fn submit(gpu: &Gpu, label: &str, record: impl FnOnce(&mut Pass<'_>)) {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    record(&mut Pass::begin(&mut encoder, label, None));
    gpu.queue.submit([encoder.finish()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_counts_fit_two_dimensions() {
        for count in [0, 1, 65_535, 65_536, 200_000, 4_000_000] {
            let [x, y] = groups(count);
            assert!(x <= MOST_GROUPS && y <= MOST_GROUPS && x * y >= count);
            assert!(x * y < count.max(1) + y, "{count}: {x} x {y}");
        }
    }
}
