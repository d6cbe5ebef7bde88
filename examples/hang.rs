// A sheet of cotton hung by its upper edge swings for one second. Run it with
// `cargo run --release --example hang`.

use taffeta::glam::Vec3;
use taffeta::shape::{Cloth, Fabric};
use taffeta::{Error, Gpu, Model, Settings, Simulation};

fn main() -> Result<(), Error> {
    let cotton = Fabric::new(0.2, 1000.0).with_shear(150.0).with_bending(1e-5);
    let sheet = Cloth::new([64, 64], Vec3::X, Vec3::Z).at(Vec3::Y).of(cotton).build()?;
    let model = Model::of(sheet.pin(0..64))?; // row 0
    let settings = Settings::default();

    let gpu = Gpu::open(&Simulation::requirements(&model, &settings)?.into())?;
    let mut simulation = Simulation::new(&gpu, &model, &settings)?;
    for _ in 0..60 {
        simulation.step()?;
    }
    let lowest = simulation.state()?.position.iter().map(|x| x.y).fold(f32::INFINITY, f32::min);
    let stretch = 100.0 * simulation.largest_stretch()?;
    println!("lowest node at {lowest:.3} m, largest stretch {stretch:.1} %");
    Ok(())
}
