//! The guard against crossings in hundreds of small scenes, with every solver that is stable in them.

use crate::common::for_stable_solvers;
use crate::common::thrown::never_crosses;

#[test]
fn hundreds_of_collisions_leave_no_crossing() {
    for_stable_solvers(|solver| never_crosses(solver, 24, 5));
}
