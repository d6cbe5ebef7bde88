//! Scenes made by the grammar of docs/scene-file.md, most values plausible and some not.

use proptest::collection::vec;
use proptest::prelude::*;
use taffeta::scene::Scene;

use super::cases;

/// Values that no key, or few, should have.
const WILD: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "-0.0",
    "1e39",
    "-1e308",
    "1e-320",
    "4294967296",
    "0x10",
    "true",
    "\"\"",
    "\"auto\"",
    "\"é\"",
    "[]",
    "[0]",
    "[1, 2, 3]",
    "[nan, 0, 0]",
    "[[0, 0, 0, 0]]",
    "{}",
    "{ a = 1 }",
    "1979-05-27",
];

/// A key with one of its values, or a wild one.
fn key(name: &'static str, values: &'static [&'static str]) -> impl Strategy<Value = String> {
    let value = prop_oneof![12 => proptest::sample::select(values), 1 => proptest::sample::select(WILD)];
    value.prop_map(move |value| format!("{name} = {value}\n"))
}

/// Keys that may be absent.
fn some(keys: &'static [(&'static str, &'static [&'static str])]) -> impl Strategy<Value = String> {
    let each: Vec<_> =
        keys.iter().map(|&(name, values)| proptest::option::weighted(0.3, key(name, values))).collect();
    each.prop_map(|lines| lines.into_iter().flatten().collect())
}

/// Keys that are nearly always there.
fn most(keys: &'static [(&'static str, &'static [&'static str])]) -> impl Strategy<Value = String> {
    let each: Vec<_> =
        keys.iter().map(|&(name, values)| proptest::option::weighted(0.98, key(name, values))).collect();
    each.prop_map(|lines| lines.into_iter().flatten().collect())
}

const POINTS: &[&str] =
    &["[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0.5]", "[0, -2, 0]", "[1e6, 0, 0]", "[1e-9, 0, 0]"];
const SIZES: &[&str] = &["1", "0.5", "0.01", "100", "1e-6"];
const STIFFNESSES: &[&str] = &["1", "1000", "1e6", "1e12", "inf", "0.001"];
const FABRICS: &[&str] = &[
    "{ density = 0.2, tensile = 1000 }",
    "{ density = 0.2, tensile = 1000, shear = 0, bending = 1e-5 }",
    "{ density = 1e-9, tensile = 1e12, shear = 1e3, damping-time = 1 }",
    "{ density = 0.2, tensile = inf, strain-limit = 0.01 }",
    "{ density = 0.2, tensile = 10, strain-limit = 1e-5, flexion = 1 }",
];
const PATHS: &[&str] =
    &["[[0, 0, 0, 0], [1, 1, 0, 0]]", "[[0, 0, 0, 0], [0.5, 0, 0, 0], [0.5, 1, 0, 0]]", "[[-1, 0, 0, 0]]"];
const SELECTIONS: &[(&str, &[&str])] = &[
    ("nodes", &["[0]", "[0, 1, 2]", "[99]", "[1, 1]"]),
    ("corner", &["\"top-left\"", "\"bottom-right\""]),
    ("edge", &["\"top\"", "\"left\""]),
    ("end", &["\"start\"", "\"end\""]),
    ("box", &["[[-1, -1, -1], [1, 1, 1]]", "[[1, 1, 1], [0, 0, 0]]"]),
    ("nearest", POINTS),
    ("patch", SIZES),
    ("path", PATHS),
    ("stiffness", STIFFNESSES),
    ("force", &["[0, 1, 0]", "[[0, 1, 0, 0], [1, 0, 0, 0]]"]),
    ("pressure", &["1", "1e5", "-10"]),
];

