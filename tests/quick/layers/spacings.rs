//! Fine and light cloth on coarse and heavy cloth.

use glam::Vec3;
use taffeta::model::ModelBuilder;
use taffeta::settings::{CONTACT, GRAVITY, SUBSTEPS, SolverKind, Substeps};
use taffeta::shape::{Cloth, Damping, Disc, EdgeStiffness, Fabric, Flexion, Surface, SurfaceMass};
use taffeta::{Settings, Simulation};

use crate::common::gpu;

/// All nodes of a fine sheet that lie around one of a coarse sheet press on that, and it presses on one of their triangles. Were these pairs as stiff as
/// for the heavy node, some iterations would lead away from the minimum, and springs stretched to more than twice their length here.
#[test]
fn a_fine_disc_that_hits_coarse_cloth_stays_as_it_is() {
    let cloth =
        Cloth::new([6; 2], 0.4 * Vec3::X, 0.4 * Vec3::Z).of(Fabric::new(5.0, 20000.0)).build().unwrap();
    let disc = Disc {
        center: Vec3::new(0.23, 0.03, 0.22),
        normal: Vec3::Y,
        radius: 0.05,
        spacing: 0.004,
        surface: Surface {
            mass: SurfaceMass::Density(0.02),
            stiffness: EdgeStiffness::Tensile(50.0),
            flexion: Flexion::Ratio(0.0),
            bending: 0.0,
            damping: Damping::NONE,
        },
    };
    let mut disc = disc.build().unwrap();
    let start = Vec3::new(1.0, -5.0, 0.0);
    disc.velocity = Some(vec![start; disc.rest_position.len()]);
    let mut builder = ModelBuilder::new();
    for body in [cloth, disc] {
        builder.add(body);
    }
    let model = builder.build().unwrap();
    let settings = Settings::of(SolverKind::NewtonMultigrid)
        .with(CONTACT, true)
        .with(SUBSTEPS, Substeps::Fixed(7))
        .with(GRAVITY, Vec3::ZERO);
    let mut simulation = Simulation::new(&gpu(), &model, &settings).unwrap();
    for _ in 0..3 {
        simulation.step().unwrap();
        let stretch = simulation.largest_stretch().unwrap();
        assert!(stretch < 0.01, "stretched by {stretch}");
    }
    let velocity = &simulation.state().unwrap().velocity[36..];
    let sum: f32 = velocity.iter().map(|v| v.length_squared()).sum();
    let energy = sum / (start.length_squared() * velocity.len() as f32);
    println!("{energy} of its kinetic energy is left");
    assert!(energy < 0.05, "{energy} of its kinetic energy is left");
}
