//! The embedded WGSL files.

use crate::gpu::Library;

macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../shaders/", $name)))),*] };
}

/// Every file under `shaders/`.
pub const LIBRARY: &Library = files![
    "forces/clock.wgsl",
    "forces/contact.wgsl",
    "forces/external.wgsl",
    "forces/handles.wgsl",
    "forces/loads.wgsl",
    "forces/pins.wgsl",
    "forces/user.wgsl",
    "measure/floors.wgsl",
    "measure/stretch.wgsl",
    "render/backdrop.wgsl",
    "render/body.wgsl",
    "render/cast.wgsl",
    "render/cast_lines.wgsl",
    "render/cloth.wgsl",
    "render/grid.wgsl",
    "render/ground.wgsl",
    "render/light.wgsl",
    "render/lines.wgsl",
    "render/measure.wgsl",
    "render/nodes.wgsl",
    "render/normals.wgsl",
    "render/shade.wgsl",
    "render/sheet.wgsl",
    "render/sky.wgsl",
    "render/sky_map.wgsl",
    "render/solid.wgsl",
    "render/solids.wgsl",
    "render/view.wgsl",
    "render/visibility.wgsl",
    "render/weave.wgsl",
    "shared/air.wgsl",
    "shared/anchor.wgsl",
    "shared/applied.wgsl",
    "shared/applied_in.wgsl",
    "shared/applied_out.wgsl",
    "shared/collider.wgsl",
    "shared/constraint_ends.wgsl",
    "shared/contact.wgsl",
    "shared/copies.wgsl",
    "shared/dense.wgsl",
    "shared/drag.wgsl",
    "shared/explicit.wgsl",
    "shared/friction.wgsl",
    "shared/grid_bending.wgsl",
    "shared/grid_coarse_correction_stored.wgsl",
    "shared/grid_coarsen.wgsl",
    "shared/grid_coarsest.wgsl",
    "shared/grid_finer_cloth.wgsl",
    "shared/grid_finer_level.wgsl",
    "shared/grid_interpolate.wgsl",
    "shared/grid_levels.wgsl",
    "shared/grid_material_copies.wgsl",
    "shared/grid_material_one.wgsl",
    "shared/grid_smooth.wgsl",
    "shared/group_sum.wgsl",
    "shared/guard.wgsl",
    "shared/inertial.wgsl",
    "shared/launch.wgsl",
    "shared/linear.wgsl",
    "shared/linear_control.wgsl",
    "shared/linear_product.wgsl",
    "shared/linear_term.wgsl",
    "shared/linear_terms_nodes.wgsl",
    "shared/linear_terms_springs.wgsl",
    "shared/math.wgsl",
    "shared/moment.wgsl",
    "shared/monitor.wgsl",
    "shared/moves.wgsl",
    "shared/multigrid.wgsl",
    "shared/network_coarsen.wgsl",
    "shared/network_grid.wgsl",
    "shared/network_levels.wgsl",
    "shared/network_mesh.wgsl",
    "shared/network_smooth.wgsl",
    "shared/newton.wgsl",
    "shared/newton_anchor_read.wgsl",
    "shared/newton_anchor_write.wgsl",
    "shared/newton_keep_multipliers.wgsl",
    "shared/newton_keep_none.wgsl",
    "shared/newton_nodes.wgsl",
    "shared/newton_product.wgsl",
    "shared/newton_step_cg.wgsl",
    "shared/newton_step_cycle.wgsl",
    "shared/newton_work.wgsl",
    "shared/soft_constraint.wgsl",
    "shared/spring.wgsl",
    "shared/spring_block_constant.wgsl",
    "shared/spring_block_newton.wgsl",
    "shared/substep_ends.wgsl",
    "shared/surface.wgsl",
    "shared/surroundings.wgsl",
    "shared/user_force.wgsl",
    "shared/world.wgsl",
    "shared/xpbd.wgsl",
    "solvers/explicit_euler.wgsl",
    "solvers/grid_coarsen.wgsl",
    "solvers/grid_levels.wgsl",
    "solvers/grid_prolong.wgsl",
    "solvers/grid_tail.wgsl",
    "solvers/implicit_euler.wgsl",
    "solvers/linear.wgsl",
    "solvers/linear_sums.wgsl",
    "solvers/local_global.wgsl",
    "solvers/local_global_ends.wgsl",
    "solvers/local_global_system.wgsl",
    "solvers/network_coarsen.wgsl",
    "solvers/network_coarsen_first.wgsl",
    "solvers/network_levels.wgsl",
    "solvers/network_tail.wgsl",
    "solvers/newton_multigrid.wgsl",
    "solvers/newton_multigrid_cg.wgsl",
    "solvers/newton_multigrid_dots.wgsl",
    "solvers/newton_multigrid_ends.wgsl",
    "solvers/newton_multigrid_gradient.wgsl",
    "solvers/newton_multigrid_error.wgsl",
    "solvers/newton_multigrid_start.wgsl",
    "solvers/soft_constraint.wgsl",
    "solvers/soft_constraint_ends.wgsl",
    "solvers/symplectic_euler.wgsl",
    "solvers/vbd.wgsl",
    "solvers/verlet.wgsl",
    "solvers/xpbd.wgsl",
    "solvers/xpbd_ends.wgsl",
    "solvers/xpbd_springs.wgsl",
];

