//! Tests of a program's own device, of its buffers, and of values that are read back some frames later.

use glam::{Vec3, Vec4};

use crate::gpu::{Gpu, GpuError, Reading, Requirements};
use crate::model::Model;
use crate::settings::Settings;
use crate::shape::Cloth;
use crate::simulation::{Normals, Peak, Pick, Simulation};

fn sheet() -> Model {
    let sheet = Cloth::new([17, 17], Vec3::X, Vec3::Z).build().unwrap();
    Model::of(sheet.pin([0, 16])).unwrap()
}

fn opened() -> Gpu {
    Gpu::open(&Default::default()).unwrap()
}

/// A device that another program opens, with its own limits.
fn own_device(limits: wgpu::Limits) -> (wgpu::Device, wgpu::Queue) {
    let adapter = opened().home().unwrap().adapter.clone();
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    pollster::block_on(adapter.request_device(&descriptor)).unwrap()
}

#[test]
fn the_peak_is_the_most_of_all_frames() {
    let gpu = opened();
    let mut simulation = Simulation::new(&gpu, &sheet(), &Settings::default()).unwrap();
    let frames = |simulation: &mut Simulation, count: usize| -> Vec<f32> {
        let each = |_| {
            simulation.step().unwrap();
            simulation.largest_stretch().unwrap()
        };
        (0..count).map(each).collect()
    };
    // The sheet swings down and up again: springs are stretched most at the bottom.
    let stretches = frames(&mut simulation, 50);
    let most = stretches.iter().copied().fold(0.0, f32::max);
    let frame = 1 + stretches.iter().position(|stretch| *stretch == most).unwrap();
    assert!(frame > 5 && frame < 45 && *stretches.last().unwrap() < most, "{stretches:?}");
    let peak = simulation.outcomes().unwrap()[0].peak;
    assert_eq!(peak, Peak { stretch: most, frame: frame as u32 });
    assert!((simulation.time_of(&peak) - frame as f64 / 60.0).abs() < 1e-6);
    // A checkpoint keeps it; a state that is set begins anew, also in time.
    let checkpoint = simulation.checkpoint().unwrap();
    let mut state = simulation.state().unwrap();
    state.time = 7.0;
    simulation.set_state(&state).unwrap();
    let stretch = frames(&mut simulation, 1)[0];
    let anew = simulation.outcomes().unwrap()[0].peak;
    assert_eq!(anew, Peak { stretch, frame: 1 });
    assert!((simulation.time_of(&anew) - (7.0 + 1.0 / 60.0)).abs() < 1e-6);
    simulation.resume(&checkpoint).unwrap();
    assert_eq!(simulation.outcomes().unwrap()[0].peak, peak);
}

#[test]
fn what_another_version_watched_for_is_left_out() {
    let mut simulation = Simulation::new(&opened(), &sheet(), &Settings::default()).unwrap();
    (0..5).for_each(|_| simulation.step().unwrap());
    let mut checkpoint = simulation.checkpoint().unwrap();
    let words = &mut checkpoint.parts.iter_mut().find(|part| part.name == "watch").unwrap().words;
    words.truncate(words.len() - 2);
    // Of this version that is damage.
    let refused = simulation.resume(&checkpoint).unwrap_err().to_string();
    assert!(refused.contains("words of 'watch'"), "{refused}");
    checkpoint.settings.iter_mut().find(|mark| mark.key == "the program's kernels").unwrap().value += "0";
    assert!(!simulation.resume(&checkpoint).unwrap().is_empty());
    // Frames are counted from the run's beginning.
    simulation.step().unwrap();
    let stretch = simulation.largest_stretch().unwrap();
    assert_eq!(simulation.outcomes().unwrap()[0].peak, Peak { stretch, frame: 6 });
}

