//! GPU time of substeps and sweeps under criterion, so that two commits can be compared.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use taffeta::bench::time_units;
use taffeta::gpu::{Gpu, GpuOptions, Requirements};
use taffeta::settings::{Form, SolverKind};

fn units(criterion: &mut Criterion) {
    let options = GpuOptions { requirements: Requirements::buffer(10_000_000), ..GpuOptions::default() };
    let gpu = Gpu::open(&options).expect("a GPU or Mesa's software driver");
    let mut group = criterion.benchmark_group("unit at 100k nodes");
    group.sample_size(10);
    for solver in SolverKind::ALL {
        for (form, name) in [(Form::Grid, "grid"), (Form::Mesh, "mesh")] {
            group.bench_function(BenchmarkId::new(solver.name(), name), |bencher| {
                bencher.iter_custom(|count| {
                    let count = count.clamp(1, 1000) as u32;
                    let seconds = time_units(&gpu, 100_000, solver, form, count).expect("a measurement");
                    Duration::from_secs_f64(seconds)
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, units);
criterion_main!(benches);
