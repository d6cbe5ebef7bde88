//! Read-back without waiting: a value is asked for now and arrives some frames later. A browser has no other way to
//! read back, and a window that waits stutters.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use bytemuck::Pod;

use super::{Gpu, GpuError, native};

/// A value that is on its way from the GPU.
///
/// It is the value at the time of the request, whatever is submitted later. Try to take it with
/// [`Reading::try_take`] in each frame, or wait for it with [`Reading::wait`].
pub struct Reading<T> {
    gpu: Option<Gpu>,
    parts: Vec<Part>,
    /// Makes the value from the mapped buffers; `None` after the value was taken.
    make: Option<Box<dyn FnOnce() -> Result<T, GpuError> + Send>>,
}

/// A buffer that is being mapped, and the result.
struct Part {
    submission: wgpu::SubmissionIndex,
    arrival: Arc<Arrival>,
}

/// The result of mapping a buffer, once there is one.
#[derive(Default)]
pub(super) struct Arrival {
    result: Mutex<Option<Result<(), GpuError>>>,
    changed: Condvar,
}

impl Arrival {
    fn come(&self, result: Result<(), GpuError>) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.changed.notify_all();
    }

    fn result(&self) -> Option<Result<(), GpuError>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the result is there, at most for `limit`.
    pub(super) fn wait(&self, limit: Duration) {
        let result = self.result.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_timeout_while(result, limit, |result| result.is_none()));
    }
}

impl<T: Send + 'static> Reading<T> {
    /// A value that is available already.
    pub fn ready(value: T) -> Self {
        Self { gpu: None, parts: Vec::new(), make: Some(Box::new(|| Ok(value))) }
    }

    /// The value, once it has arrived; `None` before that, and after it was taken. Never waits.
    pub fn try_take(&mut self) -> Result<Option<T>, GpuError> {
        if let Some(gpu) = &self.gpu {
            gpu.poll()?;
        }
        for part in &self.parts {
            match part.arrival.result() {
                None => return Ok(None),
                Some(came) => came?,
            }
        }
        self.make.take().map(|make| make()).transpose()
    }

    /// Takes the value out of `slot` and empties the slot, once the value has arrived or has failed.
    pub fn arrived(slot: &mut Option<Self>) -> Result<Option<T>, GpuError> {
        let Some(reading) = slot else { return Ok(None) };
        let taken = reading.try_take();
        if !matches!(taken, Ok(None)) {
            *slot = None;
        }
        taken
    }

    /// Waits for the value. In a browser, which cannot wait, this is an error unless the value has arrived.
    pub fn wait(mut self) -> Result<T, GpuError> {
        self.wait_for_parts()?;
        let never = || GpuError::Lost("what was read back did not come".to_owned());
        self.try_take()?.ok_or_else(never)
    }

    /// The value. Waits for it but in a browser, where it is `None` until it has arrived.
    pub(crate) fn wait_if_possible(&mut self) -> Result<Option<T>, GpuError> {
        if native::CAN_WAIT {
            self.wait_for_parts()?;
        }
        self.try_take()
    }

    fn wait_for_parts(&self) -> Result<(), GpuError> {
        let Some(gpu) = &self.gpu else { return Ok(()) };
        for part in self.parts.iter().filter(|part| part.arrival.result().is_none()) {
            native::wait_for_arrival(&gpu.device, part.submission.clone(), &part.arrival)?;
        }
        Ok(())
    }

    /// Applies `change` to the value.
    pub fn map<U: Send + 'static>(self, change: impl FnOnce(T) -> U + Send + 'static) -> Reading<U> {
        let Self { gpu, parts, make } = self;
        Reading { gpu, parts, make: make.map(|make| Box::new(move || make().map(change)) as _) }
    }

    /// Both values, once both have arrived.
    pub fn zip<U: Send + 'static>(self, other: Reading<U>) -> Reading<(T, U)> {
        let gpu = self.gpu.or(other.gpu);
        let parts = self.parts.into_iter().chain(other.parts).collect();
        let make = self.make.zip(other.make);
        Reading { gpu, parts, make: make.map(|(a, b)| Box::new(move || Ok((a()?, b()?))) as _) }
    }
}

