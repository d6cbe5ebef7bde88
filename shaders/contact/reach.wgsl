// How far from each other pairs are looked for.
//!import contact/skins.wgsl

const REACH: f32 = 1.5;
const MARGIN: f32 = 0.5;
// Pairs of one body count below this part of their distance at rest.
const SQUEEZED: f32 = 0.6;

// Pairs of one body that are nearer at rest, in spacings and in thicknesses, are neighbors.
const NEIGHBORS: f32 = 1.9;
const NEAR_NEIGHBORS: f32 = 1.5;

// The thickness of a pair of one body, `rest` its distance at rest [m]. That of neighbors is half of it at most: it keeps cells from being
// sheared flat.
fn thickness_within(fabric: Fabric, rest: f32) -> f32 {
    let is_neighbor = rest < max(NEIGHBORS * fabric.spacing, NEAR_NEIGHBORS * fabric.thickness);
    return select(fabric.thickness, min(fabric.thickness, 0.5 * rest), is_neighbor);
}

// Beyond the thickness [m]; `moves`: twice how far they move against each other with their velocities.
fn reach_beyond(pair: Fabric, moves: f32) -> f32 {
    return min(REACH * pair.spacing, MARGIN * pair.spacing + moves);
}