#[test]
fn a_device_of_ones_own_gives_the_same_bits() {
    let (model, settings) = (sheet(), Settings::default());
    let limits = Simulation::requirements(&model, &settings).unwrap().limits();
    let (device, queue) = own_device(limits);
    let own = Gpu::from_device(device, queue).unwrap();
    let states = [own, opened()].map(|gpu| {
        let mut simulation = Simulation::new(&gpu, &model, &settings).unwrap();
        (0..3).for_each(|_| simulation.step().unwrap());
        simulation.state().unwrap()
    });
    assert_eq!(states[0], states[1]);
}

#[test]
fn a_device_that_grants_too_little_is_refused_with_the_limit() {
    let mut limits = Requirements::default().limits();
    limits.max_storage_buffers_per_shader_stage = 4;
    let (device, queue) = own_device(limits);
    let refused = Gpu::from_device(device, queue).err().unwrap();
    let name = "max_storage_buffers_per_shader_stage";
    assert!(matches!(&refused, GpuError::Limit { limit, available: 4, .. } if *limit == name), "{refused}");
}

#[test]
fn what_was_asked_for_is_of_the_frame_in_which_it_was() {
    let mut simulation = Simulation::new(&opened(), &sheet(), &Settings::default()).unwrap();
    simulation.step().unwrap();
    let then = simulation.state().unwrap();
    let (mut asked, outcomes) = (Some(simulation.ask_state()), simulation.ask_outcomes());
    simulation.step().unwrap();
    simulation.step().unwrap();
    let later = simulation.state().unwrap();
    assert!(later.time > then.time && later.position != then.position);
    // These readings arrived before the one that was waited for.
    assert_eq!(Reading::arrived(&mut asked).unwrap(), Some(then));
    assert!(asked.is_none());
    assert!(simulation.verdict(&outcomes.wait().unwrap()).unwrap() > 0.0);
}

#[test]
fn a_grab_by_positions_from_before_takes_hold_where_they_were() {
    let mut simulation = Simulation::new(&opened(), &sheet(), &Settings::default()).unwrap();
    let at = simulation.state().unwrap().position[150];
    let positions = simulation.ask_positions();
    (0..3).for_each(|_| simulation.step().unwrap());
    let positions = positions.wait().unwrap();
    let handle = simulation.grab_at(&positions, &Pick::Node(150), 10.0, 0.1).unwrap().unwrap();
    assert_eq!(simulation.handle_target(handle), Some(at));
}

#[test]
fn pinning_changes_the_inverse_mass_alone() {
    let mut simulation = Simulation::new(&opened(), &sheet(), &Settings::default()).unwrap();
    (0..2).for_each(|_| simulation.step().unwrap());
    let read = |simulation: &Simulation| simulation.positions().read(simulation.gpu()).unwrap();
    let mut before: Vec<Vec4> = read(&simulation);
    simulation.set_pinned(100, true).unwrap();
    before[simulation.model().order().place(100) as usize].w = 0.0;
    assert_eq!(read(&simulation), before);
}

#[test]
fn normals_are_those_of_the_triangles_around_a_node() {
    let (gpu, model) = (opened(), sheet());
    let mut simulation = Simulation::new(&gpu, &model, &Settings::default()).unwrap();
    (0..20).for_each(|_| simulation.step().unwrap());
    let normals = Normals::new(&simulation).unwrap();
    normals.update();
    let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE;
    assert!(normals.buffer().raw().usage().contains(usage));
    assert!(simulation.positions().raw().usage().contains(usage));
    let found = normals.buffer().read(&gpu).unwrap();
    let x: Vec<Vec3> = simulation.positions().read(&gpu).unwrap().iter().map(|x| x.truncate()).collect();
    let mut expected = vec![Vec3::ZERO; x.len()];
    for t in model.in_memory().triangles() {
        let [a, b, c] = t.map(|n| x[n as usize]);
        t.iter().for_each(|&n| expected[n as usize] += (b - a).cross(c - a));
    }
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.truncate().distance(expected.normalize()) < 1e-4, "{found} is not {expected}");
    }
}
