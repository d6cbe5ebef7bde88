// Where no spring has a multiplier. Same function as newton_keep_multipliers.wgsl.
//!import shared/newton_nodes.wgsl

fn keep_multipliers(row: Row, slot: u32, multipliers: vec4f) {}
