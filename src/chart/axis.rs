//! Logarithmic axes.

/// A logarithmic axis with a label that names the unit.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    low: f64,
    high: f64,
}

impl Axis {
    /// An axis that holds all positive `values`, with ends on 1, 2 or 5 times a power of ten.
    pub fn around(label: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, 0f64);
        for value in values.into_iter().filter(|v| v.is_finite() && *v > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if high == 0.0 {
            (low, high) = (1.0, 10.0);
        }
        let steps: Vec<f64> = ladder(low / 10.0, high * 10.0);
        let slack = 1.0 + 1e-9;
        let below = steps.iter().copied().rfind(|s| *s <= low * slack).unwrap_or(low);
        let above = steps.iter().copied().find(|s| *s * slack >= high).unwrap_or(high);
        let (low, high) = if below < above { (below, above) } else { (below / 2.0, above * 2.0) };
        Self { label: label.to_owned(), low, high }
    }

    /// Where a value stands, 0 at the low end and 1 at the high end.
    pub fn place(&self, value: f64) -> f64 {
        (value / self.low).ln() / (self.high / self.low).ln()
    }

    /// Ticks with a label: every power of ten, and 2 and 5 times it where there are few.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let decades = (self.high / self.low).log10();
        let inside = ladder(self.low, self.high).into_iter();
        let kept = inside.filter(|tick| decades < 3.2 || is_power_of_ten(*tick));
        kept.map(|tick| (tick, short(tick))).collect()
    }

    /// All lines of the grid: 1, 2 and 5 times each power of ten.
    pub fn grid(&self) -> Vec<f64> {
        ladder(self.low, self.high)
    }
}

/// 1, 2 and 5 times powers of ten between two values, ends included.
fn ladder(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all = (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    let slack = 1.0 + 1e-9;
    all.filter(|tick| *tick * slack >= low && *tick <= high * slack).collect()
}

fn is_power_of_ten(tick: f64) -> bool {
    let power = tick.log10();
    (power - power.round()).abs() < 1e-6
}

/// A tick's label: 1k for 1000, 10M for 1e7, plain digits between 0.001 and 1000.
fn short(tick: f64) -> String {
    let (scaled, suffix) = match tick {
        t if t >= 0.999e9 => (t / 1e9, "G"),
        t if t >= 0.999e6 => (t / 1e6, "M"),
        t if t >= 0.999e3 => (t / 1e3, "k"),
        t => (t, ""),
    };
    if tick < 0.999e-4 {
        return format!("{tick:.0e}");
    }
    let digits = (-scaled.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{scaled:.digits$}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_ticks_are_round_numbers() {
        let axis = Axis::around("time [ms]", [0.013, 47.0, f64::NAN, -1.0]);
        assert!((axis.low - 0.01).abs() < 1e-12 && (axis.high - 50.0).abs() < 1e-9);
        let labels: Vec<String> = axis.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["0.01", "0.1", "1", "10"]);
        assert!(axis.place(axis.low).abs() < 1e-12 && (axis.place(50.0) - 1.0).abs() < 1e-12);
        let narrow: Vec<String> = Axis::around("x", [1.3, 9.0]).ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(narrow, ["1", "2", "5", "10"]);
        let nodes = Axis::around("nodes", [1024.0, 1e7]);
        let labels: Vec<String> = nodes.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["1k", "10k", "100k", "1M", "10M"]);
    }

    #[test]
    fn one_value_or_none_still_makes_an_axis() {
        for values in [vec![], vec![1.0], vec![3.0, 3.0], vec![1e-9]] {
            let axis = Axis::around("x", values);
            assert!(axis.low < axis.high && axis.low > 0.0, "{axis:?}");
            assert!(!axis.ticks().is_empty(), "{axis:?}");
        }
    }
}
