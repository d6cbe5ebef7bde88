//! The devices that tests share, so that a kernel is compiled once for many of them. One for each core: a software driver
//! runs what a device is given on one core at a time.

use std::sync::{LazyLock, Mutex};
use std::thread::available_parallelism;

use taffeta::gpu::{Gpu, GpuOptions};

/// More would compile too often.
const MOST: usize = 4;

/// A device, once it was needed, and how many threads use it.
#[derive(Default)]
struct Device {
    gpu: Option<Gpu>,
    users: usize,
}

static DEVICES: LazyLock<Mutex<Vec<Device>>> = LazyLock::new(|| {
    let count = available_parallelism().map_or(1, |cores| cores.get().min(MOST));
    Mutex::new((0..count).map(|_| Device::default()).collect())
});

/// The device of a thread, and so of a test, until it ends.
struct Lease(usize);

impl Lease {
    /// The one that the fewest use.
    fn take() -> Self {
        let mut devices = DEVICES.lock().unwrap_or_else(|e| e.into_inner());
        let least = (0..devices.len()).min_by_key(|&device| devices[device].users).unwrap();
        devices[least].users += 1;
        Self(least)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        DEVICES.lock().unwrap_or_else(|e| e.into_inner())[self.0].users -= 1;
    }
}

/// Any adapter. A missing one fails the test.
pub fn gpu() -> Gpu {
    thread_local!(static LEASE: Lease = Lease::take());
    LEASE.with(|lease| {
        let mut devices = DEVICES.lock().unwrap_or_else(|e| e.into_inner());
        let open = || {
            Gpu::open(&GpuOptions::default()).expect("tests need a Vulkan driver; make test installs Mesa's")
        };
        devices[lease.0].gpu.get_or_insert_with(open).clone()
    })
}
