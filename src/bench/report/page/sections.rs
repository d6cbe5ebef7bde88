//! The sections of the page, each with a chart, the method of measurement, and the figures.

use super::super::{Accuracy, Curve, FullReport, GOAL, Kernel, Roofline};
use super::Cell::{Number, Text};
use super::{Cell, color, digits, duration, grouped, plain, table};
use crate::chart::{Axis, Dot, DotChart, Level, LineChart, Series, Style, escape};
use crate::settings::SolverKind;

/// The machine, and how it was measured.
pub fn machine(report: &FullReport) -> String {
    let m = &report.machine;
    let time = match m.gpu_time {
        true => "the GPU's own, by timestamps around each frame",
        false => "wall time from submission to completion: this adapter has no timestamps",
    };
    let entry = |name: &str, value: &str| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(value));
    let mut html = "<dl>\n".to_owned();
    html += &entry("Adapter, driver", &m.adapter);
    html += &entry("Machine", &format!("{}, {} CPU threads", m.platform, m.cpu_threads));
    html += &entry("Date", &m.date);
    html += &entry("Times", &format!("{time}; median of {} after one to warm up", report.repeats));
    html += &entry("Shader bounds checks", if m.bounds_checks { "on" } else { "off" });
    let [allowed, taken] = report.seconds;
    html += &entry("This run", &format!("{taken:.0} s, of {allowed:.0} s allowed"));
    html += "</dl>\n";
    if m.software {
        html += "<p>This adapter is a software driver: the CPU runs the shaders. Sizes are capped so that the \
                 report ends in minutes, and arithmetic, not bandwidth, sets the pace.</p>\n";
    }
    html
}

/// Error against time.
pub fn accuracy(report: &FullReport) -> String {
    if report.accuracy.is_empty() {
        return String::new();
    }
    let mut html = "<h2>Time to a given accuracy</h2>\n\
        <p>One frame (1/60 s, one step of implicit Euler) of a 1 m sheet in fast motion, held at two corners: \
        1000, 500 and 100 N/m structural, shear and flexion, 0.2 kg. Each point is a run with another number of \
        iterations; the error is the root mean square distance of the nodes to the converged step, found in f64 \
        on the CPU. Lower left is better. Crumpled cloth has several steps that are all but equally good: below \
        about 2 % of the start error the distance may be to a neighboring one.</p>\n"
        .to_owned();
    for accuracy in &report.accuracy {
        html += &accuracy_of(accuracy);
    }
    html
}

fn accuracy_of(accuracy: &Accuracy) -> String {
    let mut variants = vec![0; SolverKind::ALL.len() + 1];
    let series = accuracy.curves.iter().map(|curve| {
        let color = color(curve.solver);
        let variant = variants[color];
        variants[color] += 1;
        let point = |run: &super::super::Run| {
            let (ms, mm) = (1e3 * run.seconds, 1e3 * run.error?);
            Some((ms, mm, format!("{} iterations, {} ms, {} mm", run.iterations, digits(ms), digits(mm))))
        };
        let points = curve.runs.iter().filter_map(point).filter(|p| p.1 < 4e3 * accuracy.start_error);
        Series {
            name: curve.label.to_owned(),
            style: Style { color, variant },
            points: points.collect(),
            ..Series::default()
        }
    });
    let series: Vec<Series> = series.collect();
    let all = |of: fn(&(f64, f64, String)) -> f64| series.iter().flat_map(move |s| s.points.iter().map(of));
    let goal = 1e3 * accuracy.goal();
    let (side, start) = (accuracy.side, 1e3 * accuracy.start_error);
    let chart = LineChart {
        title: format!("Error against time, {side} x {side} nodes"),
        x: Axis::around("time of the frame [ms]", all(|p| p.0)),
        y: Axis::around("rms distance to the converged step [mm]", all(|p| p.1).chain([goal, start])),
        levels: vec![
            Level { y: start, label: format!("start error (x + h v): {} mm", digits(start)) },
            Level { y: goal, label: format!("{:.0} %: {} mm", 100.0 * GOAL, digits(goal)) },
        ],
        series,
    };
    let nodes = grouped(u64::from(side * side));
    format!(
        "<h3>{nodes} nodes ({side} × {side})</h3>\n<figure>{}</figure>\n{}\
         <p class=\"muted\">Converged step: largest component of the force left {:.1e} N, {} on the CPU.</p>\n",
        chart.svg(),
        accuracy_table(accuracy),
        accuracy.minimizer_residual,
        duration(accuracy.minimizer_seconds)
    )
}

