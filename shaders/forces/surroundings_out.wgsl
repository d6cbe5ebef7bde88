// The surroundings of a node for kernels that write `applied`, which they declare as `applied_out`. All other kernels have
// those of applied.wgsl.
//!import state/surroundings.wgsl

fn surroundings(i: u32) -> Surroundings {
    if (!OWN_SURROUNDINGS) {
        return surroundings_of_all();
    }
    let at = surroundings_at(i);
    return surroundings_from(applied_out[at], applied_out[at + 1u], applied_out[at + 2u]);
}