fn shape() -> impl Strategy<Value = String> {
    prop_oneof![
        most(&[
            ("shape", &["\"rope\""]),
            ("start", POINTS),
            ("end", POINTS),
            ("nodes", &["2", "3", "20"]),
            ("node-mass", SIZES),
            ("structural", STIFFNESSES),
        ]),
        most(&[
            ("shape", &["\"rope\""]),
            ("start", POINTS),
            ("end", POINTS),
            ("nodes", &["2", "3", "20"]),
            ("line-density", SIZES),
            ("axial-stiffness", STIFFNESSES),
            ("strain-limit", &["0.01", "1"]),
        ]),
        most(&[
            ("shape", &["\"cloth\""]),
            ("corner", POINTS),
            ("u", &["[1, 0, 0]", "[0.1, 0.1, 0]"]),
            ("v", &["[0, 0, 1]", "[0, -1, 0]"]),
            ("columns", &["2", "3", "9"]),
            ("rows", &["2", "3", "9"]),
            ("fabric", FABRICS),
        ]),
        most(&[
            ("shape", &["\"disc\"", "\"sphere\""]),
            ("center", POINTS),
            ("radius", SIZES),
            ("spacing", &["0.1", "0.3", "1"]),
            ("fabric", FABRICS),
        ]),
        most(&[
            ("shape", &["\"lattice\""]),
            ("corner", POINTS),
            ("u", &["[1, 0, 0]"]),
            ("v", &["[0, 1, 0]", "[0, 0.5, 0]"]),
            ("w", &["[0, 0, 1]"]),
            ("cells", &["[1, 1, 1]", "[2, 3, 2]"]),
            (
                "solid",
                &["{ density = 100, young = 1e4 }", "{ density = 1e-3, young = 1e12, damping-time = 0.1 }"]
            ),
        ]),
        most(&[
            ("shape", &["\"text\""]),
            ("text", &["\"a\"", "\"A b\"", "\"\\n\"", "\"π\""]),
            ("size", SIZES),
            ("nodes", &["30", "100", "1000"]),
            ("fabric", FABRICS),
        ]),
        most(&[
            ("shape", &["\"mesh\"", "\"network\""]),
            ("file", &["\"none.obj\"", "\"/dev/null\"", "\"..\""])
        ]),
    ]
}

fn body() -> impl Strategy<Value = String> {
    let more = some(&[
        ("velocity", POINTS),
        ("perturb", &["{ amplitude = 1e-3, seed = 1 }", "{ amplitude = 1 }"]),
        ("name", &["\"a\"", "\"b\""]),
    ]);
    let parts = vec((proptest::sample::select(&["pin", "handle", "force"][..]), some(SELECTIONS)), 0..3);
    (shape(), more, parts).prop_map(|(shape, more, parts)| {
        let parts: String =
            parts.into_iter().map(|(what, keys)| format!("[[body.{what}]]\n{keys}")).collect();
        format!("[[body]]\n{shape}{more}{parts}")
    })
}

fn scene() -> impl Strategy<Value = String> {
    let simulation = some(&[
        (
            "solver",
            &[
                "\"verlet\"",
                "\"symplectic-euler\"",
                "\"explicit-euler\"",
                "\"newton-multigrid\"",
                "\"local-global\"",
                "\"vbd\"",
                "\"implicit-euler\"",
                "\"soft-constraint\"",
                "\"xpbd\"",
            ],
        ),
        ("substeps", &["1", "10", "\"auto\"", "100000"]),
        ("iterations", &["1", "4", "\"auto\""]),
        ("tolerance", &["0.1", "1e-3"]),
        ("frame-time", &["0.01", "1", "1e-6"]),
        ("form", &["\"auto\"", "\"grid\"", "\"mesh\""]),
        ("seconds", SIZES),
        ("planar", &["true", "false"]),
        ("force", &["true"]),
        ("cg-steps", &["0", "2"]),
        ("sweeps", &["1", "8"]),
        ("linear-solver", &["\"jacobi\"", "\"conjugate-gradients\"", "\"gauss-seidel\""]),
        ("relaxation", &["1", "1.5"]),
    ]);
    let world = some(&[
        ("gravity", POINTS),
        ("wind", POINTS),
        ("air", &["{ density = 1.2 }", "{ density = 1.2, normal = 100, tangential = 1 }"]),
        ("damping", SIZES),
        ("node-damping", SIZES),
        ("drag", SIZES),
    ]);
    let collider = most(&[
        ("shape", &["\"sphere\""]),
        ("center", POINTS),
        ("radius", SIZES),
        ("friction", &["0", "0.5"]),
    ]);
    let attach = most(&[
        ("body", &["\"a\"", "\"rope\""]),
        ("to", &["\"b\"", "\"cloth\""]),
        ("nodes", &["[0]"]),
        ("stiffness", STIFFNESSES),
    ]);
    (simulation, world, vec(collider, 0..2), vec(body(), 1..3), proptest::option::weighted(0.2, attach))
        .prop_map(|(simulation, world, colliders, bodies, attach)| {
            let colliders: String = colliders.iter().map(|keys| format!("[[collider]]\n{keys}")).collect();
            let attach = attach.map_or(String::new(), |keys| format!("[[attach]]\n{keys}"));
            format!("[simulation]\n{simulation}[world]\n{world}{colliders}{}{attach}", bodies.concat())
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scene_is_refused_at_a_line_or_builds(text in scene()) {
        if let Err(error) = Scene::parse(&text, "nowhere/s.toml") {
            let error = error.to_string();
            let line = error.strip_prefix("nowhere/s.toml:").and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
            prop_assert!(line.is_some_and(|line| (1..=text.lines().count()).contains(&line)), "{} of\n{}", error, text);
        }
        cases::scene(text.as_bytes());
    }
}