fn accuracy_table(accuracy: &Accuracy) -> String {
    let time = |c: &Curve| c.reached.as_ref().map_or(f64::INFINITY, |run| run.seconds);
    let mut curves: Vec<&Curve> = accuracy.curves.iter().collect();
    curves.sort_by(|a, b| time(a).total_cmp(&time(b)));
    let row = |(place, curve): (usize, &Curve)| {
        let finite = curve.runs.iter().filter(|run| run.error.is_some());
        let best = finite.min_by(|a, b| a.error.unwrap_or(f64::MAX).total_cmp(&b.error.unwrap_or(f64::MAX)));
        let above = if curve.reached.is_some() { "" } else { "> " };
        let dash = || "–".to_owned();
        let reached = curve.reached.as_ref();
        let cells = vec![
            Text(curve.label.to_owned()),
            Text(curve.solver.to_owned()),
            Number(reached.map_or_else(dash, |run| duration(run.seconds))),
            Number(reached.map_or_else(dash, |run| run.iterations.to_string())),
            Number(curve.ratio.map_or_else(dash, |ratio| format!("{above}{}", digits(ratio)))),
            Number(best.map_or_else(dash, |run| digits(1e3 * run.error.unwrap_or_default()))),
            Number(best.map_or_else(dash, |run| duration(run.seconds))),
            Number(best.map_or_else(dash, |run| run.iterations.to_string())),
        ];
        (place == 0 && reached.is_some(), cells)
    };
    let rows: Vec<_> = curves.into_iter().enumerate().map(row).collect();
    let goal = format!("time to {:.0} %", 100.0 * GOAL);
    let head = [
        "settings",
        "solver",
        &goal,
        "iterations",
        "times the fastest",
        "best error [mm]",
        "in",
        "iterations",
    ];
    table(&head, &rows)
}

/// Time of a frame against nodes.
pub fn frames(report: &FullReport) -> String {
    let rows = &report.frames.rows;
    let series = |of: fn(&super::super::Frame) -> f64| -> Vec<Series> {
        let of_solver = |solver: SolverKind| {
            let rows = rows.iter().filter(|row| row.solver == solver.name());
            let point = |row: &super::super::Frame| {
                let title = format!("{} nodes, {}", grouped(row.nodes.into()), duration(of(row)));
                (f64::from(row.nodes), 1e3 * of(row), title)
            };
            let points: Vec<_> = rows.map(point).collect();
            Series {
                name: solver.name().to_owned(),
                style: plain(solver.name()),
                points,
                ..Series::default()
            }
        };
        SolverKind::ALL.into_iter().map(of_solver).filter(|s| !s.points.is_empty()).collect()
    };
    if rows.is_empty() {
        return String::new();
    }
    let series = series(|row| row.seconds);
    let real_time = 1e3 / 60.0;
    let times = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).chain([real_time]);
    let chart = LineChart {
        title: "Time of a frame against nodes".into(),
        x: Axis::around("nodes", rows.iter().map(|row| f64::from(row.nodes))),
        y: Axis::around("time of a frame of 1/60 s [ms]", times.collect::<Vec<_>>()),
        levels: vec![Level { y: real_time, label: "real time".into() }],
        series,
    };
    let row = |row: &super::super::Frame| {
        let cells = vec![
            Text(row.solver.to_owned()),
            Number(grouped(row.nodes.into())),
            Number(duration(row.seconds)),
            Number(digits(1e9 * row.seconds / f64::from(row.nodes))),
            Number(row.substeps.to_string()),
            Number(row.iterations.map_or_else(|| "–".to_owned(), |n| n.to_string())),
            Number(grouped(row.dispatches.into())),
            Number(row.bytes.map_or_else(|| "–".to_owned(), |bytes| digits(bytes as f64 / 1e6))),
            Number(duration(row.recording)),
        ];
        (false, cells)
    };
    let head = [
        "solver",
        "nodes",
        "frame",
        "ns a node",
        "substeps",
        "iterations",
        "dispatches",
        "MB by design",
        "recording",
    ];
    format!(
        "<h2>Time of a frame against nodes</h2>\n\
         <p>The same sheet at other resolutions, every solver at its default settings. Equal time is not equal \
         accuracy: single-level iterations are far from converged on large sheets, as the charts above show. \
         Explicit solvers take the substeps that stability asks for; one that has no stable step without \
         damping takes those of the first that has. MB by design are what all substeps must move; dispatches count pins and \
         the watch of stretch, too. Recording is what the CPU spends on a frame until it is submitted, from warm caches.</p>\n\
         <figure>{}</figure>\n<details><summary>Figures</summary>\n{}</details>\n",
        chart.svg(),
        table(&head, &rows.iter().map(row).collect::<Vec<_>>())
    )
}

