//! The list of methods: the one place outside their own folders that names them all.
//!
//! A line has the name of the variant in [`super::SolverKind`] and that of the module, which is a folder here, a file or folder
//! in `src/reference` and, by the method's own name, a page in `docs/methods`. The order is that of menus, tables and charts.
//! `mod.rs` exports what a method's folder shows to others.

/// Hands the list to a macro.
macro_rules! for_each_method {
    ($do:ident) => {
        $do! {
            ExplicitEuler => explicit_euler,
            SymplecticEuler => symplectic_euler,
            Verlet => verlet,
            Rk4 => rk4,
            ImplicitEuler => implicit_euler,
            LocalGlobal => local_global,
            NewtonMultigrid => newton_multigrid,
            Vbd => vbd,
            SoftConstraint => soft_constraint,
            Xpbd => xpbd,
        }
    };
}

pub(crate) use for_each_method;

/// The default, as TOML has it.
pub const DEFAULT: &str = "\"newton-multigrid\"";

impl Default for super::SolverKind {
    fn default() -> Self {
        Self::NewtonMultigrid
    }
}
