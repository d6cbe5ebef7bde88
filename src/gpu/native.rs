//! All functions that wait for a future, for the GPU or for a thread. A browser cannot wait: there these functions
//! fail, and each has an asynchronous counterpart, such as [`super::Gpu::open_async`].

use std::time::Duration;

use super::GpuError;
use super::reading::Arrival;

/// Whether waiting is possible at all.
pub const CAN_WAIT: bool = cfg!(not(target_family = "wasm"));

/// How long a thread may take to hand over what it has received for another.
const PATIENCE: Duration = Duration::from_secs(60);

/// Stack of the thread that parses a user's text \[B\]: enough for nesting within the limits of [`super::check_text`],
/// and for chains of declarations and of `else if`, which are counted only after parsing.
#[cfg(not(target_family = "wasm"))]
const STACK: usize = 256 << 20;

/// Runs `work` on a thread with a deep stack, if there are threads.
#[cfg(not(target_family = "wasm"))]
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|e| format!("no thread to read it on: {e}"))?;
        thread.join().map_err(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs `work` on the present stack. If it overflows, the browser ends this page only.
#[cfg(target_family = "wasm")]
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    Ok(work())
}

/// Waits for a future.
#[cfg(not(target_family = "wasm"))]
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

/// Waits until a submission has run, or until all have.
#[cfg(not(target_family = "wasm"))]
pub(super) fn wait(device: &wgpu::Device, submission: Option<wgpu::SubmissionIndex>) -> Result<(), GpuError> {
    let wait = wgpu::PollType::Wait { submission_index: submission, timeout: None };
    device.poll(wait).map(|_| ()).map_err(|e| GpuError::Lost(e.to_string()))
}

/// Waits until a submission has run and the buffer that was mapped after it has arrived.
pub(super) fn wait_for_arrival(
    device: &wgpu::Device,
    submission: wgpu::SubmissionIndex,
    arrival: &Arrival,
) -> Result<(), GpuError> {
    wait(device, Some(submission))?;
    // Another thread that polls the same device may have taken the answer over, and brings it in a moment.
    arrival.wait(PATIENCE);
    Ok(())
}

/// Fails, because a browser cannot wait.
#[cfg(target_family = "wasm")]
pub(super) fn wait(_: &wgpu::Device, _: Option<wgpu::SubmissionIndex>) -> Result<(), GpuError> {
    Err(GpuError::CannotWait)
}

/// Waits until all that was submitted has run, for ten seconds at most.
#[cfg(not(target_family = "wasm"))]
pub(super) fn settle(device: &wgpu::Device) -> Result<(), GpuError> {
    let wait = wgpu::PollType::Wait { submission_index: None, timeout: Some(Duration::from_secs(10)) };
    match device.poll(wait) {
        Ok(_) | Err(wgpu::PollError::Timeout) => Ok(()),
        Err(e) => Err(GpuError::Lost(e.to_string())),
    }
}

/// A browser tells of what has run between two frames.
#[cfg(target_family = "wasm")]
pub(super) fn settle(device: &wgpu::Device) -> Result<(), GpuError> {
    device.poll(wgpu::PollType::Poll).map(|_| ()).map_err(|e| GpuError::Lost(e.to_string()))
}