/// Set-up time against nodes.
pub fn setup(report: &FullReport) -> String {
    let frames = &report.frames;
    if frames.rows.is_empty() {
        return String::new();
    }
    let title = |nodes: u32, seconds: f64| format!("{} nodes, {}", grouped(nodes.into()), duration(seconds));
    let models =
        frames.models.iter().map(|m| (f64::from(m.nodes), 1e3 * m.seconds, title(m.nodes, m.seconds)));
    let model_style = Style { color: SolverKind::ALL.len(), variant: 3 };
    let mut series = vec![Series {
        name: "model (all solvers)".into(),
        style: model_style,
        points: models.collect(),
        ..Series::default()
    }];
    for solver in SolverKind::ALL {
        let rows = frames.rows.iter().filter(|row| row.solver == solver.name());
        let points = rows.map(|row| (f64::from(row.nodes), 1e3 * row.setup, title(row.nodes, row.setup)));
        series.push(Series {
            name: solver.name().into(),
            style: plain(solver.name()),
            points: points.collect(),
            ..Series::default()
        });
    }
    series.retain(|s| !s.points.is_empty());
    let times: Vec<f64> = series.iter().flat_map(|s| s.points.iter().map(|p| p.1)).collect();
    let chart = LineChart {
        title: "Set-up time against nodes".into(),
        x: Axis::around("nodes", frames.rows.iter().map(|row| f64::from(row.nodes))),
        y: Axis::around("time to set up [ms]", times),
        levels: Vec::new(),
        series,
    };
    format!(
        "<h2>Set-up time against nodes</h2>\n\
         <p>Wall time: making and checking the model, once; then, for each solver, the median of all that depends on \
         it: uploads, colors or levels, and compiling the kernels, which the small sizes show.</p>\n\
         <figure>{}</figure>\n",
        chart.svg()
    )
}

/// Every kernel against its floor.
pub fn roofline(report: &FullReport) -> String {
    let Some(found) = &report.roofline else {
        return "<h2>Kernels</h2>\n<p>Not measured: this adapter has no timestamps.</p>\n".to_owned();
    };
    let Roofline { nodes, copy_bandwidth, launch, kernels } = found;
    let mut html = format!(
        "<h2>Kernels against their floors</h2>\n\
         <p>Median time of a dispatch, each in a pass of its own, at {} nodes. The bar marks the floor: the bytes \
         that the kernel must move by design over the copy kernel's bandwidth at this size ({} GB/s), and never \
         less than a dispatch that waits for the one before it ({}). The percentage is floor over \
         time; data that stays in caches can pass 100 %. Without a bar: no design is listed.</p>\n",
        grouped(u64::from(*nodes)),
        digits(copy_bandwidth / 1e9),
        duration(*launch)
    );
    html += &substeps(found);
    for (form, what) in [("grid", "neighbors follow from the index"), ("mesh", "stored neighbors")] {
        let kernels: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.form == form).collect();
        html += &format!("<h3>{form} form: {what}</h3>\n{}", kernels_of(&kernels));
    }
    html
}

/// Whole substeps: the time for launches, the time to move bytes, and the measured time.
fn substeps(found: &Roofline) -> String {
    let mut rows = Vec::new();
    for form in ["grid", "mesh"] {
        for solver in SolverKind::ALL {
            let own: Vec<&Kernel> =
                found.kernels.iter().filter(|k| k.form == form && k.solver == solver.name()).collect();
            let dispatches: usize = own.iter().map(|k| k.dispatches).sum();
            if dispatches == 0 {
                continue;
            }
            let sum = |of: fn(&Kernel) -> Option<f64>| -> Option<f64> {
                own.iter().map(|k| Some(of(k)? * k.dispatches as f64)).sum()
            };
            let known = |value: Option<String>| Number(value.unwrap_or_else(|| "–".to_owned()));
            let bytes = sum(|k| Some(k.bytes? as f64));
            rows.push((
                false,
                vec![
                    Text(solver.name().to_owned()),
                    Text(form.to_owned()),
                    Number(dispatches.to_string()),
                    Number(duration(dispatches as f64 * found.launch)),
                    known(bytes.map(|bytes| digits(bytes / 1e6))),
                    known(bytes.map(|bytes| duration(bytes / found.copy_bandwidth))),
                    known(sum(|k| Some(k.seconds)).map(duration)),
                ],
            ));
        }
    }
    let head =
        ["substep of", "form", "dispatches", "launching", "MB by design", "moving them", "sum of kernels"];
    let iterations = super::super::roofline::MOST_ITERATIONS;
    format!(
        "<p>A substep as a whole, of at most {iterations} iterations where the solver iterates:</p>\n{}",
        table(&head, &rows)
    )
}

