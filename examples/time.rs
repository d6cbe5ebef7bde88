use glam::Vec3;
use taffeta::gpu::*;
use taffeta::settings::*;
use taffeta::shape::*;
use taffeta::*;
fn main() {
    let n: u32 = std::env::args().nth(1).map(|s| s.parse().unwrap()).unwrap_or(316);
    let t = std::time::Instant::now();
    let body = Cloth {
        corner: Vec3::ZERO,
        u: Vec3::X,
        v: Vec3::NEG_Y,
        columns: n,
        rows: n,
        material: ClothMaterial::Raw(RawCloth {
            structural: 10.,
            shear: 5.,
            flexion: 1.,
            node_mass: 0.2 / (n * n) as f32,
            dashpot: 0.,
        }),
    }
    .build()
    .unwrap();
    let mut b = model::ModelBuilder::new();
    b.add(body);
    let m = b.build().unwrap();
    println!("model {:?}", t.elapsed());
    for checks in [true, false] {
        let gpu = Gpu::open(&GpuOptions {
            bounds_checks: checks,
            requirements: Requirements::buffer(500 << 20),
            ..Default::default()
        })
        .unwrap();
        for form in [Form::Grid, Form::Mesh] {
            for solver in [SolverKind::SymplecticEuler, SolverKind::LocalGlobal] {
                let t = std::time::Instant::now();
                let s = Settings {
                    solver,
                    form,
                    substeps: Substeps::Fixed(if solver == SolverKind::LocalGlobal { 1 } else { 60 }),
                    iterations: 60,
                    force: true,
                    chebyshev: Chebyshev::Off,
                    ..Settings::default()
                };
                let mut sim = Simulation::new(&gpu, &m, &s).unwrap();
                gpu.wait().unwrap();
                let b = t.elapsed();
                sim.step().unwrap();
                gpu.wait().unwrap();
                let t = std::time::Instant::now();
                for _ in 0..3 {
                    sim.step().unwrap();
                }
                gpu.wait().unwrap();
                println!("checks {checks} {form:?} {solver}: build {b:?}, {:?} per pass", t.elapsed() / 180);
            }
        }
    }
}
