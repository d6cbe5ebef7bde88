// Row 0: pulls of handles, (mean target, sum K). What air, colliders, loads and the user's force do is f = push - B v:
// row 1, where there is any, push; rows 2 and 3, where there are air or colliders, the drag matrix B, (xx, yy, zz, yz)
// and (xz, xy, -, -). Behind them the surroundings of each copy, where copies differ.
@group(2) @binding(4) var<storage, read> applied: array<vec4f>;
