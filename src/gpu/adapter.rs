//! Finds adapters and chooses one.

use super::GpuError;

/// The adapters of this machine, best first: discrete, integrated, virtual, other, software.
#[cfg(not(target_family = "wasm"))]
pub fn adapters(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    super::native::block_on(sorted(instance))
}

/// The same without waiting; in a browser, the adapter that it grants.
async fn sorted(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    let mut found = instance.enumerate_adapters(wgpu::Backends::all()).await;
    // OpenGL adapters without compute shaders are of no use here.
    found.retain(|a| a.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS));
    found.sort_by_key(|a| {
        let info = a.get_info();
        (rank(info.device_type), info.backend == wgpu::Backend::Gl)
    });
    found
}

fn rank(kind: wgpu::DeviceType) -> u8 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

/// Chooses an adapter by index or by a part of the name (in any case), by `WGPU_ADAPTER_NAME`, or the best one.
pub(super) async fn choose(
    instance: &wgpu::Instance,
    wanted: Option<&str>,
) -> Result<wgpu::Adapter, GpuError> {
    let adapters = sorted(instance).await;
    let from_environment = std::env::var("WGPU_ADAPTER_NAME").ok();
    if adapters.is_empty() {
        return Err(match std::env::var("WGPU_BACKEND") {
            Ok(backends) => GpuError::NoAdapterInBackend(backends),
            Err(_) => GpuError::NoAdapter,
        });
    }
    let Some(wanted) = wanted.or(from_environment.as_deref()) else {
        return adapters.into_iter().next().ok_or(GpuError::NoAdapter);
    };
    let names: Vec<String> = adapters.iter().map(|a| a.get_info().name).collect();
    let index = match wanted.parse::<usize>() {
        Ok(index) => Some(index),
        Err(_) => names.iter().position(|n| n.to_lowercase().contains(&wanted.to_lowercase())),
    };
    index
        .and_then(|i| adapters.into_iter().nth(i))
        .ok_or(GpuError::UnknownAdapter { wanted: wanted.to_owned(), available: names })
}
