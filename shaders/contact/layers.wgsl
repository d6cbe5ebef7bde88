// Layers: parts of a surface that are near each other at rest.
//!import contact/skins.wgsl

// In spacings.
const LAYER: f32 = 3.1;

// A triangle at rest.
struct Layer {
    a: vec3f,       // [m]
    b: vec3f,
    c: vec3f,
    body: u32,
}

fn layer_of(triangle: vec3u) -> Layer {
    return Layer(skins[triangle.x].rest, skins[triangle.y].rest, skins[triangle.z].rest, skins[triangle.x].body);
}

// Whether two triangles are of the same layer: of one body, with corners that are near each other at rest.
fn are_same_layer(one: Layer, other: Layer) -> bool {
    let reach = LAYER * fabric_of(one.body).spacing;
    let nearest = min(min(nearest_corner(one, other.a), nearest_corner(one, other.b)), nearest_corner(one, other.c));
    return one.body == other.body && nearest < reach * reach;
}

// The square of its distance from a place.
fn nearest_corner(layer: Layer, place: vec3f) -> f32 {
    let a = layer.a - place;
    let b = layer.b - place;
    let c = layer.c - place;
    return min(min(dot(a, a), dot(b, b)), dot(c, c));
}
