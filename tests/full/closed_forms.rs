//! Closed forms: the period of one spring, the links of a hanging rope, the catenary, the edge-held sheet.

use crate::common::{for_stable_solvers, gpu, model, plain, plain_of, run};
use glam::Vec3;
use taffeta::model::{Body, Family, Model, Spring};
use taffeta::settings::{
    DAMPING, FORCE, FRAME_TIME, GRAVITY, ITERATIONS, Iterations, SUBSTEPS, SolverKind, Substeps,
};
use taffeta::shape::{AxialStiffness, Cloth, ClothMaterial, Damping, Fabric, Flexion, Rope, RopeMass};
use taffeta::{Simulation, State};

/// A unit mass on a spring of stiffness k, stretched by 1 cm along its length of 1 m; no gravity.
fn oscillator(k: f32) -> Model {
    model(Body {
        name: "oscillator".into(),
        rest_position: vec![Vec3::ZERO, Vec3::X],
        position: Some(vec![Vec3::ZERO, Vec3::X * 1.01]),
        mass: vec![1.0, 1.0],
        pinned: vec![0],
        springs: vec![Spring {
            nodes: [0, 1],
            rest_length: 1.0,
            stiffness: k,
            dashpot: 0.0,
            family: Family::Structural,
        }],
        ..Body::default()
    })
}

/// Times at which x - 1 crosses zero, by linear interpolation between frames.
fn crossings(simulation: &mut Simulation, count: usize) -> Vec<f64> {
    let mut times = Vec::new();
    let read = |s: &Simulation| f64::from(s.state().unwrap().position[1].x) - 1.0;
    let mut before = read(simulation);
    while times.len() < count {
        let t = simulation.time();
        simulation.step().unwrap();
        let now = read(simulation);
        if before * now < 0.0 {
            times.push(t + (simulation.time() - t) * before / (before - now));
        }
        before = now;
    }
    times
}

#[test]
fn one_spring_has_the_period_of_its_method() {
    // x_{n+1} - 2 x_n + x_{n-1} = -h^2 w^2 x_n: symplectic Euler and Verlet turn by 2 asin(h w / 2) a step;
    // explicit Euler's eigenvalue 1 + i h w and implicit Euler's 1 / (1 - i h w) by atan(h w).
    let gpu = gpu();
    let (k, h) = (400.0f32, 0.01f32);
    let angle = f64::from(h) * f64::from(k).sqrt();
    for solver in SolverKind::ALL {
        let settings = plain_of(solver)
            .with(GRAVITY, Vec3::ZERO)
            .with(FRAME_TIME, h)
            .with(SUBSTEPS, Substeps::Fixed(1))
            .with(ITERATIONS, Iterations::Fixed(30))
            .with(FORCE, true);
        // By name: a method that is taken out of the list leaves its line here without effect.
        let turn = match solver.name() {
            "symplectic-euler" | "verlet" => 2.0 * (angle / 2.0).asin(),
            // Of fourth order, (h w)^4 / 120: too little to show in this step. `src/reference/rk4.rs` has a test of it.
            "rk4" => angle,
            "explicit-euler" | "implicit-euler" | "local-global" | "newton-multigrid" | "vbd" | "xpbd" => {
                angle.atan()
            }
            // v+ (1 + s / 2) = v - h w^2 x with s = (h w)^2: trace (2 - s / 2) / (1 + s / 2), determinant 1 / (1 + s / 2).
            "soft-constraint" => {
                let s = angle * angle;
                ((1.0 - s / 4.0) / (1.0 + s / 2.0).sqrt()).acos()
            }
            name => panic!("what is the period of {name}?"),
        };
        let mut simulation = Simulation::new(&gpu, &oscillator(k), &settings).unwrap();
        let times = crossings(&mut simulation, 9);
        let period = (times[8] - times[0]) / 4.0;
        let wanted = std::f64::consts::TAU / turn * f64::from(h);
        assert!((period / wanted - 1.0).abs() < 2e-3, "{solver}: period {period} s instead of {wanted} s");
        let exact = std::f64::consts::TAU / f64::from(k).sqrt();
        let shift = wanted / exact - 1.0;
        assert!(shift.abs() > 1e-3 || solver.name() == "rk4", "the shift of {shift} would not show");
    }
}

fn hanging_rope(nodes: u32, end: Vec3) -> Rope {
    Rope {
        start: Vec3::ZERO,
        end,
        nodes,
        mass: RopeMass::LineDensity(0.1),
        stiffness: AxialStiffness::Axial(50.0),
        flexion: Flexion::None,
        damping: Damping::NONE,
    }
}

