// A custom force in WGSL, a whirl, carries a disc of cloth upward and around. Run it with
// `cargo run --release --example custom_force`.

use taffeta::glam::Vec3;
use taffeta::shape::{Damping, Disc, EdgeStiffness, Flexion, Surface, SurfaceMass};
use taffeta::{Error, Gpu, Model, Settings, Simulation};

/// The force [N] on a node: toward the velocity of a wind that turns about the y axis and rises in its middle.
const WHIRL: &str = "
fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {
    let out = vec2f(position.x, position.z);
    let wind = vec3f(out.y, 2.0 * exp(-dot(out, out)), -out.x) * 6.0;
    return 4.0 * mass * (wind - velocity);
}
";

fn main() -> Result<(), Error> {
    let surface = Surface {
        stiffness: EdgeStiffness::PerSpring(100.0),
        mass: SurfaceMass::Density(0.1),
        flexion: Flexion::None,
        bending: 1e-5,
        damping: Damping::NONE,
    };
    let disc = Disc { center: Vec3::ZERO, normal: Vec3::Y, radius: 0.5, spacing: 0.05, surface };
    let model = Model::of(disc.build()?)?;
    let settings = Settings::default().with_user_force("whirl", WHIRL);
    let gpu = Gpu::open(&Simulation::requirements(&model, &settings)?.into())?;
    let mut simulation = Simulation::new(&gpu, &model, &settings)?;
    for _ in 0..60 {
        simulation.step()?;
    }
    let state = simulation.state()?;
    let count = state.position.len() as f32;
    let height = state.position.iter().map(|x| x.y).sum::<f32>() / count;
    let turning = state.position.iter().zip(&state.velocity).map(|(x, v)| x.cross(*v).y).sum::<f32>() / count;
    println!("after one second the disc is {height:.2} m up, with {turning:.2} m^2/s of turning");
    Ok(())
}
