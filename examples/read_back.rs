// Follows the middle of a falling sheet without waiting for a state: one that is asked for in one frame
// arrives some frames later. Run it with `cargo run --release --example read_back`.

use taffeta::glam::Vec3;
use taffeta::gpu::Reading;
use taffeta::shape::Cloth;
use taffeta::{Error, Gpu, Model, Settings, Simulation};

fn main() -> Result<(), Error> {
    let side = 65;
    let sheet = Cloth::new([side, side], Vec3::X, Vec3::Z).build()?;
    let model = Model::of(sheet.pin([0, side - 1]))?;
    let settings = Settings::default();
    let gpu = Gpu::open(&Simulation::requirements(&model, &settings)?.into())?;
    let mut simulation = Simulation::new(&gpu, &model, &settings)?;

    let middle = (side * side / 2) as usize;
    let (mut state, mut outcomes) = (None, None);
    let mut seen = 0;
    for frame in 1..=120 {
        simulation.step()?;
        // One request of each kind at a time.
        state.get_or_insert_with(|| simulation.ask_state());
        outcomes.get_or_insert_with(|| simulation.ask_outcomes());
        if let Some(state) = Reading::arrived(&mut state)? {
            let height = state.position[middle].y;
            println!("after frame {frame}: at {:.3} s the middle was at {height:.3} m", state.time);
            seen += 1;
        }
        if let Some(outcomes) = Reading::arrived(&mut outcomes)? {
            simulation.verdict(&outcomes)?; // ends the program where the run broke down
        }
    }
    // Here the program may wait.
    let end = simulation.state()?;
    println!("{seen} states came; at {:.3} s the middle is at {:.3} m", end.time, end.position[middle].y);
    Ok(())
}
