//! Every shader composes and validates in both forms of the network, without a GPU.

use taffeta::gpu::{Shader, Source};
use taffeta::shaders;

#[test]
fn every_file_composes_and_validates() {
    for (name, _) in shaders::LIBRARY {
        for (network, material) in [
            (shaders::NETWORK_GRID, shaders::GRID_MATERIAL_ONE),
            (shaders::NETWORK_GRID, shaders::GRID_MATERIAL_COPIES),
            (shaders::NETWORK_MESH, shaders::GRID_MATERIAL_ONE),
        ] {
            // Shared files are parts; they are validated where they are imported. Grid levels are those of a grid.
            let has_form = network == shaders::NETWORK_GRID || !name.starts_with("solvers/grid_");
            if name.starts_with("shared/") || !has_form {
                continue;
            }
            // The kernels of grid levels exist for several finer levels; one kernel adds to what others read.
            let finer: &[shaders::Forms] = match *name {
                "forces/contact.wgsl" => &[shaders::APPLIED_OUT],
                "solvers/grid_tail.wgsl" => &[shaders::GRID_TAIL],
                "solvers/grid_coarsen.wgsl" => &[shaders::GRID_FROM_CLOTH, shaders::GRID_FROM_LEVEL],
                _ => &[shaders::GRID_FROM_LEVEL],
            };
            let (imported, files): (&str, &[&str]) = match *name {
                "solvers/newton_multigrid.wgsl" => {
                    (shaders::NEWTON_STEP, &[shaders::NEWTON_STEP_CYCLE, shaders::NEWTON_STEP_CG])
                }
                "solvers/linear_sums.wgsl" => {
                    (shaders::LINEAR_TERMS, &[shaders::LINEAR_TERMS_NODES, shaders::LINEAR_TERMS_SPRINGS])
                }
                _ => (shaders::SPRING_BLOCK, &[shaders::SPRING_BLOCK_NEWTON, shaders::SPRING_BLOCK_CONSTANT]),
            };
            let keeps = match *name {
                "solvers/newton_multigrid_gradient.wgsl" => {
                    &[shaders::NEWTON_READS, shaders::NEWTON_KEEPS][..]
                }
                _ => &[shaders::NEWTON_READS],
            };
            let variants = finer.iter().flat_map(|finer| files.iter().map(move |file| (finer, *file)));
            for ((finer, file), keeps) in variants.flat_map(|v| keeps.iter().map(move |keeps| (v, *keeps))) {
                let own = [(shaders::NETWORK, network), (shaders::GRID_MATERIAL, material), (imported, file)];
                let source =
                    Source::compose(shaders::LIBRARY, name, &[&own, *finer, keeps].concat()).unwrap();
                check(&source, &format!("{name} with {network}, {material} and {file}"));
            }
        }
    }
}

/// It validates, and each entry point keeps to the storage buffers that WebGPU grants.
fn check(source: &Source, name: &str) {
    let shader = Shader::new(source.clone(), &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
    for entry in shader.entry_points() {
        let bindings = shader.bindings(entry).unwrap();
        let storage = bindings.iter().filter(|b| b.kind != taffeta::gpu::BindingKind::Uniform).count();
        assert!(storage <= 8, "{name}:{entry} binds {storage} storage buffers; WebGPU grants 8");
    }
}

#[test]
fn what_copies_may_have_of_their_own_is_read_through_surroundings() {
    let own = ["gravity", "wind", "damping", "node_damping", "air_normal", "air_tangential", "drag_factor"];
    for (name, text) in shaders::LIBRARY.iter().filter(|file| file.0 != "shared/surroundings.wgsl") {
        for (line, code) in (1..).zip(text.lines()) {
            let read = own.iter().find(|field| code.contains(&format!("world.{field}")));
            assert!(read.is_none(), "{name}:{line} reads world.{} of all copies", read.unwrap());
        }
    }
}
