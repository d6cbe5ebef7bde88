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
            // Shared files are parts; they are validated where they are imported.
            if name.starts_with("shared/") {
                continue;
            }
            let source = Source::compose(shaders::LIBRARY, name, &[(shaders::NETWORK, network), (shaders::GRID_MATERIAL, material)]).unwrap();
            let shader = Shader::new(source, &[]).unwrap_or_else(|e| panic!("{name} with {network} and {material}: {e}"));
            for entry in shader.entry_points() {
                let bindings = shader.bindings(entry).unwrap();
                let storage =
                    bindings.iter().filter(|b| b.kind != taffeta::gpu::BindingKind::Uniform).count();
                assert!(storage <= 8, "{name}:{entry} binds {storage} storage buffers; WebGPU grants 8");
            }
        }
    }
}
