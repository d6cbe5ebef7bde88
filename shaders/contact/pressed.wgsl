// What the pairs of a node add up to: of its own slots, then of those in which it is a corner, always in the same order.
//!import contact/presses.wgsl

@group(2) @binding(4) var<storage, read> slots: array<Slot>;
@group(2) @binding(6) var<storage, read> row_starts: array<u32>;
@group(2) @binding(7) var<storage, read> row_entries: array<u32>;
@group(2) @binding(9) var<storage, read_write> presses: array<vec4f>;

fn is_empty(s: u32) -> bool {
    return slots[s].kind == EMPTY;
}

fn slot_of_entry(k: u32) -> u32 {
    return row_entries[k] / 4u;
}

fn weight_of_entry(k: u32) -> f32 {
    return presses[PRESSES * slot_of_entry(k) + PRESS_WEIGHTS][row_entries[k] % 4u - 1u];
}

// Of forces, or of whatever else stands in their place.
fn sum_of_presses(i: u32) -> vec3f {
    var total = vec3f(0.0);
    for (var s = SLOTS * i; s < SLOTS * (i + 1u) && !is_empty(s); s += 1u) {
        total += presses[PRESSES * s + PRESS_FORCE].xyz;
    }
    for (var k = row_starts[i]; k < row_starts[i + 1u]; k += 1u) {
        total -= weight_of_entry(k) * presses[PRESSES * slot_of_entry(k) + PRESS_FORCE].xyz;
    }
    return total;
}
