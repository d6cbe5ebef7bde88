//! A typed storage buffer.

use std::marker::PhantomData;
use std::ops::Range;

use bytemuck::Pod;
use wgpu::util::DeviceExt;

use super::{Gpu, GpuError, Reading};

/// Uses of a buffer, in addition to storage and copies from and to it.
pub type Usage = wgpu::BufferUsages;

/// An array of `T` in GPU memory. A clone is the same array.
#[derive(Clone)]
pub struct Buffer<T> {
    raw: wgpu::Buffer,
    label: &'static str,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Pod + Send> Buffer<T> {
    /// A buffer of `len` zeros. At least one element is allocated, so that the buffer can always be bound.
    pub fn zeroed(gpu: &Gpu, label: &'static str, len: usize, extra: Usage) -> Result<Self, GpuError> {
        let size = (len.max(1) * size_of::<T>()).next_multiple_of(16) as u64;
        gpu.check_size(size)?;
        let raw = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: usage(extra),
            mapped_at_creation: false,
        });
        Ok(Self { raw, label, len, element: PhantomData })
    }

    /// A buffer with a copy of `data`.
    pub fn from_slice(gpu: &Gpu, label: &'static str, data: &[T], extra: Usage) -> Result<Self, GpuError> {
        if data.is_empty() {
            return Self::zeroed(gpu, label, 0, extra);
        }
        gpu.check_size(size_of_val(data) as u64)?;
        let raw = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(label),
            contents: bytemuck::cast_slice(data),
            usage: usage(extra),
        });
        Ok(Self { raw, label, len: data.len(), element: PhantomData })
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name it was made with.
    pub fn label(&self) -> &'static str {
        self.label
    }

    /// The wgpu buffer, for binding and drawing.
    pub fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// Bytes of its elements.
    pub fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    /// Overwrites elements from `start` on. The next submission sees them.
    pub fn write(&self, gpu: &Gpu, start: usize, data: &[T]) {
        assert!(start + data.len() <= self.len, "write past the end of buffer '{}'", self.label);
        gpu.queue.write_buffer(&self.raw, (start * size_of::<T>()) as u64, bytemuck::cast_slice(data));
    }

    /// Makes all elements zero. The next submission sees it.
    pub fn clear(&self, gpu: &Gpu) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.raw, 0, None);
        gpu.queue.submit([encoder.finish()]);
    }

    /// Overwrites bytes from `start` on, possibly a part of an element. The next submission sees them.
    pub(crate) fn write_bytes(&self, gpu: &Gpu, start: u64, bytes: &[u8]) {
        assert!(start + bytes.len() as u64 <= self.bytes(), "write past the end of buffer '{}'", self.label);
        gpu.queue.write_buffer(&self.raw, start, bytes);
    }

    /// Waits for the GPU and reads all elements back.
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<T>, GpuError> {
        self.ask(gpu).wait()
    }

    /// Waits for the GPU and reads some elements back.
    pub fn read_range(&self, gpu: &Gpu, range: Range<usize>) -> Result<Vec<T>, GpuError> {
        self.ask_range(gpu, range).wait()
    }

    /// Asks for all elements, with the values after all submissions so far.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Vec<T>> {
        self.ask_range(gpu, 0..self.len)
    }

    /// Asks for some elements.
    pub fn ask_range(&self, gpu: &Gpu, range: Range<usize>) -> Reading<Vec<T>> {
        ask(gpu, &self.raw, self.label, range)
    }

    /// Its elements as plain words. Elements must consist of whole words.
    pub fn words(&self) -> Words<'_> {
        self.words_of(0..self.len)
    }

    /// The same of some of its elements.
    pub fn words_of(&self, range: Range<usize>) -> Words<'_> {
        assert!(size_of::<T>().is_multiple_of(4), "buffer '{}' does not consist of words", self.label);
        assert!(range.end <= self.len, "buffer '{}' is not as long", self.label);
        let [start, len] = [range.start, range.len()].map(|n| n * size_of::<T>() / 4);
        Words { raw: &self.raw, label: self.label, start, len }
    }
}

/// A buffer, or a part of it, as words of 32 bits, for copies that do not depend on the type.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    raw: &'a wgpu::Buffer,
    label: &'static str,
    start: usize,
    len: usize,
}

impl Words<'_> {
    /// The name of the buffer, or of the part.
    pub fn label(&self) -> &'static str {
        self.label
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Under another name, of a part that is something by itself.
    pub fn named(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    /// Overwrites all words. The next submission sees them.
    pub fn write(&self, gpu: &Gpu, words: &[u32]) {
        assert_eq!(words.len(), self.len, "words of buffer '{}'", self.label);
        gpu.queue.write_buffer(self.raw, self.offset(), bytemuck::cast_slice(words));
    }

    /// Makes all words zero. The next submission sees them.
    pub fn clear(&self, gpu: &Gpu) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(self.raw, self.offset(), Some(4 * self.len as u64));
        gpu.queue.submit([encoder.finish()]);
    }

    /// Waits for the GPU and reads all words back.
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<u32>, GpuError> {
        self.ask(gpu).wait()
    }

    /// Asks for all words, with the values after all submissions so far.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Vec<u32>> {
        ask(gpu, self.raw, self.label, self.start..self.start + self.len)
    }

    /// Records a copy to the beginning of another buffer.
    pub fn copy_to(&self, encoder: &mut wgpu::CommandEncoder, to: &Buffer<u32>) {
        encoder.copy_buffer_to_buffer(self.raw, self.offset(), &to.raw, 0, 4 * self.len as u64);
    }

    /// Where it begins \[B\].
    fn offset(&self) -> u64 {
        4 * self.start as u64
    }
}

/// Submits a copy of a part of a buffer to a buffer that can be read.
fn ask<T: Pod + Send>(
    gpu: &Gpu,
    raw: &wgpu::Buffer,
    label: &'static str,
    range: Range<usize>,
) -> Reading<Vec<T>> {
    if range.is_empty() {
        return Reading::ready(Vec::new());
    }
    let size = (range.len() * size_of::<T>()) as u64;
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size,
        usage: Usage::COPY_DST | Usage::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let offset = (range.start * size_of::<T>()) as u64;
    encoder.copy_buffer_to_buffer(raw, offset, &staging, 0, size);
    let submission = gpu.queue.submit([encoder.finish()]);
    Reading::of(gpu, staging, submission, label)
}

fn usage(extra: Usage) -> Usage {
    Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST | extra
}
