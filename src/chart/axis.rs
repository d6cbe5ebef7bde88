//! Axes, logarithmic and linear.

/// An axis with a label that names the unit.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    low: f64,
    high: f64,
    /// Distance of two ticks where the axis is linear; `None` where it is logarithmic.
    step: Option<f64>,
}

impl Axis {
    /// A logarithmic axis that holds all positive `values`, with ends on 1, 2 or 5 times a power of ten.
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
        Self { label: label.to_owned(), low, high, step: None }
    }

    /// A linear axis that holds `low` to `high`, with both ends on ticks: 1, 2 or 5 times a power of ten apart.
    pub fn linear(label: &str, low: f64, high: f64) -> Self {
        let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
        let steps = ladder((high - low) / 100.0, high - low);
        let step = steps.into_iter().find(|step| (high - low) / step <= 8.0).unwrap_or(high - low);
        // Times are sums of f32: 300 frames of 1/60 s are a little more than 5 s.
        let slack = 1e-6;
        let (first, last) = ((low / step + slack).floor(), (high / step - slack).ceil());
        Self { label: label.to_owned(), low: first * step, high: last * step, step: Some(step) }
    }

    /// The values at both ends.
    pub fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Where a value stands, 0 at the low end and 1 at the high end.
    pub fn place(&self, value: f64) -> f64 {
        match self.step {
            Some(_) => (value - self.low) / (self.high - self.low),
            None => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// Ticks with a label: of a logarithmic axis every power of ten, and 2 and 5 times it where there are few.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        if let Some(step) = self.step {
            let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
            return self.even(step).into_iter().map(|tick| (tick, format!("{tick:.digits$}"))).collect();
        }
        let decades = (self.high / self.low).log10();
        let inside = ladder(self.low, self.high).into_iter();
        let kept = inside.filter(|tick| decades < 3.2 || is_power_of_ten(*tick));
        kept.map(|tick| (tick, short(tick))).collect()
    }

    /// All lines of the grid: the ticks of a linear axis; 1, 2 and 5 times each power of ten.
    pub fn grid(&self) -> Vec<f64> {
        self.step.map_or_else(|| ladder(self.low, self.high), |step| self.even(step))
    }

    /// Multiples of `step` from end to end.
    fn even(&self, step: f64) -> Vec<f64> {
        let count = ((self.high - self.low) / step).round() as i64;
        let first = (self.low / step).round() as i64;
        (first..=first + count).map(|k| k as f64 * step).collect()
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
    fn linear_axes_end_on_ticks_and_hold_both_values() {
        let labels = |axis: &Axis| axis.ticks().into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(
            labels(&Axis::linear("t [s]", 0.0, 300.0 * f64::from(1.0f32 / 60.0))),
            ["0", "1", "2", "3", "4", "5"]
        );
        let axis = Axis::linear("x", -0.31, 0.42);
        assert_eq!(labels(&axis), ["-0.4", "-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert!(axis.place(-0.4).abs() < 1e-12 && (axis.place(0.5) - 1.0).abs() < 1e-12);
        assert_eq!(axis.grid().len(), 10);
        let flat = Axis::linear("x", 2.0, 2.0);
        assert!((0.0..=1.0).contains(&flat.place(2.0)) && flat.ticks().len() > 1);
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