/// Imported names, and the files that stand for them.
pub type Forms = &'static [(&'static str, &'static str)];

/// What acts on nodes beside springs, for the kernel that adds to it.
pub const APPLIED_OUT: Forms = &[("shared/applied_in.wgsl", "shared/applied_out.wgsl")];
/// A coarse grid level made from the cloth itself.
pub const GRID_FROM_CLOTH: Forms = &[("shared/grid_finer.wgsl", "shared/grid_finer_cloth.wgsl")];
/// A coarse grid level made from a finer one; a correction is interpolated from storage where it is needed.
pub const GRID_FROM_LEVEL: Forms = &[
    ("shared/grid_finer.wgsl", "shared/grid_finer_level.wgsl"),
    ("shared/grid_correction.wgsl", "solvers/grid_levels.wgsl"),
    ("shared/grid_coarse_correction.wgsl", "shared/grid_coarse_correction_stored.wgsl"),
];
/// The small grid levels in one workgroup, which keeps corrections itself.
pub const GRID_TAIL: Forms = &[
    ("shared/grid_finer.wgsl", "shared/grid_finer_level.wgsl"),
    ("shared/grid_correction.wgsl", "solvers/grid_tail.wgsl"),
    ("shared/grid_coarse_correction.wgsl", "solvers/grid_tail.wgsl"),
];

/// Stands for what an iteration of newton-multigrid steps by in `//!import` lines.
pub const NEWTON_STEP: &str = "shared/newton_step.wgsl";
/// One cycle.
pub const NEWTON_STEP_CYCLE: &str = "shared/newton_step_cycle.wgsl";
/// What conjugate gradients came to.
pub const NEWTON_STEP_CG: &str = "shared/newton_step_cg.wgsl";

/// Multipliers of newton-multigrid, in kernels that only read them, if there are any.
pub const NEWTON_READS: Forms = &[
    ("shared/newton_anchor.wgsl", "shared/newton_anchor_read.wgsl"),
    ("shared/newton_keep.wgsl", "shared/newton_keep_none.wgsl"),
];
/// In the kernel that goes on with them.
pub const NEWTON_KEEPS: Forms = &[
    ("shared/newton_anchor.wgsl", "shared/newton_anchor_write.wgsl"),
    ("shared/newton_keep.wgsl", "shared/newton_keep_multipliers.wgsl"),
];

/// Stands for what a spring puts into the matrix of a linear system in `//!import` lines.
pub const SPRING_BLOCK: &str = "shared/spring_block.wgsl";
/// The derivative of its force.
pub const SPRING_BLOCK_NEWTON: &str = "shared/spring_block_newton.wgsl";
/// Its stiffness in all directions.
pub const SPRING_BLOCK_CONSTANT: &str = "shared/spring_block_constant.wgsl";

/// Stands for what a node adds to the sums of a linear system in `//!import` lines.
pub const LINEAR_TERMS: &str = "shared/linear_terms.wgsl";
/// Of a system over nodes.
pub const LINEAR_TERMS_NODES: &str = "shared/linear_terms_nodes.wgsl";
/// Of a system over springs.
pub const LINEAR_TERMS_SPRINGS: &str = "shared/linear_terms_springs.wgsl";

/// Stands for one of the two forms of the network in `//!import` lines.
pub const NETWORK: &str = "shared/network.wgsl";
/// Neighbours follow from the index.
pub const NETWORK_GRID: &str = "shared/network_grid.wgsl";
/// Neighbours are stored.
pub const NETWORK_MESH: &str = "shared/network_mesh.wgsl";

/// Stands for one of the two sources of a grid's material in `//!import` lines.
pub const GRID_MATERIAL: &str = "shared/grid_material.wgsl";
/// The same all over the grid.
pub const GRID_MATERIAL_ONE: &str = "shared/grid_material_one.wgsl";
/// Of each copy of a batch.
pub const GRID_MATERIAL_COPIES: &str = "shared/grid_material_copies.wgsl";
