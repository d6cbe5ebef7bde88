//! Bodies of an unlikely size.

use glam::Vec3;

use super::{Warning, digits};

/// Largest side \[m\] above which a body is probably in another unit.
const LARGE: f64 = 20.0;
/// Largest side \[m\] below which it is.
const SMALL: f64 = 1e-3;
/// Largest side \[m\] that garments, curtains and the like have.
const LIKELY: std::ops::RangeInclusive<f64> = 0.2..=3.0;
/// Units that meshes come in beside meters.
const UNITS: [(&str, f64); 2] = [("centimeters", 1e-2), ("millimeters", 1e-3)];

/// What sets the size of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizedBy {
    /// A key of its shape that is a length.
    Key(&'static str),
    /// The numbers of a mesh file, times this `scale`.
    Scale(f32),
}

/// Lengths along x, y and z \[m\] in words.
pub fn size_text(size: Vec3) -> String {
    // What rounding leaves of a flat body that is turned is no thickness.
    let least = 1e-5 * size.max_element();
    let side = |x: f32| digits(if x < least { 0.0 } else { x.into() });
    format!("{} x {} x {} m", side(size.x), side(size.y), side(size.z))
}

/// What to say of a body whose sides are `size` \[m\], if anything.
pub(crate) fn of_body(name: &str, size: Vec3, by: SizedBy) -> Option<Warning> {
    let largest = f64::from(size.max_element());
    let (bound, why) = match largest {
        x if x > LARGE => (
            format!("larger than {LARGE} m"),
            "So large a body falls and swings in slow motion, and f32 leaves its positions few digits",
        ),
        // Nodes that are all in one place have no size.
        x if x > 0.0 && x < SMALL => (
            "smaller than 1 mm".into(),
            "So small a body hardly bends under its weight, and colliders keep it off by more than its size",
        ),
        _ => return None,
    };
    let (key, mend) = match by {
        SizedBy::Key(key) => (key, format!("Unless that is meant, change {key}")),
        SizedBy::Scale(scale) => ("scale", rescale(largest, scale.into())),
    };
    let text = format!("it is {}, {bound}; all lengths are in meters. {why}. {mend}", size_text(size));
    Some(Warning { body: Some(name.to_owned()), key, text })
}

/// What `scale` of a mesh should be instead, where that is plain.
fn rescale(largest: f64, scale: f64) -> String {
    let fits = UNITS.iter().filter(|(_, unit)| largest > LARGE && LIKELY.contains(&(largest * unit)));
    let told = |(name, unit): &(&'static str, f64)| {
        let mend = format!("scale = {} makes it {} m", digits(scale * unit), digits(largest * unit));
        (*name, mend)
    };
    let (names, mends): (Vec<_>, Vec<_>) = fits.map(told).unzip();
    match names.is_empty() {
        true => {
            format!("Unless that is meant, change scale = {}, by which its file is multiplied", digits(scale))
        }
        false => format!("Its file looks like {}: {}", names.join(" or "), mends.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(largest: f32, by: SizedBy) -> Option<String> {
        of_body("a", Vec3::new(0.5 * largest, largest, 0.0), by).map(|w| w.text)
    }

    #[test]
    fn bodies_of_an_unlikely_size_are_told() {
        let key = SizedBy::Key("u");
        assert_eq!([1e-3, 1.7, 20.0, 0.0].map(|size| told(size, key)), [const { None }; 4]);
        let large = told(20.1, key).unwrap();
        assert!(
            large.contains("it is 10.1 x 20.1 x 0 m, larger than 20 m")
                && large.ends_with("Unless that is meant, change u"),
            "{large}"
        );
        let small = told(9e-4, key).unwrap();
        assert!(small.contains("it is 0.00045 x 0.0009 x 0 m, smaller than 1 mm"), "{small}");
    }

    #[test]
    fn units_of_meshes_are_guessed() {
        let of = |largest, scale| told(largest, SizedBy::Scale(scale)).unwrap();
        assert!(of(65.0, 1.0).ends_with("Its file looks like centimeters: scale = 0.01 makes it 0.65 m"));
        assert!(of(1700.0, 1.0).ends_with("Its file looks like millimeters: scale = 0.001 makes it 1.7 m"));
        assert!(of(130.0, 2.0).ends_with("scale = 0.02 makes it 1.3 m"));
        let either = "centimeters or millimeters: scale = 0.01 makes it 2.5 m, scale = 0.001 makes it 0.25 m";
        assert!(of(250.0, 1.0).ends_with(either), "{}", of(250.0, 1.0));
        // Of no garment in either.
        for largest in [9000.0, 5e-4] {
            assert!(of(largest, 0.5).contains("change scale = 0.5, by which"), "{}", of(largest, 0.5));
        }
    }
}
