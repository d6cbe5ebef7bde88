// Where no spring has a multiplier. Same function as newton_keep_multipliers.wgsl.
//!import shared/newton_nodes.wgsl

fn keep_multiplier(row: Row, slot: u32, multiplier: f32) {}
