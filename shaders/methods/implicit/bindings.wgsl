// The state, at the beginning and the end of a substep of an implicit method.

@group(2) @binding(0) var<storage, read_write> position: array<vec4f>;      // x_0, then x+; w = 1 / m (0: pinned)
@group(2) @binding(1) var<storage, read_write> velocity: array<vec4f>;
