// The rows of `applied`, node_count entries each. Row 0: pulls of handles, (mean target, sum K). Rows 1 to 3: air, colliders,
// loads and the user's force, f = push - B v. After the rows: the surroundings of each copy, if copies differ.

const APPLIED_PUSH: u32 = 1u;   // push, if there is any [N]
// Forces between surfaces in touch [N], behind these; 0: there are none. In a matrix two rows more, of a block [N/m].
override CONTACT_ROW: u32 = 0u;
// Those that colliders count: of explicit methods the same, of implicit ones what lasts of those at the end of the substep before, and as fourth number the
// mass of the surfaces that lie on a node where the substep begins [kg]. Once colliders have taken that, A until the substep ends (contact/burden.wgsl).
override TOUCH_ROW: u32 = 0u;
// What arrives on each node in this substep, beside that: A [N] and p [1]. Read only where the fourth number of TOUCH_ROW is above 0. In a matrix the first row of contact, which pairs write later in the substep.
override ARRIVAL_ROW: u32 = 0u;
const APPLIED_DRAG: u32 = 2u;   // the drag matrix B in this row and the next, if there are air or colliders
