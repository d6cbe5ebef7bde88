// What contact knows of nodes and of the surfaces of bodies.
//!import state/world.wgsl

// A node: where it is at rest [m], and bits of the body that it belongs to, or NO_BODY where it is no corner of a triangle.
struct Skin {
    rest: vec3f,
    body: u32,
}

const NO_BODY: u32 = 0xffffffffu;

// Of all nodes; behind them two entries for each body, the words of its Fabric.
@group(2) @binding(10) var<storage, read> skins: array<Skin>;

// What a body's surface is like.
struct Fabric {
    thickness: f32,     // [m]
    stiffness: f32,     // kappa: half of what the springs of a node add up to [N/m]
    friction: f32,      // [1]
    spacing: f32,       // s, of its nodes [m]
    onset: f32,         // the part of the thickness over which force begins [1]
    fixed: f32,         // stiffness of a pair, or 0 where it follows from kappa [N/m]
}

// Stiffness of a pair as a part of that of the cloth [N/m].
const PART_OF_CLOTH: f32 = 0.1;

fn stiffness_between(pair: Fabric) -> f32 {
    return select(PART_OF_CLOTH * pair.stiffness, pair.fixed, pair.fixed > 0.0);
}

// Of a pair of bodies.
fn paired(a: Fabric, b: Fabric) -> Fabric {
    let k = 2.0 * a.stiffness * b.stiffness / max(a.stiffness + b.stiffness, 1e-30);
    return Fabric(
        0.5 * (a.thickness + b.thickness),
        k,
        sqrt(a.friction * b.friction),
        max(a.spacing, b.spacing),
        0.5 * (a.onset + b.onset),
        max(a.fixed, b.fixed),
    );
}

fn fabric_of(body: u32) -> Fabric {
    let a = skins[world.node_count + 2u * body];
    let b = skins[world.node_count + 2u * body + 1u];
    return Fabric(a.rest.x, a.rest.y, a.rest.z, bitcast<f32>(a.body), b.rest.x, b.rest.y);
}
