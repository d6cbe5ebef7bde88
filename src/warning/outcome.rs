//! What a run has come to: springs that were stretched far, and substeps that ended far from their minimum.

use super::Warning;
use crate::method::{Convergence, TOO_MUCH};
use crate::settings::{MOST_AUTO, Settings, TOLERANCE};

/// Strain that fabric never has, of one spring in a thousand at the end \[1\].
const RUBBERY: f64 = 0.2;
/// Strain that no fabric bears, of any spring in any frame \[1\].
const TORN: f32 = 1.0;

/// Warns of springs that are stretched far at the end, where one in a thousand has the strain `p999` \[1\] or more.
pub fn rubbery(settings: &Settings, p999: f64) -> Option<Warning> {
    let solver = settings.solver;
    (!solver.is_explicit() && p999 > RUBBERY).then(|| {
        let text = format!(
            "springs are stretched by more than a fifth: either the material is so soft for what pulls it, or {solver} \
             has not converged; in that case more iterations or substeps make it stiffer"
        );
        Warning { body: None, key: "substeps", text }
    })
}

/// Whether a strain of `peak` \[1\] is more than any fabric bears.
pub fn is_torn(peak: f32) -> bool {
    peak > TORN
}

/// Warns of springs that were stretched to more than twice their length, by `peak` \[1\] at most in the frame that ended at `time` \[s\]; `copies`: in so many
/// of a batch, if it is one.
pub fn torn(peak: f32, time: f64, copies: Option<usize>) -> Option<Warning> {
    is_torn(peak).then(|| {
        let of_batch = copies.map_or(String::new(), |n| format!(", to more than twice in {n} copies"));
        let text = format!(
            "springs were stretched to {:.1} times their rest length in the frame to {time:.4} s{of_batch}: either the material is so soft for \
             what pulls or hits it, or the step is too long for that; take more substeps",
            1.0 + peak
        );
        Warning { body: None, key: "substeps", text }
    })
}

/// Whether substeps ended visibly far from their minimum, on average.
pub fn is_far(found: &Convergence) -> bool {
    found.mean.is_nan() || found.mean > TOO_MUCH
}

/// Warns of substeps that ended far from their minimum. `found` is of the copies of a batch that did not break down, or of the only one.
pub fn unconverged(settings: &Settings, found: &[Convergence], copies: u32) -> Option<Warning> {
    let far: Vec<&Convergence> = found.iter().filter(|found| found.looks > 0 && is_far(found)).collect();
    let [first, ..] = far[..] else { return None };
    let whose = match copies {
        1 => "substeps".to_owned(),
        _ => format!("substeps of {} of {copies} copies", far.len()),
    };
    let which = match copies {
        1 => {
            format!(
                " ({} of {} that were looked at, by {:.0} % at most)",
                first.over,
                first.looks,
                100.0 * first.largest
            )
        }
        _ => String::new(),
    };
    let cure = match settings.get(TOLERANCE) {
        Some(_) => "more iterations go on from there".to_owned(),
        None if copies > 1 => "more iterations or substeps go nearer".to_owned(),
        None => format!("iterations = \"auto\" goes on while it is so, for {MOST_AUTO} at most"),
    };
    let text = format!(
        "{whose} end further from their minimum than a twentieth of the motion, on average{which}: folds lag and springs yield; {cure}"
    );
    Some(Warning { body: None, key: "iterations", text })
}
