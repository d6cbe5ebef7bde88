// Layers: parts of a surface that are near each other at rest.
//!import contact/skins.wgsl

// In spacings.
const LAYER: f32 = 3.1;

// Whether two triangles are of the same layer: of one body, with corners that are near each other at rest.
fn is_same_layer(one: vec3u, other: vec3u) -> bool {
    if (skins[one.x].body != skins[other.x].body) {
        return false;
    }
    let layer = LAYER * fabric_of(skins[one.x].body).spacing;
    for (var i = 0u; i < 3u; i += 1u) {
        for (var j = 0u; j < 3u; j += 1u) {
            let apart = skins[one[i]].rest - skins[other[j]].rest;
            if (dot(apart, apart) < layer * layer) {
                return true;
            }
        }
    }
    return false;
}