/// The short name of a kernel, such as `grid/coarsen` for `methods/newton_multigrid/grid/coarsen.wgsl:coarsen`: the
/// path after the method, and the entry point if its name differs from that of the file.
fn short(kernel: &str) -> String {
    let below = kernel.strip_prefix("methods/").and_then(|path| path.split_once('/'));
    let path = below.map_or(kernel, |(_, path)| path);
    match path.split_once(".wgsl:") {
        Some((file, entry)) if file.rsplit('/').next() == Some(entry) => file.to_owned(),
        _ => path.replace(".wgsl:", " "),
    }
}

fn kernels_of(kernels: &[&Kernel]) -> String {
    let name = |kernel: &Kernel| format!("{}: {}", kernel.solver, short(&kernel.kernel));
    let both = |kernel: &&Kernel| [Some(kernel.seconds), kernel.floor];
    let times = kernels.iter().flat_map(both).flatten().map(|seconds| 1e6 * seconds);
    let dot = |kernel: &&Kernel| Dot {
        name: name(kernel),
        floor: kernel.floor.map(|floor| 1e6 * floor),
        value: 1e6 * kernel.seconds,
        title: format!("{}, {} threads", duration(kernel.seconds), grouped(kernel.threads.into())),
        style: plain(kernel.solver),
    };
    let chart = DotChart {
        title: "Time of each kernel against its floor".into(),
        x: Axis::around("time of a dispatch [µs]", times.collect::<Vec<_>>()),
        rows: kernels.iter().map(dot).collect(),
    };
    let row = |kernel: &&Kernel| {
        let known = |value: Option<String>| Number(value.unwrap_or_else(|| "–".to_owned()));
        let cells: Vec<Cell> = vec![
            Text(name(kernel)),
            Number(grouped(kernel.threads.into())),
            Number(kernel.dispatches.to_string()),
            Number(duration(kernel.seconds)),
            known(kernel.bytes.map(|bytes| digits(bytes as f64 / f64::from(kernel.threads)))),
            known(kernel.floor.map(duration)),
            known(kernel.floor.map(|floor| format!("{:.0} %", 100.0 * floor / kernel.seconds))),
        ];
        (false, cells)
    };
    let head =
        ["kernel", "threads", "dispatches a substep", "time", "bytes a thread", "floor", "floor over time"];
    let rows: Vec<_> = kernels.iter().map(row).collect();
    let table = table(&head, &rows);
    format!("<figure>{}</figure>\n<details><summary>Figures</summary>\n{table}</details>\n", chart.svg())
}

/// Throughput of batches.
pub fn batches(report: &FullReport) -> String {
    let Some(batches) = &report.batches else { return String::new() };
    let rows = batches.iter().map(|batch| {
        let cells = vec![
            Text(batch.solver.to_owned()),
            Number(grouped(batch.copies.into())),
            Number(grouped(batch.nodes.into())),
            Number(grouped(batch.together.round() as u64)),
            Number(grouped(batch.alone.round() as u64)),
            Number(format!("{:.1}", batch.ratio)),
        ];
        (false, cells)
    });
    let head = ["solver", "copies", "nodes a copy", "copies × steps a second", "one after another", "ratio"];
    let note = "<p class=\"muted\">Copies of a small cloth in the same dispatches, at default settings, against one copy \
                alone; wall time, setting up left out.</p>\n";
    format!("<h2>Batches</h2>\n{note}{}", table(&head, &rows.collect::<Vec<_>>()))
}

/// Measurements that were left out.
pub fn skipped(report: &FullReport) -> String {
    if report.skipped.is_empty() {
        return String::new();
    }
    let item = |skipped: &super::super::Skipped| {
        let line = format!("{} at {} nodes: {}", skipped.what, grouped(skipped.nodes.into()), skipped.reason);
        format!("<li>{}</li>\n", escape(&line))
    };
    let items: String = report.skipped.iter().map(item).collect();
    format!("<h2>Left out</h2>\n<ul class=\"muted\">\n{items}</ul>\n")
}
