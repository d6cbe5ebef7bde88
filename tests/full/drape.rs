//! The main job truly falls: half a second of the 99,856-node sheet against the f64 reference of the same
//! fabric at a lower resolution.

use crate::common;
use std::path::Path;

use glam::DVec3;
use taffeta::method::Stability;
use taffeta::model::Model;
use taffeta::reference::{self, State64};
use taffeta::scene::Scene;
use taffeta::settings::CONTACT;

fn scene(side: u32) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/drape-100k.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("columns = 316", &format!("columns = {side}"));
    let text = text.replace("rows = 316", &format!("rows = {side}"));
    Scene::parse(&text, &path).unwrap()
}

fn center_of_mass(model: &Model, position: impl Iterator<Item = DVec3>) -> DVec3 {
    let masses = model.mass().iter().map(|m| f64::from(*m));
    let total: f64 = masses.clone().sum();
    masses.zip(position).map(|(m, x)| m * x).sum::<DVec3>() / total
}

fn initial(model: &Model) -> DVec3 {
    center_of_mass(model, model.initial_state().position.iter().map(|x| x.as_dvec3()))
}

/// The center of mass after `frames` frames of the f64 reference.
fn reference_after(scene: &Scene, frames: u32) -> DVec3 {
    let (model, settings) = (&scene.model, &scene.settings);
    let substeps = Stability::of(model, settings).substeps(settings).unwrap();
    let frame = f64::from(settings.step.frame_time);
    let h = frame / f64::from(substeps);
    let mut state = State64::from(model.initial_state());
    for f in 0..frames {
        let time = f64::from(f) * frame;
        for pin in model.moving_pins() {
            let velocity = (pin.path.at(time + frame) - pin.path.at(time)).as_dvec3() / frame;
            pin.nodes.iter().for_each(|&n| state.velocity[n as usize] = velocity);
        }
        for _ in 0..substeps {
            reference::step(model, settings, h, &[], 1.0, &mut state);
        }
    }
    center_of_mass(model, state.position.iter().copied())
}

#[test]
fn the_sheet_falls_as_the_reference_does() {
    let frames = 30;
    let coarse = scene(40);
    let wanted = reference_after(&coarse, frames) - initial(&coarse.model);
    let fine = scene(316);
    assert_eq!(fine.model.node_count(), 99_856);
    // The reference has no contact between surfaces.
    let settings = fine.settings.clone().with(CONTACT, false);
    let state = common::run(&common::gpu(), &fine.model, &settings, frames);
    let position = state.position.iter().map(|x| x.as_dvec3());
    let moved = center_of_mass(&fine.model, position) - initial(&fine.model);
    println!("center of mass moved by {moved} m; the reference by {wanted} m");
    assert!(wanted.y < -0.2, "the reference hardly fell: {wanted}");
    assert!((moved - wanted).length() < 0.05 * wanted.length(), "{moved} m instead of {wanted} m");
}