impl<T: Pod + Send> Reading<Vec<T>> {
    /// The content of the mappable buffer `staging` after `submission` has run. `what` is for messages.
    pub(crate) fn of(
        gpu: &Gpu,
        staging: wgpu::Buffer,
        submission: wgpu::SubmissionIndex,
        what: &'static str,
    ) -> Self {
        let lost = move |message: String| GpuError::Lost(format!("reading '{what}' back: {message}"));
        let arrival = Arc::new(Arrival::default());
        let part = Part { submission, arrival: Arc::clone(&arrival) };
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            arrival.come(result.map_err(|e| lost(e.to_string())));
        });
        let make = move || {
            let view = staging.get_mapped_range(..).map_err(|e| lost(e.to_string()))?;
            // Collected element by element: the mapped bytes need not be aligned for T.
            Ok(bytemuck::pod_collect_to_vec(&view))
        };
        Self { gpu: Some(gpu.clone()), parts: vec![part], make: Some(Box::new(make)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{Buffer, Usage};

    #[test]
    fn a_reading_is_what_was_there_when_it_was_asked_for() {
        let gpu = Gpu::open(&Default::default()).unwrap();
        let buffer = Buffer::from_slice(&gpu, "numbers", &[1u32, 2, 3], Usage::empty()).unwrap();
        let mut early = buffer.ask(&gpu).zip(buffer.ask_range(&gpu, 1..2));
        buffer.write(&gpu, 0, &[7, 8, 9]);
        let late = buffer.ask(&gpu).map(|numbers| numbers.iter().sum::<u32>());
        assert_eq!(late.wait().unwrap(), 24);
        // The earlier request has arrived, too.
        assert_eq!(early.try_take().unwrap(), Some((vec![1, 2, 3], vec![2])));
        assert_eq!(early.try_take().unwrap(), None, "it was taken");
        let mut slot = Some(Reading::ready(5));
        assert_eq!((Reading::arrived(&mut slot).unwrap(), slot.is_none()), (Some(5), true));
    }

    #[test]
    fn what_another_thread_has_received_is_waited_for() {
        // One poll of a device receives the answers to all requests, of other threads as well, and hands them over in
        // turn. Here the first one takes its time, and holds the second up.
        let gpu = Gpu::open(&Default::default()).unwrap();
        let buffer = Buffer::from_slice(&gpu, "numbers", &[1u32, 2, 3, 4], Usage::empty()).unwrap();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let [slow, other] = [(); 2].map(|()| {
            let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            encoder.copy_buffer_to_buffer(buffer.raw(), 0, &staging, 0, 16);
            staging
        });
        let submission = gpu.queue.submit([encoder.finish()]);
        let (begins, begun) = std::sync::mpsc::channel();
        slow.map_async(wgpu::MapMode::Read, .., move |_| {
            begins.send(()).unwrap();
            std::thread::sleep(Duration::from_millis(100));
        });
        let reading = Reading::<Vec<u32>>::of(&gpu, other, submission, "numbers");
        std::thread::scope(|scope| {
            scope.spawn(|| gpu.wait().unwrap());
            begun.recv().unwrap();
            assert_eq!(reading.wait().unwrap(), [1, 2, 3, 4]);
        });
    }

    #[test]
    fn a_lost_device_is_an_error_and_no_wait_without_end() {
        let gpu = Gpu::open(&Default::default()).unwrap();
        let buffer = Buffer::from_slice(&gpu, "numbers", &[1u32, 2, 3], Usage::empty()).unwrap();
        // It has work to do still.
        let sized = |usage| {
            let size = 1 << 26;
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let [from, to] = [sized(wgpu::BufferUsages::COPY_SRC), sized(wgpu::BufferUsages::COPY_DST)];
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        (0..50).for_each(|_| encoder.copy_buffer_to_buffer(&from, 0, &to, 0, None));
        gpu.queue.submit([encoder.finish()]);
        gpu.device.destroy();
        let reading = buffer.ask(&gpu);
        let found = gpu.check();
        assert!(matches!(found, Err(GpuError::Lost(_))), "{found:?}");
        assert!(reading.wait().is_err());
    }
}
