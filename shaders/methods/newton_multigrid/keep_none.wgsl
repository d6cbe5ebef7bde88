// Stores nothing: no spring has a multiplier. Same function as newton_multigrid/keep_multipliers.wgsl.
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/nodes.wgsl

fn keep_multiplier(row: Row, slot: u32, multiplier: f32) {}
