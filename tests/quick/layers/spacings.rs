//! Fine and light cloth on coarse and heavy cloth.

use glam::Vec3;
use taffeta::model::ModelBuilder;
use taffeta::settings::{CONTACT, GRAVITY, SUBSTEPS, SolverKind, Substeps};
use taffeta::shape::{Cloth, Damping, Disc, EdgeStiffness, Fabric, Flexion, Surface, SurfaceMass};
use taffeta::{Settings, Simulation};

use crate::common::gpu;

/// All nodes of a fine sheet that lie around one of a coarse sheet press on that. Were each pair as stiff as for the heavy node, some iterations
/// would lead away from the minimum: springs stretched by 690 % here.
#[test]
fn a_fine_disc_that_hits_coarse_cloth_stays_as_it_is() {
    let fabric = Fabric::new(1.0, 500.0).with_bending(2e-5);
    let mut cloth = Cloth::new([7; 2], 0.36 * Vec3::X, 0.36 * Vec3::Z).of(fabric).build().unwrap();
    cloth.layer.thickness = Some(0.01);
    cloth.pinned = (0..49).filter(|i| [i % 7, i / 7].iter().any(|k| [0, 6].contains(k))).collect();
    let disc = Disc {
        center: Vec3::new(0.19, 0.02, 0.17),
        normal: Vec3::Y,
        radius: 0.06,
        spacing: 0.005,
        surface: Surface {
            mass: SurfaceMass::Density(0.02),
            stiffness: EdgeStiffness::Tensile(200.0),
            flexion: Flexion::Ratio(0.0),
            bending: 1e-5,
            damping: Damping::NONE,
        },
    };
    let mut disc = disc.build().unwrap();
    disc.velocity = Some(vec![2.0 * Vec3::NEG_Y; disc.rest_position.len()]);
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
    for _ in 0..6 {
        simulation.step().unwrap();
        let stretch = simulation.largest_stretch().unwrap();
        assert!(stretch < 0.01, "stretched by {stretch}");
    }
    let velocity = &simulation.state().unwrap().velocity[49..];
    let energy = velocity.iter().map(|v| v.length_squared()).sum::<f32>() / (4.0 * velocity.len() as f32);
    println!("{energy} of its kinetic energy is left");
    assert!(energy < 0.05, "{energy} of its kinetic energy is left");
}
