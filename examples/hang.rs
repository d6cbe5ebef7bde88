// A sheet of cotton hung by its upper edge swings for one second. Run it with
// `cargo run --release --example hang`.

use taffeta::gpu::{Gpu, GpuOptions};
use taffeta::model::ModelBuilder;
use taffeta::shape::{Cloth, ClothMaterial, Fabric};
use taffeta::{Error, Settings, Simulation};

fn main() -> Result<(), Error> {
    let fabric = Fabric {
        density: 0.2,
        tensile: 1000.0,
        shear: 150.0,
        flexion: 0.0,
        bending: 1e-5,
        damping_time: 0.0,
    };
    let (corner, u, v) = ([0.0, 1.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 0.0, 1.0].into());
    let material = ClothMaterial::Fabric(fabric);
    let mut sheet = Cloth { corner, u, v, columns: 64, rows: 64, material }.build()?;
    sheet.pinned.extend(0..64); // row 0
    let mut builder = ModelBuilder::new();
    builder.add(sheet);

    let gpu = Gpu::open(&GpuOptions::default())?;
    let mut simulation = Simulation::new(&gpu, &builder.build()?, &Settings::default())?;
    for _ in 0..60 {
        simulation.step()?;
    }
    let lowest = simulation.state()?.position.iter().map(|x| x.y).fold(f32::INFINITY, f32::min);
    println!("lowest node at {lowest:.3} m, largest stretch {:.1} %", 100.0 * simulation.largest_stretch()?);
    Ok(())
}
