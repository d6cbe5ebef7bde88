//! Every shader composes and validates in both forms of the network, without a GPU.

use taffeta::gpu::{Shader, Source};
use taffeta::shaders;

#[test]
fn every_file_composes_and_validates() {
    for (name, _) in shaders::LIBRARY {
        for network in [shaders::NETWORK_GRID, shaders::NETWORK_MESH] {
            // Shared files are parts; they are validated where they are imported.
            if name.starts_with("shared/") {
                continue;
            }
            let source = Source::compose(shaders::LIBRARY, name, &[(shaders::NETWORK, network)]).unwrap();
            let shader = Shader::new(source, &[]).unwrap_or_else(|e| panic!("{name} with {network}: {e}"));
            for entry in shader.entry_points() {
                let bindings = shader.bindings(entry).unwrap();
                let storage =
                    bindings.iter().filter(|b| b.kind != taffeta::gpu::BindingKind::Uniform).count();
                assert!(storage <= 8, "{name}:{entry} binds {storage} storage buffers; WebGPU grants 8");
            }
        }
    }
}
