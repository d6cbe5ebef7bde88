//! Marks that distinguish models, and ways to simulate them.

use crate::checkpoint::{Hash, Mark};
use crate::gpu::Gpu;
use crate::method;
use crate::model::{Layer, Model, Path, Push};
use crate::settings::{self, Form, Settings};
use crate::shaders;
use crate::simulation::pace;

/// Whether the value of a model's mark is a hash, not a count.
pub fn is_hash(key: &str) -> bool {
    key.starts_with("the ")
}

/// The marks that must agree between a checkpoint and the run that resumes from it.
pub fn of_model(model: &Model) -> Vec<Mark> {
    let mut marks = vec![
        Mark::new("nodes", model.node_count()),
        Mark::new("copies", model.copies()),
        Mark::new("springs", model.springs().len()),
        Mark::new("triangles", model.triangles().len()),
    ];
    let mut hash = |key, fill: &dyn Fn(&mut Hash)| {
        let mut hash = Hash::default();
        fill(&mut hash);
        marks.push(Mark::new(key, format!("{:016x}", hash.finish())));
    };
    hash("the masses or the pins", &|hash| {
        hash.numbers((0..model.node_count()).map(|i| model.inverse_mass(i)));
        hash.numbers(model.mass().iter().copied());
    });
    hash("the rest positions", &|hash| {
        hash.numbers(model.rest_position().iter().flat_map(|x| x.to_array()));
    });
    // Pins and handles begin there, and the size of the body is the reach of handles.
    hash("the initial positions", &|hash| {
        hash.numbers(model.initial_state().position.iter().flat_map(|x| x.to_array()));
    });
    hash("the springs", &|hash| {
        for s in model.springs() {
            hash.words(s.nodes);
            hash.numbers([s.rest_length, s.stiffness, s.dashpot]);
        }
        hash.numbers(model.strain_limits().into_iter().map(|limit| limit.unwrap_or(0.0)));
    });
    hash("the triangles", &|hash| hash.words(model.triangles().iter().flatten().copied()));
    hash("the surfaces", &|hash| {
        for Layer { touches, thickness, friction, stiffness, onset } in
            model.bodies().iter().map(|body| body.layer)
        {
            hash.words([u32::from(touches)]);
            hash.numbers([thickness.unwrap_or(0.0), friction, stiffness.unwrap_or(0.0), onset]);
        }
    });
    hash("the bending stiffnesses", &|hash| {
        model.for_each_bending_stencil(|nodes, coefficients| {
            hash.words(nodes.iter().copied());
            coefficients.iter().for_each(|c| hash.double(*c));
        });
    });
    hash("the paths of pins or the handles", &|hash| {
        for pin in model.moving_pins() {
            hash.words(pin.nodes.iter().copied());
            path(hash, &pin.path);
            if let Some(turn) = &pin.turn {
                hash.bytes(b"turn");
                hash.numbers(turn.center.to_array());
                hash.numbers(turn.axis.to_array());
                for (time, angle) in turn.angle.keys() {
                    hash.double(*time);
                    hash.numbers([*angle]);
                }
            }
        }
        for handle in model.handles() {
            handle.nodes.iter().for_each(|&(node, weight)| hash.words([node, weight.to_bits()]));
            hash.numbers([handle.stiffness]);
            hash.double(handle.active.start);
            hash.double(handle.active.end);
            path(hash, &handle.path);
        }
    });
    hash("the loads", &|hash| {
        for load in model.loads() {
            hash.words(load.nodes.iter().copied());
            match &load.push {
                Push::Force(force) => path(hash, force),
                Push::Pressure(pressure) => {
                    hash.bytes(b"pressure");
                    for (time, pressure) in pressure.keys() {
                        hash.double(*time);
                        hash.numbers([*pressure]);
                    }
                }
            }
        }
    });
    // Numbers are formatted so that different bits give different text.
    hash("the colliders", &|hash| hash.bytes(format!("{:?}", model.colliders()).as_bytes()));
    marks
}

fn path(hash: &mut Hash, path: &Path) {
    hash.word(path.keys().len() as u32);
    for (time, displacement) in path.keys() {
        hash.double(*time);
        hash.numbers(displacement.to_array());
    }
}

/// Everything that affects the bits of later states, except the substeps and the length of a frame. Settings that the
/// solver does not read are left out.
pub fn of_settings(settings: &Settings, form: Form, model: &Model, gpu: &Gpu) -> Vec<Mark> {
    let solver = settings.solver;
    let order = model.order();
    let form = match form {
        Form::Grid => "grid".into(),
        _ if order.is_given() => "mesh".into(),
        _ => {
            let mut hash = Hash::default();
            hash.words((0..model.node_count() as u32).map(|place| order.node(place)));
            format!("mesh, nodes in order {:016x}", hash.finish())
        }
    };
    let mut marks = vec![Mark::new("solver", solver), Mark::new("form", form)];
    let mut add = |key, value: String| marks.push(Mark::new(key, value));
    for used in solver.keys() {
        if let Some(value) = solver.resolved(used.spec, model, settings) {
            add(used.spec.name, value);
        }
    }
    for spec in settings::world() {
        add(spec.name, settings.given(spec).map_or_else(String::new, |given| given.to_string()));
    }
    if method::touch(model, settings).is_some() {
        add("contact", "on".to_owned());
    }
    if pace::is_free(model, settings) {
        add("substeps that follow contact", "used".to_owned());
    }
    if let Some(force) = &settings.user_force {
        let mut hash = Hash::default();
        hash.bytes(force.text.trim_start().as_bytes());
        add("user-force", format!("{:016x}", hash.finish()));
    }
    if !settings.copies.is_empty() {
        let mut hash = Hash::default();
        // Numbers are formatted so that different bits give different text.
        hash.bytes(format!("{:?}", settings.copies).as_bytes());
        add("what acts on the copies", format!("{:016x}", hash.finish()));
    }
    add("adapter", gpu.description());
    add("bounds checks", gpu.checks_bounds().to_string());
    let mut hash = Hash::default();
    shaders::LIBRARY.iter().for_each(|(_, text)| hash.bytes(text.as_bytes()));
    add("the program's kernels", format!("{:016x}", hash.finish()));
    marks
}
