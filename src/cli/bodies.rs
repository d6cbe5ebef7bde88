//! The bodies of a scene, as part of a summary.

use std::fmt;

use serde::Serialize;
use taffeta::warning::size_text;
use taffeta::{Model, contact};

/// A body. Field names are keys of the summary's JSON object.
#[derive(Serialize)]
pub struct Body {
    name: String,
    nodes: u32,
    /// Lengths at rest along x, y and z [m].
    size: [f32; 3],
    /// Thickness of its surface [m], where contact is on and it touches something.
    #[serde(skip_serializing_if = "Option::is_none")]
    thickness: Option<f32>,
}

/// All bodies; for a batch those of its first copy. `touch`: whether contact is on.
pub fn of(model: &Model, touch: bool) -> Vec<Body> {
    let bodies = &model.bodies()[..model.bodies().len() / model.copies() as usize];
    let body = |body: &taffeta::model::BodyRange| Body {
        name: body.name.clone(),
        nodes: body.nodes.end - body.nodes.start,
        size: model.size_of(body).to_array(),
        thickness: Some(contact::thickness(model, body)).filter(|thickness| touch && *thickness > 0.0),
    };
    bodies.iter().map(body).collect()
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, size_text(self.size.into()))?;
        match self.thickness {
            Some(thickness) => write!(f, ", {:.2} mm thick", 1e3 * thickness),
            None => Ok(()),
        }
    }
}
