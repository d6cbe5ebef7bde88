//! The color map, its scale, and sRGB.

/// Viridis at 16 even steps, sRGB (matplotlib; Smith and van der Walt 2015): equal steps of the value
/// look equal, also in gray and to readers who do not see red and green apart.
pub(super) const RAMP: [[u8; 3]; 16] = [
    [68, 1, 84],
    [72, 26, 108],
    [71, 47, 125],
    [65, 68, 135],
    [57, 86, 140],
    [49, 104, 142],
    [42, 120, 142],
    [35, 136, 142],
    [31, 152, 139],
    [34, 168, 132],
    [53, 183, 121],
    [84, 197, 104],
    [122, 209, 81],
    [165, 219, 54],
    [210, 226, 27],
    [253, 231, 37],
];

/// One sRGB component to linear light.
pub(super) fn linear(c: u8) -> f32 {
    let c = f32::from(c) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// An sRGB color to linear light.
pub(super) fn linear_color(c: [u8; 3]) -> [f32; 4] {
    [linear(c[0]), linear(c[1]), linear(c[2]), 1.0]
}

/// The next value of the series 1, 2, 5, 10 ... at or above `largest`: an end of the color map whose
/// tick labels are round numbers. At least 0.001 (0.1 %).
pub fn nice_scale(largest: f32) -> f32 {
    if !largest.is_finite() {
        return 10.0;
    }
    let mut scale = 0.001f64;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            // A small tolerance, so that 0.05 in f32 still counts as 5 %.
            if f64::from(largest) <= scale * factor * 1.0001 || scale >= 1e6 {
                return (scale * factor) as f32;
            }
        }
        scale *= 10.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_and_hold_the_value() {
        for (largest, scale) in [(0.0, 0.001), (0.0011, 0.002), (0.05, 0.05), (0.051, 0.1), (3.0, 5.0)] {
            assert!((nice_scale(largest) - scale).abs() < 1e-6, "{largest}");
        }
        assert_eq!(nice_scale(f32::NAN), 10.0);
    }
}