/// Damped to rest.
fn settled(model: &Model, solver: SolverKind, seconds: u32) -> State {
    let iterations = match solver {
        SolverKind::NewtonMultigrid => Iterations::Own,
        // Of each of its twenty substeps.
        SolverKind::Xpbd => Iterations::Fixed(20),
        _ => Iterations::Fixed(400),
    };
    let settings = plain_of(solver).with(DAMPING, 6.0).with(ITERATIONS, iterations);
    run(&gpu(), model, &settings, 60 * seconds)
}

#[test]
fn each_link_of_a_hanging_rope_carries_what_hangs_below_it() {
    for_stable_solvers(|solver| {
        let mut body = hanging_rope(21, Vec3::NEG_Y).build().unwrap();
        body.pinned = vec![0];
        let model = model(body);
        // The slowest motion, along the rope, dies away as exp(-3 t).
        let state = settled(&model, solver, 4);
        for (s, spring) in model.springs().iter().enumerate() {
            let [a, b] = spring.nodes.map(|n| state.position[n as usize]);
            let below: f32 = model.mass()[spring.nodes[1] as usize..].iter().sum();
            let wanted = below * 9.81 / spring.stiffness;
            let stretch = a.distance(b) - spring.rest_length;
            // Positions of size 1 hold 1e-7 m; the stretch of the lowest link is 5e-5 m.
            let slack = 2e-3 * wanted + 1e-6;
            assert!(
                (stretch - wanted).abs() < slack,
                "{solver}, link {s}: {stretch} m instead of {wanted} m"
            );
        }
    });
}

#[test]
fn a_rope_between_two_pins_hangs_as_a_catenary() {
    // An all but inextensible rope of length 1.2 m over a span of 1 m: y = a cosh(x / a), 2 a sinh(1 / 2a) = 1.2.
    let (mut low, mut high) = (0.1f64, 10.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (0.5 / a).sinh() > 1.2 { low = a } else { high = a }
    }
    let a = 0.5 * (low + high);
    let sag = a * ((0.5 / a).cosh() - 1.0);
    let error = |nodes: u32| {
        let mut rope = hanging_rope(nodes, Vec3::X * 1.2);
        rope.stiffness = AxialStiffness::Axial(10_000.0);
        let mut body = rope.build().unwrap();
        body.pinned = vec![0, nodes - 1];
        // Begins as a triangle with both ends on the pins, every link at its rest length.
        let half = (nodes - 1) as f32 / 2.0;
        let drop = (0.36f32 - 0.25).sqrt();
        let bent = |i: u32| {
            let s = i as f32 / half;
            Vec3::new(0.5 * s, -drop * if s < 1.0 { s } else { 2.0 - s }, 0.0)
        };
        body.position = Some((0..nodes).map(bent).collect());
        let state = settled(&model(body), SolverKind::SymplecticEuler, 6);
        let lowest = state.position.iter().map(|p| p.y).fold(0.0, f32::min);
        (f64::from(-lowest) / sag - 1.0).abs()
    };
    let (coarse, fine) = (error(9), error(33));
    assert!(fine < 2e-3, "sag {fine:.2e} off the catenary");
    assert!(coarse > 3.0 * fine, "no convergence: {coarse:.2e} at 9 nodes, {fine:.2e} at 33");
}

#[test]
fn a_sheet_held_along_an_edge_stretches_as_its_fabric_says_at_every_resolution() {
    let (density, tensile) = (0.2f32, 200.0f32);
    let wanted = density * 9.81 / (2.0 * tensile);
    let extension = |n: u32| {
        let cloth = Cloth {
            corner: Vec3::ZERO,
            u: Vec3::X,
            v: Vec3::NEG_Y,
            columns: n,
            rows: n,
            material: ClothMaterial::Fabric(Fabric {
                density,
                tensile,
                shear: 40.0,
                flexion: 2.0,
                bending: 0.0,
                damping_time: 0.0,
            }),
        };
        let mut body = cloth.build().unwrap();
        body.pinned = (0..n).collect();
        let model = model(body);
        let settings = plain().with(DAMPING, 3.0);
        let state = run(&gpu(), &model, &settings, 60);
        let last = &state.position[(n * (n - 1)) as usize..];
        last.iter().map(|p| -p.y - 1.0).sum::<f32>() / n as f32
    };
    let found: Vec<f32> = [16, 32, 64].into_iter().map(extension).collect();
    for e in &found {
        assert!((e / wanted - 1.0).abs() < 0.03, "{found:?} m, {wanted} m expected");
        assert!((e / found[0] - 1.0).abs() < 0.02, "{found:?} m differ");
    }
}
