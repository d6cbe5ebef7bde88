// How far from each other pairs are looked for.
//!import contact/skins.wgsl

const REACH: f32 = 1.5;
const MARGIN: f32 = 0.5;
// Pairs of one body count below this part of their distance at rest.
const SQUEEZED: f32 = 0.6;

// Beyond the thickness [m]; `moves`: twice how far they move against each other with their velocities.
fn reach_beyond(pair: Fabric, moves: f32) -> f32 {
    return min(REACH * pair.spacing, MARGIN * pair.spacing + moves);
}
