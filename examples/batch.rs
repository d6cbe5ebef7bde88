// 64 napkins, each with its own parameters, swing for a quarter of a second. Run it with
// `cargo run --release --example batch`.

use taffeta::gpu::{Gpu, GpuOptions};
use taffeta::scene::Sweep;
use taffeta::{Error, Simulation};

fn main() -> Result<(), Error> {
    let sweep = Sweep::load("scenes/batch/napkin.toml", "scenes/batch/sweep.toml")?;
    let batch = sweep.batch()?;
    let requirements = Simulation::requirements(&batch.model, &batch.settings)?;
    let gpu = Gpu::open(&GpuOptions { requirements, ..GpuOptions::default() })?;
    let mut simulation = Simulation::new(&gpu, &batch.model, &batch.settings)?;
    for _ in 0..15 {
        simulation.step()?;
    }
    let nodes = batch.model.nodes_per_copy();
    let positions = simulation.state()?.position; // copy c: c * nodes .. (c + 1) * nodes
    let broken = simulation.outcomes()?.iter().filter(|o| o.failure.is_some()).count();
    println!("{} copies of {nodes} nodes, {broken} broken down", positions.len() / nodes);
    Ok(())
}
